"""Questions of a client before a choice: every crime of a run at this moment, every contest of the roster."""

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from oddsmith import wire
from oddsmith.errors import InputError, OddsmithError, WorkLimitError
from oddsmith.game import Act
from oddsmith.games.destiny import DEFAULT, GAME, Character, Crime, Degree, Rules, character_bonuses
from oddsmith.games.destiny.model import Attempt, Buy, Choose, Rest, Reward, RunState, Travel
from oddsmith.games.destiny.odds import contest_odds, degree_odds
from oddsmith.games.destiny.questions.runs import ROSTER, RUN, KnownRun, RosterRequest, RunReply, RunRequest
from oddsmith.games.destiny.views import outlaw_now
from oddsmith.points import Points
from oddsmith.question import Context
from tests.games.destiny.builders import answer, ask


def run_after(*actions: Any, rules: Rules = DEFAULT, gold: int = 0) -> RunState:  # noqa: ANN401  any action
    state = GAME.setup(rules, 1)
    for action in actions:
        state = GAME.step(state, Act(0, action)).state
    assert isinstance(state, RunState)
    return msgspec.structs.replace(state, gold=state.gold + Points(gold))


def ask_about(state: RunState) -> RunReply:
    """Send a run's view as a client receives it, with its rules in full."""
    view = wire.to_builtins(GAME.view(state, 0))
    rules = view.pop("rules")
    return ask(RUN, rules=rules, view=view)


def test_11_4_crimes_are_judged_at_the_present_second() -> None:
    """With the place and the buffs of this second."""
    state = run_after(Choose("iron_jack"), Travel("frontera"))
    drunk = GAME.step(msgspec.structs.replace(state, gold=Points(5)), Act(0, Buy("whiskey"))).state
    assert isinstance(drunk, RunState)
    found = ask_about(drunk).outlaws["iron_jack"]
    bonuses = character_bonuses(outlaw_now(drunk), at=drunk.clock)

    assert "frontera" == found.character.location
    assert {"whiskey": 300} == found.buffs
    assert bonuses.suits == found.bonuses
    assert all(
        degree_odds(bonuses, crime.threshold).weight(degree) == found.crimes[name].degrees[degree]
        for name, crime in DEFAULT.crimes.items()
        for degree in Degree
    )


def test_10_3_a_crime_takes_at_most_the_gold_of_the_purse() -> None:
    """A bank robbery that fails critically costs at most $27.50; the mean counts what is really lost."""
    poor, rich = (
        ask_about(run_after(Choose("greenhorn"), gold=gold)).outlaws["greenhorn"].crimes["bank_robbery"]
        for gold in (10, 100)
    )

    assert Reward(Points(-10), Points(0), "poisoned") == poor.rewards[Degree.CRITICAL_FAILURE]
    assert Reward(Points("-27.5"), Points(0), "poisoned") == rich.rewards[Degree.CRITICAL_FAILURE]
    assert Reward(Points(110), Points(100)) == rich.rewards[Degree.CRITICAL_SUCCESS]
    assert (
        Fraction(35, 2) * Fraction(poor.degrees[Degree.CRITICAL_FAILURE], poor.total) == poor.gold - rich.gold
    )


def test_10_2_the_expected_reward_is_the_mean_over_degrees() -> None:
    """Gold and experience, each degree by its count; gold also by energy."""
    found = ask_about(run_after(Choose("calamity_rose"))).outlaws["calamity_rose"].crimes["bank_robbery"]
    crits, met = found.degrees[Degree.CRITICAL_SUCCESS], found.degrees[Degree.SUCCESS]

    assert Fraction(110 * crits + 55 * met, found.total) == found.gold
    assert Fraction(100 * crits + 50 * met, found.total) == found.experience
    assert found.gold / 50 == found.gold_per_energy
    assert Fraction(677, 6664) == found.success_exact == Fraction(found.success.count, found.success.total)


def test_a_crime_without_energy_has_no_gold_per_energy() -> None:
    free = Rules(crimes={"begging": Crime(threshold=Points(10), energy=0)})

    assert ask_about(run_after(rules=free)).outlaws["greenhorn"].crimes["begging"].gold_per_energy is None


def test_11_1_before_the_choice_every_outlaw_is_shown_at_its_place() -> None:
    """Or at the run's first place where it has none."""
    found = ask_about(run_after())

    assert list(DEFAULT.outlaws) == list(found.outlaws)
    assert "kaiowa_mesa" == found.outlaws["doc_silas"].character.location
    assert "frontera" == found.outlaws["greenhorn"].character.location
    assert {"lockpicking": Points("40.37"), "stealth": Points("32.06")} == found.outlaws[
        "calamity_rose"
    ].skills
    assert all(choice.refusal is None for choice in found.choices)


def test_11_2_impossible_choices_have_a_reason() -> None:
    """Every choice is listed, with the engine's refusal or none."""
    state = msgspec.structs.replace(run_after(Choose("calamity_rose")), energy=20)
    refusals = {choice.action: choice.refusal for choice in ask_about(state).choices}

    assert refusals[Attempt("pickpocket")] is None
    assert refusals[Rest()] is None
    assert "bank_robbery costs 50 energy and 20 is left" == getattr(
        refusals[Attempt("bank_robbery")], "sentence", ""
    )
    assert "already_there" == getattr(refusals[Travel("frontera")], "code", "")
    assert "whiskey costs $5 and the purse holds $0" == getattr(refusals[Buy("whiskey")], "sentence", "")
    assert set(GAME.actions(state, 0)) == {action for action, refusal in refusals.items() if refusal is None}


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"outlaw": "rose"}, "unknown_outlaw"),
        ({"place": "tucson"}, "unknown_location"),
        ({"pending": {"type": "crime", "crime": "arson"}}, "unknown_crime"),
        ({"buffs": [{"buff": "tea", "started": 0}]}, "unknown_buff"),
    ],
)
def test_a_view_with_unknown_names_is_refused(changed: dict[str, Any], code: str) -> None:
    view = {"type": "run", "outlaw": "greenhorn", "energy": 1, "gold": 0, "place": "frontera", "clock": 0}
    with pytest.raises(InputError) as refused:
        ask(RUN, view=view | changed)

    assert code == refused.value.refusal.code


def test_too_many_checks_are_refused_before_they_are_counted() -> None:
    """Every crime of every outlaw, up to 2,000 checks."""
    crimes = {f"crime_{number}": Crime(threshold=Points(number), energy=1) for number in range(401)}
    with pytest.raises(WorkLimitError, match="401 crimes and 6 other choices of 5 outlaws"):
        ask_about(run_after(rules=Rules(crimes=crimes)))


def test_without_a_server_checks_are_not_limited() -> None:
    """Python counts as many as it is asked for."""
    view = KnownRun(energy=150, gold=Points(0), place="frontera", clock=0)

    assert [*DEFAULT.outlaws] == [*RUN.answer(RunRequest(view=view), Context(rules=DEFAULT)).outlaws]


def test_a_view_during_a_crime_is_valid() -> None:
    """The odds are those of the crime; no choice is possible meanwhile."""
    found = ask_about(run_after(Choose("iron_jack"), Attempt("burglary")))

    assert {"not_your_turn"} == {getattr(choice.refusal, "code", "") for choice in found.choices}
    assert 2_598_960 == found.outlaws["iron_jack"].crimes["burglary"].total


def test_8_6_every_contest_of_the_roster_is_counted() -> None:
    """Each attacker against each defender, at their own places, as a single contest is counted."""
    found = answer(ROSTER, RosterRequest())
    jack, doc = (character_bonuses(DEFAULT.outlaws[name]) for name in ("iron_jack", "doc_silas"))

    assert 2_598_960**2 == found.total
    assert contest_odds(jack, doc).attacker == found.attacker_wins["iron_jack"]["doc_silas"]
    assert contest_odds(doc, jack).attacker == found.attacker_wins["doc_silas"]["iron_jack"]
    assert jack.suits == found.outlaws["iron_jack"].bonuses
    assert Character() == found.outlaws["greenhorn"].character


def test_an_impossible_view_is_refused() -> None:
    """No crime is open before an outlaw is chosen."""
    view = {"type": "run", "energy": 1, "gold": 0, "place": "frontera", "clock": 0} | {
        "pending": {"type": "crime", "crime": "burglary"}
    }
    with pytest.raises(OddsmithError, match="turn"):
        ask(RUN, view=view)

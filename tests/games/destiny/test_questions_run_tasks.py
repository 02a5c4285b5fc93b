"""Questions of a client before a skill check, a contest or a gang war of a run (§11.6 to §11.10, §12.8)."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from oddsmith import wire
from oddsmith.errors import WorkLimitError
from oddsmith.games.destiny import DEFAULT, GAME, Degree, Rules, Side, character_bonuses, npc
from oddsmith.games.destiny.model import PendingContest, PendingWar, Reward, RunState
from oddsmith.games.destiny.odds import contest_odds, degree_odds
from oddsmith.games.destiny.questions.run_wars import RUN_WAR, RunWarReply
from oddsmith.games.destiny.questions.runs import RUN, RunReply
from oddsmith.games.destiny.rules import Damage
from oddsmith.games.destiny.run_odds import contest_value, war_value
from oddsmith.games.destiny.views import outlaw_now
from oddsmith.points import Points
from tests.games.destiny.builders import ask, refusal, run


def seen(state: RunState) -> dict[str, Any]:
    """Return the view of a run and its rules as a client sends them back."""
    view = wire.to_builtins(GAME.view(state, 0))
    return {"rules": view.pop("rules"), "view": view}


def ask_about(state: RunState) -> RunReply:
    return ask(RUN, **seen(state))


def ask_war(state: RunState, tier: str = "rookie") -> RunWarReply:
    return ask(RUN_WAR, **seen(state), npc=tier)


def test_11_6_a_check_has_its_odds_and_what_it_pays() -> None:
    """A hard one costs 50 energy; the mean gold counts successes at $12.50 and critical ones at $25."""
    found = ask_about(run("calamity_rose")).outlaws["calamity_rose"].checks["hard"]
    counted = degree_odds(character_bonuses(DEFAULT.outlaws["calamity_rose"]), Points(250))
    critical, met = counted.weight(Degree.CRITICAL_SUCCESS), counted.weight(Degree.SUCCESS)

    assert ("hard", 50, "expert-level task") == (found.target.name, found.target.energy, found.target.context)
    assert Reward(Points("12.5"), Points(100)) == found.rewards[Degree.SUCCESS]
    assert Reward(Points(0), Points(0)) == found.rewards[Degree.CRITICAL_FAILURE]
    assert Fraction(25 * critical, 2_598_960) + Fraction(25 * met, 2 * 2_598_960) == found.gold
    assert found.gold / 50 == found.gold_per_energy


def test_11_7_a_contest_has_its_odds_and_stakes() -> None:
    """The energy of a defeat is bounded by what the contest leaves; all contests are listed once an outlaw is chosen."""
    state = run("calamity_rose", energy=30)
    found = ask_about(state).outlaws["calamity_rose"].contests
    outlaw = DEFAULT.outlaws["calamity_rose"]
    value = contest_value(outlaw, "elite", 10, DEFAULT)
    odds = contest_odds(character_bonuses(outlaw), character_bonuses(npc("elite")))

    assert list(DEFAULT.npcs) == list(found)
    assert odds.chance(Side.ATTACKER) == found["elite"].win_exact
    assert (Points(100), value.gold, value.energy) == (
        found["elite"].pay, found["elite"].gold, found["elite"].energy
    )  # fmt: skip
    assert value.gold is not None
    assert value.energy is not None
    assert value.gold / (20 + value.energy) == found["elite"].gold_per_energy
    assert {} == ask_about(GAME.setup(DEFAULT, 1)).outlaws["calamity_rose"].contests  # type: ignore[arg-type]  # a run


def test_11_7_damage_that_is_not_counted_has_no_mean() -> None:
    rules = Rules(damage=Damage(most=Points(90_000)))
    found = ask_about(run("iron_jack", rules)).outlaws["iron_jack"].contests["rookie"]

    assert (None, None, None) == (found.gold, found.energy, found.gold_per_energy)
    assert found.win_exact > Fraction(1, 2)


def test_11_7_a_contest_without_costs_has_no_gold_per_energy() -> None:
    free = msgspec.structs.replace(DEFAULT.run.contests, energy=0, energy_per_damage=Decimal(0))
    rules = Rules(run=msgspec.structs.replace(DEFAULT.run, contests=free))

    assert ask_about(run("iron_jack", rules)).outlaws["iron_jack"].contests["rookie"].gold_per_energy is None


def test_11_11_what_is_not_offered_is_not_valued() -> None:
    found = ask_about(run("iron_jack", Rules.preset("crimes_only"))).outlaws["iron_jack"]

    assert ({}, {}) == (found.checks, found.contests)


def test_11_9_a_war_has_the_odds_of_a_raid_and_a_defence() -> None:
    """As the gang is now, where it is now; the loss is bounded by the purse."""
    state = run("iron_jack", gang=("doc_silas", "copper_mae"), gold=Points(3))
    found = ask_war(state, "veteran")

    assert ("iron_jack", "doc_silas", "copper_mae") == found.gang
    for side, one in ((Side.ATTACKER, found.raid), (Side.DEFENDER, found.defend)):
        value = war_value(state, "veteran", side)
        assert (value.win, value.gold, value.pay) == (one.win_exact, one.gold, one.pay)
        assert Fraction(one.win.count, one.win.total) == one.win_exact
    assert (Points("262.5"), Points(-3), Points("52.5")) == (
        found.raid.pay, found.raid.loss, found.raid.experience
    )  # fmt: skip
    assert Points("157.5") == found.defend.pay


def test_11_9_no_war_before_an_outlaw_is_chosen() -> None:
    begun = GAME.setup(DEFAULT, 1)
    assert isinstance(begun, RunState)

    assert "no_outlaw" == refusal(lambda: ask_war(begun)).code
    assert "unknown_npc" == refusal(lambda: ask_war(run(), "sheriff")).code


def test_11_9_a_server_counts_no_war_of_ten_a_side() -> None:
    gang = ("doc_silas", "copper_mae", "calamity_rose", "greenhorn", "iron_jack") * 2

    assert "gang_too_large" == refusal(lambda: ask_war(run("iron_jack", gang=gang[:9])), WorkLimitError).code


@pytest.mark.parametrize(
    ("pending", "code"),
    [
        ({"type": "check", "check": "nap"}, "unknown_skill_check"),
        ({"type": "contest", "npc": "sheriff", "hands": []}, "unknown_npc"),
        ({"type": "war", "npc": "sheriff", "side": "attacker", "hands": []}, "unknown_npc"),
    ],
)
def test_11_a_view_of_something_unknown_is_refused(pending: dict[str, Any], code: str) -> None:
    asked = seen(run())
    asked["view"]["pending"] = pending

    assert code == refusal(lambda: ask(RUN, **asked)).code
    asked["view"]["pending"], asked["view"]["gang"] = None, ["sheriff"]
    assert "unknown_outlaw" == refusal(lambda: ask(RUN, **asked)).code


@pytest.mark.parametrize(
    "pending", [PendingContest(npc="rookie"), PendingWar(npc="rookie", side=Side.DEFENDER)]
)
def test_11_a_view_during_a_contest_or_a_war_is_valid(pending: object) -> None:
    """No choice is possible meanwhile."""
    state = run("iron_jack", gang=("doc_silas", "copper_mae"), pending=pending)
    found = ask_about(state)

    assert {"not_your_turn"} == {getattr(choice.refusal, "code", "") for choice in found.choices}
    assert outlaw_now(state).location == found.outlaws["iron_jack"].character.location

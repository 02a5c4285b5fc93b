"""The solo run, step by step (§10, §11)."""

import msgspec
import pytest

from oddsmith.cards import Suit
from oddsmith.game import EVERYONE, Await, Decide, Outcome, Over
from oddsmith.games.destiny import (
    DEFAULT,
    DRAW,
    GAME,
    Character,
    Crime,
    Degree,
    Rules,
    Run,
    character_bonuses,
)
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Attempted,
    Bought,
    Buy,
    Challenge,
    Choose,
    Chosen,
    ContestState,
    Hire,
    PendingCrime,
    Rest,
    Rested,
    RunningBuff,
    RunState,
    TakeCheck,
    Travel,
    Travelled,
)
from oddsmith.games.destiny.views import outlaw_now
from oddsmith.points import Points
from tests.games.destiny.builders import (
    NOTHING,
    ROYAL_FLUSH,
    act,
    attempt_crime,
    contest_of,
    hand,
    objection_to,
    run,
)

OUTLAWS = ("calamity_rose", "iron_jack", "doc_silas", "copper_mae", "greenhorn")


def test_11_1_a_run_begins_with_a_choice() -> None:
    """150 energy, no gold, no experience, second 0."""
    state = GAME.setup(DEFAULT, 1)

    assert Decide((0,)) == GAME.turn(state)
    assert tuple(map(Choose, OUTLAWS)) == GAME.actions(state, 0)
    assert "not_now" == objection_to(state, Rest()).code
    assert "unknown_outlaw" == objection_to(state, Choose("rose")).code
    assert RunState(
        rules=DEFAULT,
        outlaw=None,
        energy=150,
        gold=Points(0),
        experience=Points(0),
        place="frontera",
        clock=0,
        buffs=(),
        gang=(),
        pending=None,
    ) == state  # fmt: skip


@pytest.mark.parametrize(
    ("outlaw", "place"),
    [("doc_silas", "kaiowa_mesa"), ("copper_mae", "red_gulch"), ("greenhorn", "frontera")],
)
def test_11_1_an_outlaw_starts_at_its_own_place(outlaw: str, place: str) -> None:
    """Or at frontera if it has none."""
    step = act(GAME.setup(DEFAULT, 1), Choose(outlaw))

    assert isinstance(step.state, RunState)
    assert (outlaw, place) == (step.state.outlaw, step.state.place)
    assert (Chosen(audience=EVERYONE, seat=0, outlaw=outlaw),) == step.events
    assert place == outlaw_now(step.state).location


def test_11_2_actions_are_listed_in_order() -> None:
    """Crimes, rest, other places, affordable purchases; then skill checks, contests, and whom the purse can hire."""
    poor, rich = run(), run(gold=Points(5))
    expected = (
        *map(Attempt, DEFAULT.crimes),
        Rest(),
        Travel("red_gulch"),
        Travel("kaiowa_mesa"),
        Travel("sangre_canyon"),
    )

    others = (*map(TakeCheck, DEFAULT.skill_checks), *map(Challenge, DEFAULT.npcs))

    assert (*expected, *others) == GAME.actions(poor, 0)
    assert (*expected, Buy("whiskey"), *others) == GAME.actions(rich, 0)
    assert tuple(map(Hire, OUTLAWS[:4])) == GAME.actions(run(gold=Points(15)), 0)[-4:]
    assert () == GAME.actions(rich, 1)


def test_10_1_an_attempt_costs_its_energy_at_once() -> None:
    """A bank robbery costs 50 of 150, before a card is drawn; time passes when it is resolved."""
    step = act(run(), Attempt("bank_robbery"))

    assert isinstance(step.state, RunState)
    assert (100, PendingCrime("bank_robbery"), 0) == (step.state.energy, step.state.pending, step.state.clock)
    assert (Attempted(audience=EVERYONE, crime="bank_robbery", energy=50),) == step.events
    assert Await(DRAW) == GAME.turn(step.state)
    assert "not_your_turn" == objection_to(step.state, Rest()).code


@pytest.mark.parametrize(
    ("held", "gold_before", "degree", "gold", "experience"),
    [
        ("A♠ K♠ Q♠ J♠ 10♠", "1", Degree.CRITICAL_SUCCESS, "111", 100),
        ("7♠ 7♥ 7♣ 7♦ A♠", "1", Degree.SUCCESS, "56", 50),
        ("7♠ 7♥ 7♣ K♦ K♠", "10", Degree.FAILURE, "4.5", 0),
        ("7♠ 7♥ 7♣ K♦ K♠", "1", Degree.FAILURE, "0", 0),
        ("7♠ 5♥ 4♣ 3♦ 2♥", "100", Degree.CRITICAL_FAILURE, "72.5", 0),
        ("7♠ 5♥ 4♣ 3♦ 2♥", "20", Degree.CRITICAL_FAILURE, "0", 0),
        ("7♠ 5♥ 4♣ 3♦ 2♥", "0", Degree.CRITICAL_FAILURE, "0", 0),
    ],
)
def test_10_3_a_crime_pays_or_costs(
    held: str, gold_before: str, degree: Degree, gold: str, experience: int
) -> None:
    """A bank robbery pays 55; a failure loses a tenth of that, a critical one half, but the purse is never below 0."""
    state = run(gold=Points(gold_before), place="sangre_canyon")
    after, drawn, resolved = attempt_crime(state, "bank_robbery", held)

    assert hand(held) == drawn.score.hand
    assert (degree, drawn.score.total - Points(275)) == (resolved.degree, resolved.margin)
    assert (Points(gold), Points(experience)) == (after.gold, after.experience)
    assert (Points(gold) - Points(gold_before), Points(experience)) == (resolved.gold, resolved.experience)
    assert (100, 300, None) == (after.energy, after.clock, after.pending)


def test_10_4_a_critical_failure_poisons() -> None:
    """From second 300, when the crime is over, to second 900; the next crime is judged with 25 points less."""
    after, _, resolved = attempt_crime(run(), "bank_robbery", NOTHING)
    again, drawn, _ = attempt_crime(after, "bank_robbery", ROYAL_FLUSH)

    assert ("poisoned", (RunningBuff("poisoned", 300),)) == (resolved.buff, after.buffs)
    assert [("buff poisoned", Points(-25))] == [(one.source, one.points) for one in drawn.score.sources]
    assert after.buffs == again.buffs


def test_10_4_a_second_critical_failure_starts_the_poison_again() -> None:
    """It does not stack; other buffs stay."""
    state = run(buffs=(RunningBuff("poisoned", 0), RunningBuff("whiskey", 100)), clock=200)
    after, _, _ = attempt_crime(state, "bank_robbery", NOTHING)

    assert (RunningBuff("whiskey", 100), RunningBuff("poisoned", 500)) == after.buffs


def test_10_4_rules_may_inflict_nothing() -> None:
    after, _, resolved = attempt_crime(run(rules=Rules(critical_failure_buff="")), "bank_robbery", NOTHING)

    assert (None, ()) == (resolved.buff, after.buffs)


def test_10_1_too_little_energy_refuses_the_attempt() -> None:
    """A legendary score costs 100; with 99 it is refused, and nothing changes."""
    refused = objection_to(run(energy=99), Attempt("legendary_score"))

    assert ("too_little_energy", "10.1") == (refused.code, refused.paragraph)
    assert "legendary_score costs 100 energy and 99 is left" == refused.sentence
    assert GAME.objection(run(energy=100), 0, Attempt("legendary_score")) is None


@pytest.mark.parametrize(("energy", "gained"), [(0, 30), (110, 30), (130, 20), (150, 0)])
def test_11_2_rest_gives_30_energy_up_to_150(energy: int, gained: int) -> None:
    """An hour passes, and energy does not exceed 150."""
    step = act(run(energy=energy, clock=100), Rest())

    assert isinstance(step.state, RunState)
    assert (energy + gained, 3_700) == (step.state.energy, step.state.clock)
    assert (Rested(audience=EVERYONE, energy=gained),) == step.events


def test_11_2_travel_takes_an_hour() -> None:
    """To another place, with bonuses for other suits."""
    step = act(run("copper_mae"), Travel("kaiowa_mesa"))

    assert isinstance(step.state, RunState)
    assert ("kaiowa_mesa", 3_600, 150) == (step.state.place, step.state.clock, step.state.energy)
    assert (Travelled(audience=EVERYONE, place="kaiowa_mesa"),) == step.events
    assert Points(10) == character_bonuses(outlaw_now(step.state)).suits[Suit.HEARTS]


@pytest.mark.parametrize(
    ("action", "code", "paragraph"),
    [
        (Travel("frontera"), "already_there", "11.2"),
        (Travel("fronterra"), "unknown_location", None),
        (Attempt("bank"), "unknown_crime", None),
        (Buy("coffee"), "unknown_buff", None),
        (Buy("poisoned"), "unknown_buff", None),
        (Buy("whiskey"), "too_little_gold", "11.2"),
        (Choose("greenhorn"), "not_now", None),
    ],
)
def test_11_2_illegal_actions_are_refused(action: Action, code: str, paragraph: str | None) -> None:
    """Travel to the present place, unknown or unsold things, things that are too expensive, a second choice."""
    refused = objection_to(run(gold=Points("4.99")), action)

    assert (code, paragraph) == (refused.code, refused.paragraph)


def test_11_2_another_seat_is_refused() -> None:
    assert "not_your_turn" == objection_to(run(), Rest(), seat=1).code


def test_11_2_whiskey_costs_5_and_no_time() -> None:
    """Its buff starts at once."""
    step = act(run(gold=Points("5.5"), clock=700), Buy("whiskey"))

    assert isinstance(step.state, RunState)
    assert (Points("0.5"), 700, (RunningBuff("whiskey", 700),)) == (
        step.state.gold, step.state.clock, step.state.buffs
    )  # fmt: skip
    assert (Bought(audience=EVERYONE, buff="whiskey", price=Points(5)),) == step.events


def test_5_4_another_whiskey_restarts_the_buff() -> None:
    """Buffs do not stack: one is active, from the later second."""
    first = act(run(gold=Points(50)), Buy("whiskey")).state
    after, drawn, _ = attempt_crime(first, "pickpocket", ROYAL_FLUSH)
    second = act(after, Buy("whiskey")).state

    assert isinstance(second, RunState)
    assert Points(10 + 3) == drawn.score.bonuses[Suit.CLUBS]
    assert (RunningBuff("whiskey", 300),) == second.buffs
    assert Points(10 + 3) == character_bonuses(outlaw_now(second), at=second.clock).suits[Suit.CLUBS]


def test_5_4_buffs_of_the_character_and_bought_ones_add_up() -> None:
    """An outlaw that starts poisoned and drinks has both; its own whiskey is restarted by another."""
    rules = DEFAULT.replace(outlaws={"sick": Character(buffs={"poisoned": -100, "whiskey": -299})})
    sober = run("sick", rules, gold=Points(5), clock=1)
    drunk = act(sober, Buy("whiskey")).state

    assert isinstance(drunk, RunState)
    assert Points(3) == character_bonuses(outlaw_now(sober), at=1).suits[Suit.CLUBS]
    assert Points(13) == character_bonuses(outlaw_now(drunk), at=1).suits[Suit.CLUBS]
    assert {"poisoned": -100, "whiskey": 1} == outlaw_now(drunk).buffs


@pytest.mark.parametrize(("clock", "clubs"), [(1_000, 13), (1_299, 13), (1_300, 3)])
def test_11_4_a_crime_is_judged_at_the_second_it_began(clock: int, clubs: int) -> None:
    """Whiskey of second 1,000 works for a crime that begins at its last second, 1,299, and ends at 1,599."""
    state = run(clock=clock, buffs=(RunningBuff("whiskey", 1_000),))
    after, drawn, _ = attempt_crime(state, "pickpocket", NOTHING)

    assert Points(clubs) == drawn.score.bonuses[Suit.CLUBS]
    assert clock + 300 == after.clock


def test_11_4_the_place_changes_the_score() -> None:
    """At frontera spades have 8 and clubs 3."""
    _, drawn, _ = attempt_crime(run(), "pickpocket", ROYAL_FLUSH)

    assert Points(540) == drawn.score.total


@pytest.mark.parametrize(
    ("action", "last"), [(Attempt("pickpocket"), 86_100), (Rest(), 82_800), (Travel("red_gulch"), 82_800)]
)
def test_11_3_an_action_must_end_with_the_day(action: Action, last: int) -> None:
    """A crime at 86,100 ends with the day; a second later it is refused."""
    refused = GAME.objection(run(clock=last + 1), 0, action)

    assert GAME.objection(run(clock=last), 0, action) is None
    assert refused is not None
    assert ("game_over" if last == 86_100 else "too_late") == refused.code


def test_11_3_the_refusal_has_the_seconds_left() -> None:
    """Rest takes 3,600 s and 3,599 are left."""
    assert "that takes 3600 s and 3599 s are left" == objection_to(run(clock=82_801), Rest()).sentence


def test_11_3_a_run_ends_when_no_time_is_left() -> None:
    """When not even a crime fits. The result is the gold, and there is no winner."""
    state = run(clock=86_101, gold=Points("12.5"), experience=Points(40))

    assert Over(Outcome(why="the time is over", winners=(), scores=(Points("12.5"),))) == GAME.turn(state)
    assert "game_over" == objection_to(state, Attempt("pickpocket")).code
    assert "the game is over: the time is over" == objection_to(state, Buy("whiskey")).sentence
    assert () == GAME.actions(state, 0)


@pytest.mark.parametrize("gold", [0, 1_000])
def test_11_3_a_run_ends_when_nothing_is_affordable(gold: int) -> None:
    """Time for a crime but no energy, and no time for rest; a drink alone does not continue the run."""
    state = run(clock=86_000, energy=9, gold=Points(gold))

    assert Over(Outcome(why="nothing can be afforded", winners=(), scores=(Points(gold),))) == GAME.turn(
        state
    )
    assert Decide((0,)) == GAME.turn(msgspec.structs.replace(state, energy=10))


def test_11_3_travel_alone_continues_a_run() -> None:
    """Where only travel is short enough, the run goes on until travel is too long, too."""
    rules = DEFAULT.replace(run=Run(duration=100, crime_time=200, rest_time=200, travel_time=60))
    state = run("greenhorn", rules)
    after = act(state, Travel("red_gulch")).state
    over = GAME.turn(after)

    assert tuple(map(Travel, ("red_gulch", "kaiowa_mesa", "sangre_canyon"))) == GAME.actions(state, 0)
    assert isinstance(over, Over)
    assert "the time is over" == over.outcome.why


def test_11_5_the_result_is_the_gold() -> None:
    """Two royal flushes for a pickpocket: 2 × 32 gold and 2 × 20 experience."""
    rules = DEFAULT.replace(run=Run(duration=600))
    state = run("greenhorn", rules)
    for _ in range(2):
        state, _, _ = attempt_crime(state, "pickpocket", ROYAL_FLUSH)

    assert Points(40) == state.experience
    assert Over(Outcome(why="the time is over", winners=(), scores=(Points(64),))) == GAME.turn(state)


def test_11_1_the_numbers_of_a_run_are_rules() -> None:
    """Energy, place, times, rest and prices."""
    rules = DEFAULT.replace(
        run=Run(
            energy=40, place="red_gulch", crime_time=7, rest_time=11, rest_energy=3, travel_time=13,
            prices={"poisoned": Points("0.01")},
        )
    )  # fmt: skip
    state = run("greenhorn", rules, gold=Points("0.01"))
    poisoned = act(state, Buy("poisoned")).state
    after, drawn, _ = attempt_crime(poisoned, "burglary", NOTHING)
    rested = act(after, Rest()).state
    travelled = act(rested, Travel("frontera")).state

    assert (40, "red_gulch") == (state.energy, state.place)
    assert Points(-25) == drawn.score.modifiers
    assert isinstance(rested, RunState)
    assert isinstance(travelled, RunState)
    assert (15, 7) == (after.energy, after.clock)
    assert (18, 7 + 11) == (rested.energy, rested.clock)
    assert 7 + 11 + 13 == travelled.clock


def test_7_5_the_royal_rule_holds_in_a_run() -> None:
    """A royal flush for a legendary score of 90,000 is a critical success."""
    rules = Rules(royal_flush_auto_win=True, crimes={"moon": Crime(threshold=Points(90_000), energy=1)})
    _, _, resolved = attempt_crime(run("greenhorn", rules), "moon", ROYAL_FLUSH)

    assert Degree.CRITICAL_SUCCESS == resolved.degree


def test_equal_states_are_equal_and_hashable() -> None:
    """The solver looks states up."""
    assert 1 == len({run(), run()})
    assert hash(contest_of("iron_jack", "greenhorn")) == hash(contest_of("iron_jack", "greenhorn"))
    assert isinstance(contest_of("iron_jack", "greenhorn"), ContestState)

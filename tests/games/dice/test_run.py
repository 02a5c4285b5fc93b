"""Dice Hands as a game: found, lawful, saved and loaded at any point (§8)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.games import dice
from oddsmith.games.dice import DEFAULT, GAME, Rules, ScoreHand, Stage, State
from oddsmith.games.dice.model import Ended, Ending, Paid, RoundBegan, Scored
from oddsmith.laws import LAWS, check_game
from oddsmith.points import Points
from oddsmith.records import Record, play, read_record, retrace
from oddsmith.registry import find_game, mechanic_names
from tests.games.dice.builders import (
    EASY_RULES,
    FIVE,
    SCORE,
    act,
    after,
    outcome_of,
    refusal,
    rolled,
    said,
    told,
)
from tests.games.dice.strategies import Run, played, random_player, runs


def test_the_house_is_found_by_its_name() -> None:
    """`dice` is Dice Hands."""
    assert GAME is find_game("dice")
    assert "dice" in mechanic_names()


def test_the_public_names_are_there() -> None:
    """Each name of `__all__` once, and none is missing."""
    assert sorted(set(dice.__all__)) == sorted(dice.__all__)
    assert all(hasattr(dice, name) for name in dice.__all__)


@pytest.mark.parametrize("seats", [0, 2, -1])
def test_8_1_a_run_is_for_one_player(seats: int) -> None:
    """Nobody else."""
    assert ("bad_seats", f"Dice Hands is for 1 seat, not {seats}") == said(
        refusal(lambda: GAME.setup(DEFAULT, seats))
    )
    assert range(1, 2) == GAME.seats(DEFAULT)


def test_8_1_how_a_run_begins() -> None:
    """Five normal dice, $0, three rerolls, round 1, before the first roll; no cards at all."""
    state = GAME.setup(DEFAULT, 1)

    assert (FIVE, 0, 3, 1, Stage.ROLL) == (state.build, state.money, state.rerolls, state.round, state.stage)
    assert ((), (), None, None) == (GAME.cards(state), state.faces, state.boss, state.result)


def test_8_1_a_run_begins_as_its_rules_say() -> None:
    """With another pool, and money."""
    state = GAME.setup(Rules(pool=("glass+2", "wild"), money=12, rerolls=1), 1)

    assert (["glass+2", "wild"], 12, 1) == (
        [str(die) for die in state.build.dice],
        state.money,
        state.rerolls,
    )


def test_8_3_a_run_is_worth_the_rounds_won() -> None:
    """Lost in round 7, six; nobody has won."""
    lost = after(rolled((1, 2, 3, 5, 6), number=7), SCORE)

    assert (Points(6), (), "a score below the target") == (
        outcome_of(lost).scores[0], outcome_of(lost).winners, outcome_of(lost).why
    )  # fmt: skip


def test_8_4_a_run_is_won_after_its_last_round() -> None:
    """It is paid, and there is no shop."""
    won = act(rolled((6,) * 5, rules=Rules(rounds=3), number=3), SCORE)

    assert 100 == DEFAULT.rounds
    assert [Scored, Paid, Ended] == [type(event) for event in won.events]
    assert Ended(audience="everyone", why=Ending.ALL_ROUNDS_WON, won=3) == told(won, Ended)
    assert (Points(3), (0,), "every round is won") == (
        outcome_of(won.state).scores[0], outcome_of(won.state).winners, outcome_of(won.state).why
    )  # fmt: skip


# the laws


def test_every_law_holds_by_the_default() -> None:
    """Random runs keep every law of the kit."""
    report = check_game(GAME, playouts=2, outcomes=0)

    assert list(LAWS) == [held.law for held in report.laws]
    assert {2} == {held.playouts for held in report.laws}


@pytest.mark.parametrize("rules", EASY_RULES.values(), ids=EASY_RULES)
def test_every_law_holds_in_long_runs(rules: Rules) -> None:
    """With dice of all kinds, bosses, and shops."""
    report = check_game(GAME, rules, playouts=1, outcomes=0)

    assert {1} == {held.playouts for held in report.laws}


@settings(max_examples=25)
@given(runs())
def test_8_every_run_is_told_as_it_went(run: Run) -> None:
    """Rounds follow each other, money is what was paid less what was spent, and the end is the first score below."""
    events = [event for ply in run for event in ply.events]
    scored = [event for event in events if isinstance(event, Scored)]
    rounds = [event.round for event in events if isinstance(event, RoundBegan)]
    end = run[-1].after

    assert list(range(2, end.round + 1)) == rounds
    assert [True] * (len(scored) - 1) == [event.score.total >= event.target for event in scored[:-1]]
    assert (end.result is Ending.ALL_ROUNDS_WON) == (scored[-1].score.total >= scored[-1].target)
    assert all(ply.after.money >= 0 and 1 <= len(ply.after.build.dice) <= 10 for ply in run)
    assert outcome_of(end).scores == (Points(len(scored) - (end.result is Ending.BELOW_TARGET)),)


@settings(max_examples=25)
@given(runs())
def test_5_3_held_dice_never_change_but_by_their_owner(run: Run) -> None:
    """A die that is locked, set or fixed shows after a roll what it showed before."""
    for ply in run:
        state = ply.before
        if state.stage is Stage.ROLL and state.faces:
            held = {*state.locked, *state.wilds_set, *([state.fixed.place] if state.fixed else [])}
            assert all(state.faces[place] == ply.after.faces[place] for place in held)
            assert held < set(range(len(state.faces)))


# §8.2: saving and loading


def rest(state: State, seed: str) -> Run:
    """Return how a run goes on, by luck and choices of this seed."""
    return list(play(GAME, state, [random_player(len(seed))], Seeded(seed)))


@settings(max_examples=30)
@given(runs(), st.integers(0, 10**6))
def test_8_2_a_run_goes_on_from_its_json_as_it_was(run: Run, where: int) -> None:
    """At any ply the same luck and the same choices lead to the same states, events and end."""
    state = run[where % len(run)].before
    loaded = wire.from_json(wire.to_json(state), State)

    assert state == loaded
    assert rest(state, f"later {where}") == rest(loaded, f"later {where}")


@pytest.mark.parametrize("rules", [DEFAULT, *EASY_RULES.values()], ids=["default", *EASY_RULES])
@pytest.mark.parametrize("seed", range(4))
def test_8_2_a_run_goes_on_from_its_record_as_it_was(rules: Rules, seed: int) -> None:
    """Cut anywhere, read back and retraced, its seed leads to the very moves that were made."""
    run = played(rules, seed)
    moves = [ply.move for ply in run]
    cut = Random(seed).randrange(len(moves))
    record = read_record(Record.of(GAME, rules, ["Ann"], moves[:cut]).to_toml(), find_game)
    luck, player = Seeded(seed), random_player(seed)
    state = retrace(GAME, record, luck, {0: player}).state
    later = list(play(GAME, state, [player], luck))

    assert run[cut].before == state
    assert moves[cut:] == [ply.move for ply in later]
    assert [ply.events for ply in run[cut:]] == [ply.events for ply in later]
    assert run[-1].after == later[-1].after


def test_8_2_a_seed_is_a_run() -> None:
    """Twice the same, and another seed another one."""
    assert played(DEFAULT, 7) == played(DEFAULT, 7) != played(DEFAULT, 8)


def test_8_3_every_run_ends() -> None:
    """Forty random ones, each with the end that its last score says."""
    ends = [played(DEFAULT, seed)[-1] for seed in range(40)]

    assert {ScoreHand} == {type(getattr(ply.move, "action", None)) for ply in ends}
    assert {Ending.BELOW_TARGET} == {ply.after.result for ply in ends}


def test_who_is_too_late_scores_the_dice_as_they_lie_and_buys_nothing() -> None:
    """One action is left at the table, and one in the shop."""
    table = rolled((5, 5, 2, 3, 6))
    shop = State(rules=DEFAULT, build=FIVE, money=100, stage=Stage.SHOP)

    assert [ScoreHand()] == [*GAME.overdue(table, 0)]
    assert [dice.Leave()] == [*GAME.overdue(shop, 0)]

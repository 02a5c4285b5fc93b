"""Dice Hands as a game: how a run begins, goes on and ends (§8)."""

import pytest
from hypothesis import given, settings

from oddsmith.games import dice
from oddsmith.games.dice import DEFAULT, GAME, Rules, ScoreHand, Stage, State
from oddsmith.games.dice.model import Ended, Ending, Paid, RoundBegan, Scored
from oddsmith.points import Points
from tests.games.dice.builders import (
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
from tests.games.dice.strategies import Run, played, runs


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

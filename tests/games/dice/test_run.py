"""Dice Hands as a game: the beginning, course and end of a run (§8)."""

import msgspec
import pytest
from hypothesis import given, settings

from oddsmith.games import dice
from oddsmith.games.dice import DEFAULT, GAME, FinalScore, Rules, ScoreHand, Stage, State
from oddsmith.games.dice.model import Ended, Ending, Paid, RoundBegan, Scored
from oddsmith.points import Points
from tests.games.dice.builders import (
    FIVE,
    SCORE,
    act,
    code_and_sentence,
    first_roll,
    only_event,
    outcome_of,
    refusal,
    state_after,
)
from tests.games.dice.strategies import Run, play_run, runs


@pytest.mark.parametrize("seats", [0, 2, -1])
def test_8_1_a_run_is_for_one_player(seats: int) -> None:
    """Other numbers of seats are refused."""
    assert ("bad_seats", f"Dice Hands is for 1 seat, not {seats}") == code_and_sentence(
        refusal(lambda: GAME.setup(DEFAULT, seats))
    )
    assert range(1, 2) == GAME.seats(DEFAULT)


def test_8_1_first_state_of_a_run() -> None:
    """Five normal dice, $0, three rerolls, round 1, before the first roll; no cards."""
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


def test_8_3_a_run_ends_with_the_first_score_below_its_target() -> None:
    """Lost in round 7: six rounds are won, and nobody wins the run."""
    lost = act(first_roll((1, 2, 3, 5, 6), number=7), SCORE)

    assert 6 == only_event(lost, Ended).won
    assert ((), "a score below the target") == (outcome_of(lost.state).winners, outcome_of(lost.state).why)


def test_8_5_the_final_score_is_the_sum_of_the_scores_of_won_rounds() -> None:
    """Three fives and a pair of sixes are 90 + 33; a lost round adds nothing."""
    first = state_after(msgspec.structs.replace(first_roll((5, 5, 5, 2, 4), number=1), points=33), SCORE)
    lost = act(msgspec.structs.replace(first_roll((1, 2, 3, 5, 6), number=2), points=first.points), SCORE)

    assert 123 == first.points
    assert 123 == only_event(lost, Ended).final_score
    assert (Points(123),) == outcome_of(lost.state).scores


def test_8_5_points_are_kept_from_round_to_round() -> None:
    """The shop and the start of a round do not change them."""
    shop = State(rules=DEFAULT, build=FIVE, money=0, points=90, stage=Stage.SHOP)
    after = state_after(shop, dice.Leave())

    assert (90, 90) == (after.points, GAME.view(after, 0).points)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (FinalScore(), 1500),
        (FinalScore(per_round=1, per_point=0), 6),
        (FinalScore(per_round=100, per_point=0, per_dollar=2), 600 + 2 * 11),
        (FinalScore(per_round=1000, per_point=3, per_dollar=1), 6000 + 4500 + 11),
    ],
)
def test_8_5_rounds_points_and_dollars_may_count(weights: FinalScore, expected: int) -> None:
    """Six won rounds with 1500 points, $11 left."""
    rules = DEFAULT.replace(final_score=weights)
    before = first_roll((1, 2, 3, 5, 6), rules=rules, number=7, money=11)
    lost = act(msgspec.structs.replace(before, points=1500), SCORE)

    assert expected == only_event(lost, Ended).final_score


def test_8_4_the_preset_endless_counts_rounds() -> None:
    """It has a hundred of them; the final score is the number of rounds won."""
    endless = Rules.preset("endless")
    lost = act(first_roll((1, 2, 3, 5, 6), rules=endless, number=7), SCORE)

    assert 100 == endless.rounds
    assert (6, Points(6)) == (only_event(lost, Ended).final_score, outcome_of(lost.state).scores[0])


def test_8_4_a_run_is_won_after_its_last_round() -> None:
    """It is paid, and no shop follows."""
    won = act(first_roll((6,) * 5, rules=Rules(rounds=3), number=3), SCORE)

    assert 12 == DEFAULT.rounds
    assert DEFAULT.is_boss_round(DEFAULT.rounds)
    assert [Scored, Paid, Ended] == [type(event) for event in won.events]
    assert Ended(audience="everyone", why=Ending.ALL_ROUNDS_WON, won=3, final_score=650) == only_event(
        won, Ended
    )
    assert (Points(650), (0,), "every round is won") == (
        outcome_of(won.state).scores[0], outcome_of(won.state).winners, outcome_of(won.state).why
    )  # fmt: skip


@settings(max_examples=25)
@given(runs())
def test_8_events_of_a_run_are_consistent(run: Run) -> None:
    """Rounds follow each other, money is pay less purchases, and the run ends with the first score below a target."""
    events = [event for ply in run for event in ply.events]
    scored = [event for event in events if isinstance(event, Scored)]
    rounds = [event.round for event in events if isinstance(event, RoundBegan)]
    end = run[-1].after

    assert list(range(2, end.round + 1)) == rounds
    assert [True] * (len(scored) - 1) == [event.score.total >= event.target for event in scored[:-1]]
    assert (end.result is Ending.ALL_ROUNDS_WON) == (scored[-1].score.total >= scored[-1].target)
    assert all(ply.after.money >= 0 and 1 <= len(ply.after.build.dice) <= 10 for ply in run)
    won = scored[: len(scored) - (end.result is Ending.BELOW_TARGET)]
    assert outcome_of(end).scores == (Points(sum(event.score.total for event in won)),)


@pytest.mark.sweep
@settings(max_examples=25)
@given(runs())
def test_5_3_held_dice_change_only_by_their_owner(run: Run) -> None:
    """A locked, set or fixed die shows the same face after a roll."""
    for ply in run:
        state = ply.before
        if state.stage is Stage.ROLL and state.faces:
            held = {*state.locked, *state.wilds_set, *([state.fixed.place] if state.fixed else [])}
            assert all(state.faces[place] == ply.after.faces[place] for place in held)
            assert held < set(range(len(state.faces)))


def test_8_3_every_run_ends() -> None:
    """Forty random ones, each with the end of its last score."""
    ends = [play_run(DEFAULT, seed)[-1] for seed in range(40)]

    assert {ScoreHand} == {type(getattr(ply.move, "action", None)) for ply in ends}
    assert {Ending.BELOW_TARGET} == {ply.after.result for ply in ends}


def test_the_clock_scores_the_dice_and_leaves_the_shop() -> None:
    """One action is left in the round, and one in the shop."""
    table = first_roll((5, 5, 2, 3, 6))
    shop = State(rules=DEFAULT, build=FIVE, money=100, stage=Stage.SHOP)

    assert [ScoreHand()] == [*GAME.overdue(table, 0)]
    assert [dice.Leave()] == [*GAME.overdue(shop, 0)]

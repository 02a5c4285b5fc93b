"""Endings of a duel with the house (§5)."""

import pytest

from oddsmith.game import EVERYONE
from oddsmith.games.duel import DEFAULT, GAME, Ending, House, Result, Rules
from oddsmith.games.duel.model import Ended
from oddsmith.games.duel.rules import Favor
from oddsmith.games.duel.scoring import house_result
from oddsmith.points import Points
from tests.games.duel.builders import (
    FIGHT,
    FLEE,
    LOW,
    ROYAL,
    act,
    exchange_numbers,
    fight_house,
    only_event,
    outcome_of,
    result_of,
    round_with_house,
)

ALL = (0, 1, 2, 3, 4)
WINNER = {Favor.PLAYER: 0, Favor.OPPONENT: 1, Favor.DRAW: None}


def test_5_1_a_knock_out_wins() -> None:
    """A royal flush of 101 against a defence of 5 takes the last 80 hit points in round 1."""
    step = act(round_with_house(ROYAL, LOW, count=3), FIGHT)

    assert ((101, 0, 96, 81), (19, 5, 19, 0)) == exchange_numbers(step)
    assert (Ending.KNOCK_OUT, 0) == (result_of(step).why, result_of(step).winner)
    assert Ended(audience=EVERYONE, result=result_of(step)) == step.events[-1]
    assert ("knock_out", (0,), (Points(160),)) == (
        outcome_of(step.state).why, outcome_of(step.state).winners, outcome_of(step.state).scores
    )  # fmt: skip


def test_5_1_a_knock_out_loses() -> None:
    """A royal flush of the house, four cards of it, against one hit point."""
    step = act(round_with_house(LOW, ROYAL, count=4, hp=(1, 80)), FIGHT)

    assert (Ending.KNOCK_OUT, 1) == (result_of(step).why, result_of(step).winner)
    assert ((), (Points(0),)) == (outcome_of(step.state).winners, outcome_of(step.state).scores)


def test_2_7_hit_points_do_not_fall_below_0() -> None:
    """96 damage to 5 hit points leaves 0; the hands of the last round stay on the board."""
    step = act(round_with_house(ROYAL, LOW, hp=(100, 5)), FIGHT)

    assert (0, 96) == (step.state.sides[1].hp, exchange_numbers(step)[0][2])
    assert [5, 5] == [len(side.hand) for side in step.state.sides]
    assert 1 == step.state.round


@pytest.mark.parametrize("favor", Favor)
def test_5_2_a_double_knock_out_is_decided_by_a_rule(favor: Favor) -> None:
    """The player wins, or the opponent, or neither (`double_ko`)."""
    step = act(round_with_house(ROYAL, LOW, Rules(double_ko=favor), hp=(1, 80)), FIGHT)
    result = result_of(step)

    assert (Ending.DOUBLE_KNOCK_OUT, WINNER[favor]) == (result.why, result.winner)
    assert (0, 0) == (step.state.sides[0].hp, step.state.sides[1].hp)
    assert ((120, 120, 44) if favor is Favor.PLAYER else (0, 0, 10)) == (
        result.score, result.gold, result.experience
    )  # fmt: skip


def test_5_2_a_double_knock_out_is_a_victory_by_default() -> None:
    assert Favor.PLAYER == DEFAULT.double_ko == DEFAULT.timeout_tie


@pytest.mark.parametrize(
    ("hp", "winner"),
    [
        ((33, 27), 0),  # 33 of 100 against 26 of 80: 33 % and 32.5 %
        ((32, 27), 1),  # 32 % and 32.5 %
        ((1, 2), 1),
        ((100, 80), 0),
    ],
)
def test_5_3_after_round_20_the_greater_share_wins(hp: tuple[int, int], winner: int) -> None:
    """Compared exactly, after the last exchange: 1 is dealt, nothing taken."""
    step = fight_house(round_with_house(ROYAL, LOW, hp=hp, number=20), defending=ALL)
    result = result_of(step)

    assert ((1, 76, 1, hp[0]), (19, 5, 0, hp[1] - 1)) == exchange_numbers(step)
    assert (Ending.TIMEOUT, winner) == (result.why, result.winner)
    assert "timeout" == outcome_of(step.state).why


def test_5_3_round_19_is_not_the_last() -> None:
    step = fight_house(round_with_house(ROYAL, LOW, hp=(33, 27), number=19), defending=ALL)

    assert (None, 20) == (step.state.result, step.state.round)


def test_5_3_the_number_of_rounds_is_a_rule() -> None:
    """With `rounds = 1` the first is the last."""
    step = fight_house(round_with_house(ROYAL, LOW, Rules(rounds=1)), defending=ALL)

    assert (Ending.TIMEOUT, 0, 170) == (result_of(step).why, result_of(step).winner, result_of(step).score)


def test_5_3_a_knock_out_in_the_last_round_is_no_timeout() -> None:
    step = act(round_with_house(ROYAL, LOW, hp=(100, 5), number=20), FIGHT)

    assert Ending.KNOCK_OUT == result_of(step).why


@pytest.mark.parametrize("favor", Favor)
def test_5_4_equal_shares_are_decided_by_a_rule(favor: Favor) -> None:
    """50 of 100 and 40 of 80: the player wins, or the opponent, or neither (`timeout_tie`)."""
    step = fight_house(
        round_with_house(ROYAL, LOW, Rules(timeout_tie=favor), hp=(50, 41), number=20), defending=ALL
    )
    result = result_of(step)

    assert (Ending.TIMEOUT, WINNER[favor]) == (result.why, result.winner)
    assert ((126, 120, 44) if favor is Favor.PLAYER else (0, 0, 10)) == (
        result.score, result.gold, result.experience
    )  # fmt: skip


def test_5_3_shares_are_compared_without_rounding() -> None:
    """Of 999 and 1000 hit points, 333 and 333 are both 33.3 %, but a third and less."""
    rules = Rules(player_hp=999, house=House(hp=1000, hp_per_difficulty=0), timeout_tie=Favor.OPPONENT)
    result = house_result(333, 333, 20, relevant=0, rules=rules)

    assert result is not None
    assert 0 == result.winner


def test_5_5_result_of_a_flight() -> None:
    """No victory, score 10, 5 experience, and the opponent has full hit points again."""
    step = act(round_with_house(hp=(7, 3), number=3), FLEE)
    expected = Result(why=Ending.FLIGHT, winner=None, score=10, gold=0, experience=5)

    assert expected == step.state.result
    assert (Ended(audience=EVERYONE, result=expected),) == step.events
    assert (7, 80) == (step.state.sides[0].hp, step.state.sides[1].hp)
    assert ("flight", (), (Points(10),)) == (
        outcome_of(step.state).why, outcome_of(step.state).winners, outcome_of(step.state).scores
    )  # fmt: skip


def test_5_5_flight_does_not_reveal_the_hidden_house() -> None:
    """Its hand stays hidden; after a fight to the end it is shown."""
    rules = Rules(opponent_visible=False)
    fled = act(round_with_house(rules=rules), FLEE).state
    won = act(round_with_house(ROYAL, LOW, rules), FIGHT).state

    assert GAME.view(fled, 0).sides[1].hand is None
    assert won.sides[1].hand == GAME.view(won, 0).sides[1].hand


def test_2_6_the_least_damage_is_a_rule() -> None:
    """`least_dealt` and `least_taken`: full defence takes 0 and an empty attack deals 1, or 3 and 2."""
    tuned = Rules(least_dealt=2, least_taken=3)
    plain, changed = (
        exchange_numbers(fight_house(round_with_house(ROYAL, LOW, rules), defending=ALL))
        for rules in (DEFAULT, tuned)
    )

    assert (1, 0) == (plain[0][2], plain[1][2])
    assert (2, 3) == (changed[0][2], changed[1][2])
    assert (
        0
        == exchange_numbers(fight_house(round_with_house(ROYAL, LOW, Rules(least_dealt=0)), defending=ALL))[
            0
        ][2]
    )


def test_2_6_damage_is_simultaneous() -> None:
    """A fighter who is knocked out still deals damage."""
    step = act(round_with_house(ROYAL, LOW, hp=(100, 5)), FIGHT)

    assert (81, 0) == (step.state.sides[0].hp, step.state.sides[1].hp)
    assert only_event(step, Ended).result.winner == 0

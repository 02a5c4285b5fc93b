"""Estimates of pools: rounds through the engine, with the errors they have."""

from math import sqrt

import pytest

from oddsmith.errors import InputError
from oddsmith.games.dice.model import FixedDie
from oddsmith.games.dice.odds import plan_rerolls, roll_odds
from oddsmith.games.dice.rules import BossKind
from oddsmith.sim.pools import estimate_rerolls
from tests.games.dice.builders import build

LARGE = build("normal normal normal glass glass odd+2 odd+2")
MOTLEY = build("normal weighted light heavy glass glass+1 odd odd+1 even wild")


def test_9_3_best_rerolls_of_seven_dice_reach_the_target_as_often_as_solved() -> None:
    """Seven dice of three sorts, three rerolls: 400 rounds of play are within 4.5 standard errors of the exact chance."""
    chance = float(plan_rerolls(LARGE, 3, target=400).start(3))
    seen = estimate_rerolls(LARGE, 3, target=400, rounds=400).at_least(400)

    assert abs(seen.mean - chance) < 4.5 * sqrt(chance * (1 - chance) / 400)


def test_9_1_one_roll_is_played_as_it_is_counted() -> None:
    """Without rerolls the mean of 2,000 rolls is within 2.3 of its 95 % errors of the exact mean."""
    seen = estimate_rerolls(LARGE, 0, rounds=2_000)

    assert abs(seen.score.mean - float(roll_odds(LARGE).scores.mean)) < 2.3 * seen.score.error
    assert 2_000 == seen.rounds


def test_9_5_ten_dice_of_ten_sorts_are_estimated_with_an_error() -> None:
    """A pool beyond all limits is played after the plan of a simpler one, with wild dice set and a boss met."""
    fixed = FixedDie(2, 3)
    told: list[float] = []
    seen = estimate_rerolls(
        MOTLEY, 1, target=200, boss=BossKind.LOCKDOWN, fixed=fixed, rounds=20, progress=told.append
    )

    assert 20 == seen.rounds
    assert 0 < seen.at_least(200).error < 0.3
    assert 20 == sum(seen.hand(hand).happened for hand in {hand for hand, _ in seen.counts})
    assert 1.0 == told[-1]


def test_9_5_the_same_seed_gives_the_same_estimate() -> None:
    """An estimate can be made again."""
    assert estimate_rerolls(LARGE, 0, rounds=50, seed=7) == estimate_rerolls(LARGE, 0, rounds=50, seed=7)


@pytest.mark.parametrize("rounds", [0, 1_000_001])
def test_9_5_rounds_have_bounds(rounds: int) -> None:
    """No rounds, and more than anybody would wait for, are refused."""
    with pytest.raises(InputError) as caught:
        estimate_rerolls(LARGE, 0, rounds=rounds)

    assert "bad_rounds" == caught.value.refusal.code

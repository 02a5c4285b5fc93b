"""Questions beyond the work limit are answered by simulation, near the exact answer, with an error."""

import pytest

from oddsmith.games.dice.model import FixedDie
from oddsmith.games.dice.questions.advice import advise_keep
from oddsmith.games.dice.questions.estimates import (
    estimate_advice,
    estimate_roll,
    estimate_shop,
    estimate_table,
)
from oddsmith.games.dice.questions.requests import (
    AdviceRequest,
    HandTableRequest,
    RollOddsRequest,
    ShopRequest,
)
from oddsmith.games.dice.questions.rolls import list_hands, prove_roll
from oddsmith.games.dice.questions.shop import value_shop
from oddsmith.games.dice.rules import DEFAULT, BossKind
from oddsmith.question import Context

EXACT = Context(rules=DEFAULT)
CONTEXT = Context(rules=DEFAULT, why_estimated="these are too many")


def test_9_5_simulated_rolls_have_an_error() -> None:
    """The exact mean and the exact chance are within the error; hands that did not occur are left out."""
    request = RollOddsRequest(dice=2, target=20, rounds=400)
    played, exact = estimate_roll(request, CONTEXT), prove_roll(request, EXACT)

    assert ("these are too many", 400, 0) == (played.why, played.rounds, played.rerolls)
    assert {"pair", "high_roll"} == {*played.hands}
    assert abs(played.mean.value - float(exact.mean)) <= played.mean.error
    assert played.success is not None
    assert exact.success is not None
    assert abs(played.success.value - exact.success.chance) <= played.success.error


def test_9_5_rerolls_are_simulated_by_the_plan() -> None:
    """Without a target there is no success; one reroll of one die has a mean of 37/4."""
    played = estimate_roll(RollOddsRequest(dice=1, rerolls=1, rounds=400), CONTEXT)

    assert (1, None, None) == (played.rerolls, played.target, played.success)
    assert abs(played.mean.value - 9.25) <= played.mean.error


def test_9_5_hands_are_listed_with_their_samples() -> None:
    request = HandTableRequest(dice=2, levels={"pair": 1}, rounds=200)
    played, exact = estimate_table(request, CONTEXT), list_hands(request, EXACT)
    seen = {hand.hand: hand for hand in played.hands}

    assert [hand.hand for hand in exact.hands] == [*seen]
    assert all(
        (one.level, one.base, one.multiplier)
        == (seen[one.hand].level, seen[one.hand].base, seen[one.hand].multiplier)
        for one in exact.hands
    )
    assert (0.0, None, None) == (seen["pyramid"].share.value, seen["pyramid"].least, seen["pyramid"].most)
    assert pytest.approx(1) == sum(hand.share.value for hand in played.hands)


def test_9_5_choices_are_simulated_best_first() -> None:
    """Four sixes are kept for a fifth; scoring now has no error; `every_choice` simulates all choices."""
    request = AdviceRequest(dice=("6", "6", "6", "6", "1"), target=378, rounds=20)
    played, exact = estimate_advice(request, CONTEXT), advise_keep(request, EXACT)
    every = estimate_advice(AdviceRequest(dice=("6", "1"), every_choice=True, rounds=2), CONTEXT)

    assert exact.choices[0].keep == played.choices[0].keep == (0, 1, 2, 3)
    assert {0.0} == {one.worth.error for one in played.choices if len(one.keep) == 5}
    assert {(), (0,), (1,), (0, 1)} == {one.keep for one in every.choices}


def test_7_2_estimated_choices_keep_held_and_set_dice() -> None:
    """The die of the lockdown, and a set wild die."""
    fixed = AdviceRequest(dice=("6", "1"), boss=BossKind.LOCKDOWN, fixed="2", every_choice=True, rounds=2)
    wild = AdviceRequest(dice=("wild", "normal"), faces=(1, 3), wilds_set=(0,), every_choice=True, rounds=2)

    assert FixedDie(1, 1) == estimate_advice(fixed, CONTEXT).fixed
    assert all(1 in one.keep for one in estimate_advice(fixed, CONTEXT).choices)
    assert all(0 in one.keep for one in estimate_advice(wild, CONTEXT).choices)


def test_9_5_purchases_are_simulated_in_the_same_rounds() -> None:
    """Those that the money pays for, as in the exact answer."""
    request = ShopRequest(round=1, dice=2, money=5, rounds=20)
    played, exact = estimate_shop(request, CONTEXT), value_shop(request, EXACT)

    assert {one.purchase for one in exact.purchases} == {one.purchase for one in played.purchases}
    assert all(one.price <= 5 for one in played.purchases)
    assert abs(played.chance.value - float(exact.chance)) <= played.chance.error
    assert (exact.target, exact.with_boss, 20) == (played.target, played.with_boss, played.rounds)

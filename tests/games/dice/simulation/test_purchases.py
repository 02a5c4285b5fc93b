"""Estimates of purchases from the same rounds without and with each of them."""

import pytest

from oddsmith.errors import InputError
from oddsmith.games.dice.model import BuyDie, BuyExtraDie, BuyItem
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.purchases import every_purchase, purchase_values
from oddsmith.games.dice.rules import Rules
from oddsmith.games.dice.simulation.pools import estimate_purchases, estimate_round, place_purchases
from tests.games.dice.builders import build

WILD = BuyDie(0, PoolDie("wild"))
PENNY = BuyItem("lucky_penny")


def test_9_5_an_estimated_gain_agrees_with_the_exact_one() -> None:
    """A wild die in round 6 is within 2.3 of its 95 % errors of the exact gain; a penny adds nothing."""
    exact = purchase_values(build(), 6, purchases=[WILD])[0]
    reported: list[float] = []
    wild, penny = estimate_purchases(
        build(), 6, purchases=[PENNY, WILD], rounds=250, progress=reported.append
    )

    assert (WILD, 8) == (wild.purchase, wild.price)
    assert abs(wild.gain.mean - float(exact.gain)) < 2.3 * wild.gain.error
    assert abs(wild.before.mean - float(exact.before)) < 2.3 * wild.before.error
    assert abs(wild.after.mean - float(exact.after)) < 2.3 * wild.after.error
    assert 0 == penny.gain.total == penny.gain.error
    assert wild.gain.error == wild.error
    assert 1.0 == reported[-1]


def test_9_5_a_gain_that_never_occurred_has_an_error() -> None:
    """Twenty rounds without a difference leave an error of 16 %."""
    penny = estimate_purchases(build(), 1, purchases=[PENNY], rounds=20)[0]

    assert "0.1611" == f"{penny.error:.4f}"
    assert penny.before == estimate_round(build(), 1, rounds=20)


def test_9_5_without_a_list_every_purchase_is_estimated() -> None:
    """Each once, in a boss round, too."""
    rules = Rules(first_target=20)
    found = estimate_purchases(build("normal normal"), 4, rules, rounds=2)

    assert {*every_purchase(build("normal normal"), rules)} == {estimate.purchase for estimate in found}


@pytest.mark.parametrize(("number", "rounds", "code"), [(0, 10, "bad_round"), (1, 0, "bad_rounds")])
def test_9_5_estimates_of_purchases_have_bounds(number: int, rounds: int, code: str) -> None:
    """Round 0 and zero rounds to play are refused."""
    for estimate in (estimate_purchases, place_purchases):
        with pytest.raises(InputError) as caught:
            estimate(build(), number, purchases=[BuyExtraDie()], rounds=rounds)

        assert code == caught.value.refusal.code


@pytest.mark.parametrize("purchase", [BuyDie(5, PoolDie("wild")), BuyItem("ivory")])
def test_9_5_impossible_purchases_are_refused(purchase: BuyDie | BuyItem) -> None:
    """A place outside the pool, an unknown item."""
    with pytest.raises(InputError):
        estimate_purchases(build(), 1, purchases=[purchase], rounds=2)


def test_9_5_a_die_replaces_the_least_valuable_one() -> None:
    """First the normal die, then glass, then the wild one; a bought normal die replaces glass."""
    pool, reported = build("wild glass normal"), list[float]()
    wanted = (BuyDie(0, PoolDie("odd")), BuyDie(1, PoolDie("odd")), BuyDie(0, PoolDie("normal")), PENNY)
    placed = place_purchases(pool, 1, purchases=wanted, rounds=40, progress=reported.append)

    assert [BuyDie(2, PoolDie("odd")), BuyDie(1, PoolDie("normal")), PENNY] == placed
    assert [1 / 3, 2 / 3, 1.0] == reported


def test_9_5_each_purchase_is_placed_once() -> None:
    """Without a list all purchases that a shop may offer; a die replaces one of its own kind."""
    found = place_purchases(build("wild wild"), 1, purchases=[WILD], rounds=1)
    everything = place_purchases(build("normal wild"), 1, rounds=1)
    dice = [one.die for one in everything if isinstance(one, BuyDie)]

    assert [WILD] == found
    assert len({*dice}) == len(dice)
    assert {one for one in every_purchase(build("normal wild")) if not isinstance(one, BuyDie)} == {
        one for one in everything if not isinstance(one, BuyDie)
    }

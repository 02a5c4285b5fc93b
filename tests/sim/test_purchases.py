"""Estimates of purchases: the same rounds without and with each of them."""

import pytest

from oddsmith.errors import InputError
from oddsmith.games.dice.model import BuyDie, BuyExtraDie, BuyItem
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.purchases import every_purchase, purchase_values
from oddsmith.games.dice.rules import Rules
from oddsmith.sim.purchases import estimate_purchases
from tests.games.dice.builders import build

WILD = BuyDie(0, PoolDie("wild"))
PENNY = BuyItem("lucky_penny")


def test_9_5_an_estimated_gain_is_near_the_exact_one() -> None:
    """What a wild die adds in round 6 is within 2.3 of its 95 % errors of the exact gain; a penny adds nothing."""
    exact = purchase_values(build(), 6, purchases=[WILD])[0]
    told: list[float] = []
    wild, penny = estimate_purchases(build(), 6, purchases=[PENNY, WILD], rounds=250, progress=told.append)

    assert (WILD, 8) == (wild.purchase, wild.price)
    assert abs(wild.gain.mean - float(exact.gain)) < 2.3 * wild.gain.error
    assert abs(wild.before.mean - float(exact.before)) < 2.3 * wild.before.error
    assert abs(wild.after.mean - float(exact.after)) < 2.3 * wild.after.error
    assert 0 == penny.gain.total
    assert 1.0 == told[-1]


def test_9_5_all_that_a_shop_could_offer_is_estimated_where_nothing_is_asked() -> None:
    """Without a list every purchase is estimated once, in a boss round too."""
    rules = Rules(first_target=20)
    found = estimate_purchases(build("normal normal"), 4, rules, rounds=2)

    assert {*every_purchase(build("normal normal"), rules)} == {estimate.purchase for estimate in found}


@pytest.mark.parametrize(("number", "rounds", "code"), [(0, 10, "bad_round"), (1, 0, "bad_rounds")])
def test_9_5_estimates_of_purchases_have_bounds(number: int, rounds: int, code: str) -> None:
    """Round 0 and no rounds to play are refused."""
    with pytest.raises(InputError) as caught:
        estimate_purchases(build(), number, purchases=[BuyExtraDie()], rounds=rounds)

    assert code == caught.value.refusal.code

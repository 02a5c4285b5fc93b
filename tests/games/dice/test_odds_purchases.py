"""Gains of purchases: the chance of winning the round with the purchase, less the chance without."""

from fractions import Fraction

import pytest

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.dice.model import BuyDie, BuyExtraDie, BuyItem, BuyUpgrade, FixedDie
from oddsmith.games.dice.odds import plan_rerolls
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.purchases import every_purchase, list_price, purchase_values, round_chance
from oddsmith.games.dice.rules import DEFAULT, Bosses, BossKind, Rules
from tests.games.dice.builders import build
from tests.games.dice.oracle import Rerolls, state_before_roll

EVERY_ROUND = Rules(bosses=Bosses(every=1), first_target=20, rerolls=1)


def test_9_4_the_chance_of_a_round_is_that_of_its_target_under_best_rerolls() -> None:
    """Round 5 asks for 132 and has no boss: the chance is the plan's."""
    assert plan_rerolls(build(), 3, target=132).start_value(3) == round_chance(build(), 5)


def test_9_3_a_boss_round_is_averaged_over_the_bosses() -> None:
    """The mean over five bosses, the lockdown's over each die and face, by brute force."""
    made = build("odd glass")
    fixes = [FixedDie(place, face) for place in (0, 1) for face in range(1, 7)]
    lockdowns = [
        Rerolls(state_before_roll(made, EVERY_ROUND, BossKind.LOCKDOWN, fix), 20).start_value(1)
        for fix in fixes
    ]
    others = [
        Rerolls(state_before_roll(made, EVERY_ROUND, boss), 20).start_value(
            0 if boss is BossKind.MISER else 1
        )
        for boss in BossKind
        if boss is not BossKind.LOCKDOWN
    ]
    reported: list[float] = []
    chance = round_chance(made, 1, EVERY_ROUND, progress=reported.append)

    assert (sum(lockdowns, Fraction(0)) / 12 + sum(others, Fraction(0))) / 5 == chance
    assert 1.0 == reported[-1]


def test_9_4_purchases_are_valued_best_first() -> None:
    """All that a shop may offer is listed once, by gain and then by price; a wild die always makes a pair."""
    reported: list[float] = []
    values = purchase_values(build("normal normal"), 1, Rules(first_target=18), progress=reported.append)
    wild = next(value for value in values if value.purchase == BuyDie(0, PoolDie("wild")))

    assert {*every_purchase(build("normal normal"))} == {value.purchase for value in values}
    assert values == sorted(values, key=lambda value: (-value.gain, value.price))
    assert Fraction(1) == wild.after
    assert 1 - wild.before == wild.gain > 0
    assert 1.0 == reported[-1]


def test_9_4_a_full_pool_is_offered_no_extra_die() -> None:
    """With ten dice no eleventh is valued."""
    assert BuyExtraDie() not in every_purchase(build("normal " * 10))


@pytest.mark.parametrize(
    ("purchase", "price"),
    [
        (BuyDie(0, PoolDie("glass", 2)), 16),
        (BuyItem("high_roller"), 20),
        (BuyUpgrade("pair"), 25),
        (BuyExtraDie(), 15),
    ],
)
def test_6_2_a_value_has_the_list_price(
    purchase: BuyDie | BuyItem | BuyUpgrade | BuyExtraDie, price: int
) -> None:
    """A glass die of level 2, High Roller, Pair at level 2 and a sixth die have the prices of the rules page."""
    assert price == list_price(build(pair=2), purchase, DEFAULT)


def test_9_4_floats_are_near_the_fractions() -> None:
    """Without `exact` a chance is a float."""
    assert float(round_chance(build(), 5)) == pytest.approx(
        float(round_chance(build(), 5, exact=False)), abs=1e-12
    )


@pytest.mark.parametrize(
    ("purchase", "code"),
    [
        (BuyDie(5, PoolDie("wild")), "no_such_die"),
        (BuyDie(-1, PoolDie("wild")), "no_such_die"),
        (BuyDie(0, PoolDie("ivory")), "unknown_kind"),
        (BuyItem("ivory"), "unknown_item"),
        (BuyItem("insurance"), "item_twice"),
        (BuyUpgrade("pair"), "bad_level"),
        (BuyExtraDie(), "too_many_dice"),
    ],
)
def test_9_4_impossible_purchases_have_no_value(
    purchase: BuyDie | BuyItem | BuyUpgrade | BuyExtraDie, code: str
) -> None:
    """Unknown places, kinds and items; an owned item, a hand at its top level, a full pool."""
    full = Rules(most_dice=5)
    with pytest.raises(InputError) as caught:
        purchase_values(build(items="insurance", pair=5), 1, full, purchases=[purchase])

    assert code == caught.value.refusal.code


def test_9_4_progress_is_reported_boss_by_boss() -> None:
    """A build and one purchase, of two sorts of dice: six faces for each sort under the lockdown, and four bosses."""
    reported: list[float] = []
    purchase_values(build("normal glass"), 1, EVERY_ROUND, [BuyItem("insurance")], progress=reported.append)

    assert [done / 32 for done in range(1, 33)] == reported


def test_9_5_unsolvable_requests_are_refused_before_any_work() -> None:
    """Nine dice of four sorts can be solved; with the lockdown, possible in round 4, there are too many."""
    nine, reported = build("normal normal normal glass glass odd odd echo echo"), list[float]()
    Pool(nine, DEFAULT).require_solvable()
    with pytest.raises(WorkLimitError, match="4,302,592 sets can be kept"):
        round_chance(nine, 4, progress=reported.append)

    assert [] == reported


@pytest.mark.parametrize("number", [0, 101])
def test_5_1_rounds_are_bounded(number: int) -> None:
    """There is no round 0, and none after the last."""
    with pytest.raises(InputError) as caught:
        round_chance(build(), number)

    assert "bad_round" == caught.value.refusal.code

"""What a round pays and what a shop asks, in whole dollars (§5.8, §6)."""

from collections.abc import Iterable
from math import lcm

from oddsmith.chance import Choose, Weighted
from oddsmith.games.dice.model import Build, Payment
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.rules import Rules


def payment(
    target: int, score: int, *, unused: int, money: int, items: Iterable[str], rules: Rules
) -> Payment:
    """Return what a won round pays, part by part (§5.8).

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> payment(98, 196, unused=2, money=12, items=["lucky_penny"], rules=DEFAULT).total
    38
    """
    pay = rules.pay
    for_target = max(pay.least, target // pay.target_share)
    great = score // pay.great_share if score >= pay.great_at * target else 0
    rerolls = pay.per_reroll * unused
    interest = min(pay.most_interest, money // pay.interest_step)
    from_items = sum(rules.items[name].money for name in items)
    return Payment(
        target=for_target,
        great=great,
        rerolls=rerolls,
        interest=interest,
        items=from_items,
        total=for_target + great + rerolls + interest + from_items,
    )


def upgrade_price(level: int, rules: Rules) -> int:
    """Return what the next level of a hand costs (§2.5).

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> [upgrade_price(level, DEFAULT) for level in range(5)]
    [5, 10, 25, 50, 85]
    """
    return rules.upgrades.price + rules.upgrades.price_step * level**2


def die_price(die: PoolDie, rules: Rules) -> int:
    """Return what a replacement die costs (§6.2).

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> die_price(PoolDie("glass", 3), DEFAULT)
    20
    """
    kind = rules.kinds[die.kind]
    return kind.price + kind.price_per_level * die.level


def extra_die_price(size: int, rules: Rules) -> int:
    """Return what one more normal die costs a pool of this size (§6.4).

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> [extra_die_price(size, DEFAULT) for size in range(5, 10)]
    [15, 25, 55, 105, 175]
    """
    return rules.shop.extra_die_price + rules.shop.extra_die_step * (size - len(rules.pool)) ** 2


def offered_dice(rules: Rules) -> Weighted[str]:
    """Return the luck of one die in the shop: each kind alike, then each level that it is sold at (§6.1)."""
    levels = {name: kind.sold_to_level + 1 for name, kind in rules.kinds.items()}
    ways = lcm(*levels.values())
    return Weighted(
        tuple(
            (str(PoolDie(name, level)), ways // count)
            for name, count in levels.items()
            for level in range(count)
        )
    )


def offered_items(build: Build, rules: Rules) -> Choose[str]:
    """Return the luck of the items in the shop: some of those that are not owned (§6.1)."""
    missing = tuple(name for name in rules.items if name not in build.items)
    return Choose(missing, min(rules.shop.items, len(missing)))


def offered_upgrades(build: Build, rules: Rules) -> Choose[str]:
    """Return the luck of the upgrades in the shop: hands that the pool is large enough for, below the top level (§6.1)."""
    possible = tuple(
        name
        for name in rules.hands_in_order
        if rules.hands[name].min_dice <= len(build.dice)
        and build.levels.get(name, 0) < rules.upgrades.most_levels
    )
    return Choose(possible, min(rules.shop.upgrades, len(possible)))

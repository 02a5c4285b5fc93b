"""Payments, prices, offers and purchases of the shop (§5.8, §6)."""

from collections.abc import Iterable, Iterator, Sequence
from math import lcm
from typing import Final, TypeAlias, assert_never

import msgspec

from oddsmith.chance import Choose, Weighted
from oddsmith.errors import Refusal, nearest
from oddsmith.game import EVERYONE
from oddsmith.games.dice.model import (
    Bought,
    Build,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    Leave,
    Payment,
    State,
    Stock,
)
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.rules import Rules


def payment(
    target: int, score: int, *, unused: int, money: int, items: Iterable[str], rules: Rules
) -> Payment:
    """Return the payment for a won round with all its parts (§5.8).

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
    """Return the price of the next level of a hand (§2.5).

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> [upgrade_price(level, DEFAULT) for level in range(5)]
    [5, 10, 25, 50, 85]
    """
    return rules.upgrades.price + rules.upgrades.price_step * level**2


def die_price(die: PoolDie, rules: Rules) -> int:
    """Return the price of a replacement die (§6.2).

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> die_price(PoolDie("glass", 3), DEFAULT)
    20
    """
    kind = rules.kinds[die.kind]
    return kind.price + kind.price_per_level * die.level


def extra_die_price(size: int, rules: Rules) -> int:
    """Return the price of another normal die for a pool of this size (§6.4).

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> [extra_die_price(size, DEFAULT) for size in range(5, 10)]
    [15, 25, 55, 105, 175]
    """
    return rules.shop.extra_die_price + rules.shop.extra_die_step * (size - len(rules.pool)) ** 2


def offered_dice(rules: Rules) -> Weighted[str]:
    """Return the luck of one die on offer: all kinds are equally likely, then all levels that are sold (§6.1)."""
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
    """Return the luck of the items on offer, drawn from those that are not owned (§6.1)."""
    missing = tuple(name for name in rules.items if name not in build.items)
    return Choose(missing, min(rules.shop.items, len(missing)))


def offered_upgrades(build: Build, rules: Rules) -> Choose[str]:
    """Return the luck of the upgrades on offer: hands with enough dice that are below the top level (§6.1)."""
    possible = tuple(
        name
        for name in rules.hands_in_order
        if rules.hands[name].min_dice <= len(build.dice)
        and build.levels.get(name, 0) < rules.upgrades.most_levels
    )
    return Choose(possible, min(rules.shop.upgrades, len(possible)))


Purchase: TypeAlias = BuyDie | BuyItem | BuyUpgrade | BuyExtraDie
ShopAction: TypeAlias = Purchase | Leave

_LEAVE: Final = Leave()


def shop_actions(state: State) -> Iterator[ShopAction]:
    """Yield the legal purchases, in the order of the stock, and `Leave`."""
    yield from (offer for offer in _offers(state) if shop_objection(state, offer) is None)
    yield _LEAVE


def _offers(state: State) -> Iterator[Purchase]:
    for die in state.stock.dice:
        yield from (BuyDie(place, die) for place in range(len(state.build.dice)))
    yield from map(BuyItem, state.stock.items)
    yield from map(BuyUpgrade, state.stock.upgrades)
    yield BuyExtraDie()


def price(state: State, purchase: Purchase) -> int:
    """Return the current price of a purchase; 0 if a free choice covers it (§6.3)."""
    match purchase:
        case BuyDie():
            return _price_or_free(die_price(purchase.die, state.rules), state)
        case BuyUpgrade():
            level = state.build.levels.get(purchase.hand, 0)
            return _price_or_free(upgrade_price(level, state.rules), state)
        case BuyItem():
            return state.rules.items[purchase.item].price
        case BuyExtraDie():
            return extra_die_price(len(state.build.dice), state.rules)
        case _ as never:
            assert_never(never)


def _price_or_free(full: int, state: State) -> int:
    is_free = state.stock.free_choices and full <= state.rules.shop.free_choice_cap
    return 0 if is_free else full


def shop_objection(state: State, action: ShopAction) -> Refusal | None:
    """Return why the action is illegal in the shop now, or None if it is legal."""
    if isinstance(action, Leave):
        return None
    return _not_offered(state, action) or _too_dear(state, action)


def _not_offered(state: State, purchase: Purchase) -> Refusal | None:
    stock = state.stock
    match purchase:
        case BuyDie(place, die):
            return _not_in_stock("die", die, stock.dice) or _no_place(state, place)
        case BuyItem(item):
            return _already_owned(state, item) or _not_in_stock("item", item, stock.items)
        case BuyUpgrade(hand):
            return _not_in_stock("upgrade", hand, stock.upgrades)
        case BuyExtraDie():
            return _full_pool(state)
        case _ as never:
            assert_never(never)


def _no_place(state: State, place: int) -> Refusal | None:
    size = len(state.build.dice)
    if 0 <= place < size:
        return None
    return Refusal(
        "no_such_die",
        f"there is no die {place} to replace: the pool has dice 0 to {size - 1}",
        paragraph="6.2",
    )


def _already_owned(state: State, item: str) -> Refusal | None:
    if item not in state.build.items:
        return None
    return Refusal("owned_already", f"you own {item} already: there is one of each", paragraph="4.1")


def _full_pool(state: State) -> Refusal | None:
    if len(state.build.dice) < state.rules.most_dice:
        return None
    return Refusal("too_many_dice", f"a pool has at most {state.rules.most_dice} dice", paragraph="6.4")


def _not_in_stock(what: str, wanted: PoolDie | str, offered: Sequence[PoolDie | str]) -> Refusal | None:
    if wanted in offered:
        return None
    end = nearest(str(wanted), map(str, offered)) if offered else "; it has none left"
    return Refusal("not_offered", f"the shop does not offer the {what} '{wanted}'{end}", paragraph="6.1")


def _too_dear(state: State, purchase: Purchase) -> Refusal | None:
    cost = price(state, purchase)
    if cost <= state.money:
        return None
    return Refusal("too_dear", f"this costs ${cost}, and you have ${state.money}", paragraph="6.2")


def buy(state: State, purchase: Purchase) -> tuple[State, Bought]:
    """Return the state after a legal purchase, and its event."""
    paid = price(state, purchase)
    after = msgspec.structs.replace(
        state,
        build=build_with(state.build, purchase, state.rules.normal_kind),
        money=state.money - paid,
        stock=_stock_after(state, purchase, paid),
    )
    return after, Bought(audience=EVERYONE, purchase=purchase, price=paid, money=after.money)


def _stock_after(state: State, purchase: Purchase, paid: int) -> Stock:
    stock, change = state.stock, msgspec.structs.replace
    match purchase:
        case BuyDie():
            free = stock.free_choices - (paid < die_price(purchase.die, state.rules))
            left = tuple(die for die in stock.dice if die != purchase.die)
            return change(stock, dice=left, free_choices=free)
        case BuyUpgrade():
            level = state.build.levels.get(purchase.hand, 0)
            free = stock.free_choices - (paid < upgrade_price(level, state.rules))
            upgrades = tuple(name for name in stock.upgrades if name != purchase.hand)
            return change(stock, upgrades=upgrades, free_choices=free)
        case BuyItem():
            return change(stock, items=tuple(name for name in stock.items if name != purchase.item))
        case BuyExtraDie():
            return stock
        case _ as never:
            assert_never(never)


def build_with(build: Build, purchase: Purchase, normal_kind: str) -> Build:
    """Return the build after a purchase.

    >>> five = Build(dice=(PoolDie("normal"),) * 2)
    >>> build_with(five, BuyUpgrade("pair"), "normal").levels["pair"]
    1
    """
    change = msgspec.structs.replace
    match purchase:
        case BuyDie(place, die):
            return change(build, dice=(*build.dice[:place], die, *build.dice[place + 1 :]))
        case BuyItem(item):
            return change(build, items=(*build.items, item))
        case BuyUpgrade(hand):
            return change(build, levels={**build.levels, hand: build.levels.get(hand, 0) + 1})
        case BuyExtraDie():
            return change(build, dice=(*build.dice, PoolDie(normal_kind)))
        case _ as never:
            assert_never(never)

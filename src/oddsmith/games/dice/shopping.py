"""What a player may do in the shop: buy what is offered and can be paid, and leave (§6)."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias, assert_never

import msgspec

from oddsmith.errors import Refusal, nearest
from oddsmith.game import EVERYONE
from oddsmith.games.dice.economy import die_price, extra_die_price, upgrade_price
from oddsmith.games.dice.model import (
    Bought,
    Build,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    Leave,
    State,
    Stock,
)
from oddsmith.games.dice.parts import PoolDie

Purchase: TypeAlias = BuyDie | BuyItem | BuyUpgrade | BuyExtraDie
ShopAction: TypeAlias = Purchase | Leave

_LEAVE: Final = Leave()


def shop_actions(state: State) -> Iterator[ShopAction]:
    """Yield what may be bought, as the shop lists it, and to leave."""
    yield from (offer for offer in _offers(state) if shop_objection(state, offer) is None)
    yield _LEAVE


def _offers(state: State) -> Iterator[Purchase]:
    for die in state.stock.dice:
        yield from (BuyDie(place, die) for place in range(len(state.build.dice)))
    yield from map(BuyItem, state.stock.items)
    yield from map(BuyUpgrade, state.stock.upgrades)
    yield BuyExtraDie()


def price(state: State, purchase: Purchase) -> int:
    """Return what a purchase costs now; the first die or upgrade of a visit may be free (§6.3)."""
    match purchase:
        case BuyDie():
            return _free_or(die_price(purchase.die, state.rules), state)
        case BuyUpgrade():
            level = state.build.levels.get(purchase.hand, 0)
            return _free_or(upgrade_price(level, state.rules), state)
        case BuyItem():
            return state.rules.items[purchase.item].price
        case BuyExtraDie():
            return extra_die_price(len(state.build.dice), state.rules)
        case _ as never:
            assert_never(never)


def _free_or(full: int, state: State) -> int:
    is_free = state.stock.free_choices and full <= state.rules.shop.free_choice_cap
    return 0 if is_free else full


def shop_objection(state: State, action: ShopAction) -> Refusal | None:
    """Say why this may not be done in the shop now, or None."""
    if isinstance(action, Leave):
        return None
    return _not_offered(state, action) or _too_dear(state, action)


def _not_offered(state: State, purchase: Purchase) -> Refusal | None:
    stock = state.stock
    match purchase:
        case BuyDie(place, die):
            return _nothing_of("die", die, stock.dice) or _no_place(state, place)
        case BuyItem(item):
            return _owned(state, item) or _nothing_of("item", item, stock.items)
        case BuyUpgrade(hand):
            return _nothing_of("upgrade", hand, stock.upgrades)
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


def _owned(state: State, item: str) -> Refusal | None:
    if item not in state.build.items:
        return None
    return Refusal("owned_already", f"you own {item} already: there is one of each", paragraph="4.1")


def _full_pool(state: State) -> Refusal | None:
    if len(state.build.dice) < state.rules.most_dice:
        return None
    return Refusal("too_many_dice", f"a pool has at most {state.rules.most_dice} dice", paragraph="6.4")


def _nothing_of(what: str, wanted: PoolDie | str, offered: Sequence[PoolDie | str]) -> Refusal | None:
    if wanted in offered:
        return None
    end = nearest(str(wanted), map(str, offered)) if offered else "; it has none left"
    return Refusal("not_offered", f"the shop does not offer the {what} '{wanted}'{end}", paragraph="6.1")


def _too_dear(state: State, purchase: Purchase) -> Refusal | None:
    asked = price(state, purchase)
    if asked <= state.money:
        return None
    return Refusal("too_dear", f"this costs ${asked}, and you have ${state.money}", paragraph="6.2")


def bought(state: State, purchase: Purchase) -> tuple[State, Bought]:
    """Return the state after a purchase: paid for, taken from the stock, part of the build."""
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

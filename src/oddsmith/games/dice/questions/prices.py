"""The question about a build: its hands at their levels, the prices of a stock, and the round ahead."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError
from oddsmith.games.dice.builds import (
    ItemsOption,
    KindsOption,
    LevelsOption,
    PoolOption,
    read_build,
    read_pool,
)
from oddsmith.games.dice.model import NO_LEVELS, Build, BuyDie, BuyExtraDie, BuyItem, BuyUpgrade, State, Stock
from oddsmith.games.dice.parts import Name
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import Rules
from oddsmith.games.dice.scoring import level_base, level_multiplier
from oddsmith.games.dice.shopping import price, upgrade_price
from oddsmith.question import Context, Question, Request
from oddsmith.reply_figures import NO_FIGURE


class BuildRequest(Request, frozen=True, kw_only=True):
    """A build; with a `stock`, also the prices of that, and with a `round`, its target and rerolls."""

    dice: PoolOption = None
    kinds: KindsOption = ()
    items: ItemsOption = ()
    levels: LevelsOption = NO_LEVELS
    stock: Stock | None = None
    round: Annotated[int, Meta(ge=1, le=100)] | None = None


class HandLevel(msgspec.Struct, frozen=True, kw_only=True):
    """The base and the multiplier of a hand at a level (§2.5)."""

    level: int
    base: int
    multiplier: Decimal


class HandUpgrade(msgspec.Struct, frozen=True, kw_only=True):
    """A hand at its level and at the next one, with the list price of that; both are null at the top.

    `fits` says whether the pool has enough dice for it.
    """

    hand: Name
    fits: bool
    now: HandLevel
    next: HandLevel | None
    price: int | None


class Prices(msgspec.Struct, frozen=True, kw_only=True):
    """The current prices of everything on offer, in the order of the stock; 0 is a free choice (§6.3).

    `extra_die` is null if the pool is full.
    """

    dice: tuple[int, ...]
    items: tuple[int, ...]
    upgrades: tuple[int, ...]
    extra_die: int | None


class RoundAhead(msgspec.Struct, frozen=True, kw_only=True):
    """The target of a round, its rerolls without a boss, and whether it has one (§5.1, §7.1)."""

    round: Annotated[int, NO_FIGURE]
    target: int
    rerolls: int
    has_boss: bool


class BuildReply(msgspec.Struct, frozen=True, kw_only=True):
    """Every enabled hand at its level and, if requested, prices and the round ahead."""

    rules_id: str
    build: Annotated[Build, NO_FIGURE]
    hands: tuple[HandUpgrade, ...]
    prices: Prices | None
    ahead: RoundAhead | None


def value_build(request: BuildRequest, context: Context[Rules]) -> BuildReply:
    """Say what the hands of a build score with, what a stock costs, and what a round asks for.

    >>> value_build(BuildRequest(round=2), Context(rules=Rules())).ahead.target
    54
    """
    rules = context.rules
    dice = read_pool(request.dice, request.kinds, rules)
    build = read_build(dice, request.items, request.levels, rules)
    return BuildReply(
        rules_id=rules.rules_id,
        build=build,
        hands=tuple(list_upgrades(build, rules)),
        prices=None if request.stock is None else price_stock(build, request.stock, rules),
        ahead=None if request.round is None else round_ahead(build, request.round, rules),
    )


def list_upgrades(build: Build, rules: Rules) -> Iterator[HandUpgrade]:
    """Yield every enabled hand at its level in this build, the strongest first.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> pair = list(list_upgrades(Build(dice=(PoolDie("normal"),) * 2, levels={"pair": 1}), Rules()))[-2]
    >>> pair.now.base, str(pair.now.multiplier), pair.next.base, pair.price
    (13, '2.0', 16, 10)
    """
    for name in rules.hands_in_order:
        level = build.levels.get(name, 0)
        is_top = level >= rules.upgrades.most_levels
        yield HandUpgrade(
            hand=name,
            fits=rules.hands[name].min_dice <= len(build.dice),
            now=_at_level(name, level, rules),
            next=None if is_top else _at_level(name, level + 1, rules),
            price=None if is_top else upgrade_price(level, rules),
        )


def _at_level(name: str, level: int, rules: Rules) -> HandLevel:
    hand = rules.hands[name]
    return HandLevel(
        level=level,
        base=level_base(hand.base, level, rules.upgrades.base_growth),
        multiplier=level_multiplier(hand, level, rules),
    )


def price_stock(build: Build, stock: Stock, rules: Rules) -> Prices:
    """Return the prices of a stock for this build; raise `InputError` for items, hands or dice that are unknown.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> stock = Stock(dice=(PoolDie("glass", 1),), items=("insurance",), upgrades=("pair",))
    >>> price_stock(Build(dice=(PoolDie("normal"),) * 5), stock, Rules())
    Prices(dice=(12,), items=(12,), upgrades=(5,), extra_die=15)
    """
    for item in stock.items:
        rules.item(item)
    for hand in stock.upgrades:
        rules.hand(hand)
    for die in stock.dice:
        rules.die(str(die))
    shop = State(rules=rules, build=build, money=0, stock=stock)
    can_grow = len(build.dice) < rules.most_dice
    return Prices(
        dice=tuple(price(shop, BuyDie(0, die)) for die in stock.dice),
        items=tuple(price(shop, BuyItem(item)) for item in stock.items),
        upgrades=tuple(price(shop, BuyUpgrade(hand)) for hand in stock.upgrades),
        extra_die=price(shop, BuyExtraDie()) if can_grow else None,
    )


def round_ahead(build: Build, number: int, rules: Rules) -> RoundAhead:
    """Return the target and the rerolls of round `number`; raise `InputError` if there is no such round.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> round_ahead(Build(dice=(PoolDie("normal"),) * 5), 4, Rules())
    RoundAhead(round=4, target=98, rerolls=3, has_boss=True)
    """
    if not 1 <= number <= rules.rounds:
        raise InputError("bad_round", f"rounds are numbered from 1 to {rules.rounds}, not {number}")
    return RoundAhead(
        round=number,
        target=rules.target(number),
        rerolls=round_rerolls(build, rules),
        has_boss=rules.is_boss_round(number),
    )


BUILD: Final = Question(
    name="build",
    request=BuildRequest,
    reply=BuildReply,
    answer=value_build,
    is_quick=True,
    is_command=False,
)

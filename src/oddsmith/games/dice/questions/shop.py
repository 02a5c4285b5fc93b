"""Questions about a shop: what each purchase, or each offer, adds to the chance to win a round (§9.4)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.errors import Refusal, WorkLimitError
from oddsmith.games.dice.builds import (
    ItemsOption,
    KindsOption,
    LevelsOption,
    PoolOption,
    read_build,
    read_pool,
)
from oddsmith.games.dice.model import (
    NO_LEVELS,
    Build,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    Stage,
    State,
    Stock,
)
from oddsmith.games.dice.questions.advice import count_positions
from oddsmith.games.dice.questions.estimates import SHOP_ESTIMATE
from oddsmith.games.dice.questions.requests import ShopRequest, read_purchases
from oddsmith.games.dice.rules import Rules
from oddsmith.games.dice.shopping import Purchase, price, shop_objection
from oddsmith.question import Context, Progress, Question, Request
from oddsmith.reply_figures import CHANCE, NO_FIGURE

if TYPE_CHECKING:
    from oddsmith.games.dice.parts import PoolDie
    from oddsmith.games.dice.purchases import PurchaseValue

MOST_WORK: Final = 1_500_000
"""The most work that a server does to value purchases: sets of dice, and `WORK_PER_PLAN` for each plan."""
WORK_PER_PLAN: Final = 2_000
MOST_MONEY: Final = 10**12


class PurchaseOdds(msgspec.Struct, frozen=True, kw_only=True):
    """A purchase: its price, the chance to win the round with it, and the gain over the chance without it."""

    purchase: Purchase
    price: int
    chance: Annotated[Fraction, CHANCE]
    gain: Fraction


class ShopReply(msgspec.Struct, frozen=True, kw_only=True):
    """What each purchase adds to the chance to win a round, best first.

    A die is listed once, in its best place. In a boss round, chances are means over all bosses that may come.
    """

    rules_id: str
    build: Annotated[Build, NO_FIGURE]
    round: Annotated[int, NO_FIGURE]
    target: int
    with_boss: bool
    chance: Annotated[Fraction, CHANCE]
    purchases: tuple[PurchaseOdds, ...]


class OffersRequest(Request, frozen=True, kw_only=True):
    """A build before a round, its money, and the stock of the open shop."""

    round: Annotated[int, Meta(ge=1, le=100)]
    dice: PoolOption = None
    kinds: KindsOption = ()
    items: ItemsOption = ()
    levels: LevelsOption = NO_LEVELS
    money: Annotated[int, Meta(ge=0, le=MOST_MONEY)] = 0
    stock: Stock = Stock()


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A purchase as an action: its current price, the chance to win the round with it, and the gain over that without.

    A die is listed once for each different die that it may replace. `worth` is `chance` as a float. `refusal` says why
    it cannot be bought now.
    """

    purchase: Purchase
    price: int
    chance: Annotated[Fraction, CHANCE]
    gain: Fraction
    worth: float
    refusal: Refusal | None


class OffersReply(msgspec.Struct, frozen=True, kw_only=True):
    """What each offer adds to the `chance` to win a round under best rerolls, the greatest gain first.

    In a boss round, chances are means over all bosses that may come.
    """

    rules_id: str
    round: Annotated[int, NO_FIGURE]
    target: int
    with_boss: bool
    chance: Annotated[Fraction, CHANCE]
    offers: tuple[Offer, ...]


# --- every purchase --------------------------------------------------------------------------------------------------


def value_shop(request: ShopRequest, context: Context[Rules]) -> ShopReply:
    """Say what each purchase adds to the chance to win a round."""
    rules = context.rules
    build, purchases = read_purchases(request, rules)
    if context.is_limited:
        _require_quick(build, purchases, request.round, rules, where="money")
    chance, found = value_purchases(build, request.round, rules, purchases, context.progress)
    return ShopReply(
        rules_id=rules.rules_id,
        build=build,
        round=request.round,
        target=rules.target(request.round),
        with_boss=rules.is_boss_round(request.round),
        chance=chance,
        purchases=found,
    )


def value_purchases(
    build: Build, number: int, rules: Rules, purchases: Sequence[Purchase], progress: Progress
) -> tuple[Fraction, tuple[PurchaseOdds, ...]]:
    """Return the chance to win a round, and that with each purchase, best first and each die in its best place."""
    from oddsmith.games.dice.purchases import purchase_values, round_chance

    with progress(f"valuing {len(purchases)} purchases") as report:
        found = purchase_values(build, number, rules, purchases, progress=report)
        chance = found[0].before if found else round_chance(build, number, rules, progress=report)
    return Fraction(chance), tuple(_best_places(found))


def _best_places(found: "Sequence[PurchaseValue]") -> Iterator[PurchaseOdds]:
    seen: set[PoolDie] = set()
    for one in found:
        if isinstance(one.purchase, BuyDie):
            if one.purchase.die in seen:
                continue
            seen.add(one.purchase.die)
        yield PurchaseOdds(
            purchase=one.purchase, price=one.price, chance=Fraction(one.after), gain=Fraction(one.gain)
        )


# --- what is on offer ------------------------------------------------------------------------------------------------


def value_offers(request: OffersRequest, context: Context[Rules]) -> OffersReply:
    """Say what each offer of a shop adds to the chance to win a round.

    >>> stock = Stock(upgrades=("pair",))
    >>> found = value_offers(OffersRequest(round=5, money=9, stock=stock), Context(rules=Rules()))
    >>> [(offer.purchase, offer.price, round(float(offer.gain), 3)) for offer in found.offers]
    [(BuyExtraDie(), 15, 0.134), (BuyUpgrade(hand='pair'), 5, 0.0)]
    """
    from oddsmith.games.dice.purchases import purchase_values, round_chance

    rules = context.rules
    dice = read_pool(request.dice, request.kinds, rules)
    build = read_build(dice, request.items, request.levels, rules)
    offers = list(_list_offers(build, request.stock, rules))
    if context.is_limited:
        _require_quick(build, offers, request.round, rules, where="stock")
    found = purchase_values(build, request.round, rules, offers)
    shop = State(rules=rules, build=build, money=request.money, stage=Stage.SHOP, stock=request.stock)
    chance = found[0].before if found else round_chance(build, request.round, rules)
    return OffersReply(
        rules_id=rules.rules_id,
        round=request.round,
        target=rules.target(request.round),
        with_boss=rules.is_boss_round(request.round),
        chance=Fraction(chance),
        offers=tuple(
            Offer(
                purchase=one.purchase,
                price=price(shop, one.purchase),
                chance=Fraction(one.after),
                gain=Fraction(one.gain),
                worth=float(one.after),
                refusal=shop_objection(shop, one.purchase),
            )
            for one in found
        ),
    )


def _list_offers(build: Build, stock: Stock, rules: Rules) -> Iterator[Purchase]:
    """Yield the purchases on offer, a die once for each different die that it may replace."""
    places = [build.dice.index(die) for die in dict.fromkeys(build.dice)]
    for die in dict.fromkeys(stock.dice):
        yield from (BuyDie(place, die) for place in places)
    yield from (BuyItem(item) for item in dict.fromkeys(stock.items) if item not in build.items)
    yield from map(BuyUpgrade, dict.fromkeys(stock.upgrades))
    if len(build.dice) < rules.most_dice:
        yield BuyExtraDie()


def _require_quick(
    build: Build, purchases: Sequence[Purchase], number: int, rules: Rules, *, where: str
) -> None:
    """Raise `WorkLimitError` for purchases that take long to value, as many different dice do before a boss round."""
    from oddsmith.games.dice.pools import Pool
    from oddsmith.games.dice.purchases import build_after, round_cases

    builds = [build, *(build_after(build, purchase, rules) for purchase in purchases)]
    work = sum(
        WORK_PER_PLAN + count_positions(Pool(one, rules, boss=boss, fixed=fixed))
        for one in builds
        for boss, fixed, _ in round_cases(one, number, rules)
    )
    if work > MOST_WORK:
        raise WorkLimitError(
            "too_many_positions",
            f"{len(purchases)} things on offer take too long to value for round {number}, by {work:,} to "
            f"{MOST_WORK:,}: ask about fewer of them; the command line has no such limit",
            where=where,
        )


SHOP: Final = Question(
    name="shop",
    request=ShopRequest,
    reply=ShopReply,
    answer=value_shop,
    example="oddsmith dice shop --round 4 --kind glass=1 --money 20",
    estimate=SHOP_ESTIMATE,
)
OFFERS: Final = Question(
    name="offers", request=OffersRequest, reply=OffersReply, answer=value_offers, is_command=False
)

"""What a coach says: which dice are best kept, and what each thing on offer adds to the chance to win (§9.3, §9.4)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.errors import Refusal, WorkLimitError
from oddsmith.games.dice.asking import AskedBuild, AskedRoll, AskedTarget, require_place
from oddsmith.games.dice.model import (
    Build,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    Faces,
    Places,
    Stage,
    State,
    Stock,
)
from oddsmith.games.dice.odds import RerollPlan, plan_rerolls
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.purchases import build_after, purchase_values, round_cases, round_chance
from oddsmith.games.dice.rules import Rules
from oddsmith.games.dice.scoring import require_faces
from oddsmith.games.dice.shopping import Purchase, price, shop_objection
from oddsmith.odds.rerolls import positions
from oddsmith.questions import rules_of

__all__ = [
    "KeepQuestion",
    "KeepReply",
    "KeptDice",
    "Offer",
    "ShopOddsReply",
    "ShopQuestion",
    "keep_reply",
    "shop_reply",
]

MOST_EXACT: Final = 150_000
"""Of how many sets of dice, times the rerolls, it is said exactly what each is worth while somebody waits."""
MOST_SOLVED: Final = 3_000_000
"""Likewise with floats."""
MOST_VALUED: Final = 1_500_000
"""How much work it is to value what a shop offers while somebody waits: sets of dice, and so many for each plan."""
EACH_PLAN: Final = 2_000
MOST_MONEY: Final = 10**12


class KeepQuestion(AskedRoll, frozen=True, kw_only=True, tag="keep"):
    """Which of the dice on the table are best kept; `wilds_set` are the places of wild dice that were set.

    With a target it is about the chance to reach it, without one about the mean score.
    """

    faces: Faces
    wilds_set: Places = ()
    rerolls: Annotated[int, Meta(ge=0, le=20)]
    target: AskedTarget | None = None


class KeptDice(msgspec.Struct, frozen=True, kw_only=True):
    """The places of dice that are kept, and what it is worth to reroll the others; to keep all is to score now.

    `value` is exact, and null where `worth` is a float that rounding has moved.
    """

    keep: tuple[int, ...]
    value: Fraction | None
    worth: float


class KeepReply(msgspec.Struct, frozen=True, kw_only=True):
    """Every choice, the best first, when all that follows is played best; dice that are alike are kept from the left.

    `stand` is to score now. Wild dice score as what suits best. No `worth` is further from the truth than `error`.
    """

    rules_id: str
    rerolls: int
    target: int | None
    stand: KeptDice
    choices: tuple[KeptDice, ...]
    error: float


class ShopQuestion(AskedBuild, frozen=True, kw_only=True, tag="shop"):
    """What each thing on offer adds to the chance to win a round: the next one, where a shop is open."""

    round: Annotated[int, Meta(ge=1, le=100)]
    money: Annotated[int, Meta(ge=0, le=MOST_MONEY)] = 0
    stock: Stock = Stock()


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A purchase as an action, what it costs now, the chance to win the round with it, and how much that is more.

    A die is listed once for each different die that it may replace. `refusal` says why it cannot be bought now.
    """

    purchase: Purchase
    price: int
    chance: Fraction
    gain: Fraction
    worth: float
    refusal: Refusal | None


class ShopOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """What each thing on offer adds to the `chance` to win a round under best rerolls, the most first.

    Where a boss comes, chances are means over all that may.
    """

    rules_id: str
    round: int
    target: int
    with_boss: bool
    chance: Fraction
    offers: tuple[Offer, ...]


# --- dice ------------------------------------------------------------------------------------------------------------


def keep_reply(asked: KeepQuestion) -> KeepReply:
    """Say what each choice of dice to keep is worth.

    >>> found = keep_reply(KeepQuestion(faces=(5, 5, 2, 3, 6), rerolls=2, target=98))
    >>> found.choices[0].keep, found.choices[0].value, round(found.choices[0].worth, 3)
    ((0, 1, 3), Fraction(439, 648), 0.677)
    """
    rules = rules_of(Rules, asked.rules)
    build = asked.build(rules)
    require_faces(asked.faces, build)
    for place in asked.wilds_set:
        require_place(place, len(build.dice), where="wilds_set")
    plan = _plan(asked, build, rules)
    choices = tuple(
        KeptDice(
            keep=choice.keep,
            value=choice.value if isinstance(choice.value, Fraction) else None,
            worth=float(choice.value),
        )
        for choice in plan.choices(asked.faces, asked.rerolls)
    )
    return KeepReply(
        rules_id=rules.rules_id,
        rerolls=asked.rerolls,
        target=asked.target,
        stand=next(choice for choice in choices if len(choice.keep) == len(build.dice)),
        choices=choices,
        error=plan.error,
    )


def _plan(asked: KeepQuestion, build: Build, rules: Rules) -> RerollPlan:
    wilds_set = {place: asked.faces[place] for place in asked.wilds_set}
    pool = Pool(build, rules, boss=asked.boss, fixed=asked.fixed, wilds_set=wilds_set)
    work = _work(pool) * max(1, asked.rerolls)
    if work > MOST_SOLVED:
        raise WorkLimitError(
            "too_many_positions",
            f"{work:,} sets of these {pool.size} dice of {len(pool.sorts)} sorts can be kept in "
            f"{asked.rerolls} rerolls: at most {MOST_SOLVED:,} are gone through while somebody waits",
        )
    return plan_rerolls(
        build,
        asked.rerolls,
        rules,
        target=asked.target,
        boss=asked.boss,
        fixed=asked.fixed,
        wilds_set=wilds_set,
        exact=work <= MOST_EXACT,
    )


def _work(pool: Pool) -> int:
    """Return how many positions are scored or solved once."""
    return max(pool.scored_positions, positions(pool.groups()))


# --- the shop --------------------------------------------------------------------------------------------------------


def shop_reply(asked: ShopQuestion) -> ShopOddsReply:
    """Say what each thing on offer adds to the chance to win a round.

    >>> found = shop_reply(ShopQuestion(round=5, money=9, stock=Stock(upgrades=("pair",))))
    >>> [(offer.purchase, offer.price, round(float(offer.gain), 3)) for offer in found.offers]
    [(BuyExtraDie(), 15, 0.134), (BuyUpgrade(hand='pair'), 5, 0.0)]
    """
    rules = rules_of(Rules, asked.rules)
    build = asked.build(rules)
    offers = list(_offered(build, asked.stock, rules))
    _require_quick([build, *(build_after(build, offer, rules) for offer in offers)], asked.round, rules)
    found = purchase_values(build, asked.round, rules, offers)
    shop = State(rules=rules, build=build, money=asked.money, stage=Stage.SHOP, stock=asked.stock)
    chance = found[0].before if found else round_chance(build, asked.round, rules)
    return ShopOddsReply(
        rules_id=rules.rules_id,
        round=asked.round,
        target=rules.target(asked.round),
        with_boss=rules.is_boss_round(asked.round),
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


def _offered(build: Build, stock: Stock, rules: Rules) -> Iterator[Purchase]:
    """Yield what is on offer, a die once for each different one that it may replace."""
    places = [build.dice.index(die) for die in dict.fromkeys(build.dice)]
    for die in dict.fromkeys(stock.dice):
        yield from (BuyDie(place, die) for place in places)
    yield from (BuyItem(item) for item in dict.fromkeys(stock.items) if item not in build.items)
    yield from map(BuyUpgrade, dict.fromkeys(stock.upgrades))
    if len(build.dice) < rules.most_dice:
        yield BuyExtraDie()


def _require_quick(builds: Sequence[Build], number: int, rules: Rules) -> None:
    """Refuse a shop that takes long to value: many different dice, before a round with a boss above all."""
    work = sum(
        EACH_PLAN + _work(Pool(build, rules, boss=boss, fixed=fixed))
        for build in builds
        for boss, fixed, _ in round_cases(build, number, rules)
    )
    if work > MOST_VALUED:
        raise WorkLimitError(
            "too_many_positions",
            f"{len(builds) - 1} things on offer take too long to value for round {number}, by {work:,} to "
            f"{MOST_VALUED:,}: ask about fewer of them; the command line takes its time",
            where="stock",
        )

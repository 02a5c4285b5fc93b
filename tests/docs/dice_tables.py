"""Computes the tables of the page about the design of Dice Hands from the game's rules, exactly.

A table is between `<!-- exact: ranges -->` and `<!-- end -->`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import Final, assert_never

from oddsmith.games.dice import (
    Bosses,
    BossKind,
    Build,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    PoolDie,
    Rules,
    Selection,
)
from oddsmith.games.dice.odds import RollOdds, plan_rerolls, roll_odds
from oddsmith.games.dice.purchases import PurchaseValue, list_price, purchase_values, round_chance
from oddsmith.games.dice.shopping import Purchase
from oddsmith.odds.distribution import Distribution
from tests.docs.exact_tables import make_table

ENDLESS: Final = Rules.preset("endless")
BEST: Final = ENDLESS.replace(selection=Selection.BEST_SCORE)
SIZES: Final = range(5, 11)
MOST_LISTED: Final = 3
"""Up to this number, scores of a hand are listed one by one; more are a range."""

SOURCE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "pyramid": "2000+",
        "seven_of_a_kind": "1400+",
        "six_of_a_kind": "780+",
        "five_of_a_kind": "500+",
        "full_run": "454+",
        "two_triplets": "260+",
        "four_of_a_kind": "210+",
        "three_pairs": "150+",
        "large_straight": "195+",
        "full_house": "100+",
        "all_even": "150+",
        "all_odd": "120+",
        "small_straight": "105+",
        "three_of_a_kind": "60+",
        "two_pair": "30+",
        "pair": "15+",
        "high_roll": "5–11",
    }
)
"""The effective range of each hand as the source document prints it."""


def _format_share(exact: Fraction | float) -> str:
    """Write a chance in hundredths; only 0 and 1 are shown as such."""
    if exact in (0, 1):
        return f"{100 * int(exact)}"
    if exact < Fraction(1, 10_000):
        return "<0.01"
    return ">99.99" if exact > Fraction(9_999, 10_000) else f"{100 * float(exact):.2f}"


def _format_gain(exact: Fraction | float) -> str:
    if exact == 0:
        return "="
    return f"+{_format_share(exact)}" if exact > 0 else f"−{_format_share(-exact)}"


def _to_words(name: str) -> str:
    return name.replace("_", " ")


# --- builds ----------------------------------------------------------------------------------------------------------


def normal_pool(size: int = 5) -> Build:
    """Return a pool of normal dice without items."""
    return Build(dice=(PoolDie("normal"),) * size)


def five_dice_with(kind: str, count: int = 1) -> Build:
    """Return five dice: `count` of a kind, and normal ones."""
    return Build(dice=(PoolDie(kind),) * count + (PoolDie("normal"),) * (5 - count))


@cache
def _roll_odds(size: int, rules: Rules) -> RollOdds:
    return roll_odds(normal_pool(size), rules)


@cache
def _round_chance(build: Build, number: int) -> Fraction | float:
    return round_chance(build, number, ENDLESS)


# --- what a roll makes -----------------------------------------------------------------------------------------------


def ranges() -> str:
    """Write the scores of each hand by the size of the pool."""
    rows = (
        (_to_words(hand), SOURCE[hand], *(_format_range(hand, size) for size in SIZES))
        for hand in ENDLESS.hands_in_order
    )
    return make_table(("hand", "the source", *(f"{size} dice" for size in SIZES)), rows)


def _format_range(hand: str, size: int) -> str:
    if size < ENDLESS.hands[hand].min_dice:
        return "–"
    scores = _roll_odds(size, ENDLESS).scores_of(hand)
    return "unreachable" if scores is None else _format_scores(scores)


def _format_scores(scores: Distribution[int]) -> str:
    listed = sorted(scores)
    if len(listed) <= MOST_LISTED:
        return ", ".join(map(str, listed))
    return f"{listed[0]}–{listed[-1]}"


def frequencies() -> str:
    """Write the number of rolls that are scored as each hand."""
    rows = (
        (_to_words(hand), *(_format_frequency(hand, size) for size in SIZES))
        for hand in ENDLESS.hands_in_order
    )
    totals = (f"{6**size:,}" for size in SIZES)
    return make_table(
        ("hand", *(f"{size} dice" for size in SIZES)), chain(rows, [("**all rolls**", *totals)])
    )


def _format_frequency(hand: str, size: int) -> str:
    hands = _roll_odds(size, ENDLESS).hands
    ways = hands.weight(hand) if hand in hands else 0
    return f"{ways:,} ({_format_share(Fraction(ways, 6**size))} %)" if ways else "–"


def unreachable() -> str:
    """Write the hands that can never be scored with a pool that is large enough for them."""
    rows = []
    for hand in ENDLESS.hands_in_order:
        missing = [_pools(hand, rules) for rules in (ENDLESS, BEST)]
        if any(missing):
            rows.append(
                (_to_words(hand), str(ENDLESS.hands[hand].min_dice), *(words or "–" for words in missing))
            )
    return make_table(("hand", "least dice", "never by first match with", "never by best score with"), rows)


def _pools(hand: str, rules: Rules) -> str:
    missing = [size for size in SIZES if _never_scored(hand, size, rules)]
    return f"{missing[0]} to {missing[-1]} dice" if missing else ""


def _never_scored(hand: str, size: int, rules: Rules) -> bool:
    return ENDLESS.hands[hand].min_dice <= size and hand not in _roll_odds(size, rules).hands


def dead_upgrades() -> str:
    """Write how many of the upgrades in the shop can never matter."""
    rows = []
    for size in SIZES:
        offered = [hand for hand in ENDLESS.hands_in_order if ENDLESS.hands[hand].min_dice <= size]
        dead = sum(_never_scored(hand, size, ENDLESS) for hand in offered)
        rows.append(
            (str(size), str(len(offered)), str(dead), f"{_format_share(Fraction(dead, len(offered)))} %")
        )
    return make_table(("dice", "hands on sale", "never scored by first match", "share"), rows)


def selection() -> str:
    """Write the cost of the first match compared with the best score."""
    rows = []
    for name, build in {
        **{f"{size} dice": normal_pool(size) for size in SIZES},
        "5 dice, pair at level 5": Build(dice=normal_pool().dice, levels={"pair": 5}),
        "5 dice, all even at level 5": Build(dice=normal_pool().dice, levels={"all_even": 5}),
    }.items():
        means = [roll_odds(build, rules).scores.mean for rules in (ENDLESS, BEST)]
        values = [plan_rerolls(build, 3, rules).start_value(3) for rules in (ENDLESS, BEST)]
        missed = f"{_format_share(roll_odds(build).missed_chance)} %"
        rows.append((name, missed, *(f"{float(number):.2f}" for number in (*means, *values))))
    heads = (
        "build",
        "rolls not scored best",
        "one roll, first match",
        "one roll, best score",
        "three rerolls, first match",
        "three rerolls, best score",
    )
    return make_table(heads, rows)


# --- rounds ----------------------------------------------------------------------------------------------------------


def rounds() -> str:
    """Write the chance to win each round with normal dice only."""
    rows = [
        (
            f"{number}{', boss' if ENDLESS.is_boss_round(number) else ''}",
            f"{ENDLESS.target(number):,}",
            *(_format_share(_round_chance(normal_pool(size), number)) for size in SIZES),
        )
        for number in range(1, 15)
    ]
    return make_table(("round", "target", *(f"{size} dice" for size in SIZES)), rows)


ROUNDS_WITH_BOSS: Final = ((5, 4), (5, 8), (7, 8), (10, 12))


def bosses() -> str:
    """Write the effect of each boss on normal dice."""
    none = ENDLESS.replace(bosses=Bosses(every=0))
    rows = [("no boss", *_boss_cells(none))]
    rows += [(boss, *_boss_cells(ENDLESS.replace(bosses=Bosses(kinds=(boss,))))) for boss in BossKind]
    rows.append(("**any, each as likely**", *_boss_cells(ENDLESS)))
    return make_table(("boss", *(f"{size} dice, round {number}" for size, number in ROUNDS_WITH_BOSS)), rows)


def _boss_cells(rules: Rules) -> Iterable[str]:
    return (
        _format_share(round_chance(normal_pool(size), number, rules)) for size, number in ROUNDS_WITH_BOSS
    )


def rerolls() -> str:
    """Write the effect of rerolls for five normal dice, on the mean score and the chances of targets."""
    rows = []
    targets = [ENDLESS.target(number) for number in range(1, 11)]
    for left in range(7):
        mean = float(plan_rerolls(normal_pool(), left).start_value(left))
        reached = (plan_rerolls(normal_pool(), left, target=target).start_value(left) for target in targets)
        rows.append((str(left), f"{mean:.2f}", *map(_format_share, reached)))
    return make_table(("rerolls", "mean score", *targets), rows)


# --- purchases -------------------------------------------------------------------------------------------------------

ROUNDS_SHOPPED: Final = (2, 4, 8)


def purchases() -> str:
    """Write the ten purchases with the largest gains for five normal dice."""
    columns = [purchase_values(normal_pool(), number)[:10] for number in ROUNDS_SHOPPED]
    heads = chain.from_iterable(
        (f"for round {number}, {_format_share(values[0].before)} %", "adds")
        for number, values in zip(ROUNDS_SHOPPED, columns, strict=True)
    )
    rows = (
        (str(rank), *chain.from_iterable((_format_offer(value), _format_gain(value.gain)) for value in row))
        for rank, row in enumerate(zip(*columns, strict=True), 1)
    )
    return make_table(("", *heads), rows)


def _format_offer(value: PurchaseValue) -> str:
    return f"{_format_purchase(value.purchase)}, ${value.price}"


def _format_purchase(purchase: Purchase) -> str:
    match purchase:
        case BuyDie(die=die):
            return f"{die} die"
        case BuyItem(item=item):
            return f"item {_to_words(item)}"
        case BuyUpgrade(hand=hand):
            return f"upgrade {_to_words(hand)}"
        case BuyExtraDie():
            return "extra die"
        case _ as never:
            assert_never(never)


def kinds() -> str:
    """Write the gain of replacing one of five normal dice by a die of each kind."""
    shown = range(2, 11)
    rows = [
        (
            kind,
            f"${list_price(normal_pool(), BuyDie(0, PoolDie(kind)), ENDLESS)}",
            *(
                _format_gain(
                    _round_chance(five_dice_with(kind), number) - _round_chance(normal_pool(), number)
                )
                for number in shown
            ),
        )
        for kind in ENDLESS.kinds
        if kind != ENDLESS.normal_kind
    ]
    return make_table(("kind", "price", *(f"round {number}" for number in shown)), rows)


def wilds() -> str:
    """Write the effect of more wild dice among five."""
    rows = []
    for count in range(6):
        mean = float(plan_rerolls(five_dice_with("wild", count), 3).start_value(3))
        won = (_round_chance(five_dice_with("wild", count), number) for number in range(4, 12))
        rows.append((str(count), f"{mean:.2f}", *map(_format_share, won)))
    return make_table(("wild dice", "mean score", *(f"round {number}" for number in range(4, 12))), rows)


# --- builds ----------------------------------------------------------------------------------------------------------

STRENGTH: Final = ("even_steven", "odd_todd", "extra_reroll", "high_roller", "loaded_dice")
UPGRADED: Final = ("pair", "two_pair", "three_of_a_kind", "small_straight", "all_even", "four_of_a_kind")
ROUNDS_WITHOUT_BOSS: Final = (5, 6, 7, 9, 10, 11, 13, 14)


def builds() -> str:
    """Write the chances of builds for $175: one hand at level 5, or dice and items."""
    price = sum(ENDLESS.upgrades.price + ENDLESS.upgrades.price_step * level**2 for level in range(5))
    items = sum(ENDLESS.items[name].price for name in STRENGTH)
    dice = sum(list_price(normal_pool(size), BuyExtraDie(), ENDLESS) for size in range(5, 8))
    rows = [_build_row("nothing", 0, normal_pool(), ENDLESS)]
    for hand in UPGRADED:
        build = Build(dice=normal_pool().dice, levels={hand: 5})
        rows.append(_build_row(f"{_to_words(hand)} at level 5", price, build, ENDLESS))
        rows.append(_build_row(f"{_to_words(hand)} at level 5, best score", price, build, BEST))
    rows.append(_build_row("five items", items, Build(dice=normal_pool().dice, items=STRENGTH), ENDLESS))
    rows.append(_build_row("three extra dice", dice, normal_pool(8), ENDLESS))
    both = Build(dice=normal_pool(8).dice, items=STRENGTH)
    rows.append(_build_row("three extra dice, five items", dice + items, both, ENDLESS))
    return make_table(("build", "price", *(f"round {number}" for number in ROUNDS_WITHOUT_BOSS)), rows)


def _build_row(name: str, price: int, build: Build, rules: Rules) -> Sequence[str]:
    won = (round_chance(build, number, rules) for number in ROUNDS_WITHOUT_BOSS)
    return name, f"${price}", *map(_format_share, won)


TABLES: Final[Mapping[str, Callable[[], str]]] = MappingProxyType(
    {
        "ranges": ranges,
        "frequencies": frequencies,
        "unreachable": unreachable,
        "dead-upgrades": dead_upgrades,
        "selection": selection,
        "rounds": rounds,
        "bosses": bosses,
        "rerolls": rerolls,
        "purchases": purchases,
        "kinds": kinds,
        "wilds": wilds,
        "builds": builds,
    }
)
"""Every table of the page by its name."""

"""Tables of the page about the design of Dice Hands are computed from the game's own rules, exactly.

A table stands between `<!-- exact: ranges -->` and `<!-- end -->`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import Final, assert_never

from oddsmith.games.dice import (
    DEFAULT,
    Bosses,
    BossKind,
    Build,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    PoolDie,
    Rules,
)
from oddsmith.games.dice.odds import RollOdds, plan_rerolls, roll_odds
from oddsmith.games.dice.purchases import PurchaseValue, list_price, purchase_values, round_chance
from oddsmith.games.dice.shopping import Purchase
from oddsmith.odds.distribution import Distribution
from tests.docs.exact_tables import table

BEST: Final = Rules.preset("best_score")
SIZES: Final = range(5, 11)
MOST_LISTED: Final = 3
"""So many scores of a hand are listed one by one; more are a range."""

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


def _share(exact: Fraction | float) -> str:
    """Write a chance in hundredths; what is not 0 or 1 is never shown as that."""
    if exact in (0, 1):
        return f"{100 * int(exact)}"
    if exact < Fraction(1, 10_000):
        return "<0.01"
    return ">99.99" if exact > Fraction(9_999, 10_000) else f"{100 * float(exact):.2f}"


def _gain(exact: Fraction | float) -> str:
    if exact == 0:
        return "="
    return f"+{_share(exact)}" if exact > 0 else f"−{_share(-exact)}"


def _words(name: str) -> str:
    return name.replace("_", " ")


# --- builds ---------------------------------------------------------------------------------------------------------


def bare(size: int = 5) -> Build:
    """Return a pool of normal dice, with nothing else."""
    return Build(dice=(PoolDie("normal"),) * size)


def five_with(kind: str, count: int = 1) -> Build:
    """Return five dice, so many of them of a kind and the others normal."""
    return Build(dice=(PoolDie(kind),) * count + (PoolDie("normal"),) * (5 - count))


@cache
def _rolled(size: int, rules: Rules) -> RollOdds:
    return roll_odds(bare(size), rules)


@cache
def _chance(build: Build, number: int) -> Fraction | float:
    return round_chance(build, number)


# --- what a roll makes ----------------------------------------------------------------------------------------------


def ranges() -> str:
    """Write what each hand scores when it is the one that is scored, by the size of the pool."""
    rows = (
        (_words(hand), SOURCE[hand], *(_range(hand, size) for size in SIZES))
        for hand in DEFAULT.hands_in_order
    )
    return table(("hand", "the source", *(f"{size} dice" for size in SIZES)), rows)


def _range(hand: str, size: int) -> str:
    if size < DEFAULT.hands[hand].min_dice:
        return "–"
    scores = _rolled(size, DEFAULT).scores_of(hand)
    return "unreachable" if scores is None else _scores(scores)


def _scores(scores: Distribution[int]) -> str:
    listed = sorted(scores)
    if len(listed) <= MOST_LISTED:
        return ", ".join(map(str, listed))
    return f"{listed[0]}–{listed[-1]}"


def frequencies() -> str:
    """Write in how many ways one roll is scored as each hand."""
    rows = ((_words(hand), *(_frequency(hand, size) for size in SIZES)) for hand in DEFAULT.hands_in_order)
    totals = (f"{6**size:,}" for size in SIZES)
    return table(("hand", *(f"{size} dice" for size in SIZES)), chain(rows, [("**all rolls**", *totals)]))


def _frequency(hand: str, size: int) -> str:
    hands = _rolled(size, DEFAULT).hands
    ways = hands.weight(hand) if hand in hands else 0
    return f"{ways:,} ({_share(Fraction(ways, 6**size))} %)" if ways else "–"


def unreachable() -> str:
    """Write which hands that a pool is large enough for can never be scored with it."""
    rows = []
    for hand in DEFAULT.hands_in_order:
        missing = [_pools(hand, rules) for rules in (DEFAULT, BEST)]
        if any(missing):
            rows.append(
                (_words(hand), str(DEFAULT.hands[hand].min_dice), *(words or "–" for words in missing))
            )
    return table(("hand", "least dice", "never by first match with", "never by best score with"), rows)


def _pools(hand: str, rules: Rules) -> str:
    missing = [size for size in SIZES if _never_scored(hand, size, rules)]
    return f"{missing[0]} to {missing[-1]} dice" if missing else ""


def _never_scored(hand: str, size: int, rules: Rules) -> bool:
    return DEFAULT.hands[hand].min_dice <= size and hand not in _rolled(size, rules).hands


def dead_upgrades() -> str:
    """Write how many of the upgrades that the shop may offer can never matter."""
    rows = []
    for size in SIZES:
        offered = [hand for hand in DEFAULT.hands_in_order if DEFAULT.hands[hand].min_dice <= size]
        dead = sum(_never_scored(hand, size, DEFAULT) for hand in offered)
        rows.append((str(size), str(len(offered)), str(dead), f"{_share(Fraction(dead, len(offered)))} %"))
    return table(("dice", "hands on sale", "never scored by first match", "share"), rows)


def selection() -> str:
    """Write what the first match costs against the best score."""
    rows = []
    for name, build in {
        **{f"{size} dice": bare(size) for size in SIZES},
        "5 dice, pair at level 5": Build(dice=bare().dice, levels={"pair": 5}),
        "5 dice, all even at level 5": Build(dice=bare().dice, levels={"all_even": 5}),
    }.items():
        means = [roll_odds(build, rules).scores.mean for rules in (DEFAULT, BEST)]
        values = [plan_rerolls(build, 3, rules).start_value(3) for rules in (DEFAULT, BEST)]
        missed = f"{_share(roll_odds(build).missed_chance)} %"
        rows.append((name, missed, *(f"{float(number):.2f}" for number in (*means, *values))))
    heads = (
        "build",
        "rolls not scored best",
        "one roll, first match",
        "one roll, best score",
        "three rerolls, first match",
        "three rerolls, best score",
    )
    return table(heads, rows)


# --- rounds ---------------------------------------------------------------------------------------------------------


def rounds() -> str:
    """Write the chance to win each round with normal dice alone."""
    rows = [
        (
            f"{number}{', boss' if DEFAULT.is_boss_round(number) else ''}",
            f"{DEFAULT.target(number):,}",
            *(_share(_chance(bare(size), number)) for size in SIZES),
        )
        for number in range(1, 15)
    ]
    return table(("round", "target", *(f"{size} dice" for size in SIZES)), rows)


ROUNDS_WITH_BOSS: Final = ((5, 4), (5, 8), (7, 8), (10, 12))


def bosses() -> str:
    """Write what each boss does to normal dice."""
    none = DEFAULT.replace(bosses=Bosses(every=0))
    rows = [("no boss", *_against(none))]
    rows += [(boss, *_against(DEFAULT.replace(bosses=Bosses(kinds=(boss,))))) for boss in BossKind]
    rows.append(("**any, each as likely**", *_against(DEFAULT)))
    return table(("boss", *(f"{size} dice, round {number}" for size, number in ROUNDS_WITH_BOSS)), rows)


def _against(rules: Rules) -> Iterable[str]:
    return (_share(round_chance(bare(size), number, rules)) for size, number in ROUNDS_WITH_BOSS)


def rerolls() -> str:
    """Write what rerolls are worth to five normal dice, in mean score and in chances to reach targets."""
    rows = []
    targets = [DEFAULT.target(number) for number in range(1, 11)]
    for left in range(7):
        mean = float(plan_rerolls(bare(), left).start_value(left))
        reached = (plan_rerolls(bare(), left, target=target).start_value(left) for target in targets)
        rows.append((str(left), f"{mean:.2f}", *map(_share, reached)))
    return table(("rerolls", "mean score", *targets), rows)


# --- purchases ------------------------------------------------------------------------------------------------------

ROUNDS_SHOPPED: Final = (2, 4, 8)


def purchases() -> str:
    """Write the ten purchases that add most to the chance of five normal dice to win a round."""
    columns = [purchase_values(bare(), number)[:10] for number in ROUNDS_SHOPPED]
    heads = chain.from_iterable(
        (f"for round {number}, {_share(values[0].before)} %", "adds")
        for number, values in zip(ROUNDS_SHOPPED, columns, strict=True)
    )
    rows = (
        (str(rank), *chain.from_iterable((_bought(value), _gain(value.gain)) for value in row))
        for rank, row in enumerate(zip(*columns, strict=True), 1)
    )
    return table(("", *heads), rows)


def _bought(value: PurchaseValue) -> str:
    return f"{_purchase(value.purchase)}, ${value.price}"


def _purchase(purchase: Purchase) -> str:
    match purchase:
        case BuyDie(die=die):
            return f"{die} die"
        case BuyItem(item=item):
            return f"item {_words(item)}"
        case BuyUpgrade(hand=hand):
            return f"upgrade {_words(hand)}"
        case BuyExtraDie():
            return "extra die"
        case _ as never:
            assert_never(never)


def kinds() -> str:
    """Write what one die of each kind adds to five normal dice, in the place of one of them."""
    shown = range(2, 11)
    rows = [
        (
            kind,
            f"${list_price(bare(), BuyDie(0, PoolDie(kind)), DEFAULT)}",
            *(_gain(_chance(five_with(kind), number) - _chance(bare(), number)) for number in shown),
        )
        for kind in DEFAULT.kinds
        if kind != DEFAULT.normal_kind
    ]
    return table(("kind", "price", *(f"round {number}" for number in shown)), rows)


def wilds() -> str:
    """Write what more wild dice among five do."""
    rows = []
    for count in range(6):
        mean = float(plan_rerolls(five_with("wild", count), 3).start_value(3))
        won = (_chance(five_with("wild", count), number) for number in range(4, 12))
        rows.append((str(count), f"{mean:.2f}", *map(_share, won)))
    return table(("wild dice", "mean score", *(f"round {number}" for number in range(4, 12))), rows)


# --- builds ---------------------------------------------------------------------------------------------------------

STRENGTH: Final = ("even_steven", "odd_todd", "extra_reroll", "high_roller", "loaded_dice")
UPGRADED: Final = ("pair", "two_pair", "three_of_a_kind", "small_straight", "all_even", "four_of_a_kind")
ROUNDS_WITHOUT_BOSS: Final = (5, 6, 7, 9, 10, 11, 13, 14)


def builds() -> str:
    """Write how far a build for $175 comes: one hand at level 5, or dice and items."""
    price = sum(DEFAULT.upgrades.price + DEFAULT.upgrades.price_step * level**2 for level in range(5))
    items = sum(DEFAULT.items[name].price for name in STRENGTH)
    dice = sum(list_price(bare(size), BuyExtraDie(), DEFAULT) for size in range(5, 8))
    rows = [_build_row("nothing", 0, bare(), DEFAULT)]
    for hand in UPGRADED:
        build = Build(dice=bare().dice, levels={hand: 5})
        rows.append(_build_row(f"{_words(hand)} at level 5", price, build, DEFAULT))
        rows.append(_build_row(f"{_words(hand)} at level 5, best score", price, build, BEST))
    rows.append(_build_row("five items", items, Build(dice=bare().dice, items=STRENGTH), DEFAULT))
    rows.append(_build_row("three extra dice", dice, bare(8), DEFAULT))
    both = Build(dice=bare(8).dice, items=STRENGTH)
    rows.append(_build_row("three extra dice, five items", dice + items, both, DEFAULT))
    return table(("build", "price", *(f"round {number}" for number in ROUNDS_WITHOUT_BOSS)), rows)


def _build_row(name: str, price: int, build: Build, rules: Rules) -> Sequence[str]:
    won = (round_chance(build, number, rules) for number in ROUNDS_WITHOUT_BOSS)
    return name, f"${price}", *map(_share, won)


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

"""Dice as boxes of a terminal, and descriptions of what dice, items and upgrades do."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from math import ceil
from typing import Final, assert_never

from oddsmith.games.dice import model
from oddsmith.games.dice.builds import format_name
from oddsmith.games.dice.parts import FACES, FaceEffect, Item, Kind, PoolDie
from oddsmith.games.dice.rules import Rules
from oddsmith.games.dice.scoring import level_base, level_multiplier
from oddsmith.games.dice.shopping import Purchase
from oddsmith.text import format_percent

MOST_IN_A_ROW: Final = 8
CELL_WIDTH: Final = 10
THIN_BOX: Final = ("┌───┐", "│ {} │", "└───┘")
DOUBLE_BOX: Final = ("╔═══╗", "║ {} ║", "╚═══╝")


class HoldReason(StrEnum):
    """Why a die is not rerolled."""

    NONE = ""
    LOCKED = "locked"
    SET = "set"
    FIXED = "fixed"


_STYLES: Final[Mapping[HoldReason, str]] = {
    HoldReason.NONE: "",
    HoldReason.LOCKED: "bold green",
    HoldReason.SET: "bold magenta",
    HoldReason.FIXED: "bold red",
}


def format_decimal(decimal: Decimal) -> str:
    """Return a decimal as text, without trailing zeros.

    >>> format_decimal(Decimal("2.0")), format_decimal(Decimal("2.5")), format_decimal(Decimal("10"))
    ('2', '2.5', '10')
    """
    return f"{decimal.normalize():f}"


def format_die(die: PoolDie, face: int, normal: str) -> str:
    """Return a die and its face as commands read them; the kind is left out if it is `normal`.

    >>> format_die(PoolDie("glass", 1), 6, "normal"), format_die(PoolDie("normal"), 5, "normal")
    ('6:glass+1', '5')
    """
    return str(face) if die == PoolDie(normal) else f"{face}:{die}"


def format_dice(dice: Sequence[PoolDie], faces: Sequence[int], normal: str) -> str:
    """Return dice and their faces as text, in their order; a dash for no dice."""
    return " ".join(format_die(die, face, normal) for die, face in zip(dice, faces, strict=True)) or "–"


def pool_lines(
    dice: Sequence[PoolDie], faces: Sequence[int], reasons: Sequence[HoldReason], normal: str
) -> Iterator[str]:
    """Yield a drawing of dice, in two rows for more than eight; dice that are not rerolled have double lines."""
    rows = ceil(len(dice) / MOST_IN_A_ROW)
    length = ceil(len(dice) / rows)
    for first in range(0, len(dice), length):
        places = range(first, min(first + length, len(dice)))
        yield _join_cells([(f"  {place + 1}", HoldReason.NONE) for place in places])
        for part in range(3):
            yield _join_cells(
                [
                    ((DOUBLE_BOX if reasons[place] else THIN_BOX)[part].format(faces[place]), reasons[place])
                    for place in places
                ]
            )
        for below in (
            [(_format_kind(dice[place], normal), HoldReason.NONE) for place in places],
            [(str(reasons[place]), reasons[place]) for place in places],
        ):
            if any(text for text, _ in below):
                yield _join_cells(below)


def _format_kind(die: PoolDie, normal: str) -> str:
    name = "" if die == PoolDie(normal) else str(die)
    return name if len(name) < CELL_WIDTH else f"{name[: CELL_WIDTH - 2]}…"


def _join_cells(cells: Sequence[tuple[str, HoldReason]]) -> str:
    """Join cells of equal width to a line, styled by their hold reasons."""
    padded = [
        f"[{_STYLES[mark]}]{text}[/]{' ' * (CELL_WIDTH - len(text))}"
        if _STYLES[mark] and text
        else f"{text:<{CELL_WIDTH}}"
        for text, mark in cells
    ]
    return "".join(padded).rstrip()


EFFECTS: Final[Mapping[FaceEffect, str]] = {
    FaceEffect.PLAIN: "",
    FaceEffect.MIRROR: "shows the opposite of its roll",
    FaceEffect.WILD: "is set to any face",
    FaceEffect.ECHO: "copies another die",
}


def describe_purchase(purchase: Purchase) -> str:
    """Return the name of a purchase, without its place.

    >>> describe_purchase(model.BuyUpgrade("two_pair")), describe_purchase(model.BuyExtraDie())
    ('upgrade two pair', 'extra die')
    """
    match purchase:
        case model.BuyDie(die=die):
            return f"die {die}"
        case model.BuyItem(item=item):
            return f"item {format_name(item)}"
        case model.BuyUpgrade(hand=hand):
            return f"upgrade {format_name(hand)}"
        case model.BuyExtraDie():
            return "extra die"
        case _ as never:
            assert_never(never)


def describe_effect(purchase: Purchase, build: model.Build, rules: Rules) -> str:
    """Return what a purchase does for a build."""
    match purchase:
        case model.BuyDie(die=die):
            return describe_kind(rules.kinds[die.kind], die.level)
        case model.BuyItem(item=item):
            return describe_item(rules.items[item])
        case model.BuyUpgrade(hand=hand):
            level = build.levels.get(hand, 0)
            return f"{_format_hand(hand, level, rules)} → {_format_hand(hand, level + 1, rules)}"
        case model.BuyExtraDie():
            return f"one more {format_name(rules.normal_kind)} die"
        case _ as never:
            assert_never(never)


def _format_hand(name: str, level: int, rules: Rules) -> str:
    hand = rules.hands[name]
    base = level_base(hand.base, level, rules.upgrades.base_growth)
    return f"{base} × {format_decimal(level_multiplier(hand, level, rules))}"


def describe_kind(kind: Kind, level: int) -> str:
    """Return what a kind of die does at a level.

    >>> describe_kind(Kind(bonus=10, bonus_per_level=5, bonus_needs_match=True, shatter="0.2"), 1)
    '+15 when matched, shatters in 20.00 %'
    """
    return ", ".join(_kind_phrases(kind, level)) or "six faces alike"


def _kind_phrases(kind: Kind, level: int) -> Iterator[str]:
    if EFFECTS[kind.effect]:
        yield EFFECTS[kind.effect]
    yield from _weight_phrases(kind.weights)
    bonus = kind.bonus + kind.bonus_per_level * level
    if bonus and kind.bonus_faces:
        faces = "" if {*kind.bonus_faces} == {*FACES} else f" on {_format_faces(kind.bonus_faces)}"
        yield f"+{bonus}{faces}{' when matched' if kind.bonus_needs_match else ''}"
    if kind.shatter:
        yield f"shatters in {format_percent(Fraction(kind.shatter))}"


def _weight_phrases(weights: Sequence[Decimal]) -> Iterator[str]:
    """Yield the weights of a die, or the faces that it shows; nothing for a fair die."""
    shown = [face for face, weight in zip(FACES, weights, strict=True) if weight]
    if len({weight for weight in weights if weight}) > 1:
        yield f"weights {' '.join(map(format_decimal, weights))}"
    elif len(shown) < len(FACES):
        yield f"only {_format_faces(shown)}"


def _format_faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces))


def describe_item(item: Item) -> str:
    """Return what an item does.

    >>> describe_item(Item(price=15, multiplier="0.5", faces=(2, 4, 6))), describe_item(Item(price=8, money=3))
    ('multiplier +0.5 for each 2 4 6', '+$3 for each won round')
    """
    return ", ".join(_item_phrases(item)) or "nothing"


def _item_phrases(item: Item) -> Iterator[str]:
    if item.rerolls:
        yield f"+{item.rerolls} reroll{'' if item.rerolls == 1 else 's'} a round"
    if item.flat:
        yield f"+{item.flat} to every score"
    if item.multiplier and item.faces:
        yield f"multiplier +{format_decimal(item.multiplier)} for each {_format_faces(item.faces)}"
    if item.money:
        yield f"+${item.money} for each won round"
    if item.saves:
        yield f"saves {item.saves} from shattering in a round"
    if item.reweighs:
        yield f"{format_name(item.reweighs)} dice: {next(_weight_phrases(item.weights), 'six faces alike')}"

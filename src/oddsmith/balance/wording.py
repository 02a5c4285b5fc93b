"""Figures, their values and changes of them in words."""

import re
from fractions import Fraction
from typing import Final, assert_never

import msgspec

from oddsmith import wire
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.text import format_percent

LEAST_SEEN: Final = Fraction(1, 1_000_000)
"""A smaller error is far below the digits that are shown."""

_NUMBERS: Final = re.compile(r"([0-9]{1,9})")
_SIGNED: Final = re.compile(r"([-+−]?[0-9]{1,9})")


def told(figure: Figure) -> str:
    """Write a figure with its arguments, without those that have their defaults.

    >>> from oddsmith.balance.figures import figure_of
    >>> from oddsmith.games.fate import Rules
    >>> told(figure_of(Rules.game, {"figure": "draw.success", "target": 4, "cards": 2}))
    'draw.success(cards 2, target 4)'
    """
    given = {
        field.name: getattr(figure, field.name)
        for field in msgspec.structs.fields(figure)
        if field.required or getattr(figure, field.name) != field.default
    }
    if not given:
        return figure.named()
    return f"{figure.named()}({', '.join(f'{name} {brief(value)}' for name, value in given.items())})"


def shown(reading: Reading, unit: Unit) -> str:
    """Write a value for people, as a percentage where it is a chance, with its error where that could be seen.

    >>> shown(Reading(Fraction(7, 20)), Unit.CHANCE), shown(Reading(Fraction(10, 3)), Unit.NUMBER)
    ('35.00 %', '3.3333')
    >>> shown(Reading(Fraction(7, 20), Fraction(1, 100)), Unit.CHANCE), shown(Reading(name="pair"), Unit.NAME)
    ('35.00 % ± 1.00', 'pair')
    """
    if reading.name is not None:
        return reading.name
    write = format_percent if unit is Unit.CHANCE else as_number
    error = f" ± {write(reading.error).removesuffix(' %')}" if reading.error >= LEAST_SEEN else ""
    return f"{write(reading.value)}{error}"


def as_number(value: Fraction) -> str:
    """Write a number for people: whole where it is, else to four decimals or digits.

    >>> as_number(Fraction(306)), as_number(Fraction("27.28")), as_number(Fraction(1, 30_000))
    ('306', '27.28', '3.333e-05')
    """
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.4g}" if abs(value) < 1 else f"{float(value):.4f}".rstrip("0").rstrip(".")


def told_change(change: Fraction, unit: Unit) -> str:
    """Write by how much a figure changes, in percentage points where it is a chance.

    >>> told_change(Fraction(-1, 80), Unit.CHANCE), told_change(Fraction(1, 18), Unit.NUMBER)
    ('-1.25 points', '+0.05556')
    """
    if not change:
        return "no change"
    match unit:
        case Unit.CHANCE:
            return f"{float(change * 100):+.3g} points"
        case Unit.NUMBER:
            return f"{float(change):+.4g}"
        case Unit.NAME:
            return "another"
        case _ as never:
            assert_never(never)


def natural(text: str, *, signed: bool = False) -> list[tuple[int, str]]:
    """Return what puts texts in the order of the numbers in them; whether a sign belongs to its number is told.

    >>> sorted(["10 dice", "9 dice"], key=natural), sorted(["+10", "0", "−10"], key=lambda text: natural(text, signed=True))
    (['9 dice', '10 dice'], ['−10', '0', '+10'])
    """
    parts = (_SIGNED if signed else _NUMBERS).split(text)
    return [(int(part.replace("−", "-")), "") if place % 2 else (0, part) for place, part in enumerate(parts)]


def brief(value: object) -> str:
    """Write an argument in few words, without what is empty.

    >>> brief({"skills": {"stealth": 40}, "items": []})
    'skills stealth 40'
    """
    plain = wire.to_builtins(value)
    match plain:
        case dict():
            return " ".join(
                f"{key} {brief(inner)}" for key, inner in plain.items() if inner not in ({}, [], (), None)
            )
        case list() | tuple():
            return " ".join(map(brief, plain))
    return str(plain)

"""Figures, their values and changes of them in words."""

import re
from fractions import Fraction
from typing import Final, assert_never

import msgspec

from oddsmith import wire
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.text import percent

LEAST_SHOWN: Final = Fraction(1, 1_000_000)
"""A smaller error is far below the digits that are shown."""

_UNSIGNED: Final = re.compile(r"([0-9]{1,9})")
_SIGNED: Final = re.compile(r"([-+−]?[0-9]{1,9})")


def format_figure(figure: Figure) -> str:
    """Write a figure with its arguments, without those that have their defaults.

    >>> from oddsmith.balance.figures import parse_figure
    >>> from oddsmith.games.fate import Rules
    >>> format_figure(parse_figure(Rules.game, {"figure": "draw.success", "target": 4, "cards": 2}))
    'draw.success(cards 2, target 4)'
    """
    given = {
        field.name: getattr(figure, field.name)
        for field in msgspec.structs.fields(figure)
        if field.required or getattr(figure, field.name) != field.default
    }
    if not given:
        return figure.figure_name()
    return f"{figure.figure_name()}({', '.join(f'{name} {format_argument(value)}' for name, value in given.items())})"


def format_reading(reading: Reading, unit: Unit) -> str:
    """Write a value for people, as a percentage where it is a chance, with its error where that could be seen.

    >>> format_reading(Reading(Fraction(7, 20)), Unit.CHANCE), format_reading(Reading(Fraction(10, 3)), Unit.NUMBER)
    ('35.00 %', '3.3333')
    >>> format_reading(Reading(Fraction(7, 20), Fraction(1, 100)), Unit.CHANCE), format_reading(Reading(name="pair"), Unit.NAME)
    ('35.00 % ± 1.00', 'pair')
    """
    if reading.name is not None:
        return reading.name
    write = percent if unit is Unit.CHANCE else format_number
    error = f" ± {write(reading.error).removesuffix(' %')}" if reading.error >= LEAST_SHOWN else ""
    return f"{write(reading.value)}{error}"


def format_number(value: Fraction) -> str:
    """Write a number for people: whole where it is, else to four decimals or digits.

    >>> format_number(Fraction(306)), format_number(Fraction("27.28")), format_number(Fraction(1, 30_000))
    ('306', '27.28', '3.333e-05')
    """
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.4g}" if abs(value) < 1 else f"{float(value):.4f}".rstrip("0").rstrip(".")


def format_change(change: Fraction, unit: Unit) -> str:
    """Write by how much a figure changes, in percentage points where it is a chance.

    >>> format_change(Fraction(-1, 80), Unit.CHANCE), format_change(Fraction(1, 18), Unit.NUMBER)
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


def natural_sort_key(text: str, *, signed: bool = False) -> list[tuple[int, str]]:
    """Return what puts texts in the order of the numbers in them; whether a sign belongs to its number is told.

    >>> sorted(["10 dice", "9 dice"], key=natural_sort_key), sorted(["+10", "0", "−10"], key=lambda text: natural_sort_key(text, signed=True))
    (['9 dice', '10 dice'], ['−10', '0', '+10'])
    """
    parts = (_SIGNED if signed else _UNSIGNED).split(text)
    return [(int(part.replace("−", "-")), "") if place % 2 else (0, part) for place, part in enumerate(parts)]


def format_argument(value: object) -> str:
    """Write an argument in few words, without what is empty.

    >>> format_argument({"skills": {"stealth": 40}, "items": []})
    'skills stealth 40'
    """
    plain = wire.builtins(value)
    match plain:
        case dict():
            return " ".join(
                f"{key} {format_argument(inner)}"
                for key, inner in plain.items()
                if inner not in ({}, [], (), None)
            )
        case list() | tuple():
            return " ".join(map(format_argument, plain))
    return str(plain)

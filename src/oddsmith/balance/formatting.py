"""Figures, their values and their changes as text for people."""

import re
from fractions import Fraction
from typing import Final, assert_never

import msgspec

from oddsmith import wire
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.text import format_percent

LEAST_SHOWN: Final = Fraction(1, 1_000_000)
"""Smaller errors are not shown: they are far below the displayed digits."""

_UNSIGNED: Final = re.compile(r"([0-9]{1,9})")
_SIGNED: Final = re.compile(r"([-+−]?[0-9]{1,9})")


def format_figure(figure: Figure) -> str:
    """Format a figure with its arguments, except those that have their default values.

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
    """Format a value, as a percentage where it is a chance, with its error where that is visible.

    >>> format_reading(Reading(Fraction(7, 20)), Unit.CHANCE), format_reading(Reading(Fraction(10, 3)), Unit.NUMBER)
    ('35.00 %', '3.3333')
    >>> format_reading(Reading(Fraction(7, 20), Fraction(1, 100)), Unit.CHANCE), format_reading(Reading(name="pair"), Unit.NAME)
    ('35.00 % ± 1.00', 'pair')
    """
    if reading.name is not None:
        return reading.name
    write = format_percent if unit is Unit.CHANCE else format_number
    error = f" ± {write(reading.error).removesuffix(' %')}" if reading.error >= LEAST_SHOWN else ""
    return f"{write(reading.value)}{error}"


def format_number(value: Fraction) -> str:
    """Format a number: whole where it is, else to four decimals or digits.

    >>> format_number(Fraction(306)), format_number(Fraction("27.28")), format_number(Fraction(1, 30_000))
    ('306', '27.28', '3.333e-05')
    """
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.4g}" if abs(value) < 1 else f"{float(value):.4f}".rstrip("0").rstrip(".")


def format_change(change: Fraction, unit: Unit) -> str:
    """Format a change of a figure, in percentage points where it is a chance.

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
    """Return a key that sorts texts by the numbers in them; with `signed`, a sign belongs to its number.

    >>> sorted(["10 dice", "9 dice"], key=natural_sort_key), sorted(["+10", "0", "−10"], key=lambda text: natural_sort_key(text, signed=True))
    (['9 dice', '10 dice'], ['−10', '0', '+10'])
    """
    parts = (_SIGNED if signed else _UNSIGNED).split(text)
    return [(int(part.replace("−", "-")), "") if place % 2 else (0, part) for place, part in enumerate(parts)]


def format_argument(value: object) -> str:
    """Format an argument in few words, without empty parts.

    >>> format_argument({"skills": {"stealth": 40}, "items": []})
    'skills stealth 40'
    """
    plain = wire.to_builtins(value)
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

"""Reading of plain data from design files: known keys, tables under keys, exact numbers."""

import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, TypeAlias

from oddsmith.errors import InputError, nearest
from oddsmith.points import exact_decimal

__all__ = [
    "ChanceText",
    "is_number_text",
    "number_at",
    "number_of",
    "read_chance",
    "require_keys",
    "tables_under",
]

ChanceText: TypeAlias = str | float
"""A chance: `"35%"`, `"1/3"` or 0.35."""

_CHANCE: Final = re.compile(r"\s*\d{1,40}\s*/\s*0*[1-9]\d{0,39}\s*")
_PLAIN: Final = re.compile(r"\s*[+-]?[0-9.]+\s*")
_PERCENT: Final = re.compile(r"\s*([+-]?[0-9.]+)\s*%\s*")
_RATIO: Final = re.compile(r"\s*([+-]?[0-9]{1,40})\s*/\s*([0-9]{1,40})\s*")


def require_keys(given: Mapping[str, Any], known: Collection[str], where: str = "") -> None:
    """Raise `InputError` for a key that is not known, with the nearest known one.

    >>> try:
    ...     require_keys({"claim": []}, ("game", "claims"))
    ... except InputError as error:
    ...     print(error)
    unknown key 'claim' — did you mean 'claims'? Known: game, claims
    """
    unknown = next((key[:40] for key in given if key not in known), None)
    if unknown is not None:
        place = f"{where}: " if where else ""
        raise InputError(
            "unknown_key",
            f"{place}unknown key '{unknown}'{nearest(unknown, known)}",
            where=f"{where}.{unknown}" if where else unknown,
        )


def tables_under(data: Mapping[str, Any], key: str, *, most: int) -> Sequence[Mapping[str, Any]]:
    """Return the list of tables under a key, empty where it is missing; raise `InputError` for more than `most`.

    >>> tables_under({"claims": [{"is": 3}]}, "claims", most=10)
    [{'is': 3}]
    """
    given = data.get(key, [])
    if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
        raise InputError("bad_value", f"{key}: expected tables, each under [[{key}]]", where=key)
    if len(given) > most:
        raise InputError("too_many_tables", f"{key}: at most {most:,} are read", where=key)
    return given


def number_at(given: object, where: str) -> Decimal:
    """Return an exact number; raise `InputError` with the place `where` for anything else.

    >>> number_at("27.28", "change[0].least")
    Decimal('27.28')
    """
    try:
        return exact_decimal(given, what=where or "number")
    except InputError as error:
        raise InputError(error.refusal.code, error.refusal.sentence, where=where or None) from error


def number_of(given: object, where: str = "") -> tuple[Fraction, Fraction]:
    """Return a number, and half of the unit of its last digit: 0 for a whole number or a ratio.

    >>> number_of("35%"), number_of(Decimal("1.44")), number_of("1/3"), number_of(306)
    ((Fraction(7, 20), Fraction(1, 200)), (Fraction(36, 25), Fraction(1, 200)), (Fraction(1, 3), Fraction(0, 1)), (Fraction(306, 1), Fraction(0, 1)))
    """
    if isinstance(given, str):
        if ratio := _RATIO.fullmatch(given):
            if not int(ratio[2]):
                raise InputError("bad_number", f"'{given[:40]}' divides by nothing", where=where or None)
            return Fraction(int(ratio[1]), int(ratio[2])), Fraction(0)
        if share := _PERCENT.fullmatch(given):
            number = number_at(share[1], where)
            return Fraction(number) / 100, _last_digit(number) / 200
    number = number_at(given, where)
    whole = number == number.to_integral_value() and number.as_tuple().exponent == 0
    return Fraction(number), Fraction(0) if whole else _last_digit(number) / 2


def read_chance(given: str | float) -> Fraction:
    """Parse a chance: a decimal, a percentage or a fraction; raise `InputError` for anything else.

    >>> read_chance("0.5") == read_chance("50%") == read_chance("1/2")
    True
    """
    text = str(given)
    above, slash, below = text.partition("/")
    if slash:
        if not _CHANCE.fullmatch(text):
            raise InputError("bad_chance", f"'{text[:40]}' is no chance: write 0.5, 50% or 1/2")
        return Fraction(int(above), int(below))
    number = Fraction(exact_decimal(text.removesuffix("%"), what="a chance"))
    return number / 100 if text.endswith("%") else number


def is_number_text(text: str) -> bool:
    """Return whether a text is a number, a percentage or a ratio.

    >>> [text for text in ("35%", "1/3", "1.44", "pair") if is_number_text(text)]
    ['35%', '1/3', '1.44']
    """
    return any(form.fullmatch(text) for form in (_PLAIN, _PERCENT, _RATIO))


def _last_digit(number: Decimal) -> Fraction:
    exponent = number.as_tuple().exponent
    return Fraction(10) ** (exponent if isinstance(exponent, int) else 0)

"""What a figure should be, or is said to be: a number to the digits that are written, a range, or a name."""

import re
from collections.abc import Mapping, MutableMapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Self

import msgspec

from oddsmith.balance.figures import Reading, Unit
from oddsmith.balance.written import number_at
from oddsmith.errors import InputError
from oddsmith.showing import percent

__all__ = ["AIM_KEYS", "Aim", "as_number", "number_of", "shown"]

AIM_KEYS: Final[tuple[str, ...]] = ("is", "at_least", "at_most", "between", "within")
LEAST_SEEN: Final = Fraction(1, 1_000_000)
"""A smaller error is far below the digits that are shown."""
_PLAIN: Final = re.compile(r"\s*[+-]?[0-9.]+\s*")
_PERCENT: Final = re.compile(r"\s*([+-]?[0-9.]+)\s*%\s*")
_RATIO: Final = re.compile(r"\s*([+-]?[0-9]{1,40})\s*/\s*([0-9]{1,40})\s*")


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """What is wanted of a figure; `text` is how it was written."""

    text: str
    low: Fraction | None = None
    high: Fraction | None = None
    name: str | None = None

    @classmethod
    def taken_from(cls, given: MutableMapping[str, Any], where: str = "") -> Self:
        """Take the aim out of plain data, and leave the rest: `is`, `at_least`, `at_most`, `between` or `within`.

        >>> Aim.taken_from({"is": "35%"})
        Aim(text='35%', low=Fraction(69, 200), high=Fraction(71, 200), name=None)
        >>> Aim.taken_from({"between": ["60%", "65%"]}).text
        '60% to 65%'
        """
        written = {key: given.pop(key) for key in AIM_KEYS if key in given}
        if not written:
            raise InputError(
                "no_aim", f"say what it should be: {', '.join(AIM_KEYS[:-1])}", where=where or None
            )
        if "between" in written:
            return cls._between(written, where)
        if "is" in written:
            return cls._is(written, where)
        if "within" in written:
            raise InputError("bad_aim", "'within' stands beside 'is' only", where=where or None)
        low, high = (
            number_of(written[key], where)[0] if key in written else None for key in ("at_least", "at_most")
        )
        words = " and ".join(f"{key.replace('_', ' ')} {value}" for key, value in written.items())
        return cls._ranged(words, low, high, where)

    @classmethod
    def _between(cls, written: Mapping[str, Any], where: str) -> Self:
        _require_only(written, {"between"}, where)
        ends = written["between"]
        if not isinstance(ends, (list, tuple)) or len(ends) != 2:  # noqa: PLR2004  two ends
            raise InputError(
                "bad_aim", 'between: expected two numbers, such as ["60%", "65%"]', where=where or None
            )
        low, high = (number_of(end, where)[0] for end in ends)
        return cls._ranged(f"{ends[0]} to {ends[1]}", low, high, where)

    @classmethod
    def _is(cls, written: Mapping[str, Any], where: str) -> Self:
        _require_only(written, {"is", "within"}, where)
        given = written["is"]
        if isinstance(given, str) and not any(form.fullmatch(given) for form in (_PLAIN, _PERCENT, _RATIO)):
            return cls(text=given, name=given)
        number, margin = number_of(given, where)
        if "within" in written:
            margin = number_of(written["within"], where)[0]
            return cls._ranged(f"{given} ± {written['within']}", number - margin, number + margin, where)
        return cls._ranged(str(given), number - margin, number + margin, where)

    @classmethod
    def _ranged(cls, text: str, low: Fraction | None, high: Fraction | None, where: str) -> Self:
        if low is not None and high is not None and low > high:
            raise InputError("bad_aim", f"the bounds are upside down: {text}", where=where or None)
        return cls(text=text, low=low, high=high)

    def distance(self, reading: Reading) -> Fraction:
        """Return how far a value is from what is wanted; 0 where it is met.

        >>> Aim.taken_from({"at_most": "40%"}).distance(Reading(Fraction(1, 2)))
        Fraction(1, 10)
        """
        if self.name is not None or reading.name is not None:
            return Fraction(reading.name != self.name)
        below = Fraction(0) if self.low is None else self.low - reading.high
        above = Fraction(0) if self.high is None else reading.low - self.high
        return max(below, above, Fraction(0))

    def is_met(self, reading: Reading) -> bool:
        """Say whether a value is what is wanted, or cannot be told from it."""
        return not self.distance(reading)


def number_of(given: object, where: str = "") -> tuple[Fraction, Fraction]:
    """Return a written number, and half of its last digit: 0 for a whole number or a ratio.

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


def shown(reading: Reading, unit: Unit) -> str:
    """Write a value for people, as a percentage where it is a chance, with its error where that could be seen.

    >>> shown(Reading(Fraction(7, 20)), Unit.CHANCE), shown(Reading(Fraction(10, 3)), Unit.NUMBER)
    ('35.00 %', '3.3333')
    >>> shown(Reading(Fraction(7, 20), Fraction(1, 100)), Unit.CHANCE), shown(Reading(name="pair"), Unit.NAME)
    ('35.00 % ± 1.00', 'pair')
    """
    if reading.name is not None:
        return reading.name
    write = percent if unit is Unit.CHANCE else as_number
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


def _last_digit(number: Decimal) -> Fraction:
    exponent = number.as_tuple().exponent
    return Fraction(10) ** (exponent if isinstance(exponent, int) else 0)


def _require_only(written: Mapping[str, Any], allowed: set[str], where: str) -> None:
    other = next((key for key in written if key not in allowed), None)
    if other is not None:
        first = next(key for key in written if key != other)
        raise InputError("bad_aim", f"'{first}' and '{other}' do not go together", where=where or None)

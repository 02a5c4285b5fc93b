"""`Points`: exact numbers with two decimals, stored as integer hundredths."""

import re
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Final, final

from oddsmith.errors import InputError, quote_value

__all__ = ["LARGEST", "Points", "exact_decimal", "power_points"]

LARGEST: Final = 10_000_000
"""The greatest absolute value of points."""

MOST_HUNDREDTHS: Final = LARGEST * 100
MOST_DIGITS: Final = 40
MOST_COUNTED: Final = 10**9
STEEPEST: Final = 100
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")


def exact_decimal(given: object, *, what: str = "number") -> Decimal:
    """Return the exact decimal of a number or a text; raise `InputError` for anything else, and for too many digits.

    A float is read as its shortest decimal representation.

    >>> exact_decimal("0.75"), exact_decimal(27.28)
    (Decimal('0.75'), Decimal('27.28'))
    """
    number = _number(given)
    if number is None or not number.is_finite():
        raise InputError("not_a_number", f"{what} must be a number such as 27.28, not {quote_value(given)}")
    if _count_digits(number) > MOST_DIGITS:
        raise InputError("number_too_long", f"{what} may have at most {MOST_DIGITS} digits")
    return Decimal(f"{number:f}")


def _number(given: object) -> Decimal | None:
    match given:
        case bool():
            return None
        case str() if _NUMBER.fullmatch(given.strip()):
            return Decimal(given)
        case float():
            return Decimal(repr(given))
        case int() | Decimal():
            return Decimal(given)
    return None


def _count_digits(number: Decimal) -> int:
    """Return the number of digits without an exponent; an exponent may stand for millions of them."""
    last = number.as_tuple().exponent
    return max(number.adjusted(), 0) + 1 + (max(-last, 0) if isinstance(last, int) else 0)


def _whole_hundredths(given: str | float | Decimal) -> int:
    number = Fraction(exact_decimal(given, what="points")) * 100
    if number.denominator != 1:
        raise InputError("too_many_decimals", f"points have at most two decimals: {given}")
    return number.numerator


def _require_bounds(hundredths: int) -> int:
    if abs(hundredths) > MOST_HUNDREDTHS:
        raise InputError("points_out_of_bounds", f"points must be within ±{LARGEST:,}")
    return hundredths


@lru_cache(maxsize=2**14, typed=True)
def _cached_points(hundredths: int) -> "Points":
    """Return cached points: they are immutable, and few different ones are used often."""
    points = Points.__new__(Points)
    object.__setattr__(points, "hundredths", _require_bounds(hundredths))
    return points


@final
class Points:
    """An exact number of points with at most two decimals.

    >>> Points("27.28") * 5 + Points(500)
    Points('636.4')
    >>> Points("0.1") + Points("0.2") == Points("0.3")
    True
    >>> Points("1.005")
    Traceback (most recent call last):
    oddsmith.errors.InputError: points have at most two decimals: 1.005
    """

    __slots__ = ("hundredths",)

    hundredths: int

    def __init__(self, given: "str | float | Decimal | Points") -> None:
        hundredths = given.hundredths if isinstance(given, Points) else _whole_hundredths(given)
        object.__setattr__(self, "hundredths", _require_bounds(hundredths))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Points are immutable: {name}")

    @staticmethod
    def of_hundredths(hundredths: int) -> "Points":
        """Return the points of a number of hundredths.

        >>> Points.of_hundredths(4037)
        Points('40.37')
        """
        return _cached_points(hundredths)

    @staticmethod
    def nearest(number: Fraction | Decimal) -> "Points":
        """Round a computed number half-even to hundredths.

        >>> Points.nearest(Fraction(1, 200)), Points.nearest(Fraction(3, 200))
        (Points('0'), Points('0.02'))
        """
        return _cached_points(round(Fraction(number) * 100))

    def times(self, factor: Decimal) -> "Points":
        """Multiply by an exact decimal and round half-even to hundredths.

        >>> Points("15").times(Decimal("1.5"))
        Points('22.5')
        """
        return Points.nearest(self.fraction * Fraction(factor)) if self else self

    @property
    def fraction(self) -> Fraction:
        """The same number as a `Fraction`."""
        return Fraction(self.hundredths, 100)

    @property
    def decimal(self) -> Decimal:
        """The same number as a `Decimal` without trailing zeros."""
        return Decimal(str(self))

    def __add__(self, other: "Points") -> "Points":
        if not isinstance(other, Points):
            return NotImplemented
        return Points.of_hundredths(self.hundredths + other.hundredths)

    def __sub__(self, other: "Points") -> "Points":
        if not isinstance(other, Points):
            return NotImplemented
        return Points.of_hundredths(self.hundredths - other.hundredths)

    def __mul__(self, count: int) -> "Points":
        if not isinstance(count, int):
            return NotImplemented
        return Points.of_hundredths(self.hundredths * count)

    __rmul__ = __mul__

    def __neg__(self) -> "Points":
        return Points.of_hundredths(-self.hundredths)

    def __bool__(self) -> bool:
        return self.hundredths != 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Points) and self.hundredths == other.hundredths

    def __lt__(self, other: "Points") -> bool:
        if not isinstance(other, Points):
            return NotImplemented
        return self.hundredths < other.hundredths

    def __le__(self, other: "Points") -> bool:
        if not isinstance(other, Points):
            return NotImplemented
        return self.hundredths <= other.hundredths

    def __gt__(self, other: "Points") -> bool:
        if not isinstance(other, Points):
            return NotImplemented
        return self.hundredths > other.hundredths

    def __ge__(self, other: "Points") -> bool:
        if not isinstance(other, Points):
            return NotImplemented
        return self.hundredths >= other.hundredths

    def __hash__(self) -> int:
        return hash((Points, self.hundredths))

    def __float__(self) -> float:
        return self.hundredths / 100

    def __str__(self) -> str:
        whole, rest = divmod(abs(self.hundredths), 100)
        sign = "-" if self.hundredths < 0 else ""
        decimals = f".{rest:02d}".rstrip("0") if rest else ""
        return f"{sign}{whole}{decimals}"

    def __repr__(self) -> str:
        return f"Points('{self}')"

    def __reduce__(self) -> tuple[object, ...]:
        return Points.of_hundredths, (self.hundredths,)


def power_points(count: int, linear: Decimal, exponent: Decimal, coefficient: Decimal) -> Points:
    """Return `count·linear + count^exponent·coefficient`, rounded half-even to hundredths, correctly.

    >>> power_points(49, Decimal("0.75"), Decimal("1.1"), Decimal("0.05"))
    Points('40.37')
    """
    if not (0 <= count <= MOST_COUNTED and abs(exponent) <= STEEPEST):
        raise InputError(
            "curve_out_of_bounds",
            f"a curve counts from 0 to {MOST_COUNTED:,} with an exponent within ±{STEEPEST}",
        )
    straight = Fraction(count) * Fraction(linear)
    root = _rational_power(count, Fraction(exponent))
    if root is not None:
        return Points.nearest(straight + root * Fraction(coefficient))
    for digits in (40, 160, 640, 2560):
        with localcontext(prec=digits, rounding=ROUND_HALF_EVEN):
            power = Fraction(Decimal(count) ** exponent)
        slack = power * Fraction(1, 10 ** (digits - 2)) * abs(Fraction(coefficient))
        middle = straight + power * Fraction(coefficient)
        low, high = Points.nearest(middle - slack), Points.nearest(middle + slack)
        if low == high:
            return low
    raise InputError("curve_too_fine", "the curve lies too close to half a hundredth to be rounded")


def _rational_power(base: int, exponent: Fraction) -> Fraction | None:
    """Return `base ** exponent` where it is rational, so that a tie in rounding is exact; None elsewhere."""
    if base in (0, 1):
        return Fraction(base) if exponent else Fraction(1)
    if exponent.denominator > base.bit_length():
        return None
    root = round(base ** (1 / exponent.denominator))
    if root**exponent.denominator != base:
        return None
    return Fraction(root) ** exponent.numerator

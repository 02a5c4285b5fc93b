"""Numbers are written for people in one way everywhere: what is not zero is never shown as zero."""

from fractions import Fraction
from math import floor, log10
from typing import Final

__all__ = ["SUPERSCRIPTS", "percent", "power"]

SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Turns the digits of a power of ten into small ones."""
PLAIN: Final = 0.001
"""From here on three decimals say enough."""


def percent(chance: Fraction) -> str:
    """Write an exact chance for show; what is not zero is never shown as zero, nor 1 what is less.

    >>> percent(Fraction(1, 2)), percent(Fraction(4, 2598960)), percent(Fraction(1))
    ('50.00 %', '0.00015 %', '100 %')
    """
    if chance in (0, 1):
        return f"{int(chance) * 100} %"
    share = float(chance * 100)
    if share < 0.01:  # noqa: PLR2004  two decimals would show 0
        return f"{share:.{1 - floor(log10(share))}f} %" if share >= 1e-6 else f"{share:.1e} %"  # noqa: PLR2004  as few digits as say something
    if share > 99.99:  # noqa: PLR2004  two decimals would show 100
        return f"{min(share, 99.999999):.6f} %"
    return f"{share:.2f} %"


def power(chance: float) -> str:
    """Write a chance that may be very small, by its power of ten where it is.

    >>> power(0.25), power(1.7e-20), power(0.0)
    ('0.250', '1.7·10⁻²⁰', '0')
    """
    if chance >= PLAIN or not chance:
        return f"{chance:.3f}" if chance else "0"
    digits, _, tens = f"{chance:.1e}".partition("e")
    return f"{digits}·10{str(int(tens)).translate(SUPERSCRIPTS)}"

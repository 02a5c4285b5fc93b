"""A figure: one named number of a design, the value that it has under some rules, and what that value rests on."""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any, ClassVar, Self, cast

import msgspec

from oddsmith.errors import InputError
from oddsmith.rules import ValidatedStruct

__all__ = ["TAG", "Basis", "Figure", "Reading", "Unit"]

TAG = "figure"
"""The key under which files name a figure."""


class Basis(StrEnum):
    """What an answer rests on."""

    EXACT = "exact"
    BOUNDED = "bounded"
    """Computed in floating point, within a proven bound."""
    ESTIMATED = "estimated"
    """Counted in play; the error is that of 95 %."""


class Unit(StrEnum):
    """What kind of number a figure is, for show."""

    CHANCE = "chance"
    NUMBER = "number"
    NAME = "name"


class Reading(msgspec.Struct, frozen=True):
    """The value of a figure under some rules, how far the truth may be from it, and what it rests on.

    >>> Reading(Fraction(7, 20)).low
    Fraction(7, 20)
    """

    value: Fraction = Fraction(0)
    error: Fraction = Fraction(0)
    basis: Basis = Basis.EXACT
    name: str | None = None
    """What it is where it is no number: the name of a hand."""

    @property
    def low(self) -> Fraction:
        """The least that the true value may be."""
        return self.value - self.error

    @property
    def high(self) -> Fraction:
        """The most that the true value may be."""
        return self.value + self.error


class Figure(ValidatedStruct, frozen=True, kw_only=True, tag_field=TAG):
    """The base of every figure: a subclass has the arguments as fields, its name as tag, and answers `read`."""

    error: ClassVar[type[InputError]] = InputError
    unit: ClassVar[Unit] = Unit.NUMBER

    @classmethod
    def named(cls) -> str:
        """Return the name under which files ask for it."""
        return cast("str", cls.__struct_config__.tag)

    def read(self, rules: Any) -> Reading:  # noqa: ANN401  the rules of its own game
        """Return its value under some rules of its game."""
        raise NotImplementedError

    @classmethod
    def read_all(cls, figures: Sequence[Self], rules: Any) -> list[Reading]:  # noqa: ANN401  as above
        """Return the values of many at once; a figure that is faster in bulk answers for itself."""
        return [figure.read(rules) for figure in figures]

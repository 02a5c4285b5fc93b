"""Figures: named numbers of a design, their values under some rules, and the precision of those values."""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any, ClassVar, Self, cast

import msgspec

from oddsmith.errors import InputError
from oddsmith.rules import ValidatedStruct

__all__ = ["TAG", "Basis", "Figure", "Reading", "Unit"]

TAG = "figure"
"""The key of a figure's name in files."""


class Basis(StrEnum):
    """How a value was obtained."""

    EXACT = "exact"
    BOUNDED = "bounded"
    """Computed in floating point, within a proven bound."""
    ESTIMATED = "estimated"
    """Counted in simulated play; the error is that of 95 %."""


class Unit(StrEnum):
    """The unit of a figure, which decides how it is formatted."""

    CHANCE = "chance"
    NUMBER = "number"
    NAME = "name"


class Reading(msgspec.Struct, frozen=True):
    """The value of a figure under some rules, the bound of its error, and how it was obtained.

    >>> Reading(Fraction(7, 20)).low
    Fraction(7, 20)
    """

    value: Fraction = Fraction(0)
    error: Fraction = Fraction(0)
    basis: Basis = Basis.EXACT
    name: str | None = None
    """The value of a figure whose unit is a name: the name of a hand."""

    @property
    def low(self) -> Fraction:
        """The least possible true value."""
        return self.value - self.error

    @property
    def high(self) -> Fraction:
        """The greatest possible true value."""
        return self.value + self.error


class Figure(ValidatedStruct, frozen=True, kw_only=True, tag_field=TAG):
    """The base of every figure: a subclass has its arguments as fields, its name as tag, and implements `read`."""

    error: ClassVar[type[InputError]] = InputError
    unit: ClassVar[Unit] = Unit.NUMBER

    @classmethod
    def figure_name(cls) -> str:
        """Return the name of the figure in files."""
        return cast("str", cls.__struct_config__.tag)

    def read(self, rules: Any) -> Reading:  # noqa: ANN401  the rules of its own game
        """Return the value under some rules of its game; raise an `OddsmithError` where it has none."""
        raise NotImplementedError

    @classmethod
    def read_all(cls, figures: Sequence[Self], rules: Any) -> list[Reading]:  # noqa: ANN401  the rules of its own game
        """Return the values of many figures of this class; a subclass may override it with a faster computation."""
        return [figure.read(rules) for figure in figures]

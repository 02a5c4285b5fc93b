"""Charts as data: exact numbers with names, drawn when a report or a plot is written."""

from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Self

import msgspec

from oddsmith.figure import Basis, Figure, Reading, Unit

__all__ = ["Chart", "ChartKind", "Histogram", "HistogramBar", "Line", "LineChart", "ReportContents", "Series"]


class ChartKind(StrEnum):
    """How a chart is drawn."""

    BARS = "bars"
    STACKED = "stacked"
    CURVES = "curves"


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """One line, or one colour of bars: a value for each place of the chart, and the error of each."""

    name: str
    values: tuple[Fraction, ...]
    errors: tuple[Fraction, ...] = ()
    """Empty where every value is exact."""

    @classmethod
    def of(cls, name: str, readings: Iterable[Reading]) -> Self:
        """Return the series of readings, each with its error.

        >>> Series.of("wins", [Reading(Fraction(1, 2), Fraction(1, 100))]).errors
        (Fraction(1, 100),)
        """
        read = tuple(readings)
        return cls(
            name=name,
            values=tuple(reading.value for reading in read),
            errors=tuple(reading.error for reading in read),
        )

    def reading(self, place: int) -> Reading:
        """Return the value at an index, with its error.

        >>> Series(name="wins", values=(Fraction(1, 2),)).reading(0).error
        Fraction(0, 1)
        """
        return Reading(self.values[place], self.errors[place] if self.errors else Fraction(0))


class Chart(msgspec.Struct, frozen=True, kw_only=True):
    """A chart: `places` are names for bars and numbers for curves."""

    title: str
    about: str
    kind: ChartKind
    unit: Unit
    x_label: str
    """The quantity that `places` are values of."""
    places: tuple[str, ...]
    series: tuple[Series, ...]
    basis: Basis = Basis.EXACT


class HistogramBar(msgspec.Struct, frozen=True):
    """A bar of a histogram: where it begins, or its middle where bars are centered, its height, and its colour."""

    at: float
    height: float
    is_reached: bool


class Histogram(msgspec.Struct, frozen=True, kw_only=True):
    """The distribution of a number, for `--plot`: bars in two colours, and a line at the target."""

    title: str
    x_label: str
    y_label: str
    bars: tuple[HistogramBar, ...]
    width: float
    is_centered: bool = False
    mark: float | None = None
    ticks: tuple[float, ...] = ()


class Line(msgspec.Struct, frozen=True):
    """A line of a chart: its name, and its values at 1, 2, 3 and so on."""

    name: str
    values: tuple[float, ...]


class LineChart(msgspec.Struct, frozen=True, kw_only=True):
    """Lines over whole numbers, for `--plot`; `span` is a range that is shaded, with its name."""

    title: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...]
    span: tuple[float, float, str] | None = None


class ReportContents(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a report on a ruleset: charts, figures by name, and the keys for their sensitivities."""

    charts: tuple[Chart, ...]
    figures: dict[str, Figure]
    keys: tuple[str, ...]
    percent: Decimal = Decimal(5)
    """The change of each number in percent, for the sensitivities."""

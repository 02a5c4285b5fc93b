"""Rows of the results: a figure, what it is held against in the same run, their ratio and its bound."""

from enum import StrEnum
from typing import Any, Final, Self

import msgspec


class Unit(StrEnum):
    """The unit of a figure: seconds, or a rate."""

    SECONDS = "s"
    PER_SECOND = "/s"
    FRAMES = "frames/s"
    TIMES = "×"


class Kind(StrEnum):
    """What a figure is held against, which decides how the ratio is read.

    A peer answers the same question: the ratio says how many times as fast we are, and the bound is the least ratio. A
    floor does the least work that any answer needs, or a stated amount of bare work: the ratio says how many times its
    cost ours is, and the bound is the greatest ratio.
    """

    PEER = "peer"
    FLOOR = "floor"


class Against(msgspec.Struct, frozen=True, kw_only=True):
    """A peer or a floor, with its figure in the same run and in the unit of the row."""

    kind: Kind
    name: str
    measured: float


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the results; a row without `against` has no bound, and only its change is reported."""

    name: str
    measured: float
    unit: Unit = Unit.SECONDS
    against: Against | None = None
    bound: float | None = None
    reason: str
    """Why the row is held against this, and why the bound is that number."""

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the peer, or how many times the cost of the floor."""
        if self.against is None:
            return None
        relative = cost(self.measured, self.unit) / cost(self.against.measured, self.unit)
        return 1 / relative if self.against.kind is Kind.PEER else relative

    @property
    def held(self) -> bool:
        """Whether the bound holds; a row without a bound always does."""
        if self.against is None or self.ratio is None or self.bound is None:
            return True
        return self.ratio >= self.bound if self.against.kind is Kind.PEER else self.ratio <= self.bound

    @property
    def relative_cost(self) -> float:
        """The cost as a multiple of that of the peer or the floor, or else the cost itself; less is better."""
        own = cost(self.measured, self.unit)
        return own if self.against is None else own / cost(self.against.measured, self.unit)

    def to_data(self) -> dict[str, Any]:
        """Return the row as JSON data, with `ratio` and `held`."""
        return {**msgspec.to_builtins(self), "ratio": self.ratio, "held": self.held}

    @classmethod
    def from_data(cls, data: object) -> Self:
        """Return the row of JSON data; `ratio` and `held` are computed again."""
        return msgspec.convert(data, cls)


def cost(figure: float, unit: Unit) -> float:
    """Return the seconds of a figure, or the seconds for one if it is a rate."""
    return figure if unit is Unit.SECONDS else 1 / figure


def against_peer(
    name: str, ours: float, peer: tuple[str, float], *, least: float, reason: str, unit: Unit = Unit.SECONDS
) -> Row:
    """Return a row for a figure that must be at least `least` times as good as the named peer's."""
    against = Against(kind=Kind.PEER, name=peer[0], measured=peer[1])
    return Row(name=name, measured=ours, unit=unit, against=against, bound=least, reason=reason)


def against_floor(
    name: str,
    ours: float,
    floor: tuple[str, float],
    *,
    most: float | None,
    reason: str,
    unit: Unit = Unit.SECONDS,
) -> Row:
    """Return a row for a figure that must cost at most `most` times as much as the named floor; None is no bound."""
    against = Against(kind=Kind.FLOOR, name=floor[0], measured=floor[1])
    return Row(name=name, measured=ours, unit=unit, against=against, bound=most, reason=reason)


def without_bound(name: str, measured: float, *, reason: str, unit: Unit = Unit.SECONDS) -> Row:
    """Return a row that nothing in the same run is comparable with: only its change since the last run is reported."""
    return Row(name=name, measured=measured, unit=unit, reason=reason)


MILLI: Final = 1e-3
MICRO: Final = 1e-6


def format_figure(figure: float, unit: Unit) -> str:
    """Format a figure with its unit.

    >>> format_figure(0.0123, Unit.SECONDS), format_figure(1234.5, Unit.PER_SECOND)
    ('12.3 ms', '1,234 /s')
    """
    if unit is Unit.TIMES:
        return f"{figure:.2f} ×"
    if unit is not Unit.SECONDS:
        return f"{figure:,.0f} {unit}" if figure >= 100 else f"{figure:.1f} {unit}"  # noqa: PLR2004  three digits
    if figure >= 1:
        return f"{figure:.2f} s"
    if figure >= MILLI:
        return f"{figure / MILLI:.3g} ms"
    return f"{figure / MICRO:.3g} µs"


def format_ratio(ratio: float) -> str:
    """Format a ratio with three digits.

    >>> format_ratio(1234.5), format_ratio(12.34), format_ratio(0.987)
    ('1,234 ×', '12.3 ×', '0.99 ×')
    """
    digits = 0 if ratio >= 100 else 1 if ratio >= 10 else 2  # noqa: PLR2004  three digits
    return f"{ratio:,.{digits}f} ×"

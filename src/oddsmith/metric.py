"""Metrics: what is counted in played games, and the exact distribution of each observation under the rules."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

import msgspec

from oddsmith.driver import PlayedGame
from oddsmith.figure import Reading, Unit

__all__ = [
    "ExactCell",
    "GameMetrics",
    "MetricKind",
    "NullDistribution",
    "Observation",
    "Progress",
    "Resolution",
]

Progress: TypeAlias = Callable[[float], None]
"""Called with the fraction of a long computation that is done."""
Weights: TypeAlias = tuple[tuple[int, int], ...]


class NullDistribution(msgspec.Struct, frozen=True, cache_hash=True):
    """The distribution of one observation under the rules: integers with weights; `error` bounds the error of its mean.

    >>> NullDistribution.of_chance(Fraction(1, 4)).mean, NullDistribution(((1, 1), (6, 1))).variance
    (Fraction(1, 4), Fraction(25, 4))
    """

    weights: Weights
    error: Fraction = Fraction(0)

    @classmethod
    def of_chance(cls, chance: Fraction, error: Fraction = Fraction(0)) -> "NullDistribution":
        """Return the Bernoulli distribution of a probability: 1, or else 0."""
        happens, of = chance.numerator, chance.denominator
        return cls(tuple((value, ways) for value, ways in ((0, of - happens), (1, happens)) if ways), error)

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(ways for _, ways in self.weights)

    @property
    def mean(self) -> Fraction:
        """The exact expected value."""
        return Fraction(sum(value * ways for value, ways in self.weights), self.total)

    @property
    def variance(self) -> Fraction:
        """The exact variance."""
        return Fraction(sum(value * value * ways for value, ways in self.weights), self.total) - self.mean**2


class MetricKind(msgspec.Struct, frozen=True, kw_only=True):
    """A family of cells: its name for programs, its title for people, and what is counted in it.

    Values are integers, `scale` of them for one unit as it is displayed. `is_most` says that the exact value is the
    greatest that can be reached, so that the test is one-sided. `order` lists cells that have a natural order.
    """

    name: str
    title: str
    unit: Unit
    about: str
    scale: int = 1
    is_most: bool = False
    order: tuple[str, ...] = ()


class Observation(msgspec.Struct, frozen=True):
    """The value that one resolution adds to a cell, 1 or 0 for an event, and its null distribution where it has one."""

    metric: str
    cell: str
    value: int
    distribution: NullDistribution | None = None


class ExactCell(msgspec.Struct, frozen=True):
    """The exact value of a cell under the rules alone."""

    metric: str
    cell: str
    exact: Reading


class Resolution(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="type",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """Something that was resolved in a game, as one line of a log; `about` is free for the writer of the log."""

    game: str | None = None
    about: Any = None

    def observations(self, rules: Any) -> Iterator[Observation]:  # noqa: ANN401  the rules of its own game
        """Yield the observations of this resolution under some rules; raise an `OddsmithError` if it contradicts them."""
        raise NotImplementedError


class GameMetrics(Protocol):
    """The interface of a mechanic's module `metrics`."""

    @property
    def METRICS(self) -> Sequence[MetricKind]:  # noqa: N802  a constant of a module
        """The metrics of the game."""
        ...

    @property
    def RESOLUTIONS(self) -> Any:  # noqa: ANN401, N802  a constant of a module: a type
        """The union of the resolution types that a line of a log may be."""
        ...

    def resolutions(self, played: PlayedGame[Any, Any, Any], /) -> Iterator[Resolution]:
        """Yield the resolutions of a replayed game."""
        ...

    def exact_cells(self, rules: Any, progress: Progress, /) -> Iterator[ExactCell]:  # noqa: ANN401  the rules of its own game
        """Yield the exact values of typical cells under some rules."""
        ...

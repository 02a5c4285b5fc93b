"""A metric: what is counted in played games, and the exact distribution that the rules give to each observation."""

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
"""Is told which share of a long computation is done."""
Weights: TypeAlias = tuple[tuple[int, int], ...]


class NullDistribution(msgspec.Struct, frozen=True, cache_hash=True):
    """What one observation may come to: whole numbers, each with its weight; `error` is how far its mean may be off.

    >>> NullDistribution.of_chance(Fraction(1, 4)).mean, NullDistribution(((1, 1), (6, 1))).variance
    (Fraction(1, 4), Fraction(25, 4))
    """

    weights: Weights
    error: Fraction = Fraction(0)

    @classmethod
    def of_chance(cls, chance: Fraction, error: Fraction = Fraction(0)) -> "NullDistribution":
        """Return the law of what happens with a chance: 1, or else 0."""
        happens, of = chance.numerator, chance.denominator
        return cls(tuple((value, ways) for value, ways in ((0, of - happens), (1, happens)) if ways), error)

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(ways for _, ways in self.weights)

    @property
    def mean(self) -> Fraction:
        """The expected value."""
        return Fraction(sum(value * ways for value, ways in self.weights), self.total)

    @property
    def variance(self) -> Fraction:
        """The expected squared distance from the mean."""
        return Fraction(sum(value * value * ways for value, ways in self.weights), self.total) - self.mean**2


class MetricKind(msgspec.Struct, frozen=True, kw_only=True):
    """A family of cells: its name for programs, its title for people, and what is counted in it.

    Values are whole numbers, `scale` of them to one as people say it. `is_most` says that the exact value is the most
    that anybody can reach, so that only more than that is a surprise. `order` lists cells that have a natural order.
    """

    name: str
    title: str
    unit: Unit
    about: str
    scale: int = 1
    is_most: bool = False
    order: tuple[str, ...] = ()


class Observation(msgspec.Struct, frozen=True):
    """What one resolution adds to a cell: its value (1 or 0 for what happened or not), and its law where it has one."""

    metric: str
    cell: str
    value: int
    law: NullDistribution | None = None


class ExactCell(msgspec.Struct, frozen=True):
    """What the rules alone say of a cell."""

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
    """Something that was resolved in a game, as a line of a log has it; `about` is free for whoever writes it."""

    game: str | None = None
    about: Any = None

    def observed(self, rules: Any) -> Iterator[Observation]:  # noqa: ANN401  the rules of its own game
        """Yield what it adds to which cells."""
        raise NotImplementedError


class GameMetrics(Protocol):
    """What `oddsmith.balance.<game>.metrics` has to offer."""

    @property
    def METRICS(self) -> Sequence[MetricKind]:  # noqa: N802  a constant of a module
        """What is counted."""
        ...

    @property
    def RESOLUTIONS(self) -> Any:  # noqa: ANN401, N802  a constant of a module: a type
        """The union of the resolutions that a line of a log may be."""
        ...

    def resolutions(self, played: PlayedGame[Any, Any, Any], /) -> Iterator[Resolution]:
        """Yield what was resolved in a game."""
        ...

    def exact_cells(self, rules: Any, progress: Progress, /) -> Iterator[ExactCell]:  # noqa: ANN401  as above
        """Yield what the rules alone say."""
        ...

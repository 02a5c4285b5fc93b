"""A sweep is a numbered list of points: each number stands for the same rules and the same figures, whoever reads it."""

import hashlib
from collections.abc import Mapping
from functools import cached_property
from importlib.metadata import version
from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.balance.figures import find_figure
from oddsmith.balance.sweeping.axes import Axis, Value
from oddsmith.chance import Seeded
from oddsmith.figure import Figure
from oddsmith.rules import Ruleset

FORMAT: Final = 1
"""Of the parts that are kept of an unfinished sweep."""


class Sample(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many points are drawn instead of all: each coordinate by itself, uniformly over its values."""

    count: int
    seed: str


class Sweep(msgspec.Struct, frozen=True, kw_only=True, dict=True, eq=False):
    """What is varied, which figures are read at every point, and how many rows at once.

    Rows are numbered from 0. In a grid the last axis changes from row to row; axes of the rules come before arguments
    of figures, so that rows of one ruleset stand together.
    """

    game: str
    rules: Ruleset
    rulesets: Mapping[str, Ruleset]
    """The rulesets that an axis named `rules` takes by name."""
    figures: Mapping[str, Mapping[str, Any]]
    axes: tuple[Axis, ...]
    sample: Sample | None
    rows: int
    chunk: int
    """So many rows are read, kept and, where it must be, read again together."""
    version: str = msgspec.field(default_factory=lambda: version("oddsmith"))

    def point(self, row: int) -> tuple[int, ...]:
        """Return the coordinates of a row: for every axis the place of its value."""
        sizes = [len(axis.values) for axis in self.axes]
        if self.sample is not None:
            luck = Seeded(f"{self.sample.seed}/{row}")
            return tuple(luck.below(size) for size in sizes)
        places = []
        for size in reversed(sizes):
            row, place = divmod(row, size)
            places.append(place)
        return tuple(reversed(places))

    def values(self, row: int) -> tuple[Value, ...]:
        """Return what every axis is at a row."""
        return tuple(axis.values[place] for axis, place in zip(self.axes, self.point(row), strict=True))

    @property
    def rule_axes(self) -> int:
        """How many axes vary the rules; they are the first."""
        return sum(not axis.is_argument for axis in self.axes)

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return -(-self.rows // self.chunk)

    def chunk_rows(self, number: int) -> range:
        """Return the numbers of the rows of a chunk."""
        return range(number * self.chunk, min((number + 1) * self.chunk, self.rows))

    def kind(self, name: str) -> type[Figure]:
        """Return what kind of figure stands under a name."""
        return find_figure(self.game, self.figures[name]["figure"])

    def limited(self, rows: int) -> "Sweep":
        """Return the same sweep with at most so many rows, the first."""
        return msgspec.structs.replace(self, rows=min(rows, self.rows))

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of all that the result depends on: equal sweeps have equal ones on every machine."""
        canonical = {
            "format": FORMAT,
            "version": self.version,
            "game": self.game,
            "rules": self.rules.rules_id,
            "rulesets": {name: rules.rules_id for name, rules in self.rulesets.items()},
            "figures": [[name, self.figures[name]] for name in self.figures],
            "axes": self.axes,
            "sample": self.sample,
            "rows": self.rows,
            "chunk": self.chunk,
        }
        return hashlib.sha256(wire.to_json(canonical, canonical=True)).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sweep) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

"""Luck and choice in a pool of dice go along one group at a time, and one die at a time.

A full position says which faces each group shows; a kept position, which faces were kept of each.

- What a kept position is worth is the weighted mean over the faces of one more die: group by group, from full
  positions down to empty hands.
- The best keep below a position is itself or the best below a position with one die less: group by group, from empty
  hands up to full positions.

So a reroll takes the number of kept positions times the number of faces, not keeps times rolls.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import comb, gcd, prod
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.odds.multisets import Integers, Multisets

__all__ = ["Group", "Pool", "positions"]

Numbers = NDArray[Any]
Tell = Callable[[], None]
T = TypeVar("T")


class Group(msgspec.Struct, frozen=True):
    """Dice that are alike: how many, and the exact weights of their faces when they are rolled.

    A group that `copies` is of echoes: whenever one is rolled, it takes the face of a random die of the groups that
    do not copy: each echo its own, after those are rolled, whether they were kept or not. Where there is no such die,
    echoes roll by their weights.

    >>> Group(3, (1, 1, 1, 1, 1, 1))
    Group(count=3, weights=(1, 1, 1, 1, 1, 1), copies=False)
    """

    count: int
    weights: tuple[int, ...]
    copies: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no group of dice."""
        if not _natural(self.count):
            raise InputError(
                "bad_count", f"a group has a whole number of dice from 0: {self.count!r} was given"
            )
        if not all(map(_natural, self.weights)):
            raise InputError("bad_weight", f"a weight is a whole number from 0: {self.weights} were given")
        if not any(self.weights):
            raise InputError("no_face", f"a die needs a face of positive weight: {self.weights} were given")


def _natural(number: object) -> bool:
    return isinstance(number, int) and number >= 0


def positions(groups: Sequence[Group]) -> int:
    """Count the kept positions of a pool: the work of one reroll, before any is done.

    >>> positions([Group(5, (1,) * 6)])
    462
    """
    return prod(comb(group.count + len(group.weights), group.count) for group in groups)


class Pool:
    """The groups of a pool as axes of arrays: echoes come first, because they roll last.

    Arrays are matrices whose rows are the first axis. Each step works on the rows and puts their axis to the back, so
    that after a step for each axis they are in order again. Numerators of whole numbers come to stand over `roll`, the
    weight of a roll of all dice; floats are means.
    """

    def __init__(self, groups: Sequence[Group], *, limit: int) -> None:
        _check(groups, limit)
        self.order = sorted(range(len(groups)), key=lambda number: not groups[number].copies)
        self.groups = [groups[number] for number in self.order]
        self.faces = len(groups[0].weights)
        self.tables = [Multisets(group.count, self.faces) for group in self.groups]
        self.lengths = [table.full.stop - table.full.start for table in self.tables]
        self._sources = sum(group.count for group in groups if not group.copies)
        self._echoes = sum(group.copies for group in groups) if self._sources else 0
        reduced = [_reduced(group.weights) for group in self.groups]
        self._weights: list[Numbers] = [
            *[self._shown()] * self._echoes,
            *(np.array(weights, dtype=object) for weights in reduced[self._echoes :]),
        ]
        self._totals = [
            *[self._sources] * self._echoes,
            *(sum(weights) for weights in reduced[self._echoes :]),
        ]
        self.roll = prod(total**group.count for total, group in zip(self._totals, self.groups, strict=True))

    def _shown(self) -> Numbers:
        """Count the dice to copy that show each face, for each full position of theirs."""
        shown = np.zeros((self.faces, 1), dtype=np.int64)
        for table, group in zip(self.tables, self.groups, strict=True):
            if not group.copies:
                counts = table.full_counts.T
                shown = (shown[:, :, None] + counts[:, None, :]).reshape(self.faces, -1)
        return shown

    def as_given(self, ordered: Sequence[T]) -> tuple[T, ...]:
        """Put what stands in the order of the axes into that of the groups as they were given."""
        given = dict(zip(self.order, ordered, strict=True))
        return tuple(given[number] for number in range(len(self.order)))

    def expected(
        self, values: Numbers, wanted: Sequence[Integers] | None = None, tell: Tell = lambda: None
    ) -> Numbers:
        """Return what kept positions are worth where full ones are worth `values`.

        Only those are returned whose places along each axis are `wanted`, in rising order; without it, all.
        """
        for axis, table in enumerate(self.tables):
            levels = [*self._levels(values.reshape(self.lengths[axis], -1), axis)][::-1]
            places = np.arange(len(table)) if wanted is None else wanted[axis]
            values = self._even(levels, axis, places)
            tell()
        return values

    def _levels(self, level: Numbers, axis: int) -> Iterator[Numbers]:
        """Go from the full multisets of an axis down to the empty one: at each, one die more is rolled."""
        weights: Numbers = self._weights[axis]
        if level.dtype == np.float64:
            weights = weights / self._totals[axis]
        weights = weights.astype(level.dtype)
        yield level
        for above in reversed(self.tables[axis].above):
            faces = np.take(level, above, axis=0)
            level = self._copied(faces, weights, axis) if axis < self._echoes else _mean(faces, weights)
            yield level

    def _copied(self, faces: Numbers, weights: Numbers, axis: int) -> Numbers:
        """Add up over the faces of an echo, which are as likely as the dice to copy show them.

        Its rows go through further echoes, those dice, and the echoes before it.
        """
        others = prod(self.lengths[axis + 1 : self._echoes])
        copied = weights.shape[1]
        apart = faces.reshape(self.faces, faces.shape[1] * others, copied, -1)
        added: Numbers = (apart * weights[:, None, :, None]).sum(axis=0)
        return added.reshape(faces.shape[1:])

    def _even(self, levels: list[Numbers], axis: int, wanted: Integers) -> Numbers:
        """Bring the levels of an axis, smallest first, over one denominator, side by side, the axis at the back."""
        table = self.tables[axis]
        starts = [table.of_size(size).start for size in range(len(levels))]
        columns = np.searchsorted(wanted, [*starts, len(table)]).tolist()
        even = np.empty((levels[0].shape[1], len(wanted)), dtype=levels[0].dtype)
        for size, (level, span) in enumerate(zip(levels, pairwise(columns), strict=True)):
            rows = level if span[1] - span[0] == len(level) else level[wanted[slice(*span)] - starts[size]]
            factor = self._totals[axis] ** size if level.dtype != np.float64 else 1
            np.multiply(rows.T, factor, out=even[:, slice(*span)])
        return even

    def best(self, expected: Numbers, tell: Tell = lambda: None) -> Numbers:
        """Return what full positions are worth where kept ones are worth what is expected of them."""
        for table in self.tables:
            kept = expected.reshape(len(table), -1)
            best = kept[:1]
            for size, below in enumerate(table.below, 1):
                best = np.maximum(kept[table.of_size(size)], np.take(best, below, axis=0).max(axis=0))
            expected = np.ascontiguousarray(best.T)
            tell()
        return expected


def _check(groups: Sequence[Group], limit: int) -> None:
    """Refuse what is no pool, and what is too large a one."""
    if not sum(group.count for group in groups):
        raise InputError("no_dice", "a pool needs at least one die: none was given")
    faces = sorted({len(group.weights) for group in groups})
    if len(faces) > 1:
        raise InputError("uneven_faces", f"all dice of a pool have as many faces: {faces} were given")
    needed = positions(groups)
    if needed > limit:
        raise WorkLimitError(
            "too_many_positions",
            f"this pool has {needed:,} positions of kept dice, and the limit is {limit:,}: "
            "take fewer dice or fewer groups, or raise the limit",
        )


def _reduced(weights: Sequence[int]) -> list[int]:
    divisor = gcd(*weights)
    return [weight // divisor for weight in weights]


def _mean(faces: Numbers, weights: Numbers) -> Numbers:
    """Add up over the faces of a die, each by its weight."""
    flat: Numbers = weights @ faces.reshape(len(weights), -1)
    return flat.reshape(faces.shape[1:])

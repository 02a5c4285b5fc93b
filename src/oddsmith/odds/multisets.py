"""Multisets of faces, numbered in a fixed order, with index arithmetic instead of searches.

The order is by size, then as `itertools.combinations_with_replacement` enumerates sorted faces. Let tailⱼ be the
number of dice of a multiset that show face j or a later one. A multiset that comes earlier either has fewer dice,
or has more dice of face j − 1 at the first face where the two differ. In both cases it has fewer than tailⱼ dice
from face j on. Any multiset of these qualifies, and there are C(tailⱼ − 1 + F − j, F − j). The index is the sum of
these numbers over j from 0.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddsmith.errors import InputError

__all__ = ["Multisets", "cached_multisets"]

Integers = NDArray[np.int64]
Numbers = NDArray[Any]

_WORD_LIMIT = 2**63
_MOST_CACHED = 256


class Multisets:
    """All multisets of at most `size` faces out of 0..`faces`-1. Equal arguments return the same object.

    Arrays are computed on first use and are read-only.

    >>> pairs = Multisets(2, 3)
    >>> [pairs.multiset(index) for index in range(len(pairs))]
    [(), (0,), (1,), (2,), (0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    >>> pairs.full, Multisets(2, 3) is pairs
    (slice(4, 10, None), True)
    """

    size: int
    faces: int

    def __new__(cls, size: int, faces: int) -> "Multisets":  # noqa: PYI034  instances are cached
        """Return the cached multisets of at most `size` faces out of `faces`."""
        return cached_multisets(size, faces)

    def __reduce__(self) -> tuple[object, ...]:
        return Multisets, (self.size, self.faces)

    def __len__(self) -> int:
        return comb(self.size + self.faces, self.faces)

    def __repr__(self) -> str:
        return f"Multisets({self.size}, {self.faces})"

    def of_size(self, size: int) -> slice:
        """Return the indexes of the multisets of exactly `size` faces.

        >>> Multisets(5, 6).of_size(1)
        slice(1, 7, None)
        """
        return slice(
            comb(size - 1 + self.faces, self.faces) if size else 0, comb(size + self.faces, self.faces)
        )

    @property
    def full(self) -> slice:
        """The indexes of the multisets of exactly `size` faces."""
        return self.of_size(self.size)

    @cached_property
    def full_counts(self) -> Integers:
        """The count of each face in each full multiset, computed without the smaller multisets.

        >>> Multisets(2, 2).full_counts.tolist()
        [[2, 0], [1, 1], [0, 2]]
        """
        return _freeze(_counts(self.size, self.faces))

    @cached_property
    def counts(self) -> Integers:
        """The count of each face in each multiset.

        The multisets of at most `size` faces are those of exactly `size` with one more face that represents absent
        dice.

        >>> Multisets(1, 2).counts.tolist()
        [[0, 0], [1, 0], [0, 1]]
        """
        return _freeze(_counts(self.size, self.faces + 1)[:, 1:])

    @cached_property
    def index_with_face(self) -> Integers:
        """The index of each multiset below full size after a face is added: one column for each face.

        >>> Multisets(2, 3).index_with_face.tolist()
        [[1, 2, 3], [4, 5, 6], [5, 7, 8], [6, 8, 9]]
        """
        tails = _tails(self.counts[: self.full.start])
        steps = self._rank_terms_at(tails + 1) - self._rank_terms_at(tails)
        return _freeze(np.arange(len(tails))[:, None] + np.cumsum(steps, axis=1))

    @cached_property
    def index_without_face(self) -> Integers:
        """The index of each multiset after a face is removed: one column for each face, -1 where it is not present.

        >>> Multisets(1, 3).index_without_face.tolist()
        [[-1, -1, -1], [0, -1, -1], [-1, 0, -1], [-1, -1, 0]]
        """
        tails = _tails(self.counts)
        steps = self._rank_terms_at(tails) - self._rank_terms_at(np.maximum(tails, 1) - 1)
        less = np.arange(len(tails))[:, None] - np.cumsum(steps, axis=1)
        return _freeze(np.where(self.counts > 0, less, -1))

    @cached_property
    def supersets(self) -> tuple[Integers, ...]:
        """For each size below the full one, the indexes within the next size after adding a face: one row for each face.

        >>> Multisets(2, 2).supersets[1].tolist()
        [[0, 1], [1, 2]]
        """
        starts = [self.of_size(size + 1).start for size in range(self.size)]
        return tuple(
            _freeze(np.ascontiguousarray(self.index_with_face[self.of_size(size)].T) - start)
            for size, start in enumerate(starts)
        )

    @cached_property
    def subsets(self) -> tuple[Integers, ...]:
        """For each size from 1, the indexes within the size before after removing a face: one column for each multiset.

        A column lists each subset at least once.

        >>> Multisets(2, 2).subsets[1].tolist()
        [[0, 1, 1], [0, 0, 1]]
        """
        return tuple(_freeze(self._subsets(size)) for size in range(1, self.size + 1))

    def _subsets(self, size: int) -> Integers:
        less = np.sort(self.index_without_face[self.of_size(size)], axis=1)[:, ::-1][
            :, : min(size, self.faces)
        ]
        indexes: Integers = np.where(less < 0, less[:, :1], less).T - self.of_size(size - 1).start
        return np.ascontiguousarray(indexes)

    def multiset(self, index: int) -> tuple[int, ...]:
        """Return the sorted faces of the multiset at an index.

        >>> Multisets(5, 6).multiset(7)
        (0, 0)
        """
        counts = self.counts[index].tolist()
        return tuple(face for face, count in enumerate(counts) for _ in range(count))

    def index(self, shown: Iterable[int]) -> int:
        """Return the index of the multiset of the faces shown, in any order; `bad_face` and `too_many_dice` are refused.

        >>> Multisets(5, 6).index((3, 0)) == Multisets(5, 6).index((0, 3)) == 10
        True
        """
        ordered = sorted(shown)
        if ordered and not 0 <= ordered[0] <= ordered[-1] < self.faces:
            raise InputError(
                "bad_face", f"faces are numbered from 0 to {self.faces - 1}: {ordered} were given"
            )
        if len(ordered) > self.size:
            raise InputError("too_many_dice", f"there are {self.size} dice: {len(ordered)} faces were given")
        tails = [sum(face >= first for face in ordered) for first in range(self.faces)]
        return sum(row[tail] for row, tail in zip(self._rank_rows, tails, strict=True))

    def find(self, counts: Numbers) -> Integers:
        """Return the indexes of many multisets; the last axis of `counts` has the count of each face.

        >>> Multisets(5, 6).find(np.array([[0, 0, 0, 0, 0, 1], [1, 0, 0, 1, 0, 0]])).tolist()
        [6, 10]
        """
        indexes: Integers = self._rank_terms_at(_tails(counts)).sum(axis=-1)
        return indexes

    def ways(self, weights: Sequence[int]) -> Numbers:
        """Return the number of ways in which dice with these face weights show each full multiset.

        The result has machine words where the sum of all ways fits into one, and Python integers otherwise.

        >>> Multisets(2, 3).ways((1, 2, 3)).tolist()
        [1, 4, 6, 4, 12, 9]
        """
        dtype = np.int64 if sum(weights) ** self.size < _WORD_LIMIT else object
        choices = np.array(
            [
                _choices(weight, self.size, last=not any(weights[face + 1 :]))
                for face, weight in enumerate(weights)
            ],
            dtype=dtype,
        )
        tails = _tails(self.full_counts)
        factors = choices[np.arange(self.faces), tails, self.full_counts]
        product: Numbers = np.multiply.reduce(factors, axis=1)
        return product

    @cached_property
    def _rank_rows(self) -> list[list[int]]:
        """For each face and tail, the number of multisets that come earlier because they first differ there."""
        return [
            [0, *(comb(tail - 1 + left, left) for tail in range(1, self.size + 1))]
            for left in range(self.faces, 0, -1)
        ]

    @cached_property
    def _rank_terms(self) -> Integers:
        return np.array(self._rank_rows, dtype=np.int64)

    def _rank_terms_at(self, tails: Integers) -> Integers:
        earlier: Integers = self._rank_terms[np.arange(self.faces), tails]
        return earlier


@lru_cache(maxsize=_MOST_CACHED)
def cached_multisets(size: int, faces: int) -> Multisets:
    """Return the multisets of these arguments from a cache; `cached_multisets.cache_clear()` empties it."""
    if size < 0 or faces < 1:
        raise InputError(
            "bad_multisets",
            f"multisets have 0 or more dice and 1 or more faces: {size} and {faces} were given",
        )
    multisets = object.__new__(Multisets)
    multisets.size, multisets.faces = size, faces
    return multisets


def _counts(size: int, faces: int) -> Integers:
    """Return all ways to distribute `size` dice over faces, most dice on the first faces first."""
    columns: list[Integers] = []
    left = np.array([size], dtype=np.int64)
    for _ in range(faces - 1):
        shares = left + 1
        ends = np.cumsum(shares)
        after = np.arange(ends[-1]) - np.repeat(ends - shares, shares)
        columns = [np.repeat(column, shares) for column in columns]
        columns.append(np.repeat(left, shares) - after)
        left = after
    return np.stack([*columns, left], axis=1)


def _tails(counts: Numbers) -> Integers:
    """Return the number of dice that show each face or a later one."""
    tails: Integers = np.cumsum(counts[..., ::-1], axis=-1, dtype=np.int64)[..., ::-1]
    return tails


def _choices(weight: int, size: int, *, last: bool) -> list[list[int]]:
    """Return, for each number of dice, the ways in which `shown` of them show one face.

    At the `last` face that can come up, all must show it. So no partial product of ways exceeds their total.
    """
    return [
        [comb(dice, shown) * weight**shown if shown == dice or not last else 0 for shown in range(size + 1)]
        for dice in range(size + 1)
    ]


def _freeze(array: Integers) -> Integers:
    array.flags.writeable = False
    return array

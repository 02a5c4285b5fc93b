"""A multiset of faces is known by its place in one fixed order, and places are reckoned, never searched.

The order is by size, then as `itertools.combinations_with_replacement` goes through sorted faces. Let tailⱼ be the
number of dice of a multiset that show face j or a later one. What comes before it either has fewer dice, or first
parts from it by more dice of some face j − 1. Both ways it has fewer than tailⱼ dice from face j on, any multiset of
these will do, and there are C(tailⱼ − 1 + F − j, F − j). The place is the sum of these numbers over j from 0.
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
    """All multisets of at most `size` faces out of 0..`faces`-1; asked for again, it is the same object.

    Nothing is built before it is asked for, and arrays are read-only.

    >>> pairs = Multisets(2, 3)
    >>> [pairs.multiset(place) for place in range(len(pairs))]
    [(), (0,), (1,), (2,), (0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    >>> pairs.full, Multisets(2, 3) is pairs
    (slice(4, 10, None), True)
    """

    size: int
    faces: int

    def __new__(cls, size: int, faces: int) -> "Multisets":  # noqa: PYI034  there is one of each, made once
        """Return the multisets of at most `size` faces out of `faces`."""
        return cached_multisets(size, faces)

    def __reduce__(self) -> tuple[object, ...]:
        return Multisets, (self.size, self.faces)

    def __len__(self) -> int:
        return comb(self.size + self.faces, self.faces)

    def __repr__(self) -> str:
        return f"Multisets({self.size}, {self.faces})"

    def of_size(self, size: int) -> slice:
        """Return the places of the multisets of exactly `size` faces.

        >>> Multisets(5, 6).of_size(1)
        slice(1, 7, None)
        """
        return slice(
            comb(size - 1 + self.faces, self.faces) if size else 0, comb(size + self.faces, self.faces)
        )

    @property
    def full(self) -> slice:
        """The places of the multisets of all `size` faces."""
        return self.of_size(self.size)

    @cached_property
    def full_counts(self) -> Integers:
        """How often each full multiset has each face; the smaller ones are not built for it.

        >>> Multisets(2, 2).full_counts.tolist()
        [[2, 0], [1, 1], [0, 2]]
        """
        return _freeze(_counts(self.size, self.faces))

    @cached_property
    def counts(self) -> Integers:
        """How often each multiset has each face.

        Those of at most `size` faces are those of exactly `size`, with a first face for dice that are not there.

        >>> Multisets(1, 2).counts.tolist()
        [[0, 0], [1, 0], [0, 1]]
        """
        return _freeze(_counts(self.size, self.faces + 1)[:, 1:])

    @cached_property
    def index_with_face(self) -> Integers:
        """The place of each multiset that is not full, with one die more: a column for each face.

        >>> Multisets(2, 3).index_with_face.tolist()
        [[1, 2, 3], [4, 5, 6], [5, 7, 8], [6, 8, 9]]
        """
        tails = _tails(self.counts[: self.full.start])
        steps = self._rank_terms_at(tails + 1) - self._rank_terms_at(tails)
        return _freeze(np.arange(len(tails))[:, None] + np.cumsum(steps, axis=1))

    @cached_property
    def index_without_face(self) -> Integers:
        """The place of each multiset with one die less: a column for each face, -1 where it has no such die.

        >>> Multisets(1, 3).index_without_face.tolist()
        [[-1, -1, -1], [0, -1, -1], [-1, 0, -1], [-1, -1, 0]]
        """
        tails = _tails(self.counts)
        steps = self._rank_terms_at(tails) - self._rank_terms_at(np.maximum(tails, 1) - 1)
        less = np.arange(len(tails))[:, None] - np.cumsum(steps, axis=1)
        return _freeze(np.where(self.counts > 0, less, -1))

    @cached_property
    def supersets(self) -> tuple[Integers, ...]:
        """For each size subsets the full one, where each face leads: places within the next size, a row for each face.

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
        """For each size from 1, what lies one die subsets: places within the size before, a column for each multiset.

        A column lists each of them at least once.

        >>> Multisets(2, 2).subsets[1].tolist()
        [[0, 1, 1], [0, 0, 1]]
        """
        return tuple(_freeze(self._subsets(size)) for size in range(1, self.size + 1))

    def _subsets(self, size: int) -> Integers:
        less = np.sort(self.index_without_face[self.of_size(size)], axis=1)[:, ::-1][
            :, : min(size, self.faces)
        ]
        places: Integers = np.where(less < 0, less[:, :1], less).T - self.of_size(size - 1).start
        return np.ascontiguousarray(places)

    def multiset(self, place: int) -> tuple[int, ...]:
        """Return the sorted faces of the multiset at a place.

        >>> Multisets(5, 6).multiset(7)
        (0, 0)
        """
        counts = self.counts[place].tolist()
        return tuple(face for face, count in enumerate(counts) for _ in range(count))

    def index(self, shown: Iterable[int]) -> int:
        """Return the place of the multiset of the faces shown, in whatever order they are.

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
        """Return the places of many multisets; the last axis of `counts` says how often each has each face.

        >>> Multisets(5, 6).find(np.array([[0, 0, 0, 0, 0, 1], [1, 0, 0, 1, 0, 0]])).tolist()
        [6, 10]
        """
        places: Integers = self._rank_terms_at(_tails(counts)).sum(axis=-1)
        return places

    def ways(self, weights: Sequence[int]) -> Numbers:
        """Count the ways in which dice with these weights of the faces show each full multiset.

        They are machine words where the sum of all fits into one, and Python's own integers otherwise.

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
        """For each face and tail, how many multisets come before one because they part from it there."""
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
    """Return the multisets of these numbers, made once; `cached_multisets.cache_clear()` forgets them all."""
    if size < 0 or faces < 1:
        raise InputError(
            "bad_multisets",
            f"multisets have 0 or more dice and 1 or more faces: {size} and {faces} were given",
        )
    made = object.__new__(Multisets)
    made.size, made.faces = size, faces
    return made


def _counts(size: int, faces: int) -> Integers:
    """Share `size` dice out face by face, most of the first faces first."""
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
    """Count the dice that show each face or a later one."""
    tails: Integers = np.cumsum(counts[..., ::-1], axis=-1, dtype=np.int64)[..., ::-1]
    return tails


def _choices(weight: int, size: int, *, last: bool) -> list[list[int]]:
    """Count the ways in which, of so many dice, so many show one face.

    At the `last` face that can come up, all must. So no partial product of ways is more than they are in all.
    """
    return [
        [comb(dice, shown) * weight**shown if shown == dice or not last else 0 for shown in range(size + 1)]
        for dice in range(size + 1)
    ]


def _freeze(array: Integers) -> Integers:
    array.flags.writeable = False
    return array

"""Optimal rerolls: exact values of keeping some dice of a pool and rolling the others again, for dice in groups."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import comb, gcd, inf, prod
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.odds.multisets import Integers, Multisets

__all__ = ["MOST_POSITIONS", "Choice", "Group", "Pool", "Position", "Solution", "count_positions", "solve"]

Numbers = NDArray[Any]
ReportStep = Callable[[], None]
T = TypeVar("T")


class Group(msgspec.Struct, frozen=True):
    """Identical dice: their number, and the integer weights of their faces.

    The dice of a group that `copies` take, whenever they are rolled, the face of a random die of the groups that do
    not copy, each independently, after those are rolled or kept. If there is no such die, they roll by their
    weights.

    The dice of a `settable` group are rolled once, with all others. From then on the player sets them to any faces
    before every reroll and at the end, and they are not rolled again.

    >>> Group(3, (1, 1, 1, 1, 1, 1))
    Group(count=3, weights=(1, 1, 1, 1, 1, 1), copies=False, settable=False)
    """

    count: int
    weights: tuple[int, ...]
    copies: bool = False
    settable: bool = False

    def __post_init__(self) -> None:
        """Refuse negative counts and weights, and weights that are all 0."""
        if not _is_natural(self.count):
            raise InputError(
                "bad_count", f"a group has a whole number of dice from 0: {self.count!r} was given"
            )
        if not all(map(_is_natural, self.weights)):
            raise InputError("bad_weight", f"a weight is a whole number from 0: {self.weights} were given")
        if not any(self.weights):
            raise InputError("no_face", f"a die needs a face of positive weight: {self.weights} were given")


def _is_natural(number: object) -> bool:
    return isinstance(number, int) and number >= 0


def count_positions(groups: Sequence[Group]) -> int:
    """Return the number of sets of kept dice of a pool, which is the work of one reroll.

    >>> count_positions([Group(5, (1,) * 6)])
    462
    """
    return prod(comb(group.count + len(group.weights), group.count) for group in groups)


class Pool:
    """The groups of a pool as axes of arrays; groups that copy come first, because they roll last.

    Arrays are matrices whose rows are the first axis. Each step works on the rows and moves their axis to the back,
    so that after one step for each axis they are in order again. Numerators of exact values have the denominator
    `roll`, the weight of a roll of all dice; floats are means.
    """

    def __init__(self, groups: Sequence[Group], *, limit: int) -> None:
        _require_pool(groups, limit)
        self.order = sorted(range(len(groups)), key=lambda number: not groups[number].copies)
        self.groups = [groups[number] for number in self.order]
        self.faces = len(groups[0].weights)
        self.multisets = [Multisets(group.count, self.faces) for group in self.groups]
        self.lengths = [sets.full.stop - sets.full.start for sets in self.multisets]
        self._sources = sum(group.count for group in groups if not group.copies)
        self._copying = sum(group.copies for group in groups) if self._sources else 0
        reduced = [_reduce_weights(group.weights) for group in self.groups]
        self._weights: list[Numbers] = [
            *[self._count_shown_faces()] * self._copying,
            *(np.array(weights, dtype=object) for weights in reduced[self._copying :]),
        ]
        self._totals = [
            *[self._sources] * self._copying,
            *(sum(weights) for weights in reduced[self._copying :]),
        ]
        self.roll = prod(total**group.count for total, group in zip(self._totals, self.groups, strict=True))

    def _count_shown_faces(self) -> Numbers:
        """Return how many dice that can be copied show each face, for each of their full positions."""
        shown = np.zeros((self.faces, 1), dtype=np.int64)
        for sets, group in zip(self.multisets, self.groups, strict=True):
            if not group.copies:
                counts = sets.full_counts.T
                shown = (shown[:, :, None] + counts[:, None, :]).reshape(self.faces, -1)
        return shown

    def in_given_order(self, ordered: Sequence[T]) -> tuple[T, ...]:
        """Return items that are in axis order in the order of the groups as they were given."""
        given = dict(zip(self.order, ordered, strict=True))
        return tuple(given[number] for number in range(len(self.order)))

    def expected_values(
        self,
        values: Numbers,
        wanted: Sequence[Integers] | None = None,
        report_step: ReportStep = lambda: None,
    ) -> Numbers:
        """Return the expected value of kept positions, given the `values` of full positions.

        `wanted` selects positions by increasing indexes along each axis; the default is all that can be chosen.
        """
        for axis in range(len(self.groups)):
            places = self.choosable(axis) if wanted is None else wanted[axis]
            levels = [*self._levels(values.reshape(self.lengths[axis], -1), axis, places)][::-1]
            values = self._to_common_denominator(levels, axis, places)
            report_step()
        return values

    def choosable(self, axis: int) -> Integers:
        """Return the multisets of an axis that can be kept before a reroll: full ones if its dice are set, else all."""
        sets = self.multisets[axis]
        return np.arange(sets.full.start if self.groups[axis].settable else 0, len(sets))

    def _levels(self, level: Numbers, axis: int, wanted: Integers) -> Iterator[Numbers]:
        """Yield the values of an axis from its full multisets down to the least wanted size, with one more die rolled at each."""
        sets = self.multisets[axis]
        weights: Numbers = self._weights[axis]
        if level.dtype == np.float64:
            weights = weights / self._totals[axis]
        weights = weights.astype(level.dtype)
        yield level
        least = int(sets.counts[wanted[0]].sum())
        for supersets in reversed(sets.supersets[least:]):
            faces = np.take(level, supersets, axis=0)
            level = (
                self._sum_copies(faces, weights, axis)
                if axis < self._copying
                else _weighted_sum(faces, weights)
            )
            yield level

    def _sum_copies(self, faces: Numbers, weights: Numbers, axis: int) -> Numbers:
        """Return the sum over the faces of a copying die, weighted by how many dice show each face.

        Rows run over further copying groups, the dice that are copied, and the copying groups before it.
        """
        others = prod(self.lengths[axis + 1 : self._copying])
        copied = weights.shape[1]
        apart = faces.reshape(self.faces, faces.shape[1] * others, copied, -1)
        added: Numbers = (apart * weights[:, None, :, None]).sum(axis=0)
        return added.reshape(faces.shape[1:])

    def _to_common_denominator(self, levels: list[Numbers], axis: int, wanted: Integers) -> Numbers:
        """Return the levels of an axis, smallest first, with one denominator and the axis moved to the back."""
        sets = self.multisets[axis]
        sizes = range(sets.size + 1 - len(levels), sets.size + 1)
        starts = [sets.of_size(size).start for size in sizes]
        columns = np.searchsorted(wanted, [*starts, len(sets)]).tolist()
        common = np.empty((levels[0].shape[1], len(wanted)), dtype=levels[0].dtype)
        for size, start, level, span in zip(sizes, starts, levels, pairwise(columns), strict=True):
            rows = level if span[1] - span[0] == len(level) else level[wanted[slice(*span)] - start]
            factor = self._totals[axis] ** size if level.dtype != np.float64 else 1
            np.multiply(rows.T, factor, out=common[:, slice(*span)])
        return common

    def best_values(self, expected: Numbers, report_step: ReportStep = lambda: None) -> Numbers:
        """Return the value of full positions, the maximum over the expected values of positions that can be chosen."""
        for axis, sets in enumerate(self.multisets):
            kept = expected.reshape(len(self.choosable(axis)), -1)
            if self.groups[axis].settable:
                best = np.broadcast_to(kept.max(axis=0), kept.shape)
            else:
                best = kept[:1]
                for size, subsets in enumerate(sets.subsets, 1):
                    best = np.maximum(kept[sets.of_size(size)], np.take(best, subsets, axis=0).max(axis=0))
            expected = np.ascontiguousarray(best.T)
            report_step()
        return expected

    def with_best_settings(self, payoffs: Numbers) -> Numbers:
        """Return the payoffs of full positions, in axis order, after dice that can be set are set to the best faces."""
        axes = tuple(axis for axis, group in enumerate(self.groups) if group.settable)
        best = np.broadcast_to(payoffs.max(axis=axes, keepdims=True), payoffs.shape) if axes else payoffs
        return np.ascontiguousarray(best)


def _require_pool(groups: Sequence[Group], limit: int) -> None:
    """Refuse a pool without dice, with unequal numbers of faces, or with more positions than the limit."""
    if not sum(group.count for group in groups):
        raise InputError("no_dice", "a pool needs at least one die: none was given")
    faces = sorted({len(group.weights) for group in groups})
    if len(faces) > 1:
        raise InputError("uneven_faces", f"all dice of a pool have as many faces: {faces} were given")
    needed = count_positions(groups)
    if needed > limit:
        raise WorkLimitError(
            "too_many_positions",
            f"this pool has {needed:,} positions of kept dice, and the limit is {limit:,}: "
            "take fewer dice or fewer groups, or raise the limit",
        )


def _reduce_weights(weights: Sequence[int]) -> list[int]:
    divisor = gcd(*weights)
    return [weight // divisor for weight in weights]


def _weighted_sum(faces: Numbers, weights: Numbers) -> Numbers:
    """Return the sum over the faces of a die, weighted."""
    flat: Numbers = weights @ faces.reshape(len(weights), -1)
    return flat.reshape(faces.shape[1:])


Position = tuple[tuple[int, ...], ...]
"""The faces that each group shows, or that are kept of it or set."""

MOST_POSITIONS = 4_200_000
"""The default limit of sets of kept dice: some seconds, and half a gigabyte."""

_WORD_LIMIT = 2**62
_ROUNDOFF = 2.0**-53
_SMALLEST = 2.0**-1074
_LARGEST_FLOAT = 2.0**1023


class Choice(msgspec.Struct, frozen=True):
    """The faces to keep of each group, or to set it to, and the expected value of rolling the others.

    >>> Choice(keep=((0, 5), ()), value=Fraction(7, 2)).keep
    ((0, 5), ())
    """

    keep: Position
    value: Fraction | float


def solve(
    groups: Sequence[Group],
    payoffs: ArrayLike,
    rerolls: int,
    *,
    exact: bool = True,
    limit: int = MOST_POSITIONS,
    progress: Callable[[float], None] | None = None,
) -> "Solution":
    """Return the value of every position of a pool under optimal play, for every number of rerolls up to `rerolls`.

    `payoffs` has an axis for each group and the final value of each full position, in the order of
    `Multisets(count, faces)`: non-negative integers or, without `exact`, any finite non-negative numbers.
    `progress` is called with the fraction of the work that is done, up to 1. A pool with more than `limit`
    positions raises a `WorkLimitError`.

    >>> die = solve([Group(1, (1,) * 6)], payoffs=[1, 2, 3, 4, 5, 6], rerolls=2)
    >>> die.value(((2,),), left=1), die.value(((4,),), left=1), die.start_value(left=2)
    (Fraction(7, 2), Fraction(5, 1), Fraction(14, 3))
    """
    pool = Pool(groups, limit=limit)
    if rerolls < 0:
        raise InputError("bad_rerolls", f"there are 0 or more rerolls: {rerolls} was given")
    ends = _check_payoffs(payoffs, pool.in_given_order(pool.lengths), exact=exact)
    numbers = _NumberKind(exact, pool.roll, int(ends.max()) if exact else float(ends.max()))
    values = [pool.with_best_settings(ends.transpose(pool.order))]
    report_step = _step_reporter(progress, 2 * len(groups) * rerolls)
    for left in range(rerolls):
        expected = pool.expected_values(numbers.widen(values[left], left + 1), report_step=report_step)
        values.append(pool.best_values(expected, report_step))
    return Solution(pool, values, numbers)


class _NumberKind(msgspec.Struct, frozen=True):
    """The representation of values: integer numerators over a power of the weight of a roll, or floats."""

    exact: bool
    roll: int
    top: int | float

    def widen(self, values: Numbers, rolls: int) -> Numbers:
        """Return the values in a type that can hold every numerator over `rolls` rolls."""
        if not self.exact:
            return values
        fits = self.roll**rolls * max(1, self.top) < _WORD_LIMIT
        return values.astype(np.int64 if fits else object, copy=False)

    def ratio(self, numerator: float, rolls: int) -> Fraction | float:
        return Fraction(int(numerator), self.roll**rolls) if self.exact else float(numerator)


class Solution:
    """The value of every full position of a pool under optimal play, for each number of rerolls left; returned by `solve`.

    Values are fractions, or floats with an `error`.

    >>> pair = solve([Group(2, (1, 1))], payoffs=[4, 1, 0], rerolls=1)
    >>> pair.best(((0, 1),), left=1)
    Choice(keep=((0,),), value=Fraction(5, 2))
    """

    __slots__ = ("_numbers", "_pool", "_values")

    def __init__(self, pool: Pool, values: list[Numbers], numbers: _NumberKind) -> None:
        self._pool = pool
        self._values = values
        self._numbers = numbers

    @property
    def rerolls(self) -> int:
        """The greatest number of rerolls that is solved."""
        return len(self._values) - 1

    @property
    def error(self) -> float:
        """The bound of the rounding error of any value, start value or choice: 0 where they are exact.

        Let u = 2⁻⁵³. A mean over one die adds up F products of non-negative numbers. A weight is rounded, its
        product is, and so are F − 1 sums, so it errs by at most a factor (1 ± u)^(F + 1). The maximum of rounded
        numbers adds no error. A payoff is rounded once; a roll takes a mean for each of n dice; and `start_value`
        after r rerolls has rolled r + 1 times. So each value errs by at most (1 + u)^k − 1 of the greatest payoff,
        which no value exceeds, with k = 1 + (r + 1)·n·(F + 1). As long as ku < 1, this is less than 2ku. A product
        that underflows errs by at most 2⁻¹⁰⁷⁵ instead, and a weight that underflows by as much of the greatest
        payoff; later means enlarge neither by more than that factor.

        >>> solve([Group(2, (1, 1))], payoffs=[4, 1, 0], rerolls=1, exact=False).error < 2e-14
        True
        """
        if self._numbers.exact:
            return 0.0
        means = (self.rerolls + 1) * sum(group.count for group in self._pool.groups)
        roundings = 1 + means * (self._pool.faces + 1)
        too_small = means * self._pool.faces * _SMALLEST
        return 2 * roundings * _ROUNDOFF * self._numbers.top + too_small * (1 + self._numbers.top)

    def scale(self, left: int) -> int | float:
        """Return the common denominator of `values(left)`.

        >>> solve([Group(2, (1, 1, 2))], payoffs=[0, 0, 0, 0, 0, 1], rerolls=3).scale(3)
        4096
        """
        self._check_left(left)
        return self._numbers.roll**left if self._numbers.exact else 1.0

    def values(self, left: int) -> Numbers:
        """Return the numerators of all values with `left` rerolls left, in the shape of the payoffs, read-only.

        >>> solve([Group(1, (1, 1, 2))], payoffs=[0, 1, 2], rerolls=1).values(1).tolist()
        [5, 5, 8]
        """
        self._check_left(left)
        ordered = self._values[left].reshape(self._pool.lengths)
        numerators = ordered.transpose(np.argsort(self._pool.order))
        numerators.flags.writeable = False
        return numerators

    def value(self, position: Position, left: int) -> Fraction | float:
        """Return the value of a full position with `left` rerolls left; with 0 left it is the payoff.

        >>> solve([Group(1, (1, 1, 2))], payoffs=[0, 1, 2], rerolls=1).value(((0,),), left=1)
        Fraction(5, 4)
        """
        self._check_left(left)
        places = [
            sets.index(faces) - sets.full.start
            for sets, faces in zip(self._pool.multisets, self._in_axis_order(position), strict=True)
        ]
        return self._numbers.ratio(self._values[left].reshape(self._pool.lengths)[tuple(places)], left)

    def start_value(self, left: int) -> Fraction | float:
        """Return the expected value before all dice are rolled, with `left` rerolls after that roll.

        >>> solve([Group(1, (1, 1, 2))], payoffs=[0, 1, 2], rerolls=1).start_value(left=1)
        Fraction(13, 8)
        """
        self._check_left(left)
        nothing = [np.zeros(1, dtype=np.int64)] * len(self._pool.multisets)
        expected = self._pool.expected_values(self._numbers.widen(self._values[left], left + 1), nothing)
        return self._numbers.ratio(expected.item(), left + 1)

    def choices(self, position: Position, left: int) -> list[Choice]:
        """Return every distinct keep of a full position with its value, the best first.

        Of a settable group it has the faces that the dice are set to, which may be any. To keep all dice uses one
        reroll without rolling. At equal values the keep with more dice comes first, then the one of lower faces.

        >>> die = solve([Group(1, (1, 1, 2))], payoffs=[0, 1, 2], rerolls=1)
        >>> for choice in die.choices(((1,),), left=1):
        ...     print(choice.keep, choice.value)
        ((),) 5/4
        ((1,),) 1
        """
        ranked = sorted(self._ranked_keeps(position, left))
        return [Choice(keep, self._numbers.ratio(-negated, left)) for negated, _, keep in ranked]

    def best(self, position: Position, left: int) -> Choice:
        """Return the first of the choices.

        >>> die = solve([Group(1, (1, 1, 2))], payoffs=[0, 1, 2], rerolls=1)
        >>> die.best(((2,),), left=1)
        Choice(keep=((2,),), value=Fraction(2, 1))
        """
        negated, _, keep = min(self._ranked_keeps(position, left))
        return Choice(keep, self._numbers.ratio(-negated, left))

    def _ranked_keeps(self, position: Position, left: int) -> Iterator[tuple[Any, int, Position]]:
        """Yield keeps as tuples that sort best first: negated numerator, negated number of dice, faces."""
        self._check_left(left)
        if not left:
            raise InputError("no_reroll_left", "to choose dice a reroll must be left: none is")
        multisets = self._pool.multisets
        wanted = [
            self._pool.choosable(axis) if group.settable else _sub_multisets(multisets[axis], faces)
            for axis, (group, faces) in enumerate(
                zip(self._pool.groups, self._in_axis_order(position), strict=True)
            )
        ]
        expected = self._pool.expected_values(self._numbers.widen(self._values[left - 1], left), wanted)
        kept = [map(sets.multiset, places.tolist()) for sets, places in zip(multisets, wanted, strict=True)]
        for numerator, keep in zip(expected.reshape(-1).tolist(), product(*kept), strict=True):
            yield -numerator, -sum(map(len, keep)), self._pool.in_given_order(keep)

    def _in_axis_order(self, position: Position) -> list[tuple[int, ...]]:
        """Return a position in the order of the pool's axes; one with other numbers of dice is refused."""
        dice = [len(faces) for faces in position]
        counts = [*self._pool.in_given_order([group.count for group in self._pool.groups])]
        if dice != counts:
            raise InputError(
                "bad_position", f"the groups of this pool show {counts} faces: {dice} were given"
            )
        return [position[number] for number in self._pool.order]

    def _check_left(self, left: int) -> None:
        if not 0 <= left <= self.rerolls:
            raise InputError("bad_left", f"from 0 to {self.rerolls} rerolls are left: {left} was given")


def _check_payoffs(payoffs: ArrayLike, shape: tuple[int, ...], *, exact: bool) -> Numbers:
    """Return the payoffs as an array of the number type for solving; invalid payoffs are refused."""
    given = _as_array(payoffs, exact=exact)
    if given.shape != shape:
        raise InputError(
            "uneven_worth", f"there is one payoff for each full position, {shape}: {given.shape} were given"
        )
    if not (_is_integral(given) or (given.dtype.kind == "f" and not exact)):
        raise InputError(
            "bad_worth",
            f"a payoff is a number, a whole one where it is exact: {np.asarray(payoffs).dtype} was given",
        )
    low, high = given.min(), given.max()
    if not 0 <= low <= high < (inf if exact else _LARGEST_FLOAT):
        raise InputError("bad_worth", f"a payoff is a finite number from 0: {low} to {high} were given")
    if exact:
        return given.astype(np.int64 if high < _WORD_LIMIT else object)
    return given.astype(np.float64)


def _as_array(payoffs: ArrayLike, *, exact: bool) -> Numbers:
    """Return the payoffs as an array, with integers too large for 64 bits as Python integers if `exact`."""
    try:
        given = np.asarray(payoffs)
        return np.asarray(payoffs, dtype=object) if exact and given.dtype.kind == "f" else given
    except ValueError as error:
        raise InputError("uneven_worth", f"there is one payoff for each full position: {error}") from error


def _is_integral(numbers: Numbers) -> bool:
    if numbers.dtype == object:
        return all(isinstance(number, int) for number in numbers.reshape(-1).tolist())
    return numbers.dtype.kind in "biu"


def _sub_multisets(sets: Multisets, faces: tuple[int, ...]) -> Integers:
    """Return the indexes of all sub-multisets of a multiset, in ascending order."""
    counts = sets.counts[sets.index(faces)]
    grid = np.indices(counts + 1).reshape(sets.faces, -1)
    return np.sort(sets.find(grid.T))


def _step_reporter(progress: Callable[[float], None] | None, steps: int) -> Callable[[], None]:
    """Return a function that reports the fraction of `steps` done each time it is called."""
    if progress is None:
        return lambda: None
    done = iter(range(1, steps + 1))
    return lambda: progress(next(done) / steps)

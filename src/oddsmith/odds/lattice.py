"""Exact, immutable distributions over integers, stored as arrays of values and weights."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import mul
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from oddsmith.errors import InputError
from oddsmith.odds.distribution import Comparison, ways_needed

__all__ = ["Lattice"]

Integers = NDArray[np.int64]

WIDEST_VALUE = 2**53
HEAVIEST_TOTAL = 2**62
_WORD_BITS = 63
_WORD_LIMIT = 2**_WORD_BITS
_ZERO = np.zeros(1, dtype=np.int64)
_FIRST = np.ones(1, dtype=np.bool_)


class Lattice:
    """A distribution over integers: strictly increasing values with positive weights, both in arrays of 64 bits.

    Create instances with `collect`. They are immutable.

    >>> coin = Lattice.collect([1, 0, 1], [1, 2, 1])
    >>> coin
    <Lattice of 2 values on 0..1, total 4>
    >>> dict(coin.items())
    {0: 2, 1: 2}
    """

    __slots__ = ("_cumulative", "_total", "_values", "_weights")

    def __init__(self, values: Integers, weights: Integers, total: int) -> None:
        values.flags.writeable = False
        weights.flags.writeable = False
        self._values = values
        self._weights = weights
        self._total = total
        self._cumulative: Integers | None = None

    @classmethod
    def collect(cls, values: Sequence[int] | NDArray[Any], weights: Sequence[int] | NDArray[Any]) -> Self:
        """Return the distribution of values in any order, repeats allowed, with their weights; weights of 0 are dropped.

        Values stay within ±2⁵³ and weights add up to less than 2⁶². Other arrays are refused with an `InputError`.

        >>> Lattice.collect([7, 3, 7], [1, 5, 2]).weights.tolist()
        [5, 3]
        """
        return cls(*_collect(np.asarray(values), np.asarray(weights)))

    @property
    def values(self) -> Integers:
        """The values, strictly increasing, read-only."""
        return self._values

    @property
    def weights(self) -> Integers:
        """The weight of each value, positive, read-only."""
        return self._weights

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return self._total

    @property
    def cumulative(self) -> Integers:
        """The cumulative sums of the weights, read-only.

        >>> Lattice.collect([1, 2, 3], [1, 1, 4]).cumulative.tolist()
        [1, 2, 6]
        """
        if self._cumulative is None:
            sums = np.add.accumulate(self._weights)
            sums.flags.writeable = False
            self._cumulative = sums
        return self._cumulative

    @property
    def mean(self) -> Fraction:
        """The exact expected value.

        >>> Lattice.collect([0, 1], [1, 2]).mean
        Fraction(2, 3)
        """
        return int(self._values[0]) + Fraction(self._moment(1), self._total)

    @property
    def variance(self) -> Fraction:
        """The exact variance.

        >>> Lattice.collect([0, 1], [1, 2]).variance
        Fraction(2, 9)
        """
        return Fraction(self._moment(2), self._total) - Fraction(self._moment(1), self._total) ** 2

    def _moment(self, power: int) -> int:
        """Return the sum of `weight · (value - minimum) ** power`, in machine words only where they cannot overflow."""
        least = int(self._values[0])
        span = int(self._values[-1]) - least
        if span**power * self._total < _WORD_LIMIT:
            return int(np.dot((self._values - least) ** power, self._weights))
        return sum((value - least) ** power * weight for value, weight in self.items())

    def below(self, value: int) -> int:
        """Return the number of ways to get less than `value`.

        >>> Lattice.collect([1, 2, 3], [1, 1, 4]).below(3)
        2
        """
        index = bisect_left(self._values, value)
        return int(self.cumulative[index - 1]) if index else 0

    def at_least(self, value: int) -> int:
        """Return the number of ways to get `value` or more.

        >>> Lattice.collect([1, 2, 3], [1, 1, 4]).at_least(3)
        4
        """
        return self._total - self.below(value)

    def quantile(self, q: Fraction) -> int:
        """Return the least value that is not exceeded with a probability of at least `q`.

        >>> Lattice.collect([1, 2, 3], [1, 1, 4]).quantile(Fraction(1, 3))
        2
        """
        return int(self._values[bisect_left(self.cumulative, ways_needed(q, self._total))])

    def compare(self, other: "Lattice") -> Comparison:
        """Return the number of pairs of independent outcomes by order.

        >>> die = Lattice.collect(range(1, 7), [1] * 6)
        >>> die.compare(die)
        Comparison(less=15, equal=6, greater=15)
        """
        reached = np.searchsorted(other.values, self._values, side="right")
        highest = reached - 1  # -1 wraps to the last value, which is greater than ours and so cannot be equal
        ties = np.where(other.values[highest] == self._values, other.weights[highest], 0)
        not_above = np.concatenate((_ZERO, other.cumulative))[reached]
        pairs = self._total * other.total
        equal = _dot(self._weights, ties, pairs)
        greater = _dot(self._weights, not_above, pairs) - equal
        return Comparison(less=pairs - equal - greater, equal=equal, greater=greater)

    def items(self) -> Iterator[tuple[int, int]]:
        """Iterate over the values with their weights, as Python integers.

        >>> list(Lattice.collect([2, 1], [3, 4]).items())
        [(1, 4), (2, 3)]
        """
        return zip(self._values.tolist(), self._weights.tolist(), strict=True)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Lattice):
            return NotImplemented
        return np.array_equal(self._values, other.values) and np.array_equal(self._weights, other.weights)

    def __hash__(self) -> int:
        return hash((self._values.tobytes(), self._weights.tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        return Lattice.collect, (self._values, self._weights)

    def __repr__(self) -> str:
        return (
            f"<Lattice of {len(self)} values on {self._values[0]}..{self._values[-1]}, total {self._total}>"
        )


def _dot(weights: Integers, counts: Integers, bound: int) -> int:
    """Return the sum of the products, in machine words only where `bound`, which no partial sum exceeds, fits into one."""
    if bound < _WORD_LIMIT:
        return int(np.dot(weights, counts))
    return sum(map(mul, weights.tolist(), counts.tolist()))


def _collect(values: NDArray[Any], weights: NDArray[Any]) -> tuple[Integers, Integers, int]:
    """Return increasing values, their positive weights and the total; arrays that are no distribution are refused."""
    if values.ndim != 1 or values.shape != weights.shape:
        raise InputError(
            "uneven_lattice",
            f"each value needs one weight: {values.shape} values and {weights.shape} weights were given",
        )
    if not values.size:
        raise InputError("empty_lattice", "a distribution needs at least one value: none was given")
    low, high = _integer_range(values, "value")
    if max(-low, high) >= WIDEST_VALUE:
        raise InputError("value_too_wide", f"values stay within ±2^53: {low}..{high} was given")
    lightest, heaviest = _integer_range(weights, "weight")
    total = _sum_weights(weights, lightest, heaviest)
    points, counts = values.astype(np.int64, copy=False), weights.astype(np.int64, copy=False)
    if lightest == 0:
        positive = counts > 0
        points, counts = points[positive], counts[positive]
    ordered, sorted_weights = _sort_by_value(
        points, counts, low, (high - low).bit_length(), heaviest.bit_length()
    )
    starts = np.concatenate((_FIRST, ordered[1:] != ordered[:-1])).nonzero()[0]
    return ordered[starts], np.add.reduceat(sorted_weights, starts), total


def _integer_range(numbers: NDArray[Any], what: str) -> tuple[int, int]:
    if numbers.dtype.kind not in "iu":
        raise InputError(
            f"bad_{what}", f"a {what} is an integer of at most 64 bits: {numbers.dtype} was given"
        )
    return int(numbers.min()), int(numbers.max())


def _sum_weights(weights: NDArray[Any], lightest: int, heaviest: int) -> int:
    """Return the sum of the weights, in machine words only where they cannot overflow; invalid sums are refused."""
    if lightest < 0:
        raise InputError("negative_weight", f"a weight counts ways: {lightest} was given")
    if heaviest == 0:
        raise InputError("empty_lattice", "a distribution needs a positive weight: all are zero")
    fits = heaviest * weights.size < _WORD_LIMIT
    total = int(weights.sum(dtype=np.int64)) if fits else sum(weights.tolist())
    if total >= HEAVIEST_TOTAL:
        raise InputError("total_too_heavy", f"the weights add up to less than 2^62: {total} was given")
    return total


def _sort_by_value(
    values: Integers, weights: Integers, least: int, value_bits: int, weight_bits: int
) -> tuple[Integers, Integers]:
    """Sort by value. Where value and weight fit into one word, both are packed and sorted together, which is fastest."""
    if value_bits + weight_bits > _WORD_BITS:
        order = np.argsort(values)
        return values[order], weights[order]
    keys = values - least
    keys <<= weight_bits
    keys |= weights
    keys.sort()
    sorted_weights = keys & ((1 << weight_bits) - 1)
    keys >>= weight_bits
    keys += least
    return keys, sorted_weights

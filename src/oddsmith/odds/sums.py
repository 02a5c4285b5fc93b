"""Exact distributions of sums of independent lattice distributions, with counts of any size.

Counts are stored as balanced digits. The total is verified to be the product of the parts' totals.
"""

from bisect import bisect_left
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cached_property, reduce
from itertools import accumulate, pairwise
from math import gcd, prod

import numpy as np

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.odds.distribution import Comparison, ways_needed
from oddsmith.odds.lattice import Integers, Lattice
from oddsmith.odds.products import Floats, Terms, digits_needed, log_norm, multiply, write_digits

__all__ = ["SumDistribution", "compare_sums", "convolve"]

MOST_PARTS = 20
WIDEST_SUM = 2**24
_DIGIT_BITS = 18
_BLOCK_SIZE = 2**9  # in a block, digits times running sums of digits add up to less than 2⁵³
_GROUP_BLOCKS = 2**5  # in a group of blocks, the same with sums over blocks is less than 2⁶³
_GROUP_SIZE = _GROUP_BLOCKS * _BLOCK_SIZE
_DOT_LENGTH = 2**12  # sums of this many products of digits are less than 2⁵³, and rows fit in the CPU cache
_LARGE_ALLOCATION = 31 * 2**20
"""Bytes. Allocating and freeing a block of this size makes glibc reuse the large arrays of transforms: a fifth of their time."""
_WORD_LIMIT = 2**62


class SumDistribution:
    """The exact distribution of a sum, dense on `minimum`, `minimum + step`, …, `maximum`.

    >>> die = Lattice.collect(range(1, 7), [1] * 6)
    >>> dice = convolve([die] * 20)
    >>> dice
    <SumDistribution on 20..120 by 1, total 3656158440062976>
    >>> dice.coefficient(70)
    189456975899496
    """

    def __init__(self, terms: Terms, minimum: int, step: int, total: int) -> None:
        self.minimum = minimum
        self.step = step
        self.total = total
        self._length = len(terms[0][1])
        self._blocks = _make_blocks(terms, total)

    @property
    def maximum(self) -> int:
        """The greatest value of the sum.

        >>> convolve([Lattice.collect([0, 10], [1, 1])] * 3).maximum
        30
        """
        return self.minimum + self.step * (len(self) - 1)

    @property
    def mean(self) -> Fraction:
        """The exact expected value.

        >>> convolve([Lattice.collect([0, 1], [1, 2])] * 3).mean
        Fraction(2, 1)
        """
        return self.minimum + self.step * self._moments[0]

    @property
    def variance(self) -> Fraction:
        """The exact variance.

        >>> convolve([Lattice.collect([0, 1], [1, 2])] * 3).variance
        Fraction(2, 3)
        """
        first, second = self._moments
        return self.step**2 * (second - first**2)

    def coefficient(self, value: int) -> int:
        """Return the number of ways to get exactly `value`.

        >>> convolve([Lattice.collect([0, 10], [1, 1])] * 3).coefficient(20)
        3
        """
        place, off = divmod(value - self.minimum, self.step)
        if off or not 0 <= place < len(self):
            return 0
        return _from_digits(self._digits[:, place])

    def at_least(self, value: int) -> int:
        """Return the number of ways to get `value` or more.

        >>> convolve([Lattice.collect([0, 10], [1, 1])] * 3).at_least(15)
        4
        """
        return self.total - self.below(value)

    def quantile(self, q: Fraction) -> int:
        """Return the least value that is not exceeded with a probability of at least `q`.

        >>> convolve([Lattice.collect([0, 10], [1, 1])] * 3).quantile(Fraction(1, 2))
        10
        """
        needed = ways_needed(q, self.total)
        place = bisect_left(range(len(self)), needed, key=lambda index: self._ways_before(index + 1))
        return self.minimum + self.step * place

    def bins(self, edges: Sequence[int]) -> list[int]:
        """Return the number of ways to fall into each interval between an edge (included) and the next (excluded).

        >>> convolve([Lattice.collect([0, 10], [1, 1])] * 3).bins([0, 10, 40])
        [1, 7]
        """
        if len(edges) <= 1 or any(low >= high for low, high in pairwise(edges)):
            raise InputError("bad_edges", f"bins need two or more increasing edges: {list(edges)} was given")
        return [high - low for low, high in pairwise(map(self.below, edges))]

    def compare(self, other: "SumDistribution", *, scale: int = 1, other_scale: int = 1) -> Comparison:
        """Return the number of pairs of independent outcomes by order, each side's value multiplied by its scale.

        >>> die = Lattice.collect(range(1, 7), [1] * 6)
        >>> convolve([die] * 2).compare(convolve([die]), other_scale=2)
        Comparison(less=99, equal=18, greater=99)
        """
        if scale < 1 or other_scale < 1:
            raise InputError("bad_scale", f"a scale is at least 1: {scale} and {other_scale} were given")
        if scale * self.step > other_scale * other.step:
            mirrored = other.compare(self, scale=other_scale, other_scale=scale)
            return Comparison(less=mirrored.greater, equal=mirrored.equal, greater=mirrored.less)
        offset = scale * self.minimum - other_scale * other.minimum
        places, level = _match_places(
            len(other), len(self), other_scale * other.step, scale * self.step, offset
        )
        theirs = other._digits  # noqa: SLF001  an instance of this class
        equal = self._count_equal(theirs, places, level)
        greater = 0
        for start in range(0, len(self), _GROUP_SIZE):
            end = min(start + _GROUP_SIZE, len(self))
            first, last = np.searchsorted(places, (start - 1, end - 1)).tolist()
            before = other.below(other.minimum + other.step * first)
            greater += self._count_greater_in_group(start, places[first:last], theirs[:, first:last], before)
        return Comparison(less=self.total * other.total - equal - greater, equal=equal, greater=greater)

    def _count_equal(self, theirs: Floats, places: Integers, level: Integers) -> int:
        """Return the number of pairs with equal values; `level` are the other's indexes that match one of ours."""
        ours = self._digits
        products = np.zeros((len(ours), len(theirs)), dtype=np.int64)
        for start in range(0, len(level), _DOT_LENGTH):
            some = level[start : start + _DOT_LENGTH]
            products += (ours[:, _as_slice(places[some])] @ theirs[:, _as_slice(some)].T).astype(np.int64)
        return _from_digit_products(products)

    def _count_greater_in_group(self, start: int, places: Integers, theirs: Floats, before: int) -> int:
        """Return the number of pairs in which our value, in the group of indexes from `start`, is the greater one.

        `theirs` are the digits of the other's values whose `places` lie in the group, `before` their ways before it. The
        other's ways are summed before the group, before the block, and within the block.
        """
        ours = self._blocks[:, start // _BLOCK_SIZE : start // _BLOCK_SIZE + _GROUP_BLOCKS]
        spread = np.zeros((len(theirs), _GROUP_SIZE), dtype=np.int64)
        spread[:, _as_slice(places + 1 - start)] = theirs
        running = np.add.accumulate(
            spread.reshape(-1, _GROUP_BLOCKS, _BLOCK_SIZE)[:, : ours.shape[1]], axis=2
        )
        in_block = np.matmul(ours.transpose(1, 0, 2), running.astype(np.float64).transpose(1, 2, 0))
        our_sums, their_sums = ours.sum(axis=2).astype(np.int64), running[:, :, -1]
        before_block = our_sums @ (np.add.accumulate(their_sums, axis=1) - their_sums).T
        before_group = _from_digits(our_sums.sum(axis=1)) * before
        return (
            before_group
            + _from_digit_products(before_block)
            + _from_digit_products(in_block.astype(np.int64).sum(axis=0))
        )

    def below(self, value: int) -> int:
        """Return the number of ways to get less than `value`.

        >>> convolve([Lattice.collect([0, 10], [1, 1])] * 3).below(15)
        4
        """
        place = -((self.minimum - value) // self.step)
        return self._ways_before(min(max(place, 0), len(self)))

    def _ways_before(self, place: int) -> int:
        """Return the sum of the ways of the first `place` values."""
        block, rest = divmod(place, _BLOCK_SIZE)
        sums = self._digits[:, block * _BLOCK_SIZE : block * _BLOCK_SIZE + rest].sum(axis=1)
        return self._ways_before_blocks[block] + _from_digits(sums)

    @property
    def _digits(self) -> Floats:
        return self._blocks.reshape(len(self._blocks), -1)

    @cached_property
    def _ways_before_blocks(self) -> list[int]:
        return list(accumulate(map(_from_digits, self._blocks.sum(axis=2).T), initial=0))

    @cached_property
    def _moments(self) -> tuple[Fraction, Fraction]:
        """The exact means of the index and of its square."""
        local = np.arange(_BLOCK_SIZE, dtype=np.float64)
        sums = self._blocks @ np.stack((local**0, local, local**2), axis=1)
        first = second = 0
        for block, (none, one, two) in enumerate(sums.transpose(1, 2, 0)):
            start, ways, linear = block * _BLOCK_SIZE, _from_digits(none), _from_digits(one)
            first += start * ways + linear
            second += start**2 * ways + 2 * start * linear + _from_digits(two)
        return Fraction(first, self.total), Fraction(second, self.total)

    def __len__(self) -> int:
        return self._length

    def __repr__(self) -> str:
        return f"<SumDistribution on {self.minimum}..{self.maximum} by {self.step}, total {self.total}>"


def convolve(parts: Sequence[Lattice]) -> SumDistribution:
    """Return the exact distribution of the sum of 1 to 20 independent parts.

    >>> coin = Lattice.collect([0, 1], [1, 1])
    >>> [convolve([coin] * 4).coefficient(heads) for heads in range(5)]
    [1, 4, 6, 4, 1]
    """
    if not 1 <= len(parts) <= MOST_PARTS:
        raise InputError("bad_part_count", f"a sum has 1 to {MOST_PARTS} parts: {len(parts)} were given")
    step = gcd(*(int(np.gcd.reduce(part.values - part.values[0])) for part in parts)) or 1
    check_width(sum(int(part.values[-1]) - int(part.values[0]) for part in parts) // step + 1)
    np.empty(_LARGE_ALLOCATION, dtype=np.uint8)
    factors = [_generating_function(part, int(part.values[0]), step) for part in parts]
    factors.sort(key=log_norm, reverse=True)
    minimum = sum(int(part.values[0]) for part in parts)
    return SumDistribution(reduce(multiply, factors), minimum, step, prod(part.total for part in parts))


def compare_sums(
    left: Sequence[Lattice], right: Sequence[Lattice], *, left_scale: int = 1, right_scale: int = 1
) -> Comparison:
    """Compare two sums, each multiplied by its scale; the two sides are convolved in parallel.

    >>> coin = Lattice.collect([0, 1], [1, 1])
    >>> compare_sums([coin] * 2, [coin], right_scale=2)
    Comparison(less=3, equal=2, greater=3)
    """
    with ThreadPoolExecutor(max_workers=2) as pool:
        ours, theirs = pool.map(convolve, (left, right))
    return ours.compare(theirs, scale=left_scale, other_scale=right_scale)


def check_width(length: int) -> None:
    """Refuse a sum with more than `WIDEST_SUM` values."""
    if length > WIDEST_SUM:
        raise WorkLimitError(
            "lattice_too_wide", f"an exact sum spans at most {WIDEST_SUM} steps: this one would span {length}"
        )


def _generating_function(part: Lattice, origin: int, step: int) -> Terms:
    """Return a lattice as a dense generating function of `(value - origin) / step`."""
    places = (part.values - origin) // step
    low_bits = 31
    split = (0, part.weights & (2**low_bits - 1)), (low_bits, part.weights >> low_bits)
    terms = []
    for shift, weights in split if part.total >> low_bits else ((0, part.weights),):
        array = np.zeros(int(places[-1]) + 1)
        array[places] = weights
        terms.append((shift, array))
    return terms


def _make_blocks(terms: Terms, total: int) -> Floats:
    """Return the entries as an array of digits × blocks × indexes, after verifying that they add up to the total."""
    digit_count = digits_needed(terms, _DIGIT_BITS)
    block_count = -(-len(terms[0][1]) // _BLOCK_SIZE)
    blocks = np.empty((digit_count, block_count, _BLOCK_SIZE))
    write_digits(terms, _DIGIT_BITS, blocks.reshape(digit_count, -1))
    if _from_digits(blocks.sum(axis=(1, 2))) != total:
        raise ArithmeticError("an exact sum lost count: its total is not the product of its parts' totals")
    blocks.flags.writeable = False
    return blocks


def _from_digits(digits: Floats | Integers) -> int:
    return sum(int(digit) << (_DIGIT_BITS * place) for place, digit in enumerate(digits.tolist()))


def _from_digit_products(products: Integers) -> int:
    """Return the number that a matrix of products of digits represents."""
    return sum(
        product << (_DIGIT_BITS * (i + j))
        for i, row in enumerate(products.tolist())
        for j, product in enumerate(row)
    )


def _match_places(
    count_of_theirs: int, count_of_ours: int, their_step: int, our_step: int, offset: int
) -> tuple[Integers, Integers]:
    """Return our last index at or below each of the other's values (negative: none), and the other's indexes with an equal value."""
    if abs(offset) + their_step * count_of_theirs < _WORD_LIMIT:
        distances = np.arange(count_of_theirs, dtype=np.int64) * their_step - offset
        places = distances // our_step
        level = places * our_step == distances
    else:
        exact = [divmod(index * their_step - offset, our_step) for index in range(count_of_theirs)]
        places = np.array([min(max(place, -2), count_of_ours) for place, _ in exact])
        level = np.array([not rest for _, rest in exact])
    inside = (places >= 0) & (places < count_of_ours)
    return places, np.flatnonzero(level & inside)


def _as_slice(places: Integers) -> slice | Integers:
    """Return increasing indexes without a gap as a slice, which is faster to index with."""
    if len(places) and places[-1] - places[0] + 1 == len(places):
        return slice(int(places[0]), int(places[-1]) + 1)
    return places

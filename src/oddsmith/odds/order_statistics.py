"""Exact distribution of the sum of the k highest of independent parts, as needed for dice pools that keep the best.

The outcomes of all parts are put in one order, by value, ties by kind of part. The cut is the k-th highest outcome,
the lowest that still counts. A range of outcomes is described by its *cuts*: for every number of parts that are
already placed above the range, the generating function of what the others add when the cut falls inside. A range is
merged from a low and a high half: the cut falls in the high half, or in the low half with some of the parts placed
in the high half. Short ranges are multiplied term by term, long ones by exact convolution.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from math import comb, gcd, prod
from typing import TypeVar

import numpy as np

from oddsmith.errors import InputError
from oddsmith.odds.lattice import Lattice
from oddsmith.odds.products import Terms, digits_needed, multiply, write_digits
from oddsmith.odds.sums import MOST_PARTS, SumDistribution, check_width, convolve

__all__ = ["best_sum"]

PlacedCounts = tuple[int, ...]
"""The number of parts of each kind that are placed above a range."""
Sparse = dict[int, int]
"""A generating function of few terms: the ways of each sum."""
Dense = tuple[int, Terms]
"""A generating function of many terms: the lowest sum, then the ways of all sums from there on."""
Event = tuple[int, int, int, tuple[int, ...]]
"""An outcome: its index on the lattice, its kind, its weight, and the ways of each kind to come earlier in the order."""

P = TypeVar("P", Sparse, Dense)

_MOST_SPARSE = 96
_DIGIT_BITS = 24
_DIGIT_BYTES = _DIGIT_BITS // 8


def best_sum(
    parts: Sequence[Lattice], best: int, *, progress: Callable[[float], None] | None = None
) -> SumDistribution:
    """Return the exact distribution of the sum of the `best` highest of independent parts, or of all if there are fewer.

    Equal parts are counted as one kind, which is much faster. `progress` is called with the fraction of the work
    that is done.

    >>> die = Lattice.collect(range(1, 7), [1] * 6)
    >>> ability = best_sum([die] * 4, 3)
    >>> ability.coefficient(18), ability.total
    (21, 1296)
    """
    if best < 1:
        raise InputError("bad_best", f"at least the best one counts: {best} was given")
    if best >= len(parts) or len(parts) > MOST_PARTS:
        return convolve(parts)
    origin = min(int(part.values[0]) for part in parts)
    step = gcd(*(int(np.gcd.reduce(part.values - origin)) for part in parts)) or 1
    span = max(int(part.values[-1]) for part in parts) - origin
    check_width(best * (span // step) + 1)
    kinds = Counter(parts)
    count = _CutCounter(list(kinds.values()), best, _events(list(kinds), origin, step), progress)
    lowest, terms = count.sum_distribution()
    return SumDistribution(terms, best * origin + step * lowest, step, prod(part.total for part in parts))


def _events(kinds: Sequence[Lattice], origin: int, step: int) -> list[Event]:
    """Return the outcomes of all kinds in one order, ties by kind."""
    outcomes = sorted(
        ((value - origin) // step, kind, weight)
        for kind, part in enumerate(kinds)
        for value, weight in part.items()
    )
    earlier = [0] * len(kinds)
    events = []
    for place, kind, weight in outcomes:
        events.append((place, kind, weight, tuple(earlier)))
        earlier[kind] += weight
    return events


class _CutCounter:
    """Counts cuts: the sizes of the kinds, the number of parts that count, and the outcomes in order."""

    def __init__(
        self,
        sizes: Sequence[int],
        best: int,
        events: Sequence[Event],
        progress: Callable[[float], None] | None,
    ) -> None:
        self.sizes = sizes
        self.best = best
        self.events = events
        self.placements = [
            placed
            for placed in product(*(range(min(size, best - 1) + 1) for size in sizes))
            if sum(placed) < best
        ]
        self.progress = progress
        self.work = max(1, _count_work(len(events)))
        self.done = 0

    def sum_distribution(self) -> Dense:
        """Return the generating function of the sum when no part is placed above."""
        none_placed = (0,) * len(self.sizes)
        if len(self.events) <= _MOST_SPARSE:
            whole = _to_dense(self.sparse_cuts(0, len(self.events))[none_placed])
        else:
            whole = self.dense_cuts(0, len(self.events))[none_placed]
        self.report_progress(self.work - self.done)
        return whole

    def report_progress(self, work: int) -> None:
        """Add to the work done, and report the fraction."""
        self.done += work
        if self.progress is not None:
            self.progress(self.done / self.work)

    def dense_cuts(self, low: int, high: int) -> dict[PlacedCounts, Dense]:
        """Return the cuts of a long range of outcomes, by exact convolution."""
        if high - low <= _MOST_SPARSE:
            return {placed: _to_dense(cuts) for placed, cuts in self.sparse_cuts(low, high).items()}
        middle = (low + high) // 2
        upper = self.dense_cuts(middle, high)
        lower = self.dense_cuts(low, middle)
        for kind, outcomes in enumerate(self.outcomes(middle, high)):
            if outcomes:
                lower = _place_above(
                    lower,
                    _to_dense(outcomes),
                    kind=kind,
                    size=self.sizes[kind],
                    multiply_terms=_multiply_dense,
                    add_terms=_add_dense,
                )
        self.report_progress(high - low)
        return _merge_cuts(lower, upper, _add_dense)

    def sparse_cuts(self, low: int, high: int) -> dict[PlacedCounts, Sparse]:
        """Return the cuts of a short range of outcomes, term by term."""
        if high - low == 1:
            return self.cuts_at(self.events[low])
        middle = (low + high) // 2
        upper = self.sparse_cuts(middle, high)
        lower = self.sparse_cuts(low, middle)
        for kind, outcomes in enumerate(self.outcomes(middle, high)):
            if outcomes:
                lower = _place_above(
                    lower,
                    outcomes,
                    kind=kind,
                    size=self.sizes[kind],
                    multiply_terms=_multiply_sparse,
                    add_terms=_add_sparse,
                )
        return _merge_cuts(lower, upper, _add_sparse)

    def outcomes(self, low: int, high: int) -> list[Sparse]:
        """Return the outcomes of each kind in a range."""
        found: list[Sparse] = [{} for _ in self.sizes]
        for place, kind, weight, _ in self.events[low:high]:
            found[kind][place] = weight
        return found

    def cuts_at(self, event: Event) -> dict[PlacedCounts, Sparse]:
        """Return the cuts at one outcome: enough parts of its kind have it, and all others left come earlier."""
        place, kind, weight, earlier = event
        cuts = {}
        for placed in self.placements:
            needed = self.best - sum(placed)
            left = [size - above for size, above in zip(self.sizes, placed, strict=True)]
            if needed > left[kind]:
                continue
            at_cut = sum(
                comb(left[kind], there) * weight**there * earlier[kind] ** (left[kind] - there)
                for there in range(needed, left[kind] + 1)
            )
            others = prod(
                ways**many
                for other, (ways, many) in enumerate(zip(earlier, left, strict=True))
                if other != kind
            )
            if at_cut * others:
                cuts[placed] = {needed * place: at_cut * others}
        return cuts


def _count_work(length: int) -> int:
    """Return the number of outcomes that the convolutions of a range of this length process."""
    if length <= _MOST_SPARSE:
        return 0
    return length + _count_work(length // 2) + _count_work(length - length // 2)


def _place_above(
    cuts: dict[PlacedCounts, P],
    outcomes: P,
    *,
    kind: int,
    size: int,
    multiply_terms: Callable[[P, P], P],
    add_terms: Callable[[Sequence[tuple[int, P]]], P],
) -> dict[PlacedCounts, P]:
    """Move parts of one kind from above a range onto the given outcomes, which adds those outcomes to the cuts."""
    pieces: dict[PlacedCounts, list[tuple[int, P]]] = {
        placed: [(1, series)] for placed, series in cuts.items()
    }
    for placed, series in cuts.items():
        moved = series
        for remaining in reversed(range(placed[kind])):
            moved = multiply_terms(moved, outcomes)
            choices = comb(size - remaining, placed[kind] - remaining)
            pieces.setdefault(_replace_at(placed, kind, remaining), []).append((choices, moved))
    changed = {
        counts: add_terms(several) for counts, several in pieces.items() if several[1:] or counts not in cuts
    }
    return cuts | changed


def _replace_at(placed: PlacedCounts, kind: int, many: int) -> PlacedCounts:
    return (*placed[:kind], many, *placed[kind + 1 :])


def _merge_cuts(
    lower: dict[PlacedCounts, P],
    upper: dict[PlacedCounts, P],
    add_terms: Callable[[Sequence[tuple[int, P]]], P],
) -> dict[PlacedCounts, P]:
    """Return the cuts of two ranges, added where both have them."""
    joined = lower | upper
    for placed, series in lower.items():
        if placed in upper:
            joined[placed] = add_terms([(1, series), (1, upper[placed])])
    return joined


# --- sparse generating functions ---


def _multiply_sparse(x: Sparse, y: Sparse) -> Sparse:
    sums: Sparse = {}
    for here, ways in x.items():
        for there, more in y.items():
            sums[here + there] = sums.get(here + there, 0) + ways * more
    return sums


def _add_sparse(pieces: Sequence[tuple[int, Sparse]]) -> Sparse:
    first, *more = pieces
    sums = {place: first[0] * ways for place, ways in first[1].items()}
    for factor, series in more:
        for place, ways in series.items():
            sums[place] = sums.get(place, 0) + factor * ways
    return sums


def _to_dense(sparse: Sparse) -> Dense:
    """Return a sparse generating function as a dense one."""
    lowest = min(sparse)
    digit_count = -(-max(sparse.values()).bit_length() // _DIGIT_BITS)
    entry = digit_count * _DIGIT_BYTES
    packed = bytearray((max(sparse) - lowest + 1) * entry)
    for place, ways in sparse.items():
        start = (place - lowest) * entry
        packed[start : start + entry] = ways.to_bytes(entry, "little")
    octets = np.frombuffer(packed, dtype=np.uint8).reshape(-1, digit_count, _DIGIT_BYTES)
    digits = octets @ np.array([1.0, 2.0**8, 2.0**16])
    return lowest, [(_DIGIT_BITS * place, np.ascontiguousarray(row)) for place, row in enumerate(digits.T)]


# --- dense generating functions ---


def _multiply_dense(x: Dense, y: Dense) -> Dense:
    return x[0] + y[0], multiply(x[1], y[1])


def _add_dense(pieces: Sequence[tuple[int, Dense]]) -> Dense:
    """Return the sum of multiples of generating functions, added digit by digit."""
    lowest = min(start for _, (start, _) in pieces)
    length = max(start + len(terms[0][1]) for _, (start, terms) in pieces) - lowest
    counts = [digits_needed(terms, _DIGIT_BITS) for _, (_, terms) in pieces]
    sums = np.zeros((max(counts), length))
    for digit_count, (factor, (start, terms)) in zip(counts, pieces, strict=True):
        digits = np.empty((digit_count, len(terms[0][1])))
        write_digits(terms, _DIGIT_BITS, digits)
        sums[:digit_count, start - lowest : start - lowest + digits.shape[1]] += factor * digits
    used = max(1, *(place + 1 for place, row in enumerate(sums) if row.any()))
    return lowest, [(_DIGIT_BITS * place, row) for place, row in enumerate(sums[:used])]

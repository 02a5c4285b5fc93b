"""Sums of independent lattices are exact for counts of any size."""

import random
from collections import Counter
from collections.abc import Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.odds.distribution import Comparison
from oddsmith.odds.lattice import Lattice
from oddsmith.odds.sums import compare_sums, convolve

DIE = Lattice.collect(range(1, 7), [1] * 6)


def lattices(width: int, heaviest: int, step: int = 1) -> st.SearchStrategy[Lattice]:
    """Draw up to four values within ±width, multiples of the step, with weights up to the heaviest."""
    entries = st.lists(
        st.tuples(st.integers(-width, width), st.integers(1, heaviest)), min_size=1, max_size=4
    )
    return entries.map(lambda drawn: Lattice.collect([step * v for v, _ in drawn], [w for _, w in drawn]))


small = st.lists(lattices(20, 9), min_size=1, max_size=3)
heavy = st.lists(lattices(20, 2**59), min_size=1, max_size=4)
coarse = st.lists(lattices(20_000, 2**20, step=3), min_size=1, max_size=3)
wide = st.lists(lattices(30_000, 2**20), min_size=1, max_size=3)
any_parts = small | heavy | coarse | wide


def sum_by_brute_force(parts: Sequence[Lattice]) -> Counter[int]:
    """Count the sums of every tuple of outcomes."""
    sums = Counter({0: 1})
    for part in parts:
        longer: Counter[int] = Counter()
        for value, ways in sums.items():
            longer.update({value + more: ways * weight for more, weight in part.items()})
        sums = longer
    return sums


def compare_by_brute_force(
    ours: Counter[int], theirs: Counter[int], scale: int, other_scale: int
) -> Comparison:
    """Compare every pair of outcomes."""
    leads = [(a * scale - b * other_scale, u * v) for a, u in ours.items() for b, v in theirs.items()]
    return Comparison(
        less=sum(ways for lead, ways in leads if lead < 0),
        equal=sum(ways for lead, ways in leads if lead == 0),
        greater=sum(ways for lead, ways in leads if lead > 0),
    )


@settings(max_examples=50)
@given(any_parts)
def test_every_coefficient_is_exact(parts: list[Lattice]) -> None:
    """A coefficient is the number of tuples with that sum; there are no others."""
    series, sums = convolve(parts), sum_by_brute_force(parts)

    assert [sums[v] for v in sorted(sums)] == [series.coefficient(v) for v in sorted(sums)]
    assert sums.total() == series.total
    assert (min(sums), max(sums)) == (series.minimum, series.maximum)
    assert [0, 0] == [series.coefficient(v) for v in (series.minimum - 1, series.maximum + 1)]
    assert series.step == 1 or series.coefficient(series.minimum + 1) == 0


def test_dense_parts_agree_with_multiplied_integers() -> None:
    """As one huge integer each, the parts multiply to the packed series."""
    chance = random.Random(7)
    weights = [[chance.randrange(1, 2 ** (10 * k)) for _ in range(700 + k)] for k in range(1, 6)]
    series = convolve([Lattice.collect(range(len(row)), row) for row in weights])
    packed = reduce(int.__mul__, (sum(w << (512 * i) for i, w in enumerate(row)) for row in weights))

    assert packed == sum(series.coefficient(i) << (512 * i) for i in range(series.maximum + 1))


@pytest.mark.parametrize("weight", [2**17, 2**35 + 2**17, 2**45 - 1, 2_863_308_800, 4_363_141_380])
def test_the_bound_holds_in_the_worst_case(weight: int) -> None:
    """Equal weights give equal digits, the worst case for rounding: the counts are those of a triangle."""
    flat = Lattice.collect(range(5_000), [weight] * 5_000)
    series = convolve([flat, flat])

    for value in (0, 1, 2_777, 4_999, 7_000, 9_998):
        assert weight**2 * min(value + 1, 9_999 - value) == series.coefficient(value)


@settings(max_examples=50)
@given(any_parts, st.integers(-70_000, 70_000))
def test_at_least_counts_the_upper_tail(parts: list[Lattice], value: int) -> None:
    """All ways to reach a value."""
    sums = sum_by_brute_force(parts)

    assert sum(ways for v, ways in sums.items() if v >= value) == convolve(parts).at_least(value)
    assert 0 == convolve(parts).at_least(10**30)


@settings(max_examples=50)
@given(any_parts)
def test_moments_add_up(parts: list[Lattice]) -> None:
    """Mean and variance of a sum are the sums over its parts."""
    series = convolve(parts)

    assert sum(part.mean for part in parts) == series.mean
    assert sum(part.variance for part in parts) == series.variance


@pytest.mark.sweep
@settings(max_examples=50)
@given(any_parts, st.fractions(0, 1, max_denominator=30))
def test_quantile_is_the_least_sufficient_value(parts: list[Lattice], q: Fraction) -> None:
    """P(X ≤ v) reaches q at the quantile and at no smaller value."""
    sums = sum_by_brute_force(parts)
    enough = [v for v in sums if sum(sums[u] for u in sums if u <= v) >= q * sums.total()]

    assert min(enough) == convolve(parts).quantile(q)


def test_a_quantile_outside_the_unit_interval_is_refused() -> None:
    with pytest.raises(InputError, match="from 0 to 1"):
        convolve([DIE]).quantile(Fraction(3, 2))


@settings(max_examples=50)
@given(any_parts, st.lists(st.integers(-60_000, 60_000), min_size=2, max_size=6, unique=True))
def test_bins_count_between_edges(parts: list[Lattice], edges: list[int]) -> None:
    """Each bin has the ways from its edge up to, but without, the next."""
    sums, ordered = sum_by_brute_force(parts), sorted(edges)
    expected = [sum(sums[v] for v in sums if low <= v < high) for low, high in pairwise(ordered)]

    assert expected == convolve(parts).bins(ordered)


@pytest.mark.parametrize("edges", [[], [1], [2, 1], [1, 1]])
def test_bins_without_increasing_edges_are_refused(edges: list[int]) -> None:
    """One edge makes no bin, and bins do not overlap."""
    with pytest.raises(InputError) as refused:
        convolve([DIE]).bins(edges)

    assert "bad_edges" == refused.value.refusal.code


@settings(max_examples=60)
@given(any_parts, any_parts, st.integers(1, 10), st.integers(1, 10))
def test_compare_counts_pairs(
    ours: list[Lattice], theirs: list[Lattice], scale: int, other_scale: int
) -> None:
    """Sums of different sizes compare exactly."""
    expected = compare_by_brute_force(
        sum_by_brute_force(ours), sum_by_brute_force(theirs), scale, other_scale
    )

    assert expected == compare_sums(ours, theirs, left_scale=scale, right_scale=other_scale)


@settings(max_examples=40)
@given(small, small, st.sampled_from([1, 10**30, 3 * 10**30]), st.sampled_from([10**30, 2 * 10**30]))
def test_comparisons_may_exceed_machine_words(
    ours: list[Lattice], theirs: list[Lattice], scale: int, other_scale: int
) -> None:
    """Scales may have any size."""
    expected = compare_by_brute_force(
        sum_by_brute_force(ours), sum_by_brute_force(theirs), scale, other_scale
    )

    assert expected == convolve(ours).compare(convolve(theirs), scale=scale, other_scale=other_scale)


@pytest.mark.parametrize(("ours", "theirs"), [([0], [100_000]), ([100_000], [0])])
def test_sides_without_overlap_compare(ours: list[int], theirs: list[int]) -> None:
    """A side that is always ahead wins every pair."""
    compared = compare_sums([DIE, Lattice.collect(ours, [3])], [DIE, Lattice.collect(theirs, [5])])

    assert (540, 0) == (max(compared.less, compared.greater), compared.equal)


@pytest.mark.parametrize("scales", [(0, 1), (1, -2)])
def test_a_scale_below_one_is_refused(scales: tuple[int, int]) -> None:
    """Scales are numbers of participants."""
    with pytest.raises(InputError) as refused:
        convolve([DIE]).compare(convolve([DIE]), scale=scales[0], other_scale=scales[1])

    assert "bad_scale" == refused.value.refusal.code


@pytest.mark.parametrize("parts", [[], [DIE] * 21])
def test_a_sum_has_one_to_twenty_parts(parts: list[Lattice]) -> None:
    with pytest.raises(InputError) as refused:
        convolve(parts)

    assert "bad_part_count" == refused.value.refusal.code


def test_a_sum_too_wide_is_refused() -> None:
    """The refusal has the width and the limit; a coarse lattice of the same range is accepted."""
    fine = Lattice.collect([0, 1, 2**24], [1, 1, 1])
    coarse_one = Lattice.collect([0, 2**12, 2**24], [1, 1, 1])
    with pytest.raises(
        WorkLimitError, match="at most 16777216 steps: this one would span 16777217"
    ) as refused:
        convolve([fine])

    assert "lattice_too_wide" == refused.value.refusal.code
    assert 2 == convolve([coarse_one] * 2).coefficient(2**24)


def test_a_constant_is_a_sum() -> None:
    """Constant parts add up to one value."""
    series = convolve([Lattice.collect([5], [2]), Lattice.collect([-7], [3])])

    assert (-2, -2, 6) == (series.minimum, series.maximum, series.coefficient(-2))
    assert "<SumDistribution on -2..-2 by 1, total 6>" == repr(series)


@pytest.mark.parametrize(("shift", "what"), [(0.3, "errs more"), (1.0, "lost count")])
def test_an_inaccurate_transform_is_detected(
    monkeypatch: pytest.MonkeyPatch, shift: float, what: str
) -> None:
    """A Fourier transform with an error beyond the proven bound raises."""
    inverse = np.fft.irfft

    def shifted_irfft(*given: Any, **options: Any) -> Any:  # noqa: ANN401  numpy's arguments
        raw = inverse(*given, **options)
        raw[0, 3] += shift
        return raw

    monkeypatch.setattr(np.fft, "irfft", shifted_irfft)

    with pytest.raises(ArithmeticError, match=what):
        convolve([DIE, DIE])


WIDTH, TOTAL, DIGITS = 70_000, 2_598_960, 34


def _random_score_lattice(luck: random.Random) -> Lattice:
    """Draw a lattice as wide and as heavy as a Destiny Deck's: 2,500 values on 0..69,999, 2,598,960 ways."""
    values = [0, WIDTH - 1, *luck.sample(range(1, WIDTH - 1), 2_498)]
    cuts = [0, *sorted(luck.sample(range(1, TOTAL), len(values) - 1)), TOTAL]
    return Lattice.collect(values, [high - low for low, high in pairwise(cuts)])


def _pack_counts(part: Lattice) -> Decimal:
    """Write the counts of a lattice side by side as the digits of one number."""
    digits = bytearray(b"0" * (DIGITS * WIDTH))
    for value, weight in part.items():
        end, count = DIGITS * (WIDTH - value), str(weight).encode()
        digits[end - len(count) : end] = count
    return Decimal(digits.decode())


@pytest.mark.sweep
def test_five_parts_of_full_size_agree_with_a_number_theoretic_product() -> None:
    """All 349,996 counts of up to 33 digits agree with libmpdec's integer transforms."""
    luck = random.Random("full size")
    parts = [_random_score_lattice(luck) for _ in range(5)]
    exact = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])
    series = convolve(parts)
    places = series.maximum + 1
    packed = str(reduce(exact.multiply, map(_pack_counts, parts))).zfill(DIGITS * places)

    assert 5 * (WIDTH - 1) + 1 == places
    assert [int(packed[end - DIGITS : end]) for end in range(DIGITS * places, 0, -DIGITS)] == [
        series.coefficient(value) for value in range(places)
    ]

"""Exact distributions of the sum of the best k of several parts."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.odds import order_statistics
from oddsmith.odds.lattice import Lattice
from oddsmith.odds.order_statistics import best_sum

DIE = Lattice.collect(range(1, 7), [1] * 6)

lattices = st.lists(st.tuples(st.integers(-6, 6), st.integers(1, 9)), min_size=1, max_size=3).map(
    lambda drawn: Lattice.collect([value for value, _ in drawn], [weight for _, weight in drawn])
)


@st.composite
def gangs(draw: st.DrawFn) -> list[Lattice]:
    """Draw up to five parts of up to five kinds, so that some are equal."""
    kinds = draw(st.lists(lattices, min_size=1, max_size=5))
    return draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=5))


def best_sums_by_brute_force(parts: Sequence[Lattice], best: int) -> Counter[int]:
    """Count the sums of the best of every tuple of outcomes."""
    sums: Counter[int] = Counter()
    for outcomes in product(*(part.items() for part in parts)):
        values, weights = zip(*outcomes, strict=True)
        sums[sum(sorted(values)[-best:])] += prod(weights)
    return sums


@pytest.mark.parametrize("few", [1, 4, 64])
@settings(max_examples=30)
@given(parts=gangs(), best=st.integers(1, 6))
def test_best_sums_agree_with_every_tuple(few: int, parts: list[Lattice], best: int) -> None:
    """Ties, negative values, equal and different parts, for every size of the halves."""
    sums = best_sums_by_brute_force(parts, best)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order_statistics, "_MOST_SPARSE", few)
        series = best_sum(parts, best)

    everything = range(min(sums), max(sums) + 1)
    assert [sums[value] for value in everything] == [series.coefficient(value) for value in everything]
    assert (min(sums), max(sums), sums.total()) == (series.minimum, series.maximum, series.total)


def test_the_best_one_is_the_product_of_the_cumulative_counts() -> None:
    """The highest of several is below a value when each of them is."""
    parts = [Lattice.collect(range(k, 900, k), range(1, len(range(k, 900, k)) + 1)) for k in (1, 2, 5)]
    series = best_sum(parts, 1)

    for value in (1, 100, 555, 899, 1000):
        assert prod(part.below(value) for part in parts) == series.total - series.at_least(value)


def test_a_long_range_agrees_with_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of hundreds of bits are the same by convolution and one by one."""
    kinds = [
        Lattice.collect(range(k, k + 60 + k), [2**55 + 3**j % 2**50 for j in range(60 + k)]) for k in (0, 1)
    ]
    by_convolution = best_sum([*kinds, *kinds], 3)
    monkeypatch.setattr(order_statistics, "_MOST_SPARSE", 10**6)
    one_by_one = best_sum([*kinds, *kinds], 3)

    places = range(one_by_one.minimum, one_by_one.maximum + 1)
    assert [one_by_one.coefficient(v) for v in places] == [by_convolution.coefficient(v) for v in places]


def test_four_dice_without_the_lowest() -> None:
    """The ability roll of role-playing games: 21 of 1296 ways make an 18."""
    ability = best_sum([DIE] * 4, 3)

    assert [1, 4, 10, 21, 38, 62] == ability.bins(range(3, 10))
    assert (21, 1296) == (ability.coefficient(18), ability.total)


def test_progress_ends_at_one() -> None:
    """The reported fractions never decrease, and the last is 1."""
    reported: list[float] = []
    best_sum([Lattice.collect(range(150), [1] * 150)] * 3, 2, progress=reported.append)

    assert sorted(reported) == reported
    assert 1.0 == reported[-1]


@pytest.mark.parametrize("events", [1, 64, 65, 200])
def test_progress_is_reported_for_any_size(events: int) -> None:
    """Short work reports its end as well."""
    reported: list[float] = []
    best_sum([Lattice.collect(range(events), [1] * events)] * 2, 1, progress=reported.append)

    assert 1.0 == reported[-1]


def test_the_best_zero_are_refused() -> None:
    with pytest.raises(InputError) as refused:
        best_sum([DIE], 0)

    assert "bad_best" == refused.value.refusal.code


@pytest.mark.parametrize(("parts", "best"), [([], 1), ([DIE] * 21, 3)])
def test_a_gang_has_one_to_twenty_parts(parts: list[Lattice], best: int) -> None:
    """The bounds are those of a sum."""
    with pytest.raises(InputError) as refused:
        best_sum(parts, best)

    assert "bad_part_count" == refused.value.refusal.code


def test_a_best_sum_that_is_too_wide_is_refused() -> None:
    """The limit is that of a sum."""
    far = Lattice.collect([0, 1, 2**23], [1, 1, 1])
    with pytest.raises(WorkLimitError) as refused:
        best_sum([far] * 3, 2)

    assert "lattice_too_wide" == refused.value.refusal.code


@pytest.mark.sweep
def test_the_best_two_of_three_of_full_width() -> None:
    """Three parts of 100 values on 0..69,999 agree with all 1,000,000 triples."""
    luck = random.Random("full width")
    parts = [
        Lattice.collect(luck.sample(range(70_000), 100), [luck.randint(1, 2_000) for _ in range(100)])
        for _ in range(3)
    ]
    values = np.meshgrid(*(part.values for part in parts), indexing="ij")
    weights = np.meshgrid(*(part.weights for part in parts), indexing="ij")
    sums = np.add.reduce(values) - np.minimum.reduce(values)
    ways = np.bincount(sums.ravel(), weights=np.multiply.reduce(weights).ravel())
    series = best_sum(parts, 2)

    assert {value: int(ways[value]) for value in np.flatnonzero(ways).tolist()} == {
        value: count for value in range(len(ways)) if (count := series.coefficient(value))
    }

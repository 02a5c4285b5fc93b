"""Counts of pairs agree with brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.errors import InputError
from oddsmith.odds.products import count_pairs_above, smooth_length

Weighted = list[tuple[int, int]]

weighted = st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 9)), min_size=1, max_size=12)


def _count_pairs(ours: Weighted, theirs: Weighted, *, or_level: bool) -> int:
    (values, weights), (others, other_weights) = (
        (np.array([value for value, _ in side]), np.array([weight for _, weight in side]))
        for side in (ours, theirs)
    )
    return count_pairs_above(values, weights, others, other_weights, or_level=or_level)


@given(ours=weighted, theirs=weighted, or_level=st.booleans())
def test_pairs_above_agree_with_brute_force(ours: Weighted, theirs: Weighted, *, or_level: bool) -> None:
    """Every weighted pair with the first above the second, and equal ones on request."""
    expected = sum(
        weight * other_weight
        for value, weight in ours
        for other, other_weight in theirs
        if value > other or (or_level and value == other)
    )

    assert expected == _count_pairs(ours, theirs, or_level=or_level)


def test_pairs_above_does_not_change_its_arguments() -> None:
    """The lists are not sorted in place."""
    values, weights = np.array([3, 1, 2]), np.array([1, 1, 1])
    count_pairs_above(values, weights, values, weights)

    assert [3, 1, 2] == values.tolist()


def test_values_too_far_apart_are_refused() -> None:
    """A range that one machine word cannot hold."""
    with pytest.raises(InputError) as caught:
        _count_pairs([(0, 1)], [(2**62, 1)], or_level=False)

    assert "too_wide" == caught.value.refusal.code


def test_weights_that_are_too_large_are_refused() -> None:
    """A count that one machine word cannot hold."""
    with pytest.raises(InputError) as caught:
        _count_pairs([(0, 2**40)], [(1, 2**40)], or_level=False)

    assert "too_heavy" == caught.value.refusal.code


def test_the_length_of_a_transform_is_the_next_smooth_one() -> None:
    """A power of two, at least 2, times 1, 3, 5, 9 or 15: transforms of other lengths are slower."""
    smooth = sorted(odd << power for odd in (1, 3, 5, 9, 15) for power in range(1, 12))

    assert [next(length for length in smooth if length >= least) for least in range(1, 2_000)] == [
        smooth_length(least) for least in range(1, 2_000)
    ]

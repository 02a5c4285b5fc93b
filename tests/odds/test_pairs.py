"""Pairs are counted in one sort, and as brute force counts them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.errors import InputError
from oddsmith.odds.products import count_pairs_above

Weighted = list[tuple[int, int]]

weighted = st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 9)), min_size=1, max_size=12)


def _count(ours: Weighted, theirs: Weighted, *, or_level: bool) -> int:
    (values, weights), (others, other_weights) = (
        (np.array([value for value, _ in side]), np.array([weight for _, weight in side]))
        for side in (ours, theirs)
    )
    return count_pairs_above(values, weights, others, other_weights, or_level=or_level)


@given(ours=weighted, theirs=weighted, or_level=st.booleans())
def test_pairs_above_counts_as_brute_force_does(ours: Weighted, theirs: Weighted, *, or_level: bool) -> None:
    """Every weighted pair with the first above the second counts, and level ones where they are asked for."""
    expected = sum(
        weight * other_weight
        for value, weight in ours
        for other, other_weight in theirs
        if value > other or (or_level and value == other)
    )

    assert expected == _count(ours, theirs, or_level=or_level)


def test_pairs_above_leaves_its_arguments_as_they_were() -> None:
    """The lists are not sorted in place."""
    values, weights = np.array([3, 1, 2]), np.array([1, 1, 1])
    count_pairs_above(values, weights, values, weights)

    assert [3, 1, 2] == values.tolist()


def test_pairs_above_refuses_values_too_far_apart() -> None:
    """What one word cannot hold is refused, not counted wrong."""
    with pytest.raises(InputError) as caught:
        _count([(0, 1)], [(2**62, 1)], or_level=False)

    assert "too_wide" == caught.value.refusal.code


def test_pairs_above_refuses_weights_too_large() -> None:
    """A count that one word cannot hold is refused, not wrapped around."""
    with pytest.raises(InputError) as caught:
        _count([(0, 2**40)], [(1, 2**40)], or_level=False)

    assert "too_heavy" == caught.value.refusal.code

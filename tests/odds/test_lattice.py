"""Lattices are exact: every result agrees with counting outcome by outcome."""

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.errors import InputError
from oddsmith.odds.distribution import Comparison
from oddsmith.odds.lattice import Lattice

pairs = st.lists(st.tuples(st.integers(-30, 30), st.integers(0, 9)), min_size=1, max_size=12).filter(
    lambda entries: any(weight for _, weight in entries)
)
wide_pairs = st.lists(
    st.tuples(st.integers(1 - 2**53, 2**53 - 1), st.integers(1, 2**57)), min_size=1, max_size=8
)


def make_lattice(entries: list[tuple[int, int]]) -> Lattice:
    return Lattice.collect([value for value, _ in entries], [weight for _, weight in entries])


def outcomes(entries: list[tuple[int, int]]) -> list[int]:
    return sorted(value for value, weight in entries for _ in range(weight))


@given(pairs | wide_pairs)
def test_collect_merges_repeats_and_drops_zeros(entries: list[tuple[int, int]]) -> None:
    """Values are strictly increasing, each with its whole weight."""
    counted: dict[int, int] = {}
    for value, weight in entries:
        counted[value] = counted.get(value, 0) + weight
    lattice = make_lattice(entries)

    assert sorted((value, weight) for value, weight in counted.items() if weight) == list(lattice.items())
    assert sum(counted.values()) == lattice.total == lattice.cumulative[-1]
    assert len(lattice) == len(lattice.values) == len(lattice.weights)


@given(pairs, st.integers(-40, 40))
def test_below_and_at_least_count_outcomes(entries: list[tuple[int, int]], value: int) -> None:
    """Every outcome is either below a value or at least it."""
    lattice = make_lattice(entries)

    assert sum(outcome < value for outcome in outcomes(entries)) == lattice.below(value)
    assert sum(outcome >= value for outcome in outcomes(entries)) == lattice.at_least(value)


@pytest.mark.parametrize(("value", "below"), [(-(10**30), 0), (10**30, 6)])
def test_any_integer_may_be_compared(value: int, below: int) -> None:
    """A value beyond machine words is below or above all outcomes."""
    die = Lattice.collect(range(1, 7), [1] * 6)

    assert below == die.below(value)
    assert 6 - below == die.at_least(value)


@given(pairs | wide_pairs)
def test_mean_and_variance_are_exact(entries: list[tuple[int, int]]) -> None:
    """The moments are exact rationals, also where machine words would overflow."""
    lattice = make_lattice(entries)
    total = sum(weight for _, weight in entries)
    mean = Fraction(sum(value * weight for value, weight in entries), total)

    assert mean == lattice.mean
    assert sum((value - mean) ** 2 * weight for value, weight in entries) / total == lattice.variance


@given(pairs, st.fractions(0, 1, max_denominator=50))
def test_quantile_is_the_least_sufficient_value(entries: list[tuple[int, int]], q: Fraction) -> None:
    """P(X ≤ v) reaches q at the quantile and at no smaller value."""
    ordered = outcomes(entries)
    enough = [v for v in ordered if Fraction(sum(other <= v for other in ordered), len(ordered)) >= q]

    assert enough[0] == make_lattice(entries).quantile(q)


@pytest.mark.parametrize("q", [Fraction(-1, 9), Fraction(10, 9)])
def test_a_quantile_outside_the_unit_interval_is_refused(q: Fraction) -> None:
    with pytest.raises(InputError, match="from 0 to 1") as refused:
        Lattice.collect([1], [1]).quantile(q)

    assert "bad_quantile" == refused.value.refusal.code


@given(pairs | wide_pairs, pairs | wide_pairs)
def test_compare_counts_pairs(ours: list[tuple[int, int]], theirs: list[tuple[int, int]]) -> None:
    """Every pair of outcomes once, also where the product of the totals exceeds a machine word."""
    signs = [((a > b) - (a < b), u * v) for a, u in ours for b, v in theirs]
    less, equal, greater = (sum(ways for sign, ways in signs if sign == want) for want in (-1, 0, 1))
    compared = make_lattice(ours).compare(make_lattice(theirs))

    assert Comparison(less=less, equal=equal, greater=greater) == compared
    assert make_lattice(ours).total * make_lattice(theirs).total == compared.total


def test_equal_lattices_have_equal_hashes() -> None:
    """A copy through pickle is equal."""
    one = Lattice.collect([2, 1, 2], [1, 4, 2])
    same = Lattice.collect(np.array([1, 2], dtype=np.uint8), np.array([4, 3], dtype=np.int32))

    assert same == one
    assert hash(same) == hash(one)
    assert one == pickle.loads(pickle.dumps(one))  # noqa: S301  our own bytes
    assert one != Lattice.collect([1, 2], [4, 4])
    assert one != Lattice.collect([1, 3], [4, 3])
    assert one != "a lattice"
    assert "<Lattice of 2 values on 1..2, total 7>" == repr(one)


@pytest.mark.parametrize("name", ["values", "weights", "cumulative"])
def test_the_arrays_are_read_only(name: str) -> None:
    given_values = np.array([1, 2, 3])
    lattice = Lattice.collect(given_values, [1, 1, 1])
    given_values[0] = 9

    assert [1, 2, 3] == lattice.values.tolist()
    with pytest.raises(ValueError, match="read-only"):
        getattr(lattice, name)[0] = 7
    with pytest.raises(AttributeError):
        setattr(lattice, name, given_values)


@pytest.mark.parametrize(
    ("code", "values", "weights"),
    [
        ("empty_lattice", [], []),
        ("empty_lattice", [1, 2], [0, 0]),
        ("uneven_lattice", [1, 2], [1]),
        ("uneven_lattice", [[1, 2]], [[1, 2]]),
        ("bad_value", [1.5], [1]),
        ("bad_value", [2**70], [1]),
        ("bad_weight", [1], [0.5]),
        ("value_too_wide", [2**53], [1]),
        ("value_too_wide", [-(2**53)], [1]),
        ("negative_weight", [1, 2], [3, -1]),
        ("total_too_heavy", [1], [2**62]),
        ("total_too_heavy", [1, 2, 3, 4], [2**62 - 1] * 4),
        ("total_too_heavy", [1], [2**64 - 1]),
    ],
)
def test_invalid_distributions_are_refused(code: str, values: Any, weights: Any) -> None:  # noqa: ANN401  wrong types included
    """Each kind of mistake has its code."""
    with pytest.raises(InputError) as refused:
        Lattice.collect(values, weights)

    assert code == refused.value.refusal.code

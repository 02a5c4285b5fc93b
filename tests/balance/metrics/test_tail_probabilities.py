"""Tail probabilities of sums agree with all cases, however unlikely the observation."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.balance.metrics import tail_probabilities
from oddsmith.balance.metrics.tail_probabilities import sum_tails
from oddsmith.metric import NullDistribution

CLOSE = 1e-9
CHANCES = st.integers(0, 12).map(lambda part: NullDistribution.of_chance(Fraction(part, 12)))
DICE = st.dictionaries(st.integers(-6, 9), st.integers(1, 5), min_size=1, max_size=4).map(
    lambda ways: NullDistribution(tuple(sorted(ways.items())))
)
SUMS = st.dictionaries(CHANCES | DICE, st.integers(1, 4), min_size=1, max_size=5)


def distribution_of_sum(laws: Mapping[NullDistribution, int]) -> dict[int, Fraction]:
    """Sum over all cases, one observation after the other."""
    sums = {0: Fraction(1)}
    for law in Counter(laws).elements():
        after: dict[int, Fraction] = {}
        for total, chance in sums.items():
            for value, ways in law.weights:
                after[total + value] = after.get(total + value, Fraction(0)) + chance * Fraction(
                    ways, law.total
                )
        sums = after
    return sums


@given(SUMS, st.integers(-30, 60))
def test_tails_agree_with_all_cases(laws: Mapping[NullDistribution, int], observed: int) -> None:
    """Both tails have nine right digits for any observed sum, possible or not."""
    sums = distribution_of_sum(laws)
    tails = sum_tails(laws, observed)
    below = sum(chance for total, chance in sums.items() if total <= observed)
    above = sum(chance for total, chance in sums.items() if total >= observed)

    assert pytest.approx(float(below), rel=CLOSE) == tails.at_most
    assert pytest.approx(float(above), rel=CLOSE) == tails.at_least
    assert not tails.is_approximate


def test_a_tail_of_1e_20_is_accurate() -> None:
    """Of 4,100 cases of 54 %, 61.2 % happen with p = 1.69 · 10⁻²⁰, two-sided."""
    count, happened = 4_100, 2_509
    first = Fraction(comb(count, happened) * 54**happened * 46 ** (count - happened), 100**count)
    terms = accumulate(
        range(happened, count),
        lambda term, number: term * (count - number) * 54 / (number + 1) / 46,
        initial=float(first),
    )
    tails = sum_tails({NullDistribution.of_chance(Fraction(54, 100)): count}, happened)

    assert pytest.approx(2 * sum(terms), rel=CLOSE) == tails.two_sided
    assert "1.69e-20" == f"{tails.two_sided:.2e}"


def test_a_tail_below_the_smallest_float_is_not_zero() -> None:
    """A possible sum has a positive probability, and an impossible one has 0."""
    coin = NullDistribution.of_chance(Fraction(1, 2))

    assert 0 < sum_tails({coin: 5_000}, 5_000).two_sided < 1e-300
    assert 0 < sum_tails({coin: 5_000}, 4_990).two_sided < 1e-300
    assert 0 == sum_tails({coin: 5_000}, 5_001).two_sided


def test_a_certain_sum_has_probability_one() -> None:
    """Both tails are 1; where something is missing, one of them is 0."""
    certain = {NullDistribution.of_chance(Fraction(1)): 7}

    assert (1.0, 1.0) == sum_tails(certain, 7)[:2]
    assert (0.0, 1.0) == sum_tails(certain, 6)[:2]
    assert (1.0, 0.0) == sum_tails(certain, 8)[:2]


def test_a_wide_sum_is_computed_near_the_observation() -> None:
    """Of a million coin flips only the totals with non-negligible probability are computed."""
    count, happened = 1_000_000, 502_000
    tails = sum_tails({NullDistribution.of_chance(Fraction(1, 2)): count}, happened)

    assert "3.2e-05" == f"{tails.at_least:.1e}"
    assert not tails.is_approximate


@pytest.mark.parametrize("happened", [420, 460, 500, 501, 520, 560])
def test_the_saddle_point_approximation_is_near_the_exact_tail(
    monkeypatch: pytest.MonkeyPatch, happened: int
) -> None:
    """Where there are too many terms, the tail is right to within one percent, and is labelled."""
    laws = {NullDistribution.of_chance(Fraction(part, 200)): 20 for part in range(75, 125)}
    whole = sum_tails(laws, happened)
    monkeypatch.setattr(tail_probabilities, "MOST_WORK", 0)
    approximate = sum_tails(laws, happened)

    assert approximate.is_approximate
    if whole.two_sided < 0.5:
        assert pytest.approx(whole.two_sided, rel=0.01) == approximate.two_sided
    else:
        assert approximate.two_sided > 0.5


@given(DICE)
def test_mean_and_variance_are_exact(law: NullDistribution) -> None:
    """Compared with all cases."""
    cases = [value for value, ways in law.weights for _ in range(ways)]
    mean = Fraction(sum(cases), len(cases))

    assert mean == law.mean
    assert sum((value - mean) ** 2 for value in cases) / len(cases) == law.variance

"""Distributions are exact: every result agrees with counting outcome by outcome."""

import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oddsmith.cards import cards
from oddsmith.chance import DealHand, Roll, Weighted
from oddsmith.die import D6, Die
from oddsmith.errors import InputError, OddsmithError, WorkLimitError
from oddsmith.odds import distribution as module
from oddsmith.odds.distribution import Comparison, Distribution, ways_needed
from oddsmith.points import Points

lists = st.lists(st.integers(-9, 9), min_size=1, max_size=9)
D = Distribution.uniform(range(1, 7))


def refusal_code(call: Callable[[], object], error: type[OddsmithError] = InputError) -> str:
    with pytest.raises(error) as caught:
        call()
    return caught.value.refusal.code


@given(lists)
def test_outcomes_are_counted_once_each_and_sorted(listed: list[int]) -> None:
    """In rising order, with the number of times each was listed."""
    counted = Distribution.of(listed)

    assert [(value, listed.count(value)) for value in sorted(set(listed))] == list(counted.items())
    assert sorted(set(listed)) == list(counted)
    assert (len(listed), len(set(listed))) == (counted.total, len(counted))
    assert [listed.count(value) for value in range(-9, 10)] == [counted.weight(v) for v in range(-9, 10)]


def test_weights_may_be_a_mapping_or_pairs_with_repeats() -> None:
    """Repeated pairs add up, and a weight of 0 drops the outcome."""
    from_pairs = Distribution([(6, 1), (1, 1), (3, 0), (1, 1)])

    assert [(1, 2), (6, 1)] == list(from_pairs.items())
    assert list(Distribution({1: 2, 3: 0, 6: 1}).items()) == list(from_pairs.items())
    assert (True, False) == (6 in from_pairs, 3 in from_pairs)


def test_uniform_does_not_count_repeats() -> None:
    """Each distinct outcome is equally likely."""
    assert Distribution({1: 1, 6: 1}) == Distribution.uniform([1, 1, 1, 6])


@given(lists, st.integers(1, 5))
def test_equality_is_of_probabilities(listed: list[int], factor: int) -> None:
    """A common factor of all weights changes neither equality nor the hash."""
    once, often = Distribution.of(listed), Distribution.of(listed * factor)

    assert once == often
    assert hash(once) == hash(often)


def test_different_probabilities_are_different() -> None:
    """Equality compares outcomes and probabilities, and only with distributions."""
    coin = Distribution({0: 1, 1: 1})

    assert coin != Distribution({0: 1, 1: 2})
    assert coin != Distribution({0: 1, 2: 1})
    assert coin != {0: 1, 1: 1}


@given(lists)
def test_probability_of_outcomes_and_predicates(listed: list[int]) -> None:
    """It is the share of the list."""
    counted = Distribution.of(listed)

    assert Fraction(listed.count(3), len(listed)) == counted.probability(3)
    assert Fraction(sum(v > 2 for v in listed), len(listed)) == counted.probability(lambda v: v > 2)


@given(lists)
def test_map_is_the_distribution_of_the_images(listed: list[int]) -> None:
    """It is that of the mapped list."""
    assert Distribution.of(value**2 for value in listed) == Distribution.of(listed).map(lambda v: v**2)


@given(lists, lists)
def test_convolution_combines_every_pair(mine: list[int], theirs: list[int]) -> None:
    """Independent outcomes combine pair by pair, by default by addition."""
    first, second = Distribution.of(mine), Distribution.of(theirs)

    assert Distribution.of(a + b for a, b in product(mine, theirs)) == first + second
    assert first + second == first.convolve(second)
    assert Distribution.of(a * b for a, b in product(mine, theirs)) == first.convolve(
        second, lambda a, b: a * b
    )


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=3), st.integers(1, 6))
def test_sum_of_adds_up_independent_outcomes(listed: list[int], count: int) -> None:
    """The sum of n outcomes is the sum over every list of n outcomes, with the total of ways."""
    summed = Distribution.of(listed).sum_of(count)

    assert Distribution.of(sum(values) for values in product(listed, repeat=count)) == summed
    assert len(listed) ** count == summed.total


def test_three_dice_have_their_known_distribution() -> None:
    """Three dice show 10 or 11 in 27 of 216 cases each, 18 in one."""
    dice = D.sum_of(3)

    assert (27, 27, 1, 216) == (dice.weight(10), dice.weight(11), dice.weight(18), dice.total)
    assert (Fraction(21, 2), Fraction(35, 4)) == (dice.mean, dice.variance)


@given(lists, lists)
def test_compare_counts_every_pair(mine: list[int], theirs: list[int]) -> None:
    """Each pair of outcomes is below, equal or above."""
    pairs = list(product(mine, theirs))
    compared = Distribution.of(mine).compare(Distribution.of(theirs))

    assert (
        Comparison(
            less=sum(a < b for a, b in pairs),
            equal=sum(a == b for a, b in pairs),
            greater=sum(a > b for a, b in pairs),
        )
        == compared
    )
    assert len(pairs) == compared.total


@given(lists, st.integers(-10, 10))
def test_at_least_is_the_share_that_reaches(listed: list[int], least: int) -> None:
    """The probability of reaching a value is the share of outcomes that do."""
    reached = sum(value >= least for value in listed)

    assert Fraction(reached, len(listed)) == Distribution.of(listed).at_least(least)


@given(lists, st.fractions(0, 1, max_denominator=30))
def test_quantile_is_the_least_sufficient_outcome(listed: list[int], q: Fraction) -> None:
    """P(X ≤ v) reaches q at the quantile and at no smaller outcome."""
    enough = [v for v in sorted(listed) if Fraction(sum(other <= v for other in listed), len(listed)) >= q]

    assert enough[0] == Distribution.of(listed).quantile(q)


@given(lists)
def test_mean_and_variance_are_exact(listed: list[int]) -> None:
    """They are exact rationals."""
    mean = Fraction(sum(listed), len(listed))
    counted = Distribution.of(listed)

    assert mean == counted.mean
    assert sum((value - mean) ** 2 for value in listed) / len(listed) == counted.variance


def test_points_fractions_decimals_and_booleans_have_a_mean() -> None:
    """Every exact number has a mean, also mixed with others of its order."""
    assert Fraction(1, 8) == Distribution.of([Points("0.1"), Points("0.15")]).mean
    assert Fraction(1, 2) == Distribution.of([Fraction(1, 3), Fraction(2, 3)]).mean
    assert Fraction(3, 20) == Distribution.of([Decimal("0.1"), Decimal("0.2")]).mean
    assert Fraction(1, 4) == Distribution({True: 1, False: 3}).mean


@pytest.mark.parametrize("outcome", ["heads", 0.5, Decimal("nan"), None, (1,)])
def test_inexact_outcomes_have_no_mean(outcome: object) -> None:
    """A label has no mean and no variance, nor has a float."""
    labels = Distribution.of([outcome])

    assert "not_a_number" == refusal_code(lambda: labels.mean)
    assert "not_a_number" == refusal_code(lambda: labels.variance)


@given(lists)
def test_mode_is_the_first_of_the_likeliest(listed: list[int]) -> None:
    """No outcome is likelier, and none before it is as likely."""
    assert max(sorted(listed), key=listed.count) == Distribution.of(listed).mode


@given(lists)
def test_condition_filters_the_list(listed: list[int]) -> None:
    kept = [value for value in listed if value > 0]
    assume(kept)

    assert list(Distribution.of(kept).items()) == list(
        Distribution.of(listed).condition(lambda value: value > 0).items()
    )


def test_an_impossible_condition_is_refused() -> None:
    assert "impossible_condition" == refusal_code(lambda: D.condition(lambda face: face > 6))


def test_outcomes_without_an_order_keep_their_given_order() -> None:
    """Questions about order are refused; all others are answered."""
    mixed: Distribution[object] = Distribution([("high", 2), (7, 1), (None, 1)])

    assert ["high", 7, None] == list(mixed)
    assert ("high", Fraction(1, 4), False) == (mixed.mode, mixed.probability(None), mixed.ordered)
    assert "no_order" == refusal_code(lambda: mixed.at_least(1))
    assert "no_order" == refusal_code(lambda: mixed.quantile(Fraction(1, 2)))
    assert "no_order" == refusal_code(lambda: mixed.compare(mixed))


def test_outcomes_of_different_types_cannot_be_compared() -> None:
    """Points are not below or above plain numbers; the comparison is refused."""
    points: Distribution[object] = Distribution.of([Points(1)])
    numbers: Distribution[object] = Distribution.of([1])

    assert "no_order" == refusal_code(lambda: points.compare(numbers))
    assert "no_order" == refusal_code(lambda: numbers.at_least(Points(1)))


@pytest.mark.parametrize(
    ("weights", "code"),
    [
        ({}, "empty_distribution"),
        ({1: 0}, "empty_distribution"),
        ({1: -1}, "bad_weight"),
        ({1: 0.5}, "bad_weight"),
        ({1: Fraction(1, 2)}, "bad_weight"),
    ],
)
def test_invalid_weights_are_refused(weights: dict[int, int], code: str) -> None:
    """Weights are whole numbers from 0, and not all of them 0."""
    assert code == refusal_code(lambda: Distribution(weights))


def test_arguments_out_of_bounds_are_refused() -> None:
    """A probability is from 0 to 1, and a sum has at least one term."""
    assert "bad_quantile" == refusal_code(lambda: D.quantile(Fraction(3, 2)))
    assert "bad_quantile" == refusal_code(lambda: ways_needed(Fraction(-1, 2), 6))
    assert "bad_count" == refusal_code(lambda: D.sum_of(0))


def test_only_distributions_are_added() -> None:
    with pytest.raises(TypeError):
        D + 1  # type: ignore[operator]  # the mistake under test


def test_too_many_outcomes_and_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before memory is exhausted."""
    monkeypatch.setattr(module, "MOST_OUTCOMES", 6)
    monkeypatch.setattr(module, "MOST_PAIRS", 35)

    assert 6 == len(Distribution.uniform(range(6)))
    assert "too_many_outcomes" == refusal_code(lambda: Distribution.uniform(range(7)), WorkLimitError)
    assert "too_many_pairs" == refusal_code(lambda: D + D, WorkLimitError)


def test_chance_nodes_become_distributions_with_their_own_weights() -> None:
    """A node's distribution has the node's outcomes, weights and total."""
    roll = Roll((D6, Die((1, 2), (0, 3))))
    deal = DealHand(cards("A♠ K♠ Q♠ J♠"), 2)

    assert dict(roll.outcomes()) == dict(Distribution.from_chance(roll).items())
    assert (18, 6) == (Distribution.from_chance(roll).total, Distribution.from_chance(deal).total)


def test_an_inconsistent_node_is_refused() -> None:
    """Its weights do not add up to its total."""

    class WrongTotal(Weighted[str], frozen=True):
        @property
        def total(self) -> int:
            return 7

    assert "bad_weights" == refusal_code(lambda: Distribution.from_chance(WrongTotal((("hit", 1),))))


def test_the_repr_is_short() -> None:
    """Few outcomes are written out and read back; many are counted."""
    assert "Distribution({1: 2, 6: 1})" == repr(Distribution.of([6, 1, 1]))
    assert "<Distribution of 16 outcomes, total 216>" == repr(D.sum_of(3))


def test_a_distribution_is_picklable_and_immutable() -> None:
    assert pickle.loads(pickle.dumps(D)) == D  # noqa: S301  our own bytes
    with pytest.raises(AttributeError):
        D.total = 7  # type: ignore[misc]  # the mistake under test

"""Exact, immutable probability distributions over any hashable outcomes, with integer weights."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from math import gcd
from operator import add
from typing import Any, Final, Generic, Self, TypeVar, cast

import msgspec

from oddsmith.chance import Chance
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.points import Points

__all__ = ["Comparison", "Distribution", "ways_needed"]

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
V = TypeVar("V", bound=Hashable)

MOST_OUTCOMES: Final = 5_000_000
MOST_PAIRS: Final = 50_000_000
LONGEST_REPR: Final = 12


class Comparison(msgspec.Struct, frozen=True):
    """The numbers of pairs of outcomes in which the first is less than, equal to and greater than the second.

    >>> Comparison(less=15, equal=6, greater=15).total
    36
    """

    less: int
    equal: int
    greater: int

    @property
    def total(self) -> int:
        """The number of all pairs."""
        return self.less + self.equal + self.greater


class Distribution(Generic[T]):
    """Outcomes with positive integer weights, in ascending order where they can be sorted.

    Two distributions are equal when every outcome has the same probability in both: a common factor of the weights
    does not matter. Outcomes of weight 0 are dropped.

    >>> Distribution({1: 2, 6: 1}).probability(6)
    Fraction(1, 3)
    >>> Distribution([("heads", 1), ("tails", 1)]) == Distribution({"tails": 50, "heads": 50})
    True
    """

    __slots__ = ("_ordered", "_total", "_weights")

    def __init__(self, weights: Mapping[T, int] | Iterable[tuple[T, int]]) -> None:
        by_outcome = _sum_weights(weights.items() if isinstance(weights, Mapping) else weights)
        ordered_weights, ordered = _sort_outcomes(by_outcome)
        self._set(ordered_weights, ordered=ordered)

    def _set(self, weights: dict[T, int], *, ordered: bool) -> None:
        self._weights, self._ordered, self._total = weights, ordered, sum(weights.values())

    @classmethod
    def of(cls, outcomes: Iterable[T]) -> Self:
        """Return the distribution in which each outcome has the number of its occurrences as its weight.

        >>> Distribution.of("dice die".split()).total, Distribution.of([1, 1, 6])
        (2, Distribution({1: 2, 6: 1}))
        """
        return cls((outcome, 1) for outcome in outcomes)

    @classmethod
    def from_counts(cls, counts: dict[T, int]) -> Self:
        """Return the distribution of sortable outcomes with positive counts; neither property is checked.

        >>> Distribution.from_counts({6: 1, 1: 2})
        Distribution({1: 2, 6: 1})
        """
        distribution = cls.__new__(cls)
        order: list[T] = sorted(cast("Any", counts))
        weights = dict(zip(order, map(counts.__getitem__, order), strict=True))
        distribution._set(weights, ordered=True)  # noqa: SLF001  an instance of this class
        return distribution

    @classmethod
    def uniform(cls, outcomes: Iterable[T]) -> Self:
        """Return the distribution in which each distinct outcome is equally likely.

        >>> Distribution.uniform(range(1, 7)).mean
        Fraction(7, 2)
        """
        return cls((outcome, 1) for outcome in dict.fromkeys(outcomes))

    @classmethod
    def from_chance(cls, node: Chance[T]) -> Self:
        """Return the distribution of a chance node; weights that do not add up to its total are refused with `bad_weights`.

        >>> from oddsmith.chance import Weighted
        >>> Distribution.from_chance(Weighted((("hit", 1), ("miss", 3)))).probability("hit")
        Fraction(1, 4)
        """
        promised = cls(node.outcomes())
        if promised.total != node.total:
            raise InputError(
                "bad_weights",
                f"the weights of the outcomes add up to {promised.total}, not to the node's {node.total}",
            )
        return promised

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return self._total

    @property
    def ordered(self) -> bool:
        """Whether the outcomes can be sorted, and therefore are in ascending order.

        >>> Distribution.of([1, "one"]).ordered
        False
        """
        return self._ordered

    def weight(self, outcome: T) -> int:
        """Return the weight of an outcome; 0 for an outcome that is not in the distribution.

        >>> Distribution({1: 2, 6: 1}).weight(5)
        0
        """
        return self._weights.get(outcome, 0)

    def items(self) -> Iterator[tuple[T, int]]:
        """Iterate over the outcomes with their weights.

        >>> list(Distribution({6: 1, 1: 2}).items())
        [(1, 2), (6, 1)]
        """
        return iter(self._weights.items())

    def probability(self, event: T | Callable[[T], bool]) -> Fraction:
        """Return the probability of an outcome, or of the event that a predicate holds.

        >>> die = Distribution.uniform(range(1, 7))
        >>> die.probability(6), die.probability(lambda face: face > 4)
        (Fraction(1, 6), Fraction(1, 3))
        """
        if not callable(event):
            return Fraction(self.weight(event), self._total)
        return Fraction(sum(weight for outcome, weight in self.items() if event(outcome)), self._total)

    def condition(self, holds: Callable[[T], bool]) -> "Distribution[T]":
        """Return the distribution given that the predicate holds; an event of probability 0 is refused.

        >>> Distribution.uniform(range(1, 7)).condition(lambda face: face > 4)
        Distribution({5: 1, 6: 1})
        """
        left = {outcome: weight for outcome, weight in self.items() if holds(outcome)}
        if not left:
            raise InputError("impossible_condition", "no outcome meets the condition")
        return Distribution(left)

    def map(self, function: Callable[[T], U]) -> "Distribution[U]":
        """Return the distribution of a function of the outcome.

        >>> Distribution.uniform(range(1, 7)).map(lambda face: face % 2)
        Distribution({0: 3, 1: 3})
        """
        return Distribution((function(outcome), weight) for outcome, weight in self.items())

    def convolve(self, other: "Distribution[U]", combine: Callable[[T, U], V] = add) -> "Distribution[V]":
        """Return the distribution of `combine(mine, theirs)` for independent outcomes; by default their sum.

        >>> coin = Distribution.uniform([0, 1])
        >>> coin.convolve(coin, max)
        Distribution({0: 1, 1: 3})
        """
        if len(self) * len(other) > MOST_PAIRS:
            raise WorkLimitError(
                "too_many_pairs",
                f"{len(self):,} × {len(other):,} pairs are more than the {MOST_PAIRS:,} that are combined",
            )
        return Distribution(
            (combine(mine, theirs), weight * their_weight)
            for mine, weight in self.items()
            for theirs, their_weight in other.items()
        )

    def __add__(self, other: "Distribution[T]") -> "Distribution[T]":
        if not isinstance(other, Distribution):
            return NotImplemented
        return self.convolve(other, cast("Callable[[T, T], T]", add))

    def sum_of(self, count: int) -> "Distribution[T]":
        """Return the distribution of the sum of `count` independent outcomes.

        >>> Distribution.uniform(range(1, 7)).sum_of(3).probability(18)
        Fraction(1, 216)
        """
        if count < 1:
            raise InputError("bad_count", f"a sum has at least one term, not {count}")
        summed = self
        for bit in f"{count:b}"[1:]:
            summed = summed + summed + self if bit == "1" else summed + summed
        return summed

    def compare(self, other: "Distribution[T]") -> Comparison:
        """Return the number of pairs of independent outcomes by order; outcomes without an order are refused.

        >>> die = Distribution.uniform(range(1, 7))
        >>> die.compare(die)
        Comparison(less=15, equal=6, greater=15)
        """
        theirs = _ordered_outcomes(other)
        not_above = [0, *accumulate(weight for _, weight in other.items())]
        equal = below = 0
        for outcome in _ordered_outcomes(self):
            weight = self.weight(outcome)
            low = not_above[_bisect(bisect_left, theirs, outcome)]
            below += weight * low
            equal += weight * (not_above[_bisect(bisect_right, theirs, outcome)] - low)
        pairs = self._total * other.total
        return Comparison(less=pairs - equal - below, equal=equal, greater=below)

    def at_least(self, least: T) -> Fraction:
        """Return the probability of an outcome of `least` or more.

        >>> Distribution.uniform(range(1, 7)).at_least(5)
        Fraction(1, 3)
        """
        first = _bisect(bisect_left, _ordered_outcomes(self), least)
        return Fraction(sum(list(self._weights.values())[first:]), self._total)

    def quantile(self, q: Fraction) -> T:
        """Return the least outcome that is not exceeded with a probability of at least `q`.

        >>> Distribution({1: 1, 2: 1, 3: 4}).quantile(Fraction(1, 2))
        3
        """
        reached = list(accumulate(self._weights.values()))
        return _ordered_outcomes(self)[bisect_left(reached, ways_needed(q, self._total))]

    @property
    def mode(self) -> T:
        """The most likely outcome; the first one at a tie.

        >>> Distribution({1: 2, 2: 3, 3: 3}).mode
        2
        """
        likeliest: T = max(self._weights, key=self.weight)
        return likeliest

    @property
    def mean(self) -> Fraction:
        """The exact expected value; outcomes that are not numbers are refused with `not_a_number`.

        >>> Distribution({0: 1, 1: 2}).mean
        Fraction(2, 3)
        """
        return Fraction(sum(_to_number(outcome) * weight for outcome, weight in self.items()), self._total)

    @property
    def variance(self) -> Fraction:
        """The exact variance.

        >>> Distribution({0: 1, 1: 2}).variance
        Fraction(2, 9)
        """
        squares = sum(_to_number(outcome) ** 2 * weight for outcome, weight in self.items())
        return Fraction(squares, self._total) - self.mean**2

    def __len__(self) -> int:
        return len(self._weights)

    def __iter__(self) -> Iterator[T]:
        return iter(self._weights)

    def __contains__(self, outcome: object) -> bool:
        return outcome in self._weights

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return self._reduce_weights() == other._reduce_weights()

    def __hash__(self) -> int:
        return hash(frozenset(self._reduce_weights().items()))

    def _reduce_weights(self) -> dict[T, int]:
        factor = gcd(*self._weights.values())
        return {outcome: weight // factor for outcome, weight in self.items()}

    def __repr__(self) -> str:
        if len(self) > LONGEST_REPR:
            return f"<Distribution of {len(self):,} outcomes, total {self._total:,}>"
        return f"Distribution({self._weights!r})"


def ways_needed(q: Fraction, total: int) -> int:
    """Return the least number of `total` ways whose probability is at least `q`; a `q` outside 0..1 is refused.

    >>> ways_needed(Fraction(1, 2), 5)
    3
    """
    if not 0 <= q <= 1:
        raise InputError("bad_quantile", f"a quantile is asked for a probability from 0 to 1: {q} was given")
    return -(-q.numerator * total // q.denominator)


def _sum_weights(pairs: Iterable[tuple[T, object]]) -> dict[T, int]:
    """Return the sum of the weights of each outcome; invalid weights and an empty distribution are refused."""
    by_outcome: dict[T, int] = {}
    for outcome, weight in pairs:
        if not isinstance(weight, int) or weight < 0:
            raise InputError("bad_weight", f"a weight is a whole number from 0: {weight!r} was given")
        if weight:
            by_outcome[outcome] = by_outcome.get(outcome, 0) + weight
        if len(by_outcome) > MOST_OUTCOMES:
            raise WorkLimitError(
                "too_many_outcomes", f"a distribution has at most {MOST_OUTCOMES:,} different outcomes"
            )
    if not by_outcome:
        raise InputError("empty_distribution", "a distribution needs an outcome with a positive weight")
    return by_outcome


def _sort_outcomes(by_outcome: dict[T, int]) -> tuple[dict[T, int], bool]:
    """Return the weights in ascending order of outcomes if they can be sorted, and whether they can."""
    try:
        return {outcome: by_outcome[outcome] for outcome in sorted(cast("Any", by_outcome))}, True
    except TypeError:
        return by_outcome, False


def _ordered_outcomes(distribution: Distribution[T]) -> list[T]:
    if not distribution.ordered:
        raise InputError("no_order", "these outcomes have no order: they cannot be compared")
    return list(distribution)


def _bisect(bisect: Callable[[Any, Any], int], outcomes: list[T], outcome: T) -> int:
    try:
        return bisect(outcomes, outcome)
    except TypeError as error:
        raise InputError(
            "no_order", f"{outcome!r} and {outcomes[0]!r} cannot be compared: they have no order"
        ) from error


def _to_number(outcome: object) -> int | Fraction:
    match outcome:
        case int() | Fraction():
            return outcome
        case Points():
            return outcome.fraction
        case Decimal() if outcome.is_finite():
            return Fraction(outcome)
    raise InputError("not_a_number", f"only numbers have a mean: {outcome!r} is none")

"""Trials: readings of figures at points of the search space, cached, and the objective to minimise."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from oddsmith.balance.figures import read_figures
from oddsmith.balance.rule_keys import with_numbers
from oddsmith.balance.tuning.targets import Targets
from oddsmith.errors import OddsmithError
from oddsmith.figure import Reading
from oddsmith.rules import Ruleset

Point: TypeAlias = tuple[int, ...]
"""A point of the search space: for each number that may change, the index of its value in its range."""

DISTANCE_WEIGHT: Final = Fraction(1, 10_000)
"""The weight of the distance from the current numbers, relative to that from preferred values."""


REFUSED_INFEASIBILITY: Final = Fraction(1_000)
"""The infeasibility of a point that the rules refuse: more than any violated order."""


def move_number(point: Point, key: int, index: int) -> Point:
    """Return a point with the index of one number replaced.

    >>> move_number((3, 5, 8), 1, 6)
    (3, 6, 8)
    """
    return (*point[:key], index, *point[key + 1 :])


class Objective(NamedTuple):
    """The objective at a point, compared lexicographically: less is better."""

    infeasibility: Fraction
    """By how much the point violates an order, or that the rules refuse it."""
    unmet_weight: Fraction
    """The total weight of the targets that are not met."""
    violation: Fraction
    """The total violation of the targets."""
    penalty: Fraction
    """The total deviation from preferred values, and the weighted distance from the current numbers."""

    @property
    def is_met(self) -> bool:
        """Whether the point is feasible and all targets are met."""
        return not self.infeasibility and not self.unmet_weight


class Trials:
    """Cached readings of the targets' figures at points; `moved_by` has the numbers that were seen to change each figure."""

    def __init__(self, targets: Targets, on_trial: Callable[[int], None] | None = None) -> None:
        self.targets = targets.targets
        self.ranges = targets.ranges
        self.rules = targets.rules
        self.moved_by: list[frozenset[int]] = [frozenset(range(len(self.ranges)))] * len(self.targets)
        self.count = 0
        self._on_trial = on_trial
        self._readings: dict[Point, dict[int, Reading]] = {}
        self._refused_points: set[Point] = set()
        self._order_groups = self._find_order_groups()

    @property
    def start(self) -> Point:
        """The point of the current numbers, or the nearest one within their bounds."""
        return tuple(number_range.start for number_range in self.ranges)

    def rules_at(self, point: Point) -> Ruleset:
        """Return the rules at a point; raise an `OddsmithError` if they are invalid."""
        return with_numbers(
            self.rules,
            {
                number_range.key.path: number_range.number(index)
                for number_range, index in zip(self.ranges, point, strict=True)
                if number_range.number(index) != number_range.key.value
            },
        )

    def read(self, point: Point, selected: Iterable[int]) -> dict[int, Reading] | None:
        """Return the readings of selected targets at a point, by target; None where the rules refuse the point."""
        if point in self._refused_points:
            return None
        selected = list(selected)
        known = self._readings.setdefault(point, {})
        unknown = [target for target in selected if target not in known]
        if unknown:
            self.count += 1
            if self._on_trial:
                self._on_trial(self.count)
            try:
                rules = self.rules_at(point)
                answers = read_figures([self.targets[target].figure for target in unknown], rules)
            except OddsmithError:
                self._refused_points.add(point)
                return None
            known.update(zip(unknown, answers, strict=True))
        return {target: known[target] for target in selected}

    def objective(self, point: Point, selected: Sequence[int], keys: Sequence[int]) -> Objective:
        """Return the objective at a point for selected targets, with the distance of the numbers `keys`."""
        readings = self.read(point, selected)
        if readings is None:
            return Objective(REFUSED_INFEASIBILITY, Fraction(0), Fraction(0), Fraction(0))
        pairs = [(self.targets[target], reading) for target, reading in readings.items()]
        unmet_weight = sum(
            (target.weight for target, reading in pairs if not target.is_met(reading)), Fraction(0)
        )
        violation = sum((target.violation(reading) for target, reading in pairs), Fraction(0))
        deviation = sum((target.deviation(reading) for target, reading in pairs), Fraction(0))
        distance = sum((self.ranges[key].share(point[key]) ** 2 for key in keys), Fraction(0))
        return Objective(
            self.order_violation(point), unmet_weight, violation, deviation + DISTANCE_WEIGHT * distance
        )

    def order_violation(self, point: Point) -> Fraction:
        """Return by how much numbers that must keep their order violate it."""
        return sum(
            (
                max(Fraction(self._value_of(below, point) - self._value_of(above, point)), Fraction(0))
                for order_group in self._order_groups
                for below, above in pairwise(order_group)
            ),
            Fraction(0),
        )

    def repair_order(self, point: Point) -> list[Point]:
        """Return two nearby points in order, as far as bounds allow: with low numbers raised, and with high ones lowered."""
        raised, lowered = list(point), list(point)
        for order_group in self._order_groups:
            for below, above in pairwise(order_group):
                floor = self.ranges[below].number(raised[below])
                raised[above] = max(raised[above], self.ranges[above].first_from(floor))
            for above, below in pairwise(reversed(order_group)):
                ceiling = self.ranges[above].number(lowered[above])
                lowered[below] = min(lowered[below], self.ranges[below].last_to(ceiling))
        return [tuple(raised), tuple(lowered)]

    def ordered_group(self, key: int) -> list[int]:
        """Return the numbers whose order with a number is kept, including itself."""
        return next((order_group for order_group in self._order_groups if key in order_group), [key])

    def _value_of(self, key: int, point: Point) -> Fraction:
        return Fraction(self.ranges[key].number(point[key]))

    def _find_order_groups(self) -> list[list[int]]:
        order_groups: dict[int, list[int]] = {}
        for key, number_range in enumerate(self.ranges):
            if number_range.order_group is not None:
                order_groups.setdefault(number_range.order_group, []).append(key)
        return [
            sorted(order_group, key=lambda key: self.ranges[key].key.value)
            for order_group in order_groups.values()
        ]

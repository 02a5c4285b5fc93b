"""A trial asks what the figures are once some numbers of the rules have moved; nothing is asked twice."""

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

Place: TypeAlias = tuple[int, ...]
"""Where each number that may change stands, as a place of its range."""

NEARNESS: Final = Fraction(1, 10_000)
"""What staying near today's numbers counts beside coming near to the one number that is wanted."""


REFUSED: Final = Fraction(1_000)
"""What a place that the rules refuse breaks: more than any order."""


def shifted(place: Place, key: int, at: int) -> Place:
    """Return a place with one number moved.

    >>> shifted((3, 5, 8), 1, 6)
    (3, 6, 8)
    """
    return (*place[:key], at, *place[key + 1 :])


class Standing(NamedTuple):
    """How good a place is, the less the better: every word counts more than all that follow it."""

    broken: Fraction
    """By how much the place breaks an order, or a rule."""
    unmet: Fraction
    """The weight of all targets that are not met."""
    lack: Fraction
    """How far from their aims those are."""
    strain: Fraction
    """How far it is to single numbers that are wanted, and how far from today."""

    @property
    def is_met(self) -> bool:
        """Say whether nothing is broken, and nothing unmet."""
        return not self.broken and not self.unmet


class Trials:
    """The figures of every target at any place; `moved_by` says which numbers were seen to move each of them."""

    def __init__(self, targets: Targets, heard: Callable[[int], None] | None = None) -> None:
        self.targets = targets.targets
        self.ranges = targets.ranges
        self.rules = targets.rules
        self.moved_by: list[frozenset[int]] = [frozenset(range(len(self.ranges)))] * len(self.targets)
        self.count = 0
        self._heard = heard
        self._known: dict[Place, dict[int, Reading]] = {}
        self._refused: set[Place] = set()
        self._families = self._ordered_families()

    @property
    def start(self) -> Place:
        """Where all numbers stand today, or as near to it as their bounds let them."""
        return tuple(one.start for one in self.ranges)

    def rules_at(self, place: Place) -> Ruleset:
        """Return the rules with every number at its place; what they refuse is refused."""
        return with_numbers(
            self.rules,
            {
                one.key.path: one.number(at)
                for one, at in zip(self.ranges, place, strict=True)
                if one.number(at) != one.key.value
            },
        )

    def read(self, place: Place, asked: Iterable[int]) -> dict[int, Reading] | None:
        """Return the figures of some targets at a place, by target; None where the rules refuse the place."""
        if place in self._refused:
            return None
        asked = list(asked)
        known = self._known.setdefault(place, {})
        unknown = [target for target in asked if target not in known]
        if unknown:
            self.count += 1
            if self._heard:
                self._heard(self.count)
            try:
                rules = self.rules_at(place)
                answers = read_figures([self.targets[target].figure for target in unknown], rules)
            except OddsmithError:
                self._refused.add(place)
                return None
            known.update(zip(unknown, answers, strict=True))
        return {target: known[target] for target in asked}

    def standing(self, place: Place, asked: Sequence[int], keys: Sequence[int]) -> Standing:
        """Say how good a place is for some targets, when some numbers may move."""
        readings = self.read(place, asked)
        if readings is None:
            return Standing(REFUSED, Fraction(0), Fraction(0), Fraction(0))
        pairs = [(self.targets[target], reading) for target, reading in readings.items()]
        unmet = sum((target.weight for target, reading in pairs if not target.is_met(reading)), Fraction(0))
        lack = sum((target.lack(reading) for target, reading in pairs), Fraction(0))
        offset = sum((target.offset(reading) for target, reading in pairs), Fraction(0))
        went = sum((self.ranges[key].share(place[key]) ** 2 for key in keys), Fraction(0))
        return Standing(self.disorder(place), unmet, lack, offset + NEARNESS * went)

    def disorder(self, place: Place) -> Fraction:
        """Return by how much numbers that shall keep their order break it."""
        return sum(
            (
                max(Fraction(self._number(below, place) - self._number(above, place)), Fraction(0))
                for family in self._families
                for below, above in pairwise(family)
            ),
            Fraction(0),
        )

    def in_order(self, place: Place) -> list[Place]:
        """Return two places near by at which no order is broken, if bounds let them be: what is low lifted, what is high lowered."""
        lifted, lowered = list(place), list(place)
        for family in self._families:
            for below, above in pairwise(family):
                floor = self.ranges[below].number(lifted[below])
                lifted[above] = max(lifted[above], self.ranges[above].first_from(floor))
            for above, below in pairwise(reversed(family)):
                ceiling = self.ranges[above].number(lowered[above])
                lowered[below] = min(lowered[below], self.ranges[below].last_to(ceiling))
        return [tuple(lifted), tuple(lowered)]

    def family_of(self, key: int) -> list[int]:
        """Return the numbers whose order a number keeps, itself among them."""
        return next((family for family in self._families if key in family), [key])

    def _number(self, key: int, place: Place) -> Fraction:
        return Fraction(self.ranges[key].number(place[key]))

    def _ordered_families(self) -> list[list[int]]:
        families: dict[int, list[int]] = {}
        for key, one in enumerate(self.ranges):
            if one.family is not None:
                families.setdefault(one.family, []).append(key)
        return [sorted(family, key=lambda key: self.ranges[key].key.value) for family in families.values()]

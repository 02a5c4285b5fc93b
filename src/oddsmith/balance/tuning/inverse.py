"""Where a single number moves figures one way only, the place that meets their aims is found exactly, by halving."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from oddsmith.balance.tuning.targets import Target
from oddsmith.balance.tuning.trials import Place, Standing, Trials, shifted
from oddsmith.figure import Reading, Unit

PROBES: Final = 4
"""In how many equal parts a range is cut, to see whether figures go one way only."""
COMPROMISES: Final = 32
"""How many places are tried between aims that exclude each other."""


class _NotMonotone(Exception):  # noqa: N818  it never leaves this module
    """The number moves a figure to and fro, or stands where the rules refuse it."""


class Inverse(NamedTuple):
    """The best place for some targets when one number may move."""

    place: Place
    met: bool
    stepped_over: Mapping[int, tuple[Place, Place]]
    """The targets that lie between two neighbouring places, and those: no bound is in the way of them, only the step."""


def inverse_of(trials: Trials, place: Place, key: int, asked: Sequence[int]) -> Inverse | None:
    """Return the best place for some targets when one number may move, or None where one of them goes to and fro.

    Best is what lacks least, then what comes nearest to a number that was written, then what is nearest to today.
    """
    line = _Line(trials, place, key, asked)
    try:
        return line.inverse()
    except _NotMonotone:
        return None


class _Line:
    """All places of one number, where the others stand still."""

    def __init__(self, trials: Trials, place: Place, key: int, asked: Sequence[int]) -> None:
        self.trials, self.place, self.key, self.asked = trials, place, key, asked
        self.last = trials.ranges[key].places - 1
        self.start = trials.ranges[key].start

    def at(self, step: int) -> Place:
        return shifted(self.place, self.key, step)

    def inverse(self) -> Inverse:
        spans = [self._span(target, self._direction(target)) for target in self.asked]
        place = self.at(self._best(spans))
        readings = self._readings(place)
        lacking = {
            target: span[:2]
            for target, span in zip(self.asked, spans, strict=True)
            if not self.trials.targets[target].is_met(readings[target])
        }
        stepped_over = {
            target: (self.at(first - 1), self.at(first))
            for target, (first, last) in lacking.items()
            if 0 < first <= self.last and last < first
        }
        return Inverse(place, not lacking, stepped_over if len(stepped_over) == len(lacking) else {})

    def _best(self, spans: Sequence[tuple[int, ...]]) -> int:
        low, high = max(span[0] for span in spans), min(span[1] for span in spans)
        if low <= high:
            near = [min(max(one, low), high) for span in spans for one in span[2:]]
            tried = [min(max(self.start, low), high), *near]
        else:
            ends = [min(max(end, 0), self.last) for span in spans for end in span]
            lowest, highest = min(ends), max(ends)
            between = {lowest + (highest - lowest) * part // COMPROMISES for part in range(COMPROMISES + 1)}
            tried = [*ends, *sorted(between)]
        return self._towards_start(min(tried, key=self._rank))

    def _readings(self, place: Place) -> dict[int, Reading]:
        readings = self.trials.read(place, self.asked)
        if readings is None:
            raise _NotMonotone
        return readings

    def _read(self, step: int, target: int) -> Fraction:
        return self._readings(self.at(step))[target].value

    def _direction(self, target: int) -> int:
        """Return 1 where a figure rises along the line, or -1 where it falls, as far as probes tell."""
        if self.trials.targets[target].unit is Unit.NAME:
            raise _NotMonotone
        steps = sorted({self.last * part // PROBES for part in range(PROBES + 1)} | {self.start})
        values = [self._read(step, target) for step in steps]
        if all(before <= after for before, after in pairwise(values)):
            return 1
        if all(before >= after for before, after in pairwise(values)):
            return -1
        raise _NotMonotone

    def _span(self, target: int, direction: int) -> tuple[int, ...]:
        """Return the first and the last step at which a target is met, and the steps beside what was written."""
        wanted = self.trials.targets[target]
        low, high = wanted.aim.low, wanted.aim.high
        if direction < 0:
            low, high = (None if high is None else -high), (None if low is None else -low)
        first = 0 if low is None else self._first(target, direction, low, above=False)
        last = self.last if high is None else self._first(target, direction, high, above=True) - 1
        return first, last, *self._beside(wanted, target, direction)

    def _beside(self, wanted: Target, target: int, direction: int) -> tuple[int, ...]:
        if wanted.middle is None:
            return ()
        crossing = self._first(target, direction, direction * wanted.middle, above=False)
        return tuple(min(max(step, 0), self.last) for step in (crossing - 1, crossing))

    def _first(self, target: int, direction: int, level: Fraction, *, above: bool) -> int:
        """Return the first step at which a figure, turned to rise, is at a level or above it; one past the last if none."""

        def reached(step: int) -> bool:
            value = direction * self._read(step, target)
            return value > level if above else value >= level

        return _first_true(reached, self.last + 1)

    def _rank(self, step: int) -> tuple[Standing, int]:
        self._readings(self.at(step))
        standing = self.trials.standing(self.at(step), self.asked, ())
        return standing._replace(broken=Fraction(0)), abs(step - self.start)

    def _towards_start(self, step: int) -> int:
        """Return the step nearest to today at which every figure is the same."""
        same = self._readings(self.at(step))
        way = 1 if self.start > step else -1
        far = abs(self.start - step)

        def differs(gone: int) -> bool:
            return self.trials.read(self.at(step + way * gone), self.asked) != same

        return step + way * (_first_true(differs, far + 1) - 1)


def _first_true(holds: Callable[[int], bool], end: int) -> int:
    """Return the first of 0 to `end` at which a question that turns true once is true; `end` if at none.

    >>> _first_true(lambda number: number * number >= 50, 100)
    8
    """
    low, high = 0, end
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low

"""Numbers that meet targets: by bisection where one number moves figures one way, by SciPy on exact odds else."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import prod, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from oddsmith.balance.tuning.targets import Target
from oddsmith.balance.tuning.trials import Objective, Point, Trials, move_number
from oddsmith.errors import InputError
from oddsmith.figure import Reading, Unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


SLOPE_PARTS: Final = 100
"""Slopes are measured over this part of a range."""
FIRST_STRIDE: Final = 64
"""The first stride of the last walk is this part of a range."""
MOST_PAIRED: Final = 4
"""Up to so many numbers are also moved two at a time."""
DESCENTS: Final = 30
REFUSED_RESIDUAL: Final = 10.0
DISTANCE_WEIGHT: Final = 1e-3


def require_scipy() -> None:
    """Refuse to search before anything is computed, where SciPy is not installed."""
    try:
        import scipy.optimize  # noqa: F401, PLC0415  only whether it is there
    except ImportError as error:
        raise InputError(
            "no_scipy", "entangled targets are tuned by SciPy: install oddsmith[balance]"
        ) from error


class _TargetsMetError(Exception):
    """Every target is met."""


class _TrialLimitError(Exception):
    """No more trials are allowed."""


def search_points(
    trials: Trials,
    point: Point,
    keys: Sequence[int],
    selected: Sequence[int],
    *,
    seed: int,
    effort: int,
    on_improvement: Callable[[Point], None] = lambda _: None,
) -> Point:
    """Return the best place that was found within so many trials, at least as good as the one given.

    `better` hears of every improvement at once, so that nothing is lost when the search is interrupted.
    """
    search = _Search(trials, point, keys, selected)
    search.limit, search.on_improvement = trials.count + effort, on_improvement
    if prod(trials.ranges[key].size for key in keys) <= effort:
        search.search_all()
        return search.point
    with suppress(_TrialLimitError):
        search.search_locally()
        if not search.objective.is_met:
            search.search_globally(seed)
        search.search_pattern()
    return search.point


class _Search:
    """The best place so far, and the ways to a better one."""

    def __init__(self, trials: Trials, point: Point, keys: Sequence[int], selected: Sequence[int]) -> None:
        self.trials, self.point, self.keys, self.selected = trials, point, keys, selected
        self.limit = trials.count
        self.on_improvement: Callable[[Point], None] = lambda _: None
        self.objective = trials.objective(point, selected, keys)

    def _evaluate_within_limit(self, point: Point) -> Objective:
        if self.trials.count >= self.limit:
            raise _TrialLimitError
        return self._evaluate(point)

    def _evaluate(self, point: Point) -> Objective:
        """Look at a place, and stay there if it is the best so far."""
        objective = self.trials.objective(point, self.selected, self.keys)
        if objective < self.objective:
            self.point, self.objective = point, objective
            self.on_improvement(point)
        return objective

    def search_all(self) -> None:
        """Try every place there is: few enough are left to be sure."""
        start = list(self.point)
        for steps in product(*(range(self.trials.ranges[key].size) for key in self.keys)):
            for key, step in zip(self.keys, steps, strict=True):
                start[key] = step
            self._evaluate(tuple(start))

    def _point_at(self, shares: "Sequence[float] | NDArray[np.float64]") -> Point:
        """Return the place at which each number that may move stands at a share of its range."""
        point = list(self.point)
        for key, share in zip(self.keys, shares, strict=True):
            last = self.trials.ranges[key].size - 1
            point[key] = min(max(round(float(share) * last), 0), last)
        return tuple(point)

    def _shares(self, point: Point) -> list[float]:
        return [point[key] / max(self.trials.ranges[key].size - 1, 1) for key in self.keys]

    def search_locally(self) -> None:
        """Follow the slopes of all figures at once, from the present place."""
        import numpy as np  # noqa: PLC0415  heavy, and only needed here
        from scipy.optimize import least_squares  # noqa: PLC0415  heavy, and only needed here

        start = self._shares(self.trials.start)

        def residuals(shares: "NDArray[np.float64]") -> "NDArray[np.float64]":
            point = self._point_at(shares)
            self._evaluate_within_limit(point)
            readings = self.trials.read(point, self.selected)
            pulls = [DISTANCE_WEIGHT * (share - origin) for share, origin in zip(shares, start, strict=True)]
            if readings is None:
                return np.array([REFUSED_RESIDUAL] * len(self.selected) + pulls)
            residuals_of_targets = [
                _residual(self.trials.targets[target], readings[target]) for target in self.selected
            ]
            return np.array(residuals_of_targets + pulls)

        def slopes(shares: "NDArray[np.float64]") -> "NDArray[np.float64]":
            columns = []
            for number, key in enumerate(self.keys):
                last = max(self.trials.ranges[key].size - 1, 1)
                reach = max(1, last // SLOPE_PARTS) / last
                low, high = shares.copy(), shares.copy()
                low[number], high[number] = max(shares[number] - reach, 0.0), min(shares[number] + reach, 1.0)
                columns.append((residuals(high) - residuals(low)) / (high[number] - low[number]))
            return np.stack(columns, axis=1)

        inside = np.clip(self._shares(self.point), 1e-9, 1 - 1e-9)
        least_squares(
            residuals, inside, jac=slopes, bounds=(0.0, 1.0), max_nfev=DESCENTS, xtol=1e-9, ftol=1e-12
        )

    def search_globally(self, seed: int) -> None:
        """Look everywhere, by differential evolution with a seed."""
        from scipy.optimize import Bounds, differential_evolution  # noqa: PLC0415  as above

        def cost(shares: Any) -> float:  # noqa: ANN401  an array of numpy's
            objective = self._evaluate_within_limit(self._point_at(shares))
            if self.objective.is_met:
                raise _TargetsMetError
            return float(objective.infeasibility + objective.violation) + 1e-6 * float(objective.penalty)

        with suppress(_TargetsMetError):
            differential_evolution(
                cost,
                Bounds([0.0] * len(self.keys), [1.0] * len(self.keys)),
                x0=self._shares(self.point),
                rng=seed,
                polish=False,
                init="sobol",
                popsize=8,
                maxiter=1_000,
                tol=0,
            )

    def search_pattern(self) -> None:
        """Walk to better places by ever smaller strides, down to single steps."""
        part = FIRST_STRIDE
        while True:
            strides = {key: max(1, self.trials.ranges[key].size // part) for key in self.keys}
            while any(self._try_move(move) for move in self._moves(strides)):
                pass
            if all(stride == 1 for stride in strides.values()):
                return
            part *= 4

    def _moves(self, strides: dict[int, int]) -> Iterator[dict[int, int]]:
        for key, stride in strides.items():
            yield from ({key: stride}, {key: -stride})
        if len(strides) <= MOST_PAIRED:
            for (one, first), (other, second) in combinations(strides.items(), 2):
                for direction, back in product((1, -1), repeat=2):
                    yield {one: direction * first, other: back * second}

    def _try_move(self, move: dict[int, int]) -> bool:
        """Say whether a move leads to a better place, and stay there if so."""
        point = list(self.point)
        for key, stride in move.items():
            point[key] += stride
            if not 0 <= point[key] < self.trials.ranges[key].size:
                return False
        before = self.objective
        return self._evaluate_within_limit(tuple(point)) < before


def _residual(target: Target, reading: Reading) -> float:
    """Return how far a value is from what is wanted, with its sign, for a descent."""
    preferred = target.preferred
    distance = _signed_distance(target, reading) if preferred is None else reading.value - preferred
    return sqrt(target.weight) * float(distance / target.scale)


def _signed_distance(target: Target, reading: Reading) -> Fraction:
    below = target.wanted.low is not None and reading.value < target.wanted.low
    return -target.distance(reading) if below else target.distance(reading)


PROBES: Final = 4
"""In how many equal parts a range is cut, to see whether figures go one way only."""
MOST_COMPROMISES: Final = 32
"""How many places are tried between aims that exclude each other."""


class _NotMonotoneError(Exception):
    """The number moves a figure to and fro, or stands where the rules refuse it."""


class LineSolution(NamedTuple):
    """The best place for some targets when one number may move."""

    point: Point
    met: bool
    stepped_over: Mapping[int, tuple[Point, Point]]
    """The targets that lie between two neighbouring places, and those: no bound is in the way of them, only the step."""


def solve_line(trials: Trials, point: Point, key: int, selected: Sequence[int]) -> LineSolution | None:
    """Return the best place for some targets when one number may move, or None where one of them goes to and fro.

    Best is what lacks least, then what comes nearest to a number that was written, then what is nearest to today.
    """
    line = _Line(trials, point, key, selected)
    try:
        return line.solve()
    except _NotMonotoneError:
        return None


class _Line:
    """All places of one number, where the others stand still."""

    def __init__(self, trials: Trials, point: Point, key: int, selected: Sequence[int]) -> None:
        self.trials, self.point, self.key, self.selected = trials, point, key, selected
        self.last = trials.ranges[key].size - 1
        self.start = trials.ranges[key].start

    def at(self, step: int) -> Point:
        return move_number(self.point, self.key, step)

    def solve(self) -> LineSolution:
        intervals = [
            self._feasible_interval(target, self._monotone_direction(target)) for target in self.selected
        ]
        point = self.at(self._best_step(intervals))
        readings = self._readings(point)
        unmet = {
            target: interval[:2]
            for target, interval in zip(self.selected, intervals, strict=True)
            if not self.trials.targets[target].is_met(readings[target])
        }
        stepped_over = {
            target: (self.at(first - 1), self.at(first))
            for target, (first, last) in unmet.items()
            if 0 < first <= self.last and last < first
        }
        return LineSolution(point, not unmet, stepped_over if len(stepped_over) == len(unmet) else {})

    def _best_step(self, intervals: Sequence[tuple[int, ...]]) -> int:
        low, high = max(interval[0] for interval in intervals), min(interval[1] for interval in intervals)
        if low <= high:
            near = [min(max(one, low), high) for interval in intervals for one in interval[2:]]
            candidates = [min(max(self.start, low), high), *near]
        else:
            ends = [min(max(end, 0), self.last) for interval in intervals for end in interval]
            lowest, highest = min(ends), max(ends)
            between = {
                lowest + (highest - lowest) * part // MOST_COMPROMISES for part in range(MOST_COMPROMISES + 1)
            }
            candidates = [*ends, *sorted(between)]
        return self._nearest_to_start(min(candidates, key=self._rank))

    def _readings(self, point: Point) -> dict[int, Reading]:
        readings = self.trials.read(point, self.selected)
        if readings is None:
            raise _NotMonotoneError
        return readings

    def _read(self, step: int, target: int) -> Fraction:
        return self._readings(self.at(step))[target].value

    def _monotone_direction(self, target: int) -> int:
        """Return 1 where a figure rises along the line, or -1 where it falls, as far as probes tell."""
        if self.trials.targets[target].unit is Unit.NAME:
            raise _NotMonotoneError
        steps = sorted({self.last * part // PROBES for part in range(PROBES + 1)} | {self.start})
        values = [self._read(step, target) for step in steps]
        if all(before <= after for before, after in pairwise(values)):
            return 1
        if all(before >= after for before, after in pairwise(values)):
            return -1
        raise _NotMonotoneError

    def _feasible_interval(self, number: int, direction: int) -> tuple[int, ...]:
        """Return the first and the last step at which a target is met, and the steps beside what was written."""
        target = self.trials.targets[number]
        low, high = target.wanted.low, target.wanted.high
        if direction < 0:
            low, high = (None if high is None else -high), (None if low is None else -low)
        first = 0 if low is None else self._first_step(number, direction, low, above=False)
        last = self.last if high is None else self._first_step(number, direction, high, above=True) - 1
        return first, last, *self._steps_near_preferred(number, direction)

    def _steps_near_preferred(self, number: int, direction: int) -> tuple[int, ...]:
        preferred = self.trials.targets[number].preferred
        if preferred is None:
            return ()
        crossing = self._first_step(number, direction, direction * preferred, above=False)
        return tuple(min(max(step, 0), self.last) for step in (crossing - 1, crossing))

    def _first_step(self, number: int, direction: int, level: Fraction, *, above: bool) -> int:
        """Return the first step at which a figure, turned to rise, is at a level or above it; one past the last if none."""

        def reached(step: int) -> bool:
            value = direction * self._read(step, number)
            return value > level if above else value >= level

        return _first_true(reached, self.last + 1)

    def _rank(self, step: int) -> tuple[Objective, int]:
        self._readings(self.at(step))
        objective = self.trials.objective(self.at(step), self.selected, ())
        return objective._replace(infeasibility=Fraction(0)), abs(step - self.start)

    def _nearest_to_start(self, step: int) -> int:
        """Return the step nearest to today at which every figure is the same."""
        same = self._readings(self.at(step))
        direction = 1 if self.start > step else -1
        distance = abs(self.start - step)

        def is_different(steps: int) -> bool:
            return self.trials.read(self.at(step + direction * steps), self.selected) != same

        return step + direction * (_first_true(is_different, distance + 1) - 1)


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

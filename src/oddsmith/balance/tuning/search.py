"""Search for numbers that meet targets: by bisection where figures are monotone in one number, else by SciPy."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from itertools import combinations, pairwise, product
from math import prod, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from oddsmith.balance.tuning.targets import Target
from oddsmith.balance.tuning.trials import Objective, Point, Trials, move_number
from oddsmith.errors import MissingExtraError
from oddsmith.figure import Reading, Unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


SLOPE_PARTS: Final = 100
"""Slopes are measured over this fraction of a range."""
FIRST_STRIDE: Final = 64
"""The first stride of the pattern search is this fraction of a range."""
MOST_PAIRED: Final = 4
"""Up to this number of numbers, the pattern search also moves two at a time."""
DESCENTS: Final = 30
REFUSED_RESIDUAL: Final = 10.0
DISTANCE_WEIGHT: Final = 1e-3


def require_scipy() -> None:
    """Refuse to search with `no_scipy` before anything is computed if SciPy is missing."""
    try:
        import_module("scipy.optimize")
    except ImportError as error:
        raise MissingExtraError(
            "no_scipy", "targets that depend on several numbers are tuned by SciPy: install oddsmith[balance]"
        ) from error


class _TargetsMetError(Exception):
    """Ends a global search: every target is met."""


class _TrialLimitError(Exception):
    """Ends a search: no more trials are allowed."""


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
    """Return the best point found within `effort` trials, at least as good as the given one.

    `on_improvement` is called with every better point at once, so that an interrupted search loses nothing.
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
    """The best point so far, and the search methods."""

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
        """Return the objective at a point, which becomes the best point if it is better."""
        objective = self.trials.objective(point, self.selected, self.keys)
        if objective < self.objective:
            self.point, self.objective = point, objective
            self.on_improvement(point)
        return objective

    def search_all(self) -> None:
        """Evaluate every point."""
        start = list(self.point)
        for steps in product(*(range(self.trials.ranges[key].size) for key in self.keys)):
            for key, step in zip(self.keys, steps, strict=True):
                start[key] = step
            self._evaluate(tuple(start))

    def _point_at(self, shares: "Sequence[float] | NDArray[np.float64]") -> Point:
        """Return the point at which each number that may change is at a share of its range."""
        point = list(self.point)
        for key, share in zip(self.keys, shares, strict=True):
            last = self.trials.ranges[key].size - 1
            point[key] = min(max(round(float(share) * last), 0), last)
        return tuple(point)

    def _shares(self, point: Point) -> list[float]:
        return [point[key] / max(self.trials.ranges[key].size - 1, 1) for key in self.keys]

    def search_locally(self) -> None:
        """Minimise the residuals of all figures by nonlinear least squares, from the best point."""
        import numpy as np
        from scipy.optimize import least_squares

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
        """Minimise the objective by differential evolution with a seed, until all targets are met."""
        from scipy.optimize import Bounds, differential_evolution

        def cost(shares: "NDArray[np.float64]") -> float:
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
        """Improve the best point by pattern search, with strides that shrink to single steps."""
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
        """Return whether a move leads to a better point, which becomes the best point."""
        point = list(self.point)
        for key, stride in move.items():
            point[key] += stride
            if not 0 <= point[key] < self.trials.ranges[key].size:
                return False
        before = self.objective
        return self._evaluate_within_limit(tuple(point)) < before


def _residual(target: Target, reading: Reading) -> float:
    """Return the signed distance of a value from the preferred one or the target range, for least squares."""
    preferred = target.preferred
    distance = _signed_distance(target, reading) if preferred is None else reading.value - preferred
    return sqrt(target.weight) * float(distance / target.scale)


def _signed_distance(target: Target, reading: Reading) -> Fraction:
    below = target.wanted.low is not None and reading.value < target.wanted.low
    return -target.distance(reading) if below else target.distance(reading)


PROBES: Final = 4
"""The number of equal parts of a range at whose ends monotonicity is tested."""
MOST_COMPROMISES: Final = 32
"""The number of points that are tried between target ranges that exclude each other."""


class _NotMonotoneError(Exception):
    """A figure is not monotone in the number, or the rules refuse one of its values."""


class LineSolution(NamedTuple):
    """The best point for selected targets when one number may change."""

    point: Point
    met: bool
    stepped_over: Mapping[int, tuple[Point, Point]]
    """The targets whose range lies between two neighbouring points, with those points: the step is too large for them."""


def solve_line(trials: Trials, point: Point, key: int, selected: Sequence[int]) -> LineSolution | None:
    """Return the best point for selected targets when one number may change; None where a figure is not monotone.

    The best point has the least violation, then the least deviation from preferred values, then the least distance
    from the current number.
    """
    line = _Line(trials, point, key, selected)
    try:
        return line.solve()
    except _NotMonotoneError:
        return None


class _Line:
    """All points that differ in one number."""

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
        """Return 1 if a figure rises with the number, or -1 if it falls, at the probed values."""
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
        """Return the first and the last step at which a target is met, and the steps next to its preferred value."""
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
        """Return the first step at which `direction` times a figure reaches or exceeds a level; one past the last if none does."""

        def is_reached(step: int) -> bool:
            value = direction * self._read(step, number)
            return value > level if above else value >= level

        return _first_true(is_reached, self.last + 1)

    def _rank(self, step: int) -> tuple[Objective, int]:
        self._readings(self.at(step))
        objective = self.trials.objective(self.at(step), self.selected, ())
        return objective._replace(infeasibility=Fraction(0)), abs(step - self.start)

    def _nearest_to_start(self, step: int) -> int:
        """Return the step nearest to the current value at which every figure is the same."""
        same = self._readings(self.at(step))
        direction = 1 if self.start > step else -1
        distance = abs(self.start - step)

        def is_different(steps: int) -> bool:
            return self.trials.read(self.at(step + direction * steps), self.selected) != same

        return step + direction * (_first_true(is_different, distance + 1) - 1)


def _first_true(holds: Callable[[int], bool], end: int) -> int:
    """Return the first number below `end` for which a monotone predicate holds; `end` if there is none.

    >>> _first_true(lambda number: number * number >= 50, 100)
    8
    """
    low, high = 0, end
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low

"""Numbers that meet targets: by bisection where one number moves figures one way, by SciPy on exact odds else."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import prod, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from oddsmith.balance.tuning.targets import Target
from oddsmith.balance.tuning.trials import Place, Standing, Trials, shifted
from oddsmith.errors import MissingExtraError
from oddsmith.figure import Reading, Unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


SLOPE: Final = 100
"""Slopes are measured over this part of a range."""
FIRST_STRIDE: Final = 64
"""The first stride of the last walk is this part of a range."""
MOST_PAIRED: Final = 4
"""Up to so many numbers are also moved two at a time."""
DESCENTS: Final = 30
REFUSED: Final = 10.0
NEARNESS: Final = 1e-3


def require_scipy() -> None:
    """Refuse to search before anything is computed, where SciPy is not installed."""
    try:
        import scipy.optimize  # noqa: F401, PLC0415  only whether it is there
    except ImportError as error:
        raise MissingExtraError(
            "no_scipy", "entangled targets are tuned by SciPy: install oddsmith[balance]"
        ) from error


class _Met(Exception):  # noqa: N818  it never leaves this module
    """Every target is met."""


class _Enough(Exception):  # noqa: N818  it never leaves this module
    """No more trials are allowed."""


def searched(
    trials: Trials,
    place: Place,
    keys: Sequence[int],
    asked: Sequence[int],
    *,
    seed: int,
    effort: int,
    better: Callable[[Place], None] = lambda _: None,
) -> Place:
    """Return the best place that was found within so many trials, at least as good as the one given.

    `better` hears of every improvement at once, so that nothing is lost when the search is interrupted.
    """
    search = _Search(trials, place, keys, asked)
    search.limit, search.better = trials.count + effort, better
    if prod(trials.ranges[key].places for key in keys) <= effort:
        search.scan()
        return search.place
    with suppress(_Enough):
        search.descend()
        if not search.standing.is_met:
            search.roam(seed)
        search.walk()
    return search.place


class _Search:
    """The best place so far, and the ways to a better one."""

    def __init__(self, trials: Trials, place: Place, keys: Sequence[int], asked: Sequence[int]) -> None:
        self.trials, self.place, self.keys, self.asked = trials, place, keys, asked
        self.limit = trials.count
        self.better: Callable[[Place], None] = lambda _: None
        self.standing = trials.standing(place, asked, keys)

    def _try(self, place: Place) -> Standing:
        if self.trials.count >= self.limit:
            raise _Enough
        return self._take(place)

    def _take(self, place: Place) -> Standing:
        """Look at a place, and stay there if it is the best so far."""
        standing = self.trials.standing(place, self.asked, self.keys)
        if standing < self.standing:
            self.place, self.standing = place, standing
            self.better(place)
        return standing

    def scan(self) -> None:
        """Try every place there is: few enough are left to be sure."""
        home = list(self.place)
        for steps in product(*(range(self.trials.ranges[key].places) for key in self.keys)):
            for key, step in zip(self.keys, steps, strict=True):
                home[key] = step
            self._take(tuple(home))

    def _moved(self, shares: "Sequence[float] | NDArray[np.float64]") -> Place:
        """Return the place at which each number that may move stands at a share of its range."""
        place = list(self.place)
        for key, share in zip(self.keys, shares, strict=True):
            last = self.trials.ranges[key].places - 1
            place[key] = min(max(round(float(share) * last), 0), last)
        return tuple(place)

    def _shares(self, place: Place) -> list[float]:
        return [place[key] / max(self.trials.ranges[key].places - 1, 1) for key in self.keys]

    def descend(self) -> None:
        """Follow the slopes of all figures at once, from the present place."""
        import numpy as np  # noqa: PLC0415  heavy, and only needed here
        from scipy.optimize import least_squares  # noqa: PLC0415  heavy, and only needed here

        home = self._shares(self.trials.start)

        def residuals(shares: "NDArray[np.float64]") -> "NDArray[np.float64]":
            place = self._moved(shares)
            self._try(place)
            readings = self.trials.read(place, self.asked)
            pulls = [NEARNESS * (share - origin) for share, origin in zip(shares, home, strict=True)]
            if readings is None:
                return np.array([REFUSED] * len(self.asked) + pulls)
            aimed = [_residual(self.trials.targets[target], readings[target]) for target in self.asked]
            return np.array(aimed + pulls)

        def slopes(shares: "NDArray[np.float64]") -> "NDArray[np.float64]":
            columns = []
            for number, key in enumerate(self.keys):
                last = max(self.trials.ranges[key].places - 1, 1)
                reach = max(1, last // SLOPE) / last
                low, high = shares.copy(), shares.copy()
                low[number], high[number] = max(shares[number] - reach, 0.0), min(shares[number] + reach, 1.0)
                columns.append((residuals(high) - residuals(low)) / (high[number] - low[number]))
            return np.stack(columns, axis=1)

        inside = np.clip(self._shares(self.place), 1e-9, 1 - 1e-9)
        least_squares(
            residuals, inside, jac=slopes, bounds=(0.0, 1.0), max_nfev=DESCENTS, xtol=1e-9, ftol=1e-12
        )

    def roam(self, seed: int) -> None:
        """Look everywhere, by differential evolution with a seed."""
        from scipy.optimize import Bounds, differential_evolution  # noqa: PLC0415  as above

        def cost(shares: Any) -> float:  # noqa: ANN401  an array of numpy's
            standing = self._try(self._moved(shares))
            if self.standing.is_met:
                raise _Met
            return float(standing.broken + standing.lack) + 1e-6 * float(standing.strain)

        with suppress(_Met):
            differential_evolution(
                cost,
                Bounds([0.0] * len(self.keys), [1.0] * len(self.keys)),
                x0=self._shares(self.place),
                rng=seed,
                polish=False,
                init="sobol",
                popsize=8,
                maxiter=1_000,
                tol=0,
            )

    def walk(self) -> None:
        """Walk to better places by ever smaller strides, down to single steps."""
        part = FIRST_STRIDE
        while True:
            strides = {key: max(1, self.trials.ranges[key].places // part) for key in self.keys}
            while any(self._stride(move) for move in self._moves(strides)):
                pass
            if all(stride == 1 for stride in strides.values()):
                return
            part *= 4

    def _moves(self, strides: dict[int, int]) -> Iterator[dict[int, int]]:
        for key, stride in strides.items():
            yield from ({key: stride}, {key: -stride})
        if len(strides) <= MOST_PAIRED:
            for (one, first), (other, second) in combinations(strides.items(), 2):
                for way, back in product((1, -1), repeat=2):
                    yield {one: way * first, other: back * second}

    def _stride(self, move: dict[int, int]) -> bool:
        """Say whether a move leads to a better place, and stay there if so."""
        place = list(self.place)
        for key, stride in move.items():
            place[key] += stride
            if not 0 <= place[key] < self.trials.ranges[key].places:
                return False
        before = self.standing
        return self._try(tuple(place)) < before


def _residual(target: Target, reading: Reading) -> float:
    """Return how far a value is from what is wanted, with its sign, for a descent."""
    middle = target.middle
    distance = _signed(target, reading) if middle is None else reading.value - middle
    return sqrt(target.weight) * float(distance / target.scale)


def _signed(target: Target, reading: Reading) -> Fraction:
    below = target.aim.low is not None and reading.value < target.aim.low
    return -target.distance(reading) if below else target.distance(reading)


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

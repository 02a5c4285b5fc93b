"""Which formula of a kind comes nearest to a table: the least possible greatest distance from any row.

A family of formulas is linear in its coefficients, once the one that is not, an exponent or a rate, is fixed. For fixed
ones the best coefficients are found by Remez's exchange: at the best fit, one row more than there are coefficients is
missed by the same distance, above and below in turn. Lines and parabolas are fitted in fractions; the rest in floats, and
their distances are for show.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import exp, inf, log
from typing import Any, Final, NamedTuple, TypeAlias

Point: TypeAlias = tuple[Fraction, Fraction]

MOST_EXCHANGES: Final = 100
GRID: Final = 40
REFINEMENTS: Final = 50
STEEPEST_POWER: Final = 6.0
FLATTEST_POWER: Final = 0.05
STEEPEST_GROWTH: Final = 20.0
"""An exponential grows over a table by at most e to this power."""
GOLDEN: Final = (5**0.5 - 1) / 2
BARELY: Final = 1e-9


class Fit(NamedTuple):
    """A formula of a kind, and how far the row that it misses most is from it."""

    family: str
    formula: str
    distance: float
    parameters: int


class Step(NamedTuple):
    """From one row to the next: how much is gained for each unit, at least and at most, whatever was rounded away."""

    start: Point
    end: Point
    least: Fraction
    most: Fraction

    @property
    def gain(self) -> Fraction:
        """What the row itself gains for each unit."""
        return (self.end[1] - self.start[1]) / (self.end[0] - self.start[0])


class Bend(NamedTuple):
    """Two steps of which the later is surely steeper, or surely flatter."""

    before: Step
    after: Step


def steps_of(points: Sequence[Point], digit: Fraction) -> list[Step]:
    """Return the steps of a table whose numbers were rounded to a digit.

    >>> step, = steps_of([(Fraction(25), Fraction(20)), (Fraction(26), Fraction("20.44"))], Fraction("0.01"))
    >>> step.least, step.most
    (Fraction(43, 100), Fraction(9, 20))
    """
    return [
        Step(
            (x, y),
            (next_x, next_y),
            (next_y - y - digit) / (next_x - x),
            (next_y - y + digit) / (next_x - x),
        )
        for (x, y), (next_x, next_y) in pairwise(points)
    ]


def bends_of(steps: Sequence[Step]) -> tuple[Bend | None, Bend | None]:
    """Return the sharpest bend upwards and the sharpest downwards, None where there is none for sure.

    A line, a parabola, a power, an exponential and a sum of a line and a power bend one way only: a table with both is
    none of them, whatever the coefficients.
    """
    upward = _sharpest(steps, lambda before, after: after.least - before.most)
    downward = _sharpest(steps, lambda before, after: before.least - after.most)
    return upward, downward


def _sharpest(steps: Sequence[Step], turn: Callable[[Step, Step], Fraction]) -> Bend | None:
    bends = [Bend(before, after) for before, after in pairwise(steps)]
    sure = [bend for bend in bends if turn(*bend) > 0]
    return max(sure, key=lambda bend: turn(*bend), default=None)


def best_line(points: Sequence[Point]) -> Fit:
    """Return the line that comes nearest to a table; its distance is exact before it is shown.

    >>> best_line([(Fraction(0), Fraction(0)), (Fraction(1), Fraction(3)), (Fraction(2), Fraction(2))]).formula
    '1 + 1 × x'
    """
    return _polynomial("linear", points, 1)


def best_fits(points: Sequence[Point]) -> list[Fit]:
    """Return the best formula of every kind that has fewer coefficients than there are rows, the nearest first.

    There are four rows or more, each further on than the one before.

    >>> squares = [(Fraction(x), Fraction(x * x)) for x in range(1, 8)]
    >>> sorted(fit.family for fit in best_fits(squares) if fit.distance < 1e-6)
    ['line and power', 'power', 'quadratic']
    """
    return sorted(
        (fit for fit in _fits(points) if fit.parameters < len(points)), key=lambda fit: round(fit.distance, 9)
    )


def _fits(points: Sequence[Point]) -> Iterator[Fit]:
    first = points[0][0]
    span = float(points[-1][0] - first)
    yield best_line(points)
    yield _polynomial("quadratic", points, 2)
    rough = [(float(x), float(y)) for x, y in points]
    if first > 0:
        yield _searched(
            "power",
            rough,
            lambda power: [lambda x: x**power],
            _spread(log(FLATTEST_POWER), log(STEEPEST_POWER), exp),
            lambda numbers, power: f"{numbers[0]:.4g} × x^{power:.4g}",
        )
    yield _searched(
        "exponential",
        rough,
        lambda rate: [lambda x: exp(rate * (x - float(first)))],
        _spread(-STEEPEST_GROWTH / span, STEEPEST_GROWTH / span),
        lambda numbers, rate: f"{numbers[0]:.4g} × {exp(rate):.5g}^(x − {float(first):g})",
    )
    yield _searched(
        "line and power",
        rough,
        lambda power: [lambda _: 1.0, lambda x: x - float(first), lambda x: (x - float(first)) ** power],
        [
            power
            for power in _spread(log(FLATTEST_POWER), log(STEEPEST_POWER), exp)
            if abs(power - 1) > BARELY
        ],
        lambda numbers, power: (
            _sum(numbers, ("", " × u", f" × u^{power:.4g}")) + f" with u = x − {float(first):g}"
        ),
    )


def _spread(low: float, high: float, scale: Callable[[float], float] = float) -> list[float]:
    return [scale(low + (high - low) * place / GRID) for place in range(GRID + 1)]


def _polynomial(family: str, points: Sequence[Point], degree: int) -> Fit:
    rows = [[x**power for power in range(degree + 1)] for x, _ in points]
    numbers, distance = _minimax(rows, [y for _, y in points])
    return Fit(family, _sum(numbers, ("", " × x", " × x²")), float(distance), degree + 1)


def _sum(numbers: Sequence[Any], terms: Sequence[str]) -> str:
    """Write a sum of terms, those that are subtracted as such.

    >>> _sum([3.122, -2.473], ["", " × x"])
    '3.122 − 2.473 × x'
    """
    signed = [
        f"{'−' if number < 0 else '+'} {abs(float(number)):.4g}{term}"
        for number, term in zip(numbers, terms, strict=False)
    ]
    return " ".join(signed).removeprefix("+ ")


def _searched(
    family: str,
    points: Sequence[tuple[float, float]],
    basis: Callable[[float], Sequence[Callable[[float], float]]],
    bends: Sequence[float],
    write: Callable[[Sequence[float], float], str],
) -> Fit:
    """Return the best fit over the one coefficient that is not linear: over a grid, then by the golden section."""

    def fitted(bend: float) -> tuple[list[float], float]:
        rows = [[function(x) for function in basis(bend)] for x, _ in points]
        return _minimax(rows, [y for _, y in points])

    def distance(bend: float) -> float:
        return fitted(bend)[1]

    place = min(range(len(bends)), key=lambda one: distance(bends[one]))
    low, high = bends[max(0, place - 1)], bends[min(len(bends) - 1, place + 1)]
    for _ in range(REFINEMENTS):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        low, high = (low, right) if distance(left) <= distance(right) else (left, high)
    bend = min((bends[place], (low + high) / 2), key=distance)
    numbers, off = fitted(bend)
    return Fit(family, write(numbers, bend), off, len(numbers) + 1)


def _minimax(rows: Sequence[Sequence[Any]], wanted: Sequence[Any]) -> tuple[list[Any], Any]:
    """Return the coefficients whose greatest distance from what is wanted is least, and that distance."""
    count = len(rows[0])
    held = [place * (len(rows) - 1) // count for place in range(count + 1)]
    numbers: list[Any] = []
    worst: Any = inf
    for _ in range(MOST_EXCHANGES):
        solved = _solve(
            [[*rows[place], (-1) ** turn] for turn, place in enumerate(held)], [wanted[p] for p in held]
        )
        if solved is None:
            break
        *candidate, level = solved
        missed = [y - _total(row, candidate) for row, y in zip(rows, wanted, strict=True)]
        farthest = max(range(len(rows)), key=lambda place: abs(missed[place]))
        if abs(missed[farthest]) < worst:
            numbers, worst = candidate, abs(missed[farthest])
        if abs(missed[farthest]) <= abs(level) * (1 + BARELY) + BARELY or farthest in held:
            break
        held = _exchanged(held, farthest, missed)
    return numbers or [0] * count, worst


def _exchanged(held: Sequence[int], place: int, missed: Sequence[Any]) -> list[int]:
    """Let a row take the place of a neighbour that is missed on the same side, so that the sides still take turns."""
    above = missed[place] > 0
    if place < held[0]:
        return [place, *held[1:]] if (missed[held[0]] > 0) == above else [place, *held[:-1]]
    if place > held[-1]:
        return [*held[:-1], place] if (missed[held[-1]] > 0) == above else [*held[1:], place]
    right = next(turn for turn, one in enumerate(held) if one > place)
    turn = right if (missed[held[right]] > 0) == above else right - 1
    return [*held[:turn], place, *held[turn + 1 :]]


def _total(row: Sequence[Any], numbers: Sequence[Any]) -> Any:  # noqa: ANN401  fractions or floats, as the rows are
    return sum(value * number for value, number in zip(row, numbers, strict=True))


def _solve(matrix: list[list[Any]], wanted: Sequence[Any]) -> list[Any] | None:
    """Solve linear equations by elimination; None where they have no single solution."""
    lines = [[*row, value] for row, value in zip(matrix, wanted, strict=True)]
    size = len(lines)
    for column in range(size):
        pivot = max(range(column, size), key=lambda line: abs(lines[line][column]))
        if not lines[pivot][column]:
            return None
        lines[column], lines[pivot] = lines[pivot], lines[column]
        lead = lines[column][column]
        lines[column] = [value / lead for value in lines[column]]
        for line in range(size):
            if line != column and lines[line][column]:
                factor = lines[line][column]
                lines[line] = [
                    value - factor * above for value, above in zip(lines[line], lines[column], strict=True)
                ]
    return [line[-1] for line in lines]

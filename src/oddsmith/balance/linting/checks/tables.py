"""Checks of printed tables: rows that contradict their formula, and tables that no formula fits.

The best formula of a kind minimises the greatest distance from any row.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import exp, inf, log
from typing import Final, NamedTuple, TypeAlias

from oddsmith.balance.formatting import format_number
from oddsmith.balance.linting.findings import Finding, Severity, check
from oddsmith.exhibit import PrintedTable, TableRow

Point: TypeAlias = tuple[Fraction, Fraction]
Number: TypeAlias = Fraction | float

MOST_EXCHANGES: Final = 100
GRID: Final = 40
REFINEMENTS: Final = 50
STEEPEST_POWER: Final = 6.0
FLATTEST_POWER: Final = 0.05
STEEPEST_GROWTH: Final = 20.0
"""The greatest exponent by which an exponential grows or falls over a table."""
GOLDEN: Final = (5**0.5 - 1) / 2
TOLERANCE: Final = 1e-9


class Fit(NamedTuple):
    """The best formula of a kind, and its distance from the row that it misses most."""

    family: str
    formula: str
    distance: float
    parameters: int


class Step(NamedTuple):
    """The interval from one row to the next: the least and the greatest gain for each unit that rounding allows."""

    start: Point
    end: Point
    least: Fraction
    most: Fraction

    @property
    def gain(self) -> Fraction:
        """The gain for each unit of the printed numbers."""
        return (self.end[1] - self.start[1]) / (self.end[0] - self.start[0])


class Bend(NamedTuple):
    """Two steps of which the later is certainly steeper, or certainly flatter."""

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
    """Return the sharpest bend upwards and the sharpest downwards, None where no bend is certain.

    A line, a parabola, a power, an exponential and a sum of a line and a power bend one way only: a table with both
    is none of them, whatever the coefficients.
    """
    upward = _sharpest_bend(steps, lambda before, after: after.least - before.most)
    downward = _sharpest_bend(steps, lambda before, after: before.least - after.most)
    return upward, downward


def _sharpest_bend(steps: Sequence[Step], turn: Callable[[Step, Step], Fraction]) -> Bend | None:
    bends = [Bend(before, after) for before, after in pairwise(steps)]
    sure = [bend for bend in bends if turn(*bend) > 0]
    return max(sure, key=lambda bend: turn(*bend), default=None)


def best_line(points: Sequence[Point]) -> Fit:
    """Return the line with the least greatest distance from a table, computed exactly.

    >>> best_line([(Fraction(0), Fraction(0)), (Fraction(1), Fraction(3)), (Fraction(2), Fraction(2))]).formula
    '1 + 1 × x'
    """
    return _polynomial("linear", points, 1)


def best_fits(points: Sequence[Point]) -> list[Fit]:
    """Return the best formula of every kind with fewer coefficients than there are rows, the nearest first.

    There are four rows or more, in ascending order.

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
        yield _search_fit(
            "power",
            rough,
            lambda power: [lambda x: x**power],
            _grid(log(FLATTEST_POWER), log(STEEPEST_POWER), exp),
            lambda numbers, power: f"{numbers[0]:.4g} × x^{power:.4g}",
        )
    yield _search_fit(
        "exponential",
        rough,
        lambda rate: [lambda x: exp(rate * (x - float(first)))],
        _grid(-STEEPEST_GROWTH / span, STEEPEST_GROWTH / span),
        lambda numbers, rate: f"{numbers[0]:.4g} × {exp(rate):.5g}^(x − {float(first):g})",
    )
    yield _search_fit(
        "line and power",
        rough,
        lambda power: [lambda _: 1.0, lambda x: x - float(first), lambda x: (x - float(first)) ** power],
        [
            power
            for power in _grid(log(FLATTEST_POWER), log(STEEPEST_POWER), exp)
            if abs(power - 1) > TOLERANCE
        ],
        lambda numbers, power: (
            _format_sum(numbers, ("", " × u", f" × u^{power:.4g}")) + f" with u = x − {float(first):g}"
        ),
    )


def _grid(low: float, high: float, scale: Callable[[float], float] = float) -> list[float]:
    return [scale(low + (high - low) * place / GRID) for place in range(GRID + 1)]


def _polynomial(family: str, points: Sequence[Point], degree: int) -> Fit:
    rows = [[x**power for power in range(degree + 1)] for x, _ in points]
    numbers, distance = _minimax(rows, [y for _, y in points])
    return Fit(family, _format_sum(numbers, ("", " × x", " × x²")), float(distance), degree + 1)


def _format_sum(numbers: Sequence[Number], terms: Sequence[str]) -> str:
    """Format a sum of terms, with negative ones subtracted.

    >>> _format_sum([3.122, -2.473], ["", " × x"])
    '3.122 − 2.473 × x'
    """
    signed = [
        f"{'−' if number < 0 else '+'} {abs(float(number)):.4g}{term}"
        for number, term in zip(numbers, terms, strict=False)
    ]
    return " ".join(signed).removeprefix("+ ")


def _search_fit(
    family: str,
    points: Sequence[tuple[float, float]],
    basis: Callable[[float], Sequence[Callable[[float], float]]],
    candidates: Sequence[float],
    format_formula: Callable[[Sequence[Number], float], str],
) -> Fit:
    """Return the best fit over the one coefficient that is not linear: on a grid, then by golden-section search."""

    def fit_at(candidate: float) -> tuple[list[Number], Number]:
        rows = [[function(x) for function in basis(candidate)] for x, _ in points]
        return _minimax(rows, [y for _, y in points])

    def distance(candidate: float) -> Number:
        return fit_at(candidate)[1]

    place = min(range(len(candidates)), key=lambda one: distance(candidates[one]))
    low, high = candidates[max(0, place - 1)], candidates[min(len(candidates) - 1, place + 1)]
    for _ in range(REFINEMENTS):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        low, high = (low, right) if distance(left) <= distance(right) else (left, high)
    candidate = min((candidates[place], (low + high) / 2), key=distance)
    numbers, least_distance = fit_at(candidate)
    return Fit(family, format_formula(numbers, candidate), float(least_distance), len(numbers) + 1)


def _minimax(rows: Sequence[Sequence[Number]], targets: Sequence[Number]) -> tuple[list[Number], Number]:
    """Return the coefficients with the least greatest distance from the targets, by the Remez exchange algorithm, and that distance."""
    count = len(rows[0])
    reference = [place * (len(rows) - 1) // count for place in range(count + 1)]
    numbers: list[Number] = []
    worst: Number = inf
    for _ in range(MOST_EXCHANGES):
        solved = _solve(
            [[*rows[place], (-1) ** turn] for turn, place in enumerate(reference)],
            [targets[p] for p in reference],
        )
        if solved is None:
            break
        *candidate, level = solved
        residuals = [y - _dot(row, candidate) for row, y in zip(rows, targets, strict=True)]
        farthest = max(range(len(rows)), key=lambda place: _magnitude(residuals[place]))
        if _magnitude(residuals[farthest]) < worst:
            numbers, worst = candidate, _magnitude(residuals[farthest])
        if (
            _magnitude(residuals[farthest]) <= _magnitude(level) * (1 + TOLERANCE) + TOLERANCE
            or farthest in reference
        ):
            break
        reference = _exchange(reference, farthest, residuals)
    return numbers or [0] * count, worst


def _exchange(reference: Sequence[int], place: int, residuals: Sequence[Number]) -> list[int]:
    """Replace a row of the reference by another one whose residual has the same sign, so that signs alternate."""
    above = residuals[place] > 0
    if place < reference[0]:
        return [place, *reference[1:]] if (residuals[reference[0]] > 0) == above else [place, *reference[:-1]]
    if place > reference[-1]:
        return (
            [*reference[:-1], place] if (residuals[reference[-1]] > 0) == above else [*reference[1:], place]
        )
    right = next(turn for turn, one in enumerate(reference) if one > place)
    turn = right if (residuals[reference[right]] > 0) == above else right - 1
    return [*reference[:turn], place, *reference[turn + 1 :]]


def _dot(row: Sequence[Number], numbers: Sequence[Number]) -> Number:
    return sum(value * number for value, number in zip(row, numbers, strict=True))


def _magnitude(number: Number) -> Number:
    return -number if number < 0 else number


def _solve(matrix: Sequence[Sequence[Number]], targets: Sequence[Number]) -> list[Number] | None:
    """Solve linear equations by elimination; None where there is no unique solution."""
    lines = [[*row, value] for row, value in zip(matrix, targets, strict=True)]
    size = len(lines)
    for column in range(size):
        pivot = max(range(column, size), key=lambda line: _magnitude(lines[line][column]))
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


FEWEST_ROWS: Final = 4
MOST_LISTED: Final = 3


@check("table-contradicts-formula", Severity.ERROR, PrintedTable, "A printed table contradicts its formula")
def _contradicts_formula(table: PrintedTable) -> Iterator[Finding]:
    """Compute every row by the formula that is printed with the table, to the digit that is printed."""
    wrong = [(row, row.computed) for row in table.rows if row.computed is not None and _is_wrong(row, table)]
    if not wrong:
        return
    farthest = max(wrong, key=lambda pair: abs(pair[0].printed - pair[1]))[0]
    in_force = "play uses the table" if table.in_force else "play uses the formula"
    right = ", ".join(
        f"{format_number(row.at)}: {_format_rounded(computed, table.digit)}" for row, computed in wrong
    )
    contradict = "contradicts" if len(wrong) == 1 else "contradict"
    yield Finding(
        check="table-contradicts-formula",
        severity=Severity.ERROR,
        where=table.where,
        sentence=f"{len(wrong)} of {len(table.rows)} rows of {table.about} {contradict} {table.formula}; worst at "
        f"{format_number(farthest.at)}, where {format_number(farthest.printed)} is printed for "
        f"{_format_rounded(farthest.computed or Fraction(0), table.digit)} ({in_force})",
        evidence={"wrong": [row for row, _ in wrong], "rows": len(table.rows), "formula": table.formula},
        suggestion=f"print {right}",
    )


@check(
    "table-fits-no-formula",
    Severity.WARNING,
    PrintedTable,
    "A printed table that no formula of its kind fits",
)
def _fits_no_formula(table: PrintedTable) -> Iterator[Finding]:
    """Fit linear, quadratic, power and exponential formulas, and a line plus a power: one should meet every printed digit.

    All of them are convex or concave, so a table that is neither is proven to follow none of them.
    """
    rows = sorted(table.rows, key=lambda row: row.at)
    if len(rows) < FEWEST_ROWS or _is_its_formula(table) or _repeats(rows):
        return
    points = [(row.at, row.printed) for row in rows]
    steps = steps_of(points, table.digit)
    upward, downward = bends_of(steps)
    fits = best_fits(points)
    fitting = any(fit.distance <= table.digit / 2 + Fraction(1, 10**9) for fit in fits)
    if fitting or not fits:
        return
    outlying = _outlying_steps(steps)
    yield Finding(
        check="table-fits-no-formula",
        severity=Severity.WARNING,
        where=table.where,
        sentence=f"{table.about} follows no formula: the nearest, {fits[0].formula} ({fits[0].family}), "
        f"misses a row by {fits[0].distance:.4g}{_describe_jumps(outlying)}",
        evidence={
            "nearest": [_fit_evidence(fit) for fit in fits],
            "proof": _describe_proof(upward, downward),
            "jumps": [_step_evidence(step) for step in outlying],
        },
        suggestion=f"print the rows of one formula: {table.formula or fits[0].formula}",
    )


def _is_wrong(row: TableRow, table: PrintedTable) -> bool:
    return row.computed is not None and abs(row.printed - row.computed) > table.digit / 2


def _is_its_formula(table: PrintedTable) -> bool:
    return all(row.computed is not None and not _is_wrong(row, table) for row in table.rows)


def _repeats(rows: Sequence[TableRow]) -> bool:
    return any(row.at == following.at for row, following in pairwise(rows))


def _format_rounded(value: Fraction, digit: Fraction) -> str:
    return format_number(round(value / digit) * digit) if digit else format_number(value)


def _outlying_steps(steps: Sequence[Step]) -> list[Step]:
    """Return the steps that are certainly steeper or certainly flatter than both their neighbours, the most extreme first."""
    outlying = []
    for before, step, after in zip(steps, steps[1:], steps[2:], strict=False):
        above = step.least - max(before.most, after.most)
        below = min(before.least, after.least) - step.most
        if max(above, below) > 0:
            outlying.append((max(above, below), step))
    return [step for _, step in sorted(outlying, key=lambda pair: -pair[0])]


def _describe_jumps(outlying: Sequence[Step]) -> str:
    if not outlying:
        return ""
    listed_jumps = ", ".join(
        f"{format_number(step.start[0])}→{format_number(step.end[0])} {'+' if step.gain >= 0 else ''}{format_number(step.gain)}"
        for step in outlying[:MOST_LISTED]
    )
    return f"; gains for each step that are out of line with their neighbours: {listed_jumps}"


def _describe_proof(upward: Bend | None, downward: Bend | None) -> str:
    if upward is None or downward is None:
        return "no formula of these kinds was found within rounding"
    return (
        f"it is convex at {format_number(upward.after.start[0])} and concave at {format_number(downward.after.start[0])}, "
        "and each of these formulas is either convex or concave"
    )


def _fit_evidence(fit: Fit) -> dict[str, object]:
    return {"family": fit.family, "formula": fit.formula, "distance": float(f"{fit.distance:.6g}")}


def _step_evidence(step: Step) -> dict[str, object]:
    return {"from": step.start[0], "to": step.end[0], "gain": step.gain}

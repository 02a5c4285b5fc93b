"""A printed table says what its formula says, or what some formula of its kind would."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from oddsmith.balance.linting.checks.curves import Bend, Fit, Step, bends_of, best_fits, steps_of
from oddsmith.balance.linting.findings import Finding, Severity, check
from oddsmith.balance.wording import as_number
from oddsmith.exhibit import PrintedTable, TableRow

__all__: list[str] = []

FEWEST_ROWS: Final = 4
MOST_TOLD: Final = 3


@check("table-contradicts-formula", Severity.ERROR, PrintedTable, "A printed table contradicts its formula")
def _contradicts_formula(table: PrintedTable) -> Iterator[Finding]:
    """Compute every row by the formula that stands beside the table, to the digit that is printed."""
    wrong = [(row, row.computed) for row in table.rows if row.computed is not None and _is_wrong(row, table)]
    if not wrong:
        return
    farthest = max(wrong, key=lambda pair: abs(pair[0].printed - pair[1]))[0]
    in_force = "play uses the table" if table.in_force else "play uses the formula"
    right = ", ".join(f"{as_number(row.at)}: {_rounded(computed, table.digit)}" for row, computed in wrong)
    contradict = "contradicts" if len(wrong) == 1 else "contradict"
    yield Finding(
        check="table-contradicts-formula",
        severity=Severity.ERROR,
        where=table.where,
        sentence=f"{len(wrong)} of {len(table.rows)} rows of {table.about} {contradict} {table.formula}; worst at "
        f"{as_number(farthest.at)}, where {as_number(farthest.printed)} is printed for "
        f"{_rounded(farthest.computed or Fraction(0), table.digit)} ({in_force})",
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
    """Fit a line, a parabola, a power, an exponential, and a line with a power: one should meet every printed digit.

    All of them bend one way only, so a table that bends both ways is proven to be none of them.
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
    odd = _out_of_line(steps)
    yield Finding(
        check="table-fits-no-formula",
        severity=Severity.WARNING,
        where=table.where,
        sentence=f"{table.about} follows no formula: the nearest, {fits[0].formula} ({fits[0].family}), "
        f"misses a row by {fits[0].distance:.4g}{_jumps(odd)}",
        evidence={
            "nearest": [_told_fit(fit) for fit in fits],
            "proof": _proof(upward, downward),
            "jumps": [_told_step(step) for step in odd],
        },
        suggestion=f"print the rows of one formula: {table.formula or fits[0].formula}",
    )


def _is_wrong(row: TableRow, table: PrintedTable) -> bool:
    return row.computed is not None and abs(row.printed - row.computed) > table.digit / 2


def _is_its_formula(table: PrintedTable) -> bool:
    return all(row.computed is not None and not _is_wrong(row, table) for row in table.rows)


def _repeats(rows: Sequence[TableRow]) -> bool:
    return any(row.at == following.at for row, following in pairwise(rows))


def _rounded(value: Fraction, digit: Fraction) -> str:
    return as_number(round(value / digit) * digit) if digit else as_number(value)


def _out_of_line(steps: Sequence[Step]) -> list[Step]:
    """Return the steps that are surely steeper or surely flatter than both their neighbours, the oddest first."""
    odd = []
    for before, step, after in zip(steps, steps[1:], steps[2:], strict=False):
        above = step.least - max(before.most, after.most)
        below = min(before.least, after.least) - step.most
        if max(above, below) > 0:
            odd.append((max(above, below), step))
    return [step for _, step in sorted(odd, key=lambda pair: -pair[0])]


def _jumps(odd: Sequence[Step]) -> str:
    if not odd:
        return ""
    told = ", ".join(
        f"{as_number(step.start[0])}→{as_number(step.end[0])} {'+' if step.gain >= 0 else ''}{as_number(step.gain)}"
        for step in odd[:MOST_TOLD]
    )
    return f"; gains for each step that are out of line with their neighbours: {told}"


def _proof(upward: Bend | None, downward: Bend | None) -> str:
    if upward is None or downward is None:
        return "no formula of these kinds was found within rounding"
    return (
        f"it bends upwards at {as_number(upward.after.start[0])} and downwards at {as_number(downward.after.start[0])}, "
        "and each of these formulas bends one way only"
    )


def _told_fit(fit: Fit) -> dict[str, object]:
    return {"family": fit.family, "formula": fit.formula, "distance": float(f"{fit.distance:.6g}")}


def _told_step(step: Step) -> dict[str, object]:
    return {"from": step.start[0], "to": step.end[0], "gain": step.gain}

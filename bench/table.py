"""The results as a table, grouped by area."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bench.rows import Kind, Row, format_figure, format_ratio

HEADS: Final = ("", "measured", "against", "measured", "ratio", "bound", "change", "")
RIGHT: Final = frozenset({1, 3, 4, 5, 6})
"""Columns that are aligned to the right."""


def format_table(
    areas: Mapping[str, Sequence[Row]], changes: Mapping[tuple[str, str], float], *, reasons: bool = False
) -> str:
    """Format the rows as an aligned table; with `reasons`, the reason of a row is below it."""
    lines = {
        (area, row.name): format_row(row, changes.get((area, row.name)))
        for area, rows in areas.items()
        for row in rows
    }
    widths = [max(map(len, column)) for column in zip(HEADS, *lines.values(), strict=True)]

    def render() -> Iterator[str]:
        yield _join(HEADS, widths)
        for area, rows in areas.items():
            yield ""
            yield area
            for row in rows:
                yield _join(lines[area, row.name], widths)
                if reasons:
                    yield f"    {row.reason}"

    return "\n".join(render())


def _join(cells: Sequence[str], widths: Sequence[int]) -> str:
    aligned = (
        cell.rjust(width) if column in RIGHT else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join(aligned).rstrip()


def format_row(row: Row, changed: float | None) -> tuple[str, ...]:
    """Return the cells of a row."""
    figure, since = (
        format_figure(row.measured, row.unit),
        "" if changed is None else f"{100 * changed:+.0f} %",
    )
    if row.against is None or row.ratio is None:
        return f"  {row.name}", figure, "", "", "", "no bound", since, ""
    sign = "≥" if row.against.kind is Kind.PEER else "≤"
    return (
        f"  {row.name}",
        figure,
        row.against.name,
        format_figure(row.against.measured, row.unit),
        format_ratio(row.ratio),
        "no bound" if row.bound is None else f"{sign} {format_ratio(row.bound)}",
        since,
        "held" if row.held else "MISSED",
    )

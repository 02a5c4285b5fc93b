"""Metrics as text that Prometheus scrapes: for each cell how often, what was observed, what is exact, and how likely."""

from collections.abc import Iterator

from oddsmith.balance.observing.observer import Cell, MetricsReport

GAUGES = {
    "count": "How often a cell was met",
    "observed": "The mean of what was observed in a cell",
    "exact": "The mean of what the rules say of the same situations",
    "p": "How likely what was observed is under the rules",
}


def gauge_lines(report: MetricsReport) -> Iterator[str]:
    """Yield the lines of a page.

    >>> from fractions import Fraction
    >>> from oddsmith.balance.observing.observer import Metric
    >>> from oddsmith.figure import Reading, Unit
    >>> cells = (Cell(name="2 rolls", exact=Reading(Fraction(3, 2))),)
    >>> metric = Metric(name="turn", title="turn", unit=Unit.NUMBER, about="", is_most=False, cells=cells)
    >>> report = MetricsReport(
    ...     game="pig", rules_ids=(), resolutions={}, tested_cells=0, threshold=None, metrics=(metric,)
    ... )
    >>> [*gauge_lines(report)][2]
    'oddsmith_balance_exact{game="pig",metric="turn",cell="2 rolls"} 1.5'
    """
    for gauge, about in GAUGES.items():
        lines = [
            f"oddsmith_balance_{gauge}{{{_labels(report.game, metric.name, cell.name)}}} {value!r}"
            for metric in report.metrics
            for cell in metric.cells
            if (value := _value(cell, gauge)) is not None
        ]
        if lines:
            yield f"# HELP oddsmith_balance_{gauge} {about}"
            yield f"# TYPE oddsmith_balance_{gauge} gauge"
            yield from lines


def _value(cell: Cell, gauge: str) -> float | None:
    match gauge:
        case "count":
            return float(cell.count) if cell.count else None
        case "observed":
            return None if cell.observed is None else float(cell.observed)
        case "exact":
            return None if cell.exact is None else float(cell.exact.value)
        case _:
            return cell.p


def _labels(game: str, metric: str, cell: str) -> str:
    return ",".join(
        f'{name}="{_escaped(text)}"' for name, text in (("game", game), ("metric", metric), ("cell", cell))
    )


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

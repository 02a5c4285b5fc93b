"""Measurements of benchmarks: medians of repeated runs, with their bounds."""

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """One line of the results: what was measured, the figure, its bound, and whether it held."""

    what: str
    figure: str
    bound: str
    held: bool


def median(run: Callable[[], object], *, repeats: int) -> float:
    """Return the median wall time of a run in seconds, after one warm-up run."""
    return statistics.median(_times(run, repeats))


def best(run: Callable[[], object], *, repeats: int) -> float:
    """Return the least wall time of a run in seconds, after one run that compiles and warms up."""
    return min(_times(run, repeats))


def _times(run: Callable[[], object], repeats: int) -> list[float]:
    """Return the wall times of `repeats` runs, without garbage collection, as `timeit` does."""
    run()
    times = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
    finally:
        gc.enable()
    return times


def process(arguments: Sequence[str], *, repeats: int = 9) -> float:
    """Return the median wall time of a new Python process in seconds."""
    return median(
        lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True), repeats=repeats
    )


def command(arguments: Sequence[str], *, repeats: int = 9) -> float:
    """Return the median wall time of a new `oddsmith` process in seconds."""
    return process(["-c", "from oddsmith.cli import main; main()", *arguments], repeats=repeats)


def at_most(what: str, seconds: float, bound: float) -> Row:
    """Return a row for a time that must not exceed its bound."""
    return Row(what, _time(seconds), f"≤ {_time(bound)}", seconds <= bound)


def at_least(what: str, figure: float, bound: float, *, unit: str = " ×") -> Row:
    """Return a row for a ratio, or another figure, that must reach its bound."""
    return Row(what, f"{figure:,.0f}{unit}", f"≥ {bound:,.0f}{unit}", figure >= bound)


def _time(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1000:.3g} ms"


def format_rows(rows: Sequence[Row]) -> str:
    """Format the rows as an aligned table."""
    widths = [max(map(len, column)) for column in zip(*((row[:3]) for row in rows), strict=True)]
    return "\n".join(
        f"{row.what:<{widths[0]}}  {row.figure:>{widths[1]}}  {row.bound:>{widths[2]}}  {'held' if row.held else 'MISSED'}"
        for row in rows
    )

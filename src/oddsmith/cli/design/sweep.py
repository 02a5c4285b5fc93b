"""`oddsmith sweep FILE`: the figures of a design at every point of a grid or a sample, as one table."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final

import typer

from oddsmith.command_line import AsJson

if TYPE_CHECKING:
    from oddsmith.balance.sweeping.plan import Sweep
    from oddsmith.balance.sweeping.runner import Extreme, SweepPlan, SweepResult
    from oddsmith.figure import Unit

MINUTE: Final = 60
HOUR: Final = 3600


def run_sweep(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What is varied and read: a sweep file.")],
    *,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="TABLE.csv|parquet", help="Where the table is written."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="NUMBER", min=1, max=256, help="Processes; one per processor."),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option("--dask", metavar="ADDRESS", help="Run on a Dask cluster (needs oddsmith[dask])."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="ROWS", min=1, help="Only the first rows.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how many rows there are and how long they take.")
    ] = False,
    restart: Annotated[
        bool, typer.Option("--restart", help="Discard the rows of an unfinished run.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the table.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compute a design's figures on a whole grid, or a sample.

    To resume an interrupted run, run the same command again.

    Example: oddsmith sweep heist.toml --out heist.csv
    """
    from oddsmith.balance.sweeping.runner import plan_sweep, write_sweep
    from oddsmith.balance.sweeping.sweep_files import read_sweep
    from oddsmith.command_line import console, print_json
    from oddsmith.errors import InputError

    if dask is not None and workers is not None:
        raise InputError("usage", "--dask and --workers cannot be combined: a cluster has its own workers")
    sweep = read_sweep(file)
    if limit is not None:
        sweep = sweep.limit_rows(limit)
    if dry_run:
        planned = plan_sweep(sweep)
        print_json(planned) if as_json else console().print("\n".join(_plan_lines(planned)))
        return
    if out is None:
        raise InputError("no_table", "say where the table is written, such as --out heist.csv", where="out")
    with _progress(sweep, out) as report:
        swept = write_sweep(
            sweep, out, workers=workers, cluster=dask, restart=restart, force=force, progress=report
        )
    print_json(swept) if as_json else console().print("\n".join(_result_lines(swept)))


def _plan_lines(planned: "SweepPlan") -> Iterator[str]:
    from oddsmith.text import escape_markup

    yield f"[bold]{planned.rows:,} rows[/] of {planned.game}, rules {planned.rules_id[:12]}"
    if planned.chunks > 1:
        size = "one row each" if planned.chunk == 1 else f"up to {planned.chunk:,} rows"
        yield f"in {planned.chunks:,} chunks of {size}: an interrupted run keeps the finished ones"
    yield f"columns: {escape_markup(', '.join(planned.columns))}"
    yield f"about {_duration(planned.seconds)} in one process"


def _result_lines(swept: "SweepResult") -> Iterator[str]:
    from oddsmith.text import columns, escape_markup

    kept = f", {swept.kept:,} of them by an earlier run" if swept.kept else ""
    yield f"[bold]{escape_markup(swept.out)}[/]  {swept.rows:,} rows of {swept.game}, rules {swept.rules_id[:12]}{kept}"
    ranges = [
        (one.figure, *_format_extreme(one.lowest, one.unit), "to", *_format_extreme(one.highest, one.unit))
        for one in swept.ranges
        if one.lowest and one.highest
    ]
    if ranges:
        yield from (escape_markup(line) for line in columns(ranges))
    if swept.refused:
        counted = "1 row is" if swept.refused == 1 else f"{swept.refused:,} rows are"
        yield f"[yellow]{counted} refused[/]: the column `refused` says why"


def _format_extreme(extreme: "Extreme", unit: "Unit") -> tuple[str, str]:
    from oddsmith.balance.formatting import format_reading
    from oddsmith.figure import Reading

    return format_reading(Reading(Fraction(extreme.value)), unit), f"(row {extreme.row:,})"


def _duration(seconds: float) -> str:
    """Format a duration.

    >>> _duration(0.4), _duration(95), _duration(9000)
    ('less than a second', '95 s', '150 min')
    """
    if seconds < 1:
        return "less than a second"
    if seconds < 2 * MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / MINUTE:.0f} min" if seconds < 3 * HOUR else f"{seconds / HOUR:.0f} h"


@contextmanager
def _progress(sweep: "Sweep", out: str) -> Iterator[Callable[[int], None]]:
    """Yield a function that shows the progress in rows; on Ctrl-C print how to resume."""
    read: list[int] = [0]
    try:
        with _bar(sweep.rows) as show:

            def report(rows: int) -> None:
                read.append(rows)
                show(rows)

            yield report
    except KeyboardInterrupt:
        typer.echo(_describe_stop(read[-1], sweep.rows, out), err=True)
        raise


def _describe_stop(read: int, rows: int, out: str) -> str:
    """Describe how many rows a stopped run has written.

    >>> _describe_stop(0, 40, "heist.csv")
    'stopped before any of 40 rows was stored'
    """
    if not read:
        return f"stopped before any of {rows:,} rows was stored"
    return (
        f"stopped: {read:,} of {rows:,} rows are stored in {out}.parts; run the same command again to resume"
    )


@contextmanager
def _bar(rows: int) -> Iterator[Callable[[int], None]]:
    import sys
    import time

    from oddsmith.command_line import console

    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    line = (
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} rows"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*line, console=console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=rows, rate="")
        begun: list[tuple[float, int]] = []

        def show(done: int) -> None:
            now = time.perf_counter()
            if not begun:
                begun.append((now, done))
            since, before = begun[0]
            rate = f"{(done - before) / (now - since):,.1f} rows/s" if now > since else ""
            progress.update(task, completed=done, rate=rate)

        yield show

"""Runs a sweep: missing chunks are read by this process, worker processes or a cluster, stored, and written as one table."""

import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Final

import msgspec

from oddsmith.balance.sweeping.cluster import connect_cluster, read_on_cluster
from oddsmith.balance.sweeping.output import Parts, columns, open_parts, require_output, write_table
from oddsmith.balance.sweeping.plan import Sweep
from oddsmith.balance.sweeping.rows import ChunkResult, Row, read_chunk, read_rows
from oddsmith.errors import InputError, OddsmithError, WorkLimitError
from oddsmith.figure import Unit
from oddsmith.worker_pool import MOST_DEATHS, run_pieces

SOLO_SECONDS: Final = 1.0
"""The time that this process reads alone before it starts workers, which takes as long."""
TRIAL_SECONDS: Final = 1.0
"""The time limit of the trial that estimates how long all rows take."""
MOST_WORKERS: Final = 256


class Extreme(msgspec.Struct, frozen=True, kw_only=True):
    """The least or the greatest value of a figure in a sweep, and the first row that has it."""

    value: float
    row: int


class FigureRange(msgspec.Struct, frozen=True, kw_only=True):
    """The extremes of a figure in a sweep; None where it is a name, or was always refused."""

    figure: str
    unit: Unit
    lowest: Extreme | None
    highest: Extreme | None


class SweepResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a sweep; `kept` is the number of rows that an earlier run had read."""

    out: str
    game: str
    rules_id: str
    fingerprint: str
    rows: int
    kept: int
    refused: int
    columns: tuple[str, ...]
    ranges: tuple[FigureRange, ...]


class SweepPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The size of a sweep; `seconds` estimates how long one process would take."""

    game: str
    rules_id: str
    fingerprint: str
    rows: int
    chunks: int
    chunk: int
    seconds: float
    columns: tuple[str, ...]


def write_sweep(
    sweep: Sweep,
    out: str | Path,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    restart: bool = False,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
) -> SweepResult:
    """Read every row of a sweep, and write them as one table, CSV or Parquet by the suffix of `out`.

    `workers` is the number of processes, by default one for each processor; `cluster` is the address of a Dask
    cluster instead. A run that ends early leaves its finished chunks next to the output, and the next run resumes
    with them; `restart` discards them. An existing output is refused without `force`. `progress` is called with the
    number of rows that are read.
    """
    output = Path(out)
    require_output(output)
    _require_no_output(output, force=force)
    with open_parts(sweep, output, restart=restart) as parts:
        finished = parts.finished_chunks()
        kept = done = sum(len(sweep.chunk_rows(number)) for number in finished)
        missing = [number for number in range(sweep.chunks) if number not in finished]
        if progress is not None:
            progress(done)
        with _open_reader(sweep, missing, workers, cluster) as read:
            for number, part in read:
                parts.write_chunk(number, part)
                done += len(sweep.chunk_rows(number))
                if progress is not None:
                    progress(done)
        return _write_output(sweep, parts, output, kept, force=force)


def plan_sweep(sweep: Sweep) -> SweepPlan:
    """Return the size of a sweep without running it, and an estimate of its time from a trial of some rows."""
    return SweepPlan(
        game=sweep.game,
        rules_id=sweep.rules.rules_id,
        fingerprint=sweep.fingerprint,
        rows=sweep.rows,
        chunks=sweep.chunks,
        chunk=sweep.chunk,
        seconds=_estimated_seconds(sweep),
        columns=tuple(columns(sweep)),
    )


def _estimated_seconds(sweep: Sweep) -> float:
    """Return the estimated time in which one process would read all rows, from a trial in the middle.

    One row is read before the trial, so that imports, compilation and caches do not count.
    """
    read_rows(sweep, [0])
    first, size, spent = sweep.rows // 2, 1, 0.0
    while True:
        started = time.perf_counter()
        read_rows(sweep, [(first + place) % sweep.rows for place in range(size)])
        elapsed = time.perf_counter() - started
        spent += elapsed
        if spent > TRIAL_SECONDS or size == min(sweep.chunk, sweep.rows):
            return elapsed / size * sweep.rows
        first, size = first + size, min(size * 4, sweep.chunk, sweep.rows)


@contextmanager
def _open_reader(
    sweep: Sweep, missing: Sequence[int], workers: int | None, cluster: str | None
) -> Iterator[Iterator[ChunkResult]]:
    """Yield the results of the missing chunks; worker processes end with the context."""
    if cluster is not None and missing:
        with connect_cluster(cluster) as client, closing(read_on_cluster(client, sweep, missing)) as read:
            yield read
    elif workers == 1 or not missing:
        yield read_in_process(sweep, missing)
    else:
        results = (
            _read_adaptively(sweep, missing) if workers is None else read_in_workers(sweep, missing, workers)
        )
        with closing(results) as read:
            yield read


def _read_adaptively(sweep: Sweep, missing: Sequence[int]) -> Generator[ChunkResult]:
    """Read in this process for as long as workers take to start, and the rest with one worker for each processor."""
    started, left = time.perf_counter(), iter(missing)
    for number in left:
        yield from read_in_process(sweep, [number])
        if time.perf_counter() - started > SOLO_SECONDS:
            break
    rest = list(left)
    yield from (
        read_in_workers(sweep, rest, min(processor_count(), len(rest)))
        if len(rest) > 1
        else read_in_process(sweep, rest)
    )


def read_in_process(sweep: Sweep, chunks: Iterable[int]) -> Generator[ChunkResult]:
    """Read chunks in this process, one after the other."""
    for number in chunks:
        yield number, read_chunk(sweep, number)


def read_in_workers(sweep: Sweep, chunks: Iterable[int], workers: int) -> Generator[ChunkResult]:
    """Yield each chunk as soon as a worker process has read it; the processes end with the generator."""
    if not 1 <= workers <= MOST_WORKERS:
        raise InputError("bad_workers", f"from 1 to {MOST_WORKERS} workers can be had: {workers} were given")
    return run_pieces(partial(read_chunk, sweep), chunks, workers, refusal=partial(_refuse_chunk, sweep))


def _refuse_chunk(sweep: Sweep, number: int) -> OddsmithError:
    rows = sweep.chunk_rows(number)
    return WorkLimitError(
        "workers_died",
        f"{MOST_DEATHS} workers died reading rows {rows.start:,} to {rows.stop - 1:,}, perhaps for lack of memory: "
        "other chunks are kept; a smaller `chunk`, or fewer workers, may help",
    )


def processor_count() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _write_output(sweep: Sweep, parts: Parts, out: Path, kept: int, *, force: bool) -> SweepResult:
    """Write the table, remove the finished chunks, and return the result."""
    _require_no_output(out, force=force)
    summary = _Summary(sweep)
    write_table(sweep, map(summary.add, parts.rows()), out)
    parts.remove()
    return SweepResult(
        out=str(out),
        game=sweep.game,
        rules_id=sweep.rules.rules_id,
        fingerprint=sweep.fingerprint,
        rows=sweep.rows,
        kept=kept,
        refused=summary.refused,
        columns=tuple(columns(sweep)),
        ranges=tuple(summary.ranges()),
    )


class _Summary:
    """The refused rows and the extremes of figures, collected while rows are written."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.count = self.refused = 0
        self.lowest: dict[str, Extreme] = {}
        self.highest: dict[str, Extreme] = {}

    def add(self, row: Row) -> Row:
        """Add a row to the summary, and return it."""
        self.refused += row.refused is not None
        for name, cell in zip(self.sweep.figures, row.cells, strict=False):
            if not isinstance(cell.value, str):
                here = Extreme(value=cell.value, row=self.count)
                self.lowest[name] = min(self.lowest.get(name, here), here, key=_value)
                self.highest[name] = max(self.highest.get(name, here), here, key=_value)
        self.count += 1
        return row

    def ranges(self) -> Iterator[FigureRange]:
        """Yield the range of each figure."""
        for name in self.sweep.figures:
            yield FigureRange(
                figure=name,
                unit=self.sweep.kind(name).unit,
                lowest=self.lowest.get(name),
                highest=self.highest.get(name),
            )


_value = attrgetter("value")


def _require_no_output(out: Path, *, force: bool) -> None:
    if not force and os.path.lexists(out):
        raise InputError(
            "table_exists",
            f"'{str(out)[:80]}' exists already: name another file, or overwrite it with --force",
        )

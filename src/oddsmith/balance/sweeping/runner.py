"""A sweep is run: what is missing is read by whoever is asked, kept chunk by chunk, and written as one table at the end."""

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
"""So many seconds this process reads alone before it asks for others: starting them takes as long."""
TRIAL_SECONDS: Final = 1.0
"""So many seconds rows are tried to estimate how long all of them take."""
MOST_WORKERS: Final = 256


class Extreme(msgspec.Struct, frozen=True, kw_only=True):
    """The least or the most that a figure is in a sweep, and in which row it is so first."""

    value: float
    row: int


class FigureRange(msgspec.Struct, frozen=True, kw_only=True):
    """Between what a figure lies in a sweep; nothing where it is a name, or was always refused."""

    figure: str
    unit: Unit
    lowest: Extreme | None
    highest: Extreme | None


class SweepResult(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a sweep; `kept` are rows that an earlier run had read."""

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
    """What a sweep would be: `seconds` is about how long one process would read it."""

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
    """Read every row of a sweep, and write them as one table, CSV or Parquet by its name.

    Read by so many processes, as many as there are processors unless told, or by the Dask cluster at an address. A run
    that ends early leaves its finished chunks beside the output, and the next goes on with them. `progress` hears how
    many rows are read.
    """
    output = Path(out)
    require_output(output)
    _require_no_output(output, force=force)
    with open_parts(sweep, output, restart=restart) as parts:
        finished = parts.finished()
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
    """Say what a sweep would be, without running it; some rows are tried to say how long it would take."""
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
    """Return about how long one process would read all rows, by some in the middle that are tried.

    Before that one row is read for nothing: whatever is loaded, compiled or solved once does not count.
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
    """Yield what reads the missing chunks, and end it with its processes."""
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
    """Read alone what takes no longer than to start others, and the rest with as many as there are processors."""
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
    """Read chunks in worker processes, and yield each as soon as it is read; the processes end with the generator."""
    if not 1 <= workers <= MOST_WORKERS:
        raise InputError("bad_workers", f"from 1 to {MOST_WORKERS} workers can be had: {workers} were given")
    return run_pieces(partial(read_chunk, sweep), chunks, workers, refusal=partial(_refuse_chunk, sweep))


def _refuse_chunk(sweep: Sweep, number: int) -> OddsmithError:
    rows = sweep.chunk_rows(number)
    return WorkLimitError(
        "workers_died",
        f"{MOST_DEATHS} workers died reading rows {rows.start:,} to {rows.stop - 1:,}, perhaps for want of memory: "
        "other chunks are kept; a smaller `chunk`, or fewer workers, may help",
    )


def processor_count() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _write_output(sweep: Sweep, parts: Parts, out: Path, kept: int, *, force: bool) -> SweepResult:
    """Write the table, remove the parts, and say what there is in it."""
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
    """What is known of rows as they pass by."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.count = self.refused = 0
        self.lowest: dict[str, Extreme] = {}
        self.highest: dict[str, Extreme] = {}

    def add(self, row: Row) -> Row:
        """Take note of a row."""
        self.refused += row.refused is not None
        for name, cell in zip(self.sweep.figures, row.cells, strict=False):
            if not isinstance(cell.value, str):
                here = Extreme(value=cell.value, row=self.count)
                self.lowest[name] = min(self.lowest.get(name, here), here, key=_value)
                self.highest[name] = max(self.highest.get(name, here), here, key=_value)
        self.count += 1
        return row

    def ranges(self) -> Iterator[FigureRange]:
        """Yield between what each figure lies."""
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
            f"'{str(out)[:80]}' is there already: name another file, or overwrite it with --force",
        )

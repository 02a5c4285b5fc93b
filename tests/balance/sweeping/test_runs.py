"""A table is the same whoever reads its rows, in whatever order, and however often the run was ended before."""

import csv
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from filelock import FileLock

from oddsmith import worker_pool
from oddsmith.balance.sweeping import Sweep, parse_sweep, runner, write_sweep
from oddsmith.balance.sweeping.rows import read_chunk
from oddsmith.balance.sweeping.runner import read_in_workers
from oddsmith.errors import InputError, OddsmithError
from oddsmith.rules import write_toml
from tests.balance.sweeping.sweeps import HEIST, fate_sweep, heist_sweep


@pytest.fixture(scope="module")
def wars(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the table of the gang wars, read by one process without a break."""
    out = tmp_path_factory.mktemp("wars") / "wars.csv"
    write_sweep(heist_sweep(), out, workers=1)
    return out.read_bytes()


def refused(sweep: Sweep, out: Path, **options: Any) -> str:  # noqa: ANN401  any option of a run
    """Return the code and the sentence with which a run is refused."""
    with pytest.raises(OddsmithError) as error:
        write_sweep(sweep, out, workers=1, **options)
    return f"{error.value.refusal.code}: {error.value.refusal.sentence}"


def test_csv_and_parquet_have_the_same_columns_and_digits(tmp_path: Path) -> None:
    """Every cell of the one is the cell of the other; floats have all their digits in both."""
    for kind in ("csv", "parquet"):
        write_sweep(fate_sweep(), tmp_path / f"draws.{kind}", workers=1)
    with (tmp_path / "draws.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    table = pq.read_table(tmp_path / "draws.parquet")
    rows = list(zip(*(table.column(name).to_pylist() for name in table.column_names), strict=True))

    assert table.column_names == lines[0]
    assert [["" if value is None else str(value) for value in row] for row in rows] == lines[1:]
    assert ["int64", "int64", "int64", "int64", "double", "string", "double", "string"] == [
        str(field.type) for field in table.schema
    ][:8]


def test_a_table_of_parquet_says_which_sweep_it_is_of(tmp_path: Path) -> None:
    """The fingerprint, the rules and the version stand in its metadata."""
    sweep = fate_sweep()
    write_sweep(sweep, tmp_path / "draws.parquet", workers=1)
    about = json.loads((pq.read_schema(tmp_path / "draws.parquet").metadata or {})[b"oddsmith.sweep"])

    assert (sweep.fingerprint, "fate", sweep.rules.rules_id) == (
        about["fingerprint"],
        about["game"],
        about["rules_id"],
    )


def test_columns_have_the_kinds_of_their_values(tmp_path: Path) -> None:
    """Switches, texts, whole numbers, fractions; a mixture is text, and a row that is refused has no cells."""
    vary = [
        {"key": "tie_favors_defender", "values": [True, False]},
        {"key": "curve", "values": ["table"]},
        {"key": "figures.met.target", "values": ["burglary", 100, 10**30]},
        {"key": "figures.met.at", "values": [0]},
        {"key": "crimes.burglary.threshold", "values": [Decimal("100.5")]},
    ]
    figures = {"met": {"figure": "check.success", "character": "greenhorn"}}
    sweep = parse_sweep({"game": "destiny", "figures": figures, "vary": vary})
    swept = write_sweep(sweep, tmp_path / "checks.parquet", workers=1)
    write_sweep(sweep, tmp_path / "checks.csv", workers=1)
    table = pq.read_table(tmp_path / "checks.parquet")
    line = (tmp_path / "checks.csv").read_text(encoding="utf-8").splitlines()[3]

    assert ["bool", "string", "double", "string", "int64"] == [str(field.type) for field in table.schema][1:6]
    assert ["burglary", "100", str(10**30)] == table.column("figures.met.target").to_pylist()[:3]
    assert 2 == swept.refused
    assert [None, None] == [table.column("met").to_pylist()[row] for row in (2, 5)]
    assert line.startswith(f"2,true,table,100.5,{10**30},0,,,,,")


def test_the_summary_says_between_what_each_figure_lies(tmp_path: Path) -> None:
    """The least and the most, each with the first row that has it."""
    swept = write_sweep(fate_sweep(), tmp_path / "draws.csv", workers=1)
    mean = swept.ranges[0]

    assert mean.lowest is not None
    assert mean.highest is not None
    assert (1.5, 0, 7.5, 8) == (mean.lowest.value, mean.lowest.row, mean.highest.value, mean.highest.row)
    assert (20, 0, 0) == (swept.rows, swept.kept, swept.refused)


def test_two_processes_write_what_one_writes_also_when_one_is_killed(wars: bytes, tmp_path: Path) -> None:
    """A worker that dies in the middle costs only its chunk, which another reads again."""
    killed: list[int] = []

    def kill(rows: int) -> None:
        if rows > 2 and not killed:
            child = multiprocessing.active_children()[0]
            assert child.pid is not None
            killed.append(child.pid)
            os.kill(child.pid, signal.SIGKILL)

    write_sweep(heist_sweep(), tmp_path / "wars.csv", workers=2, progress=kill)

    assert 1 == len(killed)
    assert wars == (tmp_path / "wars.csv").read_bytes()


def test_a_chunk_on_which_workers_die_again_and_again_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """After three deaths the rows are named, and nobody waits for ever."""
    start = worker_pool._start_worker

    def stillborn(work: Callable[[int], bytes]) -> worker_pool._Worker[int, bytes]:
        worker = start(work)
        worker.process.kill()
        return worker

    monkeypatch.setattr(worker_pool, "_start_worker", stillborn)
    with pytest.raises(OddsmithError, match="3 workers died reading rows 0 to 3"):
        list(read_in_workers(fate_sweep(), [0], 1))


def test_no_worker_is_left_without_a_chunk() -> None:
    """Where there are as many chunks as workers, each reads one, also where a thread asks for them."""
    with ThreadPoolExecutor(1) as thread:
        parts = thread.submit(lambda: sorted(read_in_workers(fate_sweep(), [3, 1], 2))).result()

    assert [(1, read_chunk(fate_sweep(), 1)), (3, read_chunk(fate_sweep(), 3))] == parts


def test_what_a_worker_cannot_do_is_said_where_it_was_asked() -> None:
    """A chunk that does not exist raises in the caller what it raised in the worker."""
    with pytest.raises(TypeError):
        list(read_in_workers(fate_sweep(), ["first"], 1))  # type: ignore[list-item]  # a bug that a worker meets
    with pytest.raises(InputError, match="from 1 to 256 workers"):
        read_in_workers(fate_sweep(), [0], 0)


def test_a_run_that_was_killed_goes_on_where_it_was(wars: bytes, tmp_path: Path) -> None:
    """After kill -9 of the whole program, finished chunks are kept, and the table is the same to the last byte."""
    (tmp_path / "wars.toml").write_text(write_toml(HEIST), encoding="utf-8")
    out, parts = tmp_path / "wars.csv", tmp_path / "wars.csv.parts"
    command = [sys.executable, "-m", "oddsmith", "sweep", "wars.toml", "--out", "wars.csv", "--workers", "1"]
    with subprocess.Popen(command, cwd=tmp_path) as run:
        while len(list(parts.glob("chunk-*.json"))) < 2 and run.poll() is None:
            time.sleep(0.005)
        run.kill()
    kept = len(list(parts.glob("chunk-*.json")))
    unwritten = not out.exists()
    (parts / "chunk-00000001.json").write_text("[[", encoding="utf-8")
    swept = write_sweep(heist_sweep(), out, workers=1)

    assert unwritten
    assert 1 <= swept.kept == kept - 1
    assert wars == out.read_bytes()
    assert not parts.exists()


def test_a_run_without_a_number_of_workers_asks_for_others_when_it_takes_long(
    wars: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short sweeps are read alone; where it takes longer, the rest is read by as many as there are processors."""
    asked: list[int] = []

    def many(sweep: Sweep, chunks: list[int], workers: int) -> Any:  # noqa: ANN401  a generator
        asked.append(workers)
        return runner.read_in_process(sweep, chunks)

    monkeypatch.setattr(runner, "read_in_workers", many)
    monkeypatch.setattr(runner, "SOLO_SECONDS", 600.0)
    write_sweep(fate_sweep(), tmp_path / "draws.csv")
    monkeypatch.setattr(runner, "SOLO_SECONDS", 0.0)
    write_sweep(heist_sweep(), tmp_path / "wars.csv")

    assert [runner.processor_count()] == asked
    assert wars == (tmp_path / "wars.csv").read_bytes()


def test_an_interrupted_run_keeps_what_it_has_read_and_another_sweep_is_refused(tmp_path: Path) -> None:
    """Parts are taken up by the same sweep only; --restart forgets them."""
    out = tmp_path / "draws.csv"

    def interrupt(rows: int) -> None:
        if rows == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_sweep(fate_sweep(), out, workers=1, progress=interrupt)
    others = {
        "of fate": heist_sweep(),
        "with rules": fate_sweep(rules="best"),
        "of 20 rows, now 7": fate_sweep().limit_rows(7),
        "its figures, its axes or the version": fate_sweep(chunk=3),
    }
    for change, other in others.items():
        assert f"other_sweep: 'draws.csv.parts' has parts of another sweep ({change}" in refused(other, out)
    swept = write_sweep(fate_sweep(chunk=3), out, workers=1, restart=True)

    assert 0 == swept.kept


def test_nothing_is_overwritten_and_nothing_of_others_is_removed(tmp_path: Path) -> None:
    """A table that is there, a folder of somebody else, a file in the way: all are refused, all stay as they were."""
    out, parts = tmp_path / "draws.csv", tmp_path / "draws.csv.parts"
    out.write_text("mine")

    assert refused(fate_sweep(), out).startswith("table_exists: ")
    assert "mine" == out.read_text()

    out.unlink()
    parts.write_text("mine")

    assert refused(fate_sweep(), out).startswith("not_parts: ")

    parts.unlink()
    parts.mkdir()
    (parts / "diary.txt").write_text("mine")

    assert refused(fate_sweep(), out).startswith("not_parts: ")

    (parts / "sweep.json").write_text("{")

    assert refused(fate_sweep(), out).startswith("not_parts: ")
    assert "mine" == (parts / "diary.txt").read_text()


def test_force_overwrites_the_table_only_when_the_new_one_is_whole(tmp_path: Path) -> None:
    """Until then the old one stands there."""
    out = tmp_path / "draws.csv"
    out.write_text("old")
    seen: list[str] = []
    write_sweep(fate_sweep(), out, workers=1, force=True, progress=lambda _: seen.append(out.read_text()))

    assert {"old"} == set(seen)
    assert out.read_text(encoding="utf-8").startswith("row,on_turn,")


def test_a_table_that_cannot_be_written_leaves_the_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where writing fails at the very end, nothing half-written stays, and nothing has to be read again."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_sweep(fate_sweep(), tmp_path / "draws.csv", workers=1)
    monkeypatch.undo()
    left = sorted(file.name for file in tmp_path.iterdir())
    swept = write_sweep(fate_sweep(), tmp_path / "draws.csv", workers=1)

    assert ["draws.csv.parts"] == left
    assert 20 == swept.kept


def test_two_runs_into_one_table_are_refused(tmp_path: Path) -> None:
    """The second says that another is at it."""
    parts = tmp_path / "draws.csv.parts"
    parts.mkdir()
    with FileLock(parts / "lock"):
        sentence = refused(fate_sweep(), tmp_path / "draws.csv")

    assert sentence.startswith("sweep_runs: another run sweeps into")


def test_a_table_of_no_known_kind_or_in_no_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is read; also where Parquet's library is missing, with what to install."""
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)

    assert refused(fate_sweep(), tmp_path / "draws.xlsx").startswith("unknown_table: a table ends in .csv or")
    assert refused(fate_sweep(), tmp_path / "no" / "draws.csv").startswith("not_written: ")
    assert "no_pyarrow: Parquet needs pyarrow: install oddsmith[sweep], or write .csv" == refused(
        fate_sweep(), tmp_path / "draws.parquet"
    )
    assert [] == list(tmp_path.iterdir())


def test_a_worker_reads_until_nobody_asks() -> None:
    """What it reads is what this process reads; it ends when its connection does."""
    here, there = multiprocessing.Pipe()
    here.send(1)
    here.send("first")
    work = partial(read_chunk, fate_sweep())
    worker = multiprocessing.get_context("spawn").Process(target=worker_pool._run_worker, args=(work, there))
    worker.start()
    there.close()
    answers = here.recv(), here.recv()
    here.close()
    worker.join(10)

    assert 0 == worker.exitcode
    assert read_chunk(fate_sweep(), 1) == answers[0].value
    assert isinstance(answers[1].error, TypeError)

"""A table does not depend on who reads its rows, their order, or interruptions of the run."""

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
def war_table(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the table of the gang wars from one process without interruption."""
    out = tmp_path_factory.mktemp("wars") / "wars.csv"
    write_sweep(heist_sweep(), out, workers=1)
    return out.read_bytes()


def refusal_text(sweep: Sweep, out: Path, **options: Any) -> str:  # noqa: ANN401  any option of a run
    """Return the code and the sentence with which a run is refused."""
    with pytest.raises(OddsmithError) as error:
        write_sweep(sweep, out, workers=1, **options)
    return f"{error.value.refusal.code}: {error.value.refusal.sentence}"


def test_csv_and_parquet_have_the_same_columns_and_digits(tmp_path: Path) -> None:
    """Every cell agrees; floats have all their digits in both."""
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


def test_a_parquet_table_names_its_sweep(tmp_path: Path) -> None:
    """Its metadata have the fingerprint, the rules and the version."""
    sweep = fate_sweep()
    write_sweep(sweep, tmp_path / "draws.parquet", workers=1)
    about = json.loads((pq.read_schema(tmp_path / "draws.parquet").metadata or {})[b"oddsmith.sweep"])

    assert (sweep.fingerprint, "fate", sweep.rules.rules_id) == (
        about["fingerprint"],
        about["game"],
        about["rules_id"],
    )


def test_columns_have_the_types_of_their_values(tmp_path: Path) -> None:
    """Switches, texts, whole numbers, fractions; a mixture is text, and a refused row has empty cells."""
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


def test_the_summary_has_the_range_of_each_figure(tmp_path: Path) -> None:
    """The least and the greatest value, each with its first row."""
    swept = write_sweep(fate_sweep(), tmp_path / "draws.csv", workers=1)
    mean = swept.ranges[0]

    assert mean.lowest is not None
    assert mean.highest is not None
    assert (1.5, 0, 7.5, 8) == (mean.lowest.value, mean.lowest.row, mean.highest.value, mean.highest.row)
    assert (20, 0, 0) == (swept.rows, swept.kept, swept.refused)


def test_two_processes_write_what_one_writes_also_when_one_is_killed(
    war_table: bytes, tmp_path: Path
) -> None:
    """A dead worker costs only its chunk, which another reads again."""
    killed: list[int] = []

    def kill(rows: int) -> None:
        if rows > 2 and not killed:
            child = multiprocessing.active_children()[0]
            assert child.pid is not None
            killed.append(child.pid)
            os.kill(child.pid, signal.SIGKILL)

    write_sweep(heist_sweep(), tmp_path / "wars.csv", workers=2, progress=kill)

    assert 1 == len(killed)
    assert war_table == (tmp_path / "wars.csv").read_bytes()


def test_a_chunk_that_repeatedly_kills_its_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """After three deaths the rows are named."""
    start = worker_pool._start_worker

    def start_dead_worker(work: Callable[[int], bytes]) -> worker_pool._Worker[int, bytes]:
        worker = start(work)
        worker.process.kill()
        return worker

    monkeypatch.setattr(worker_pool, "_start_worker", start_dead_worker)
    with pytest.raises(OddsmithError, match="3 workers died reading rows 0 to 3"):
        list(read_in_workers(fate_sweep(), [0], 1))


def test_no_worker_is_left_without_a_chunk() -> None:
    """Where there are as many chunks as workers, each reads one, also from a thread."""
    with ThreadPoolExecutor(1) as thread:
        parts = thread.submit(lambda: sorted(read_in_workers(fate_sweep(), [3, 1], 2))).result()

    assert [(1, read_chunk(fate_sweep(), 1)), (3, read_chunk(fate_sweep(), 3))] == parts


def test_an_error_in_a_worker_is_raised_in_the_caller() -> None:
    """For example a chunk that does not exist."""
    with pytest.raises(TypeError):
        list(read_in_workers(fate_sweep(), ["first"], 1))  # type: ignore[list-item]  # a wrong chunk for the worker
    with pytest.raises(InputError, match="from 1 to 256 workers"):
        read_in_workers(fate_sweep(), [0], 0)


def test_a_killed_run_is_continued(war_table: bytes, tmp_path: Path) -> None:
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
    assert war_table == out.read_bytes()
    assert not parts.exists()


def test_the_number_of_workers_grows_when_a_run_takes_long(
    war_table: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short sweeps are read by one process; the rest of a long one by as many as there are processors."""
    requested: list[int] = []

    def read_with_many(sweep: Sweep, chunks: list[int], workers: int) -> Any:  # noqa: ANN401  a generator
        requested.append(workers)
        return runner.read_in_process(sweep, chunks)

    monkeypatch.setattr(runner, "read_in_workers", read_with_many)
    monkeypatch.setattr(runner, "SOLO_SECONDS", 600.0)
    write_sweep(fate_sweep(), tmp_path / "draws.csv")
    monkeypatch.setattr(runner, "SOLO_SECONDS", 0.0)
    write_sweep(heist_sweep(), tmp_path / "wars.csv")

    assert [runner.processor_count()] == requested
    assert war_table == (tmp_path / "wars.csv").read_bytes()


def test_an_interrupted_run_keeps_its_chunks_and_another_sweep_is_refused(tmp_path: Path) -> None:
    """Only the same sweep continues; --restart deletes the chunks."""
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
        assert f"other_sweep: 'draws.csv.parts' has parts of another sweep ({change}" in refusal_text(
            other, out
        )
    swept = write_sweep(fate_sweep(chunk=3), out, workers=1, restart=True)

    assert 0 == swept.kept


def test_existing_files_are_neither_overwritten_nor_removed(tmp_path: Path) -> None:
    """An existing table, another folder, a file in the way: all are refused and stay as they were."""
    out, parts = tmp_path / "draws.csv", tmp_path / "draws.csv.parts"
    out.write_text("mine")

    assert refusal_text(fate_sweep(), out).startswith("table_exists: ")
    assert "mine" == out.read_text()

    out.unlink()
    parts.write_text("mine")

    assert refusal_text(fate_sweep(), out).startswith("not_parts: ")

    parts.unlink()
    parts.mkdir()
    (parts / "diary.txt").write_text("mine")

    assert refusal_text(fate_sweep(), out).startswith("not_parts: ")

    (parts / "sweep.json").write_text("{")

    assert refusal_text(fate_sweep(), out).startswith("not_parts: ")
    assert "mine" == (parts / "diary.txt").read_text()


def test_force_replaces_the_table_only_when_the_new_one_is_complete(tmp_path: Path) -> None:
    out = tmp_path / "draws.csv"
    out.write_text("old")
    seen: list[str] = []
    write_sweep(fate_sweep(), out, workers=1, force=True, progress=lambda _: seen.append(out.read_text()))

    assert {"old"} == set(seen)
    assert out.read_text(encoding="utf-8").startswith("row,on_turn,")


def test_a_table_that_cannot_be_written_keeps_the_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where writing fails at the end, no partial file stays, and no row is read again."""

    def fail_without_space(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail_without_space)
    with pytest.raises(OSError, match="No space left"):
        write_sweep(fate_sweep(), tmp_path / "draws.csv", workers=1)
    monkeypatch.undo()
    left = sorted(file.name for file in tmp_path.iterdir())
    swept = write_sweep(fate_sweep(), tmp_path / "draws.csv", workers=1)

    assert ["draws.csv.parts"] == left
    assert 20 == swept.kept


def test_two_runs_into_one_table_are_refused(tmp_path: Path) -> None:
    """The second run names the reason."""
    parts = tmp_path / "draws.csv.parts"
    parts.mkdir()
    with FileLock(parts / "lock"):
        sentence = refusal_text(fate_sweep(), tmp_path / "draws.csv")

    assert sentence.startswith("sweep_runs: another run sweeps into")


def test_an_unknown_format_or_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a row is read; also where Parquet's library is missing, with what to install."""
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)

    assert refusal_text(fate_sweep(), tmp_path / "draws.xlsx").startswith(
        "unknown_table: a table ends in .csv or"
    )
    assert refusal_text(fate_sweep(), tmp_path / "no" / "draws.csv").startswith("not_written: ")
    assert "no_pyarrow: Parquet needs pyarrow: install oddsmith[sweep], or write .csv" == refusal_text(
        fate_sweep(), tmp_path / "draws.parquet"
    )
    assert [] == list(tmp_path.iterdir())


def test_a_worker_reads_until_its_connection_closes() -> None:
    """Its rows are those of this process."""
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

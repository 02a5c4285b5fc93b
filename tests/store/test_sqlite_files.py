"""A store in a file notices that its files were removed, replaced, truncated or made read-only, and says so."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from oddsmith.store import Store
from oddsmith.store.sqlite_files import SUFFIXES
from tests.store.builders import next_append
from tests.store.refusals import catch_refusal


@pytest.fixture
def store(file: Path, opener: Callable[[str], Store]) -> Store:
    """Return a store with one match."""
    store = opener(str(file))
    store.append([next_append("m", 0)])
    return store


def uses(store: Store) -> list[Callable[[], object]]:
    """Return a call of each method that reads or writes."""
    return [
        lambda: store.entries("m"),
        lambda: store.snapshot("m"),
        store.matches,
        lambda: store.due_matches(1),
        lambda: store.append([next_append("m", 1)]),
        store.usage,
    ]


@pytest.mark.parametrize("suffix", SUFFIXES, ids=["database", "log", "index"])
def test_every_use_of_a_removed_file_is_refused_until_it_is_back(
    store: Store, file: Path, suffix: str
) -> None:
    """Connections that are open would read and write the removed file: neither is in the store."""
    removed, away = file.with_name(file.name + suffix), file.with_name("elsewhere")
    removed.rename(away)
    codes = {catch_refusal(use)[0] for use in uses(store)}
    was_ready = store.is_ready()
    away.rename(removed)

    assert codes == {"store_away"}
    assert not was_ready
    assert store.is_ready()
    assert store.append([next_append("m", 1)]) == [True]
    assert len(store.entries("m")) == 2


@pytest.mark.parametrize("suffix", SUFFIXES, ids=["database", "log", "index"])
def test_a_replaced_file_is_refused(store: Store, file: Path, suffix: str) -> None:
    """A copy in its place has the same contents, but is not what the store has open."""
    place = file.with_name(file.name + suffix)
    shutil.copy(place, file.with_name("copy"))
    file.with_name("copy").replace(place)

    assert {catch_refusal(use)[0] for use in uses(store)} == {"store_away"}
    assert not store.is_ready()


TRUNCATE = """
import os, sys
from oddsmith.errors import StoreError
from oddsmith.store import open_store
from tests.store.builders import next_append

file, suffix = sys.argv[1:]
store = open_store(file)
store.append([next_append("m", 0)])
store.watch(lambda *_: None)
os.truncate(file + suffix, 0)
for use in (lambda: store.append([next_append("m", 1)]), lambda: store.entries("m"), store.matches):
    try:
        use()
    except StoreError as error:
        print(error.refusal.code)
print(store.is_ready())
store.close()
"""
"""A process that truncates a file of its store; SQLite has the index mapped into memory."""


@pytest.mark.parametrize("suffix", ["", "-shm"], ids=["database", "index"])
def test_a_truncated_file_is_refused_and_does_not_end_the_process(file: Path, suffix: str) -> None:
    """A process that reads a mapping beyond the end of its file gets SIGBUS, also when it closes the database."""
    ended = subprocess.run(
        [sys.executable, "-c", TRUNCATE, str(file), suffix], capture_output=True, text=True, check=False
    )

    assert (ended.returncode, ended.stdout.split()) == (0, ["store_away"] * 3 + ["False"]), ended.stderr


def test_a_closed_store_has_all_appends_after_its_index_was_truncated(
    file: Path, opener: Callable[[str], Store]
) -> None:
    """SQLite makes the index again from the write-ahead log."""
    subprocess.run([sys.executable, "-c", TRUNCATE, str(file), "-shm"], check=True, capture_output=True)

    assert len(opener(str(file)).entries("m")) == 1


@pytest.mark.parametrize("suffix", SUFFIXES, ids=["database", "log", "index"])
def test_a_file_that_may_not_be_written_is_named_when_a_store_is_opened(
    file: Path, opener: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    """SQLite opens a database whose index may only be read, and fails when it is written."""
    opener(str(file)).append([next_append("m", 0)])
    refused = f"{file}{suffix}"
    monkeypatch.setattr(os, "access", lambda path, _: str(path) != refused)

    assert catch_refusal(lambda: opener(str(file))) == (
        "store_read_only",
        f"the file '{refused}' of the store may not be written: allow it",
    )


@pytest.mark.parametrize("suffix", SUFFIXES, ids=["database", "log", "index"])
def test_a_store_whose_file_may_not_be_written_any_more_is_not_ready(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    assert store.is_ready()

    monkeypatch.setattr(os, "access", lambda path, _: str(path) != f"{file}{suffix}")

    assert not store.is_ready()


OVERWRITE = """
import os, sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    file.write(os.urandom(os.path.getsize(sys.argv[1]) - int(sys.argv[2])))
"""
"""Overwrites a file, in another process: closing the file in this one would release the locks of the store."""


@pytest.mark.parametrize("start", [0, 4_096], ids=["from its head", "after its head"])
def test_a_store_whose_file_was_overwritten_is_not_ready(store: Store, file: Path, start: int) -> None:
    """A new connection, which has read nothing yet, notices it."""
    store.append([next_append(f"m{number}", 0) for number in range(200)])
    checkpoint = f"import sqlite3; sqlite3.connect({str(file)!r}).execute('PRAGMA wal_checkpoint(TRUNCATE)')"
    subprocess.run([sys.executable, "-c", checkpoint], check=True)
    was_ready = store.is_ready()
    subprocess.run([sys.executable, "-c", OVERWRITE, str(file), str(start)], check=True)

    assert was_ready
    assert not store.is_ready()


def test_damage_that_a_request_has_noticed_is_not_forgotten(store: Store, file: Path) -> None:
    """A store is not ready after any statement found the file damaged, also where the check of readiness reads other pages."""
    store.append([next_append(f"m{number:04}", 0, rules_id="r" * 500) for number in range(400)])
    subprocess.run(
        [
            sys.executable,
            "-c",
            f"import sqlite3; sqlite3.connect({str(file)!r}).execute('PRAGMA wal_checkpoint(TRUNCATE)')",
        ],
        check=True,
    )
    subprocess.run([sys.executable, "-c", OVERWRITE, str(file), str(file.stat().st_size // 2)], check=True)
    refused = [
        code
        for number in range(400)
        if (code := _code_of(lambda number=number: store.entries(f"m{number:04}")))  # type: ignore[misc]
    ]

    assert "damaged_store" in refused
    assert not store.is_ready()


def _code_of(use: Callable[[], object]) -> str | None:
    from oddsmith.errors import StoreError  # noqa: PLC0415  used only here

    try:
        use()
    except StoreError as error:
        return error.refusal.code
    return None


def test_a_store_whose_files_were_removed_is_closed_without_an_error(store: Store, file: Path) -> None:
    for suffix in SUFFIXES:
        file.with_name(file.name + suffix).unlink()
    store.close()

    assert [*file.parent.iterdir()] == []

"""A store in a file refuses what it cannot do in clear words, and harms nothing."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import pytest

from oddsmith.store import Snapshot, Store, migrations, open_store, sqlite
from oddsmith.store.migrations import STEPS
from oddsmith.store.sql import OnAppend, SqlStore
from oddsmith.store.sqlite import APPLICATION, SqliteDialect
from tests.store.builders import OPENED, one_more, summary
from tests.store.refusals import refused

VERSION_1 = """
    PRAGMA application_id = 1868850291;
    PRAGMA user_version = 1;
    CREATE TABLE entries (
        match TEXT NOT NULL, version INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (match, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE matches (
        match TEXT PRIMARY KEY, game TEXT NOT NULL, rules_id TEXT NOT NULL, status TEXT NOT NULL,
        version INTEGER NOT NULL, names TEXT NOT NULL, bots TEXT NOT NULL,
        opened_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, due_at INTEGER,
        change INTEGER NOT NULL, writer TEXT NOT NULL
    ) STRICT;
    CREATE INDEX matches_changed ON matches (changed_at, match);
    CREATE INDEX matches_of_status ON matches (status, changed_at, match);
    CREATE INDEX matches_change ON matches (change);
    INSERT INTO entries VALUES ('m', 1,
        '{"entry":"opened","at":1000,"match":"m","game":"duel","rules":"","bots":[null,"greedy"],"secret":"5e","key":"c4"}'
    );
    INSERT INTO matches VALUES (
        'm', 'duel', 'r1', 'playing', 1, '["Ann",null]', '[null,"greedy"]', 1000, 1001, NULL, 1, 'w'
    );
""".replace('"5e"', f'"{"5e" * 32}"').replace('"c4"', f'"{"c4" * 32}"')
"""A file as version 1 left it behind."""


@pytest.fixture
def store(file: Path, opening: Callable[[str], Store]) -> Store:
    return opening(str(file))


@contextmanager
def writing_connection(store: Store) -> Iterator[sqlite3.Connection]:
    """Lend the connection that a store writes with."""
    assert isinstance(store, SqlStore)
    assert isinstance(store.dialect, SqliteDialect)
    with store.dialect.writers.connection() as connection:
        yield connection


def run(file: Path, script: str) -> None:
    """Do something to a file behind the store's back."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)


def asked(file: Path, ask: str) -> object:
    """Return the first value of an answer."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(ask).fetchone()[0]


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of pragmas that every new connection obeys: what stands in it holds until it is taken out."""
    pragmas: list[str] = []
    connected = sqlite.connect

    def limited(path: Path, *more: str) -> sqlite3.Connection:
        return connected(path, *more, *pragmas)

    monkeypatch.setattr(sqlite, "connect", limited)
    return pragmas


def limit(store: Store, limits: list[str], pragma: str) -> None:
    """Put a limit on the connection that a store writes with, and on all that come after it."""
    limits.append(pragma)
    with writing_connection(store) as connection:
        connection.execute(f"PRAGMA {pragma}")


def test_a_new_file_is_ours_durable_and_private(file: Path, store: Store) -> None:
    """The head of the file says whose it is; commits are synced; secrets of matches are for the owner's eyes only."""
    head = [asked(file, f"PRAGMA {name}") for name in ("application_id", "user_version", "journal_mode")]

    assert [APPLICATION, len(STEPS), "wal"] == head
    with writing_connection(store) as connection:
        assert (2,) == connection.execute("PRAGMA synchronous").fetchone()
    assert 0o600 == file.stat().st_mode & 0o777


def test_a_file_may_have_any_name(file: Path, opening: Callable[[str], Store]) -> None:
    """No character of a path means anything but itself."""
    odd = file.with_name("Zoë's 100%41 ?mode=ro#:memory:")
    opening(str(odd)).append([one_more("m", 0)])

    assert {odd.name, f"{odd.name}-wal", f"{odd.name}-shm"} == {path.name for path in file.parent.iterdir()}


def test_an_old_file_is_migrated(file: Path, opening: Callable[[str], Store]) -> None:
    """What version 1 left is all there, and what came later can be done with it."""
    run(file, VERSION_1)
    store = opening(str(file))
    store.write_snapshot(Snapshot(match="m", version=1, data={"a": 1}))

    assert (OPENED,) == store.entries("m")
    assert (summary("m", 1),) == store.matches()
    assert () == store.matches(private=True)
    assert [True] == store.append([one_more("m", 1, due_at=5)])
    assert ("m",) == store.due_matches(5)
    assert Snapshot(match="m", version=1, data={"a": 1}) == store.snapshot("m")
    assert len(STEPS) == asked(file, "PRAGMA user_version")


def test_a_migration_that_fails_changes_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is of the old version or of the new one, never between them."""
    run(file, VERSION_1)
    monkeypatch.setattr(migrations, "STEPS", (*STEPS, ("CREATE TABLE more (n)", "no statement")))
    code, sentence = refused(lambda: open_store(str(file)))

    assert "store_failed" == code
    assert "syntax error" in sentence
    assert 1 == asked(file, "PRAGMA user_version")
    assert 0 == asked(file, "SELECT count(*) FROM sqlite_master WHERE name IN ('more', 'snapshots')")


@pytest.mark.parametrize(
    ("script", "code", "words"),
    [
        ("CREATE TABLE t (a)", "not_a_store", "is a database of another program"),
        ("PRAGMA application_id = 1", "not_a_store", "is a database of another program"),
        ("PRAGMA user_version = 1", "not_a_store", "is a database of another program"),
        (
            f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 99",
            "newer_store",
            "has version 99, and this oddsmith knows 3: use a newer oddsmith",
        ),
    ],
)
def test_a_file_of_others_is_refused_and_left_alone(file: Path, script: str, code: str, words: str) -> None:
    """A database that is not ours, or of a version to come, is not touched."""
    run(file, script)
    before = file.read_bytes()
    said = refused(lambda: open_store(str(file)))

    assert (code, True) == (said[0], words in said[1])
    assert before == file.read_bytes()
    assert [file.name] == [path.name for path in file.parent.iterdir()]


def test_a_file_that_is_no_database_is_refused_and_left_alone(file: Path) -> None:
    """Whatever is in a file, it is not written over."""
    file.write_text("Dear diary, " * 100, encoding="utf-8")

    assert ("not_a_store", f"'{file}' is not a database: name another file") == refused(
        lambda: open_store(str(file))
    )
    assert "Dear diary, " * 100 == file.read_text(encoding="utf-8")


def test_a_place_where_no_file_can_be_is_refused(file: Path) -> None:
    """A folder, a missing folder and an impossible name are said to be so."""
    folder = file.parent
    missing = folder / "missing" / "matches.db"
    long, null = folder / ("m" * 300), folder / "m\0"

    assert ("not_a_store", f"'{folder}' is not a file: name a file") == refused(
        lambda: open_store(str(folder))
    )
    assert (
        "no_store_folder",
        f"there is no folder '{missing.parent}' for the store: make it first",
    ) == refused(lambda: open_store(str(missing)))
    assert ("store_failed", f"the store '{long}' cannot be made: File name too long") == refused(
        lambda: open_store(str(long))
    )
    assert ("store_failed", f"the store '{null}' cannot be made: embedded null byte") == refused(
        lambda: open_store(str(null))
    )
    assert [] == list(folder.iterdir())


def test_after_a_full_disk_is_freed_all_goes_on(store: Store, limits: list[str], file: Path) -> None:
    """An append that has no room changes nothing; when there is room it is done, without opening the store again."""
    store.append([one_more("m", 0)])
    limit(store, limits, f"max_page_count = {asked(file, 'PRAGMA page_count')}")
    appends = [one_more("m", 1), *(one_more(f"m{number}", 0, rules_id="r" * 5_000) for number in range(5))]
    for _ in range(2):
        code, sentence = refused(lambda: store.append(appends))

        assert ("store_full", True) == (code, "there is no space left" in sentence)
        assert 1 == len(store.entries("m"))

    limits.clear()

    assert [True] * 6 == store.append(appends)


def test_a_store_that_may_not_be_written_is_not_ready(store: Store, limits: list[str]) -> None:
    """What may only be read can be read; appends are refused until they are allowed."""
    store.append([one_more("m", 0)])
    limit(store, limits, "query_only = ON")

    assert "store_read_only" == refused(lambda: store.append([one_more("m", 1)]))[0]
    assert not store.is_ready()
    assert (OPENED,) == store.entries("m")

    limits.clear()

    assert store.is_ready()
    assert [True] == store.append([one_more("m", 1)])


def test_a_store_that_another_process_has_migrated_keeps_its_version(store: Store, file: Path) -> None:
    """Whoever only asks whether a store can be written does not write a version of its own."""
    run(file, "PRAGMA user_version = 99")

    assert store.is_ready()
    assert 99 == asked(file, "PRAGMA user_version")


def test_a_disk_with_little_room_is_not_ready(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store says that it cannot be written before the last byte is used."""
    monkeypatch.setattr(sqlite, "LEAST_FREE_BYTES", 2**80)

    assert not store.is_ready()


def test_a_disk_that_is_full_or_read_only_is_recognised(
    file: Path, opening: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where SQLite says only that something failed, the disk is asked why."""
    file.touch()

    def fail(name: str) -> Callable[[Path], sqlite3.Connection]:
        def failing(_: Path) -> sqlite3.Connection:
            error = sqlite3.OperationalError("it failed")
            error.sqlite_errorcode = getattr(sqlite3, name)
            raise error

        return failing

    found = []
    for name in ("SQLITE_IOERR_SHMSIZE", "SQLITE_CANTOPEN"):
        with monkeypatch.context() as patch:
            patch.setattr(sqlite, "connect", fail(name))
            found.append(refused(lambda: open_store(str(file)))[0])
            patch.setattr(sqlite, "LEAST_FREE_BYTES", 2**80)
            patch.setattr(os, "access", lambda *_: False)
            found.append(refused(lambda: open_store(str(file)))[0])

    assert ["store_failed", "store_full", "store_failed", "store_read_only"] == found
    assert opening(str(file)).is_ready()


def test_a_folder_that_may_not_be_written_is_said_to_be_so(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store cannot be made where nothing can be."""

    def refuse(*_: object) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(os, "access", lambda *_: False)

    assert "store_read_only" == refused(lambda: open_store(str(file)))[0]


def test_one_who_writes_for_too_long_is_not_waited_for(
    file: Path, monkeypatch: pytest.MonkeyPatch, opening: Callable[[str], Store]
) -> None:
    """Another process that never ends its transaction is said to be in the way; afterwards all goes on."""
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT", 0.05)
    store = opening(str(file))
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        assert "store_busy" == refused(lambda: store.append([one_more("m", 0)]))[0]
        assert "store_busy" == refused(lambda: open_store(str(file)))[0]

    assert [True] == store.append([one_more("m", 0)])


def test_a_new_file_that_another_has_locked_is_switched_to_its_journal_afterwards(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where SQLite does not wait for a lock, the store does, and no longer than for any other."""
    with closing(sqlite3.connect(file, timeout=0)) as connection, closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with monkeypatch.context() as patch:
            patch.setattr(sqlite, "BUSY_TIMEOUT", -1.0)
            with pytest.raises(sqlite3.OperationalError, match="is locked"):
                sqlite._use_write_ahead_log(connection)
        monkeypatch.setattr(sqlite, "sleep", lambda _: other.rollback())
        sqlite._use_write_ahead_log(connection)

    assert "wal" == asked(file, "PRAGMA journal_mode")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("DELETE FROM entries WHERE version = 2", "the log of match 'm' has gaps after version 0"),
        ("UPDATE entries SET entry = '{}' WHERE version = 2", "what is kept of match 'm' cannot be read"),
        ("INSERT INTO entries VALUES ('m', 4, '')", "is damaged: UNIQUE constraint failed"),
    ],
)
def test_a_damaged_log_is_not_played_on(store: Store, file: Path, script: str, words: str) -> None:
    """An entry that is missing, is none, or comes from nowhere is found out."""
    store.append([one_more("m", version) for version in range(3)])
    run(file, script)
    code, sentence = refused(lambda: store.append([one_more("m", 3)]) and store.entries("m"))

    assert ("damaged_store", True) == (code, words in sentence)


def test_a_file_that_was_taken_away_is_not_made_anew(store: Store, file: Path) -> None:
    """Where the file is gone, that is said; an empty one in its place would say that there were no matches."""
    for path in file.parent.iterdir():
        path.unlink()
    code, sentence = refused(store.matches)

    assert ("store_failed", True) == (code, "unable to open database file" in sentence)
    assert [] == list(file.parent.iterdir())


def test_what_goes_to_a_file_that_was_taken_away_is_not_said_to_be_kept(store: Store, file: Path) -> None:
    """Each is refused and the store not ready, until the file is back; what was kept before is still there."""
    assert [True] == store.append([one_more("m", 0)])
    away = file.with_name("elsewhere")
    file.rename(away)
    code, _ = refused(lambda: store.append([one_more("n", 0)]))
    was_ready = store.is_ready()
    away.rename(file)

    assert "store_away" == code
    assert not was_ready
    assert store.is_ready()
    assert [True] == store.append([one_more("m", 1)])
    assert 2 == len(store.entries("m"))


def test_a_damaged_file_is_said_to_be_damaged(store: Store, file: Path) -> None:
    """Bytes that were written over are found out."""
    store.append([one_more(f"m{number}", 0) for number in range(200)])
    store.close()
    data = file.read_bytes()
    file.write_bytes(data[:4_096] + os.urandom(len(data) - 4_096))

    assert "damaged_store" == refused(lambda: open_store(str(file)).matches())[0]


def test_who_listens_outlives_a_failure(
    store: Store, file: Path, opening: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the changes of others cannot be read now, they are told as soon as they can be."""
    heard, failed = Event(), Event()
    report_changes = sqlite.report_changes

    def failing(connection: sqlite3.Connection, change: int, on_append: OnAppend) -> int:
        if not failed.is_set():
            failed.set()
            raise sqlite3.OperationalError("disk I/O error")
        return report_changes(connection, change, on_append)

    monkeypatch.setattr(sqlite, "report_changes", failing)
    store.watch(lambda *_: heard.set())
    opening(str(file)).append([one_more("m", 0)])

    assert heard.wait(10)
    assert failed.is_set()

"""A store in a file refuses what it cannot do, and damages nothing."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import pytest

from oddsmith.errors import DamagedStoreError
from oddsmith.store import Snapshot, Store, migrations, open_store, sqlite
from oddsmith.store.migrations import STEPS
from oddsmith.store.sql import OnAppend, SqlStore
from oddsmith.store.sqlite import APPLICATION, SqliteDialect
from tests.store.builders import OPENED, next_append, summary
from tests.store.databases import execute
from tests.store.refusals import catch_refusal

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
"""A file of version 1."""


@pytest.fixture
def store(file: Path, opener: Callable[[str], Store]) -> Store:
    return opener(str(file))


@contextmanager
def writing_connection(store: Store) -> Iterator[sqlite3.Connection]:
    """Return the connection that a store writes with."""
    assert isinstance(store, SqlStore)
    assert isinstance(store.dialect, SqliteDialect)
    with store.dialect.writers.connection() as connection:
        yield connection


def run_script(file: Path, script: str) -> None:
    """Run a script on the file without the store."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)


def query(file: Path, ask: str) -> object:
    """Return the first value of a query."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(ask).fetchone()[0]


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of pragmas that every new connection executes."""
    pragmas: list[str] = []
    connected = sqlite.connect

    def connect_with_limits(path: Path, *more: str) -> sqlite3.Connection:
        return connected(path, *more, *pragmas)

    monkeypatch.setattr(sqlite, "connect", connect_with_limits)
    return pragmas


def limit(store: Store, limits: list[str], pragma: str) -> None:
    """Execute a pragma on the connection that a store writes with, and on all later ones."""
    limits.append(pragma)
    with writing_connection(store) as connection:
        connection.execute(f"PRAGMA {pragma}")


def test_a_new_file_has_our_id_is_durable_and_private(file: Path, store: Store) -> None:
    """Its application id is ours, commits are synced, and only the owner may read it."""
    head = [query(file, f"PRAGMA {name}") for name in ("application_id", "user_version", "journal_mode")]

    assert [APPLICATION, len(STEPS), "wal"] == head
    with writing_connection(store) as connection:
        assert (2,) == connection.execute("PRAGMA synchronous").fetchone()
    assert 0o600 == file.stat().st_mode & 0o777


def test_a_file_may_have_any_name(file: Path, opener: Callable[[str], Store]) -> None:
    """Special characters in a path have no meaning."""
    odd = file.with_name("Zoë's 100%41 ?mode=ro#:memory:")
    opener(str(odd)).append([next_append("m", 0)])

    assert {odd.name, f"{odd.name}-wal", f"{odd.name}-shm"} == {path.name for path in file.parent.iterdir()}


def test_an_old_file_is_migrated(file: Path, opener: Callable[[str], Store]) -> None:
    """All data of version 1 is there, and later operations work."""
    run_script(file, VERSION_1)
    store = opener(str(file))
    store.write_snapshot(Snapshot(match="m", version=1, data={"a": 1}))

    assert (OPENED,) == store.entries("m")
    assert (summary("m", 1),) == store.matches()
    assert () == store.matches(private=True)
    assert [True] == store.append([next_append("m", 1, due_at=5)])
    assert ("m",) == store.due_matches(5)
    assert Snapshot(match="m", version=1, data={"a": 1}) == store.snapshot("m")
    assert len(STEPS) == query(file, "PRAGMA user_version")


def test_a_failing_migration_changes_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is of the old version or of the new one, never in between."""
    run_script(file, VERSION_1)
    monkeypatch.setattr(migrations, "STEPS", (*STEPS, ("CREATE TABLE more (n)", "no statement")))
    code, sentence = catch_refusal(lambda: open_store(str(file)))

    assert "store_failed" == code
    assert "syntax error" in sentence
    assert 1 == query(file, "PRAGMA user_version")
    assert 0 == query(file, "SELECT count(*) FROM sqlite_master WHERE name IN ('more', 'snapshots')")


@pytest.mark.parametrize(
    ("script", "code", "words"),
    [
        ("CREATE TABLE t (a)", "not_a_store", "is a database of another program"),
        ("PRAGMA application_id = 1", "not_a_store", "is a database of another program"),
        ("PRAGMA user_version = 1", "not_a_store", "is a database of another program"),
        (
            f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 99",
            "newer_store",
            f"has version 99, and this oddsmith knows {len(STEPS)}: use a newer oddsmith",
        ),
    ],
)
def test_a_foreign_file_is_refused_and_unchanged(file: Path, script: str, code: str, words: str) -> None:
    """A database of another program, or of a later version."""
    run_script(file, script)
    before = file.read_bytes()
    refusal = catch_refusal(lambda: open_store(str(file)))

    assert (code, True) == (refusal[0], words in refusal[1])
    assert before == file.read_bytes()
    assert [file.name] == [path.name for path in file.parent.iterdir()]


def test_a_file_that_is_no_database_is_refused_and_unchanged(file: Path) -> None:
    file.write_text("Dear diary, " * 100, encoding="utf-8")

    assert ("not_a_store", f"'{file}' is not a database: name another file") == catch_refusal(
        lambda: open_store(str(file))
    )
    assert "Dear diary, " * 100 == file.read_text(encoding="utf-8")


def test_a_path_where_no_file_can_be_is_refused(file: Path) -> None:
    """A folder, a missing folder and an invalid name."""
    folder = file.parent
    missing = folder / "missing" / "matches.db"
    long, null = folder / ("m" * 300), folder / "m\0"

    assert ("not_a_store", f"'{folder}' is not a file: name a file") == catch_refusal(
        lambda: open_store(str(folder))
    )
    assert (
        "no_store_folder",
        f"there is no folder '{missing.parent}' for the store: make it first",
    ) == catch_refusal(lambda: open_store(str(missing)))
    assert ("store_failed", f"the store '{long}' cannot be made: File name too long") == catch_refusal(
        lambda: open_store(str(long))
    )
    assert ("store_failed", f"the store '{null}' cannot be made: embedded null byte") == catch_refusal(
        lambda: open_store(str(null))
    )
    assert [] == list(folder.iterdir())


def test_a_store_works_again_after_a_full_disk(store: Store, limits: list[str], file: Path) -> None:
    """An append without space changes nothing; when there is space it succeeds, without reopening the store."""
    store.append([next_append("m", 0)])
    limit(store, limits, f"max_page_count = {query(file, 'PRAGMA page_count')}")
    appends = [
        next_append("m", 1),
        *(next_append(f"m{number}", 0, rules_id="r" * 5_000) for number in range(5)),
    ]
    for _ in range(2):
        code, sentence = catch_refusal(lambda: store.append(appends))

        assert ("store_full", True) == (code, "there is no space left" in sentence)
        assert 1 == len(store.entries("m"))

    limits.clear()

    assert [True] * 6 == store.append(appends)


def test_a_read_only_store_is_not_ready(store: Store, limits: list[str]) -> None:
    """It can be read; appends are refused until they are allowed."""
    store.append([next_append("m", 0)])
    limit(store, limits, "query_only = ON")

    assert "store_read_only" == catch_refusal(lambda: store.append([next_append("m", 1)]))[0]
    assert not store.is_ready()
    assert (OPENED,) == store.entries("m")

    limits.clear()

    assert store.is_ready()
    assert [True] == store.append([next_append("m", 1)])


def test_a_readiness_check_does_not_write_a_version(store: Store, file: Path) -> None:
    """A store that another process has migrated keeps its version."""
    run_script(file, "PRAGMA user_version = 99")

    assert store.is_ready()
    assert 99 == query(file, "PRAGMA user_version")


def test_a_nearly_full_disk_is_not_ready(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "LEAST_FREE_BYTES", 2**80)

    assert not store.is_ready()


def test_a_full_or_read_only_disk_is_recognised(
    file: Path, opener: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If SQLite reports only a failure, the disk is examined for the reason."""
    file.touch()

    def fail(name: str) -> Callable[[Path], sqlite3.Connection]:
        def fail_to_connect(_: Path) -> sqlite3.Connection:
            error = sqlite3.OperationalError("it failed")
            error.sqlite_errorcode = getattr(sqlite3, name)
            raise error

        return fail_to_connect

    found = []
    for name in ("SQLITE_IOERR_SHMSIZE", "SQLITE_CANTOPEN"):
        with monkeypatch.context() as patch:
            patch.setattr(sqlite, "connect", fail(name))
            found.append(catch_refusal(lambda: open_store(str(file)))[0])
            patch.setattr(sqlite, "LEAST_FREE_BYTES", 2**80)
            patch.setattr(os, "access", lambda path, _: path != file.parent)
            found.append(catch_refusal(lambda: open_store(str(file)))[0])

    assert ["store_failed", "store_full", "store_failed", "store_read_only"] == found
    assert opener(str(file)).is_ready()


@pytest.mark.parametrize("read_only", ["matches.db", "folder"])
def test_a_read_only_file_or_folder_is_reported(
    file: Path, monkeypatch: pytest.MonkeyPatch, read_only: str
) -> None:
    """SQLite cannot open a file that may not be written, nor one in a folder that may not be."""
    file.touch()
    refused = file if read_only == file.name else file.parent

    def fail_to_connect(_: Path) -> sqlite3.Connection:
        error = sqlite3.OperationalError("it failed")
        error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise error

    monkeypatch.setattr(sqlite, "connect", fail_to_connect)
    monkeypatch.setattr(os, "access", lambda path, _: path != refused)

    assert "store_read_only" == catch_refusal(lambda: open_store(str(file)))[0]


def test_a_read_only_folder_is_reported(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(os, "access", lambda *_: False)

    assert "store_read_only" == catch_refusal(lambda: open_store(str(file)))[0]


def test_a_long_write_of_another_process_is_reported_as_busy(
    file: Path, monkeypatch: pytest.MonkeyPatch, opener: Callable[[str], Store]
) -> None:
    """After its transaction has ended, the store works again."""
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT", 0.05)
    store = opener(str(file))
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        assert "store_busy" == catch_refusal(lambda: store.append([next_append("m", 0)]))[0]
        assert "store_busy" == catch_refusal(lambda: open_store(str(file)))[0]

    assert [True] == store.append([next_append("m", 0)])


def test_a_locked_new_file_is_switched_to_wal_after_the_lock(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite does not wait for this lock; the store does, as long as for any other."""
    with closing(sqlite3.connect(file, timeout=0)) as connection, closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with monkeypatch.context() as patch:
            patch.setattr(sqlite, "BUSY_TIMEOUT", -1.0)
            with pytest.raises(sqlite3.OperationalError, match="is locked"):
                sqlite._use_write_ahead_log(connection)
        monkeypatch.setattr(sqlite, "sleep", lambda _: other.rollback())
        sqlite._use_write_ahead_log(connection)

    assert "wal" == query(file, "PRAGMA journal_mode")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("DELETE FROM entries WHERE version = 2", "the log of match 'm' has gaps after version 0"),
        ("UPDATE entries SET entry = '{}' WHERE version = 2", "what is kept of match 'm' cannot be read"),
        ("INSERT INTO entries VALUES ('m', 4, '')", "is damaged: UNIQUE constraint failed"),
    ],
)
def test_a_damaged_log_is_refused(store: Store, file: Path, script: str, words: str) -> None:
    """A missing, invalid or unexpected entry."""
    store.append([next_append("m", version) for version in range(3)])
    run_script(file, script)
    code, sentence = catch_refusal(lambda: store.append([next_append("m", 3)]) and store.entries("m"))

    assert ("damaged_store", True) == (code, words in sentence)


def test_a_removed_file_is_not_created_again(store: Store, file: Path) -> None:
    """An empty file in its place would hide the loss."""
    for path in file.parent.iterdir():
        path.unlink()
    code, sentence = catch_refusal(store.matches)

    assert ("store_away", True) == (code, "were removed, replaced or truncated" in sentence)
    assert [] == list(file.parent.iterdir())


def test_appends_to_a_removed_file_are_refused(store: Store, file: Path) -> None:
    """The store is not ready until the file is back; what was stored before is still there."""
    assert [True] == store.append([next_append("m", 0)])
    away = file.with_name("elsewhere")
    file.rename(away)
    code, _ = catch_refusal(lambda: store.append([next_append("n", 0)]))
    was_ready = store.is_ready()
    away.rename(file)

    assert "store_away" == code
    assert not was_ready
    assert store.is_ready()
    assert [True] == store.append([next_append("m", 1)])
    assert 2 == len(store.entries("m"))


def test_a_damaged_file_is_reported(store: Store, file: Path) -> None:
    """Overwritten bytes are detected."""
    store.append([next_append(f"m{number}", 0) for number in range(200)])
    store.close()
    data = file.read_bytes()
    file.write_bytes(data[:4_096] + os.urandom(len(data) - 4_096))

    assert "damaged_store" == catch_refusal(lambda: open_store(str(file)).matches())[0]


def test_a_watch_survives_a_failed_read(
    store: Store, file: Path, opener: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Changes of others are reported as soon as they can be read."""
    notified, failed = Event(), Event()
    report_changes = sqlite.report_changes

    def fail_once(connection: sqlite3.Connection, change: int, on_append: OnAppend) -> int:
        if not failed.is_set():
            failed.set()
            raise sqlite3.OperationalError("disk I/O error")
        return report_changes(connection, change, on_append)

    monkeypatch.setattr(sqlite, "report_changes", fail_once)
    store.watch(lambda *_: notified.set())
    opener(str(file)).append([next_append("m", 0)])

    assert notified.wait(10)
    assert failed.is_set()


def test_text_that_is_not_utf_8_damages_its_row_alone(file: Path) -> None:
    """In a list and in a log: the error is of the match, not of the store."""
    store = open_store(str(file))
    store.append([next_append(name, 0) for name in ("a", "b", "c")])
    execute(str(file), "UPDATE matches SET names = CAST(x'5b22ff225d' AS TEXT) WHERE match = 'b'")
    execute(str(file), "UPDATE entries SET entry = CAST(x'ff' AS TEXT) WHERE match = 'b'")
    damaged: list[str] = []
    listed = store.matches(on_damaged=lambda match, _: damaged.append(match))
    with pytest.raises(DamagedStoreError, match="what is kept of match 'b' cannot be read"):
        store.entries("b")

    assert ([one.match for one in listed], damaged) == (["c", "a"], ["b"])
    assert len(store.entries("a")) == 1
    store.close()

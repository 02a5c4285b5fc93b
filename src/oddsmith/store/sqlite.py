"""Matches in one SQLite file, which is made on first use: what was appended is on disk before anybody hears of it."""

import os
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import Any, Final

from oddsmith import wire
from oddsmith.errors import StoreError
from oddsmith.match.model import Entry
from oddsmith.store.model import Append, Snapshot, Status, Summary, Watch
from oddsmith.store.rows import (
    COLUMNS,
    entry_lines,
    is_text,
    read_entries,
    read_snapshot,
    read_summary,
    summary_row,
)
from oddsmith.store.pool import Spares, closed_on_failure
from oddsmith.store.watching import Listening, Watchers

APPLICATION: Final = 0x6F64_6473
"""What the head of a file says that it is: `odds`."""
WHAT_IT_IS: Final = (
    "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
    " FROM pragma_application_id, pragma_user_version"
)
"""Asked in one statement: a file that another process is making is seen before or after, never half made."""
PATIENCE: Final = 10.0
"""For how many seconds another process that writes is waited for."""
PAUSE: Final = 0.2
"""After how many seconds the changes of other processes are looked for again."""
MOST_READERS: Final = 16
LEAST_ROOM: Final = 2**20
"""How many bytes a disk must have free to be one that can be written to."""

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """
        CREATE TABLE entries (
            match TEXT NOT NULL, version INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (match, version)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE matches (
            match TEXT PRIMARY KEY, game TEXT NOT NULL, rules_id TEXT NOT NULL, status TEXT NOT NULL,
            version INTEGER NOT NULL, names TEXT NOT NULL, bots TEXT NOT NULL,
            opened_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, due_at INTEGER,
            change INTEGER NOT NULL, writer TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX matches_changed ON matches (changed_at, match)",
        "CREATE INDEX matches_of_status ON matches (status, changed_at, match)",
        "CREATE INDEX matches_change ON matches (change)",
    ),
    (
        "CREATE TABLE snapshots (match TEXT PRIMARY KEY, version INTEGER NOT NULL, data TEXT NOT NULL) STRICT",
        "CREATE INDEX matches_due ON matches (due_at) WHERE due_at IS NOT NULL",
    ),
    (
        "ALTER TABLE matches ADD COLUMN practice INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE matches ADD COLUMN private INTEGER NOT NULL DEFAULT 0",
        "DROP INDEX matches_changed",
        "DROP INDEX matches_of_status",
        "CREATE INDEX matches_changed ON matches (private, changed_at, match)",
        "CREATE INDEX matches_of_status ON matches (private, status, changed_at, match)",
    ),
)
"""What each version of the schema adds to the one before; `change` counts transactions, `writer` is who made it."""

_SUMMARY: Final = ", ".join(COLUMNS)
_CHANGES: Final = ", ".join(
    f"{column} = excluded.{column}"
    for column in ("status", "version", "names", "bots", "changed_at", "due_at", "change", "writer")
)
_ADVANCE: Final = f"""
    INSERT INTO matches ({_SUMMARY}, change, writer)
    SELECT {", ".join(f":{column}" for column in COLUMNS)}, :change, :writer
    WHERE :expected = 0 OR EXISTS (SELECT 1 FROM matches WHERE match = :match)
    ON CONFLICT (match) DO UPDATE SET {_CHANGES} WHERE matches.version = :expected
"""  # noqa: S608  names of columns
_GIVEN: Final = ", ".join(f"json_extract(given.value, '$[{place}]')" for place in range(len(COLUMNS)))
_ADVANCE_ALL: Final = f"""
    INSERT INTO matches ({_SUMMARY}, change, writer)
    SELECT {_GIVEN}, :change, :writer
    FROM json_each(:rows) AS given LEFT JOIN matches AS held ON held.match = json_extract(given.value, '$[0]')
    WHERE coalesce(held.version, 0) = json_extract(given.value, '$[{len(COLUMNS)}]')
    ON CONFLICT (match) DO UPDATE SET {_CHANGES}
"""  # noqa: S608  as above
_ENTER_ALL: Final = """
    INSERT INTO entries (match, version, entry)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')
    FROM json_each(:entries)
"""
_LIST: Final = f"""
    SELECT {_SUMMARY} FROM matches
    WHERE private = :private AND (:game IS NULL OR game = :game) AND (changed_at, match) < (:changed_at, :match) AND {{status}}
    ORDER BY changed_at DESC, match DESC LIMIT :limit
"""  # noqa: S608  as above
_KEEP: Final = """
    INSERT INTO snapshots (match, version, data)
    SELECT match, version, :data FROM entries WHERE match = :match AND version = :version
    ON CONFLICT (match) DO UPDATE SET version = excluded.version, data = excluded.data
    WHERE snapshots.version < excluded.version
"""
_LATEST: Final = (2**63 - 1, "")


class SqliteStore:
    """A store in one file, for any number of threads and for processes of one machine.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = SqliteStore(f"{folder}/matches.db")
    ...     store.matches()
    ...     store.close()
    ()
    """

    def __init__(self, where: str | Path) -> None:
        self._path = Path(where).absolute()
        _require_place(self._path)
        self._name = secrets.token_hex(8)
        self._watchers = Watchers(self._listen)
        self._readers = Spares(self._reader, answers=_answers, most=MOST_READERS)
        self._writers = Spares(lambda: _connected(self._path), answers=_answers, most=1)
        with _refusing(self._path), self._writers.one() as connection:
            _prepare(connection, self._path)
        self._file = _file_at(self._path)

    def append(self, appends: Sequence[Append]) -> list[bool]:
        """Add entries to logs in one durable transaction, and return for each whether it was done."""
        rows = [(summary_row(append.summary), entry_lines(append)) for append in appends]
        together = _together(appends, rows)
        with self._writing() as connection:
            [change] = connection.execute("SELECT coalesce(max(change), 0) + 1 FROM matches").fetchone()
            by = {"change": change, "writer": self._name}
            if together is not None and _add_all(connection, together | by, len(rows)):
                done = [True] * len(rows)
            else:
                done = [
                    _add(connection, row | by | {"expected": append.version}, lines)
                    for append, (row, lines) in zip(appends, rows, strict=True)
                ]
        for append, is_done in zip(appends, done, strict=True):
            if is_done:
                self._watchers.tell(append.summary.match, append.summary.version)
        return done

    def entries(self, match: str, *, after: int = 0) -> tuple[Entry, ...]:
        """Return the log of a match, or what came after a version; nothing for a match that there is not."""
        ask = "SELECT version, entry FROM entries WHERE match = ? AND version > ? ORDER BY version"
        return read_entries(match, after, self._rows(ask, (match, after)) if is_text(match) else [])

    def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot of a version that the log has, unless a later one is kept."""
        data = wire.to_json(snapshot.data).decode()
        with self._writing() as connection:
            connection.execute(_KEEP, {"match": snapshot.match, "version": snapshot.version, "data": data})

    def snapshot(self, match: str) -> Snapshot | None:
        """Return the latest snapshot of a match."""
        ask = "SELECT version, data FROM snapshots WHERE match = ?"
        rows = self._rows(ask, (match,)) if is_text(match) else []
        return read_snapshot(match, rows[0] if rows else None)

    def matches(
        self,
        *,
        game: str | None = None,
        status: Status | None = None,
        private: bool = False,
        before: tuple[int, str] | None = None,
        limit: int = 50,
    ) -> tuple[Summary, ...]:
        """Return matches, those changed last first; `before` is `changed_at` and `match` of the last one seen."""
        changed_at, match = before or _LATEST
        if not is_text(match) or not is_text(game or ""):
            return ()
        page = {"changed_at": changed_at, "match": match, "limit": limit}
        asked = page | {"game": game, "status": status, "private": private}
        ask = _LIST.format(status="TRUE" if status is None else "status = :status")
        return tuple(map(read_summary, self._rows(ask, asked)))

    def due(self, now: int, *, limit: int = 100) -> tuple[str, ...]:
        """Return the matches whose clock is up, those that have waited longest first."""
        ask = "SELECT match FROM matches WHERE due_at <= ? ORDER BY due_at LIMIT ?"
        return tuple(match for (match,) in self._rows(ask, (now, limit)))

    def watch(self, changed: Callable[[str, int], None]) -> Watch:
        """Call back with the match and its version after each append, whichever process made it."""
        return self._watchers.add(changed)

    def is_ready(self) -> bool:
        """Say whether the store can be written now, by writing what its head says already."""
        try:
            with self._writing() as connection:
                connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        except StoreError:
            return False
        return _has_room(self._path)

    def close(self) -> None:
        """Let go of everything."""
        self._watchers.close()
        self._readers.close()
        self._writers.close()

    def _rows(self, ask: str, asked: Any) -> list[Any]:  # noqa: ANN401  what SQLite binds
        with _refusing(self._path), self._readers.one() as connection:
            return connection.execute(ask, asked).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Write in a transaction, one thread at a time; what went to a file that nobody finds again does not count."""
        with _refusing(self._path), self._writers.one() as connection, _transaction(connection):
            yield connection
        if _file_at(self._path) != self._file:
            raise StoreError(
                "store_away", f"the store '{self._path}' was removed or replaced: put it back, or start again"
            )

    def _reader(self) -> sqlite3.Connection:
        return _connected(self._path, "query_only = ON")

    def _listen(self) -> Listening:
        """Look for changes that others have made since now."""
        with _refusing(self._path), closed_on_failure(self._reader()) as connection:
            [seen] = connection.execute("PRAGMA data_version").fetchone()
            [change] = connection.execute("SELECT coalesce(max(change), 0) FROM matches").fetchone()

        def listen(stopped: Event) -> None:
            nonlocal seen, change
            with closing(connection):
                while not stopped.wait(PAUSE):
                    with suppress(sqlite3.Error):
                        [now] = connection.execute("PRAGMA data_version").fetchone()
                        if now != seen:
                            change = self._tell_later(connection, change)
                            seen = now

        return Listening(listen)

    def _tell_later(self, connection: sqlite3.Connection, change: int) -> int:
        """Tell which matches others have changed after a change, and return the last change."""
        ask = "SELECT match, version, change, writer FROM matches WHERE change > ? ORDER BY change"
        for match, version, number, writer in connection.execute(ask, (change,)).fetchall():
            change = number
            if writer != self._name:
                self._watchers.tell(match, version)
        return change


def _together(
    appends: Sequence[Append], rows: Sequence[tuple[dict[str, Any], list[str]]]
) -> dict[str, str] | None:
    """Return a group as two texts, which SQLite reads in one go; None where a match is in it twice."""
    if len({append.summary.match for append in appends}) < len(appends):
        return None
    known = [[*row.values(), append.version] for append, (row, _) in zip(appends, rows, strict=True)]
    entries = [
        (append.summary.match, version, line)
        for append, (_, lines) in zip(appends, rows, strict=True)
        for version, line in enumerate(lines, append.version + 1)
    ]
    return {"rows": wire.to_json(known).decode(), "entries": wire.to_json(entries).decode()}


def _add_all(connection: sqlite3.Connection, given: dict[str, Any], count: int) -> bool:
    """Advance every match of a group, if each has the version that is expected; otherwise change nothing.

    Two statements for the whole group: while SQLite works, other threads go on.
    """
    connection.execute("SAVEPOINT together")
    if connection.execute(_ADVANCE_ALL, given).rowcount == count:
        connection.execute(_ENTER_ALL, given)
        connection.execute("RELEASE together")
        return True
    connection.execute("ROLLBACK TO together")
    return False


def _add(connection: sqlite3.Connection, row: dict[str, Any], lines: list[str]) -> bool:
    """Advance a match from the version that is expected, unless it has another one."""
    if connection.execute(_ADVANCE, row).rowcount != 1:
        return False
    numbered = ((row["match"], version, line) for version, line in enumerate(lines, row["expected"] + 1))
    connection.executemany("INSERT INTO entries (match, version, entry) VALUES (?, ?, ?)", numbered)
    return True


def _require_place(path: Path) -> None:
    """Refuse a place where no file can be; make the file, for its owner's eyes only, where there is none."""
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113  these never raise
        raise StoreError("not_a_store", f"'{path}' is not a file: name a file")
    if not os.path.isdir(path.parent):  # noqa: PTH112  as above
        raise StoreError(
            "no_store_folder", f"there is no folder '{path.parent}' for the store: make it first"
        )
    try:
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
    except (OSError, ValueError) as error:
        if not _may_be_written(path.parent):
            raise _read_only(path) from error
        reason = getattr(error, "strerror", None) or error
        raise StoreError("store_failed", f"the store '{path}' cannot be made: {reason}") from error


def _file_at(path: Path) -> tuple[int, int] | None:
    """Return which file there is at a path, by what stays the same as long as it exists."""
    try:
        found = os.stat(path)  # noqa: PTH116  for each write
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _may_be_written(*paths: Path) -> bool:
    return all(os.access(path, os.W_OK) for path in paths)


def _has_room(path: Path) -> bool:
    return shutil.disk_usage(path.parent).free >= LEAST_ROOM


def _connected(path: Path, *pragmas: str) -> sqlite3.Connection:
    """Connect to a file that is there, so that a commit is on disk when it returns."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=rw", uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    with closed_on_failure(connection):
        for pragma in ("trusted_schema = OFF", "synchronous = FULL", *pragmas):
            connection.execute(f"PRAGMA {pragma}")
    return connection


def _answers(_: sqlite3.Connection) -> bool:
    """Say that a connection can be used: one that has failed is not kept."""
    return True


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Bring a file to this version; one that is not ours is left as it is."""
    _require_ours(connection, path)
    connection.execute("PRAGMA journal_mode = WAL")
    with _transaction(connection):
        _migrate(connection, _require_ours(connection, path))


def _require_ours(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of a file's schema, 0 for a file without anything; refuse one that others have made."""
    application, version, tables = connection.execute(WHAT_IT_IS).fetchone()
    if (application, version, tables) == (0, 0, 0):
        return 0
    if application != APPLICATION:
        raise StoreError("not_a_store", f"'{path}' is a database of another program: name another file")
    if version > len(MIGRATIONS):
        raise StoreError(
            "newer_store",
            f"'{path}' has version {version}, and this oddsmith knows {len(MIGRATIONS)}: use a newer oddsmith",
        )
    return int(version)


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    for migration in MIGRATIONS[version:]:
        for statement in migration:
            connection.execute(statement)
    if version < len(MIGRATIONS):
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit what is done inside; a connection that fails meanwhile is closed, and takes it back."""
    connection.execute("BEGIN IMMEDIATE")
    yield
    connection.execute("COMMIT")


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _refusal(error, path) from error


def _refusal(error: sqlite3.Error, path: Path) -> StoreError:  # noqa: PLR0911  one answer for each kind of failure
    """Return what SQLite says in the words of the house; it does not always know that a disk is full or read-only."""
    match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF:
        case sqlite3.SQLITE_IOERR if not _has_room(path):
            return _full(path)
        case sqlite3.SQLITE_FULL:
            return _full(path)
        case sqlite3.SQLITE_CANTOPEN if path.exists() and not _may_be_written(path, path.parent):
            return _read_only(path)
        case sqlite3.SQLITE_READONLY:
            return _read_only(path)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreError("store_busy", f"another process has been writing to '{path}' for too long")
        case sqlite3.SQLITE_NOTADB:
            return StoreError("not_a_store", f"'{path}' is not a database: name another file")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_CONSTRAINT:
            return StoreError("damaged_store", f"the store '{path}' is damaged: {error}")
        case _:
            return StoreError("store_failed", f"the store '{path}' cannot be used: {error}")


def _full(path: Path) -> StoreError:
    return StoreError("store_full", f"there is no room left for the store '{path}': make room")


def _read_only(path: Path) -> StoreError:
    return StoreError("store_read_only", f"the store '{path}' or its folder may not be written: allow it")

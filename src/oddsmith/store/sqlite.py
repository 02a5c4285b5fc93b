"""The dialect of SQLite: one file, for any number of threads and for processes of one machine."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Final

from oddsmith.errors import (
    DamagedStoreError,
    NotAStoreError,
    StoreAwayError,
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)
from oddsmith.store import migrations
from oddsmith.store.pool import Pool, close_on_failure, store_closed_error
from oddsmith.store.row_conversion import Row
from oddsmith.store.sql import OnAppend, Session, Syntax, Values
from oddsmith.store.sqlite_files import OpenFiles, require_writable
from oddsmith.store.subscriptions import ListenerThread

APPLICATION: Final = 0x6F64_6473
"""The application id in the head of a store's file: `odds`."""
BUSY_TIMEOUT: Final = 10.0
"""Seconds to wait for a write transaction of another process."""
RETRY_PAUSE: Final = 0.01
"""Seconds between attempts to switch a file to write-ahead logging while other processes do so."""
PAUSE: Final = 0.2
"""Seconds between polls for changes of other processes."""
MOST_READERS: Final = 16
LEAST_FREE_BYTES: Final = 2**20
"""Free bytes that the disk of a store that is ready has at least."""
DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""The codes of errors after which a store is not ready until it is opened again."""

_SYNTAX: Final = Syntax(
    schema="",
    change="(SELECT coalesce(max(change), 0) + 1 FROM matches)",
    last_change="(SELECT max(change) FROM matches)",
    elements="json_each(:rows)",
    field="json_extract(value, '$[{index}]')",
    unchanged="TRUE",  # write transactions are serialised
    lock="",
    bytes="(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)",
    notify="",  # listeners poll `change`
)
_HEAD: Final = (
    "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
    " FROM pragma_application_id, pragma_user_version"
)
"""One statement, so that a file which another process is creating is read either empty or complete."""
_SAMPLE: Final = """
    SELECT entry FROM matches JOIN entries USING (match, version) WHERE match IN (
        (SELECT match FROM matches ORDER BY change DESC LIMIT 1), (SELECT match FROM matches ORDER BY change LIMIT 1)
    )
"""
"""Reads the last entries of the matches that changed first and last, through an index and both tables."""
_CHANGED_AFTER: Final = "SELECT match, version, change, writer FROM matches WHERE change > ? ORDER BY change"

NOT_UTF_8: Final = "Could not decode to UTF-8"
"""The beginning of the message of sqlite3 about a text that is damaged; the error has no code of its own."""


class SqliteDialect:
    """The database file at a path, created if missing; write transactions are serialised.

    Every method raises `StoreAwayError` where a file of the database was removed, replaced or truncated, until it is back:
    what was written to a removed file is lost, and what is read from it is not in the store.
    """

    def __init__(self, where: str | Path) -> None:
        self.path = Path(where).absolute()
        _require_file(self.path)
        require_writable(self.path)
        self.readers = Pool(self._reader, size=MOST_READERS)
        self.writers = Pool(lambda: connect(self.path), size=1)
        self._is_damaged = self._is_closed = False
        with self._raise_errors(), self.writers.connection() as connection:
            _prepare(connection, self.path)
            self._anchor = self._reader()
        self._files = OpenFiles(self.path)

    @property
    def syntax(self) -> Syntax:
        """The parts of statements in the syntax of SQLite."""
        return _SYNTAX

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Lend a connection that cannot write."""
        self._require_files()
        with self._raise_errors(), self.readers.connection() as connection:
            yield _SqliteSession(connection)

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Lend the writing connection inside a transaction, which is lost where the files were removed meanwhile."""
        self._require_files()
        with (
            self._raise_errors(),
            self.writers.connection() as connection,
            _transaction(connection),
        ):
            yield _SqliteSession(connection)
        self._require_files()

    def listen(self, on_append: OnAppend) -> ListenerThread:
        """Start a thread that polls the column `change` for values after the current one."""
        self._require_files()
        with self._raise_errors(), close_on_failure(self._reader()) as connection:
            [seen] = connection.execute("PRAGMA data_version").fetchone()
            [change] = connection.execute("SELECT coalesce(max(change), 0) FROM matches").fetchone()

        def poll(stopped: Event) -> None:
            nonlocal seen, change
            with closing(connection):
                while not stopped.wait(PAUSE):
                    with suppress(sqlite3.Error, StoreAwayError):
                        self._require_files()
                        [now] = connection.execute("PRAGMA data_version").fetchone()
                        if now != seen:
                            change = report_changes(connection, change, on_append)
                            seen = now

        return ListenerThread(poll)

    def is_ready(self) -> bool:
        """Return whether the file can be written, by writing its unchanged version, is not damaged, and its disk has free space.

        Damage is noticed where a new connection cannot read the file, and where any statement since the file was opened
        could not: the whole file is not read.
        """
        if self._is_damaged:
            return False
        require_writable(self.path)
        with self.write() as session:
            [(version,)] = session.rows("PRAGMA user_version", {})
            session.write(f"PRAGMA user_version = {version}", {})
        with self._raise_errors(), closing(self._reader()) as connection:
            connection.execute(_SAMPLE).fetchall()
        return _has_free_space(self.path)

    def close(self) -> None:
        """Close all connections."""
        self._is_closed = True
        self._files.restore_index_size()
        self.readers.close()
        self.writers.close()
        self._anchor.close()

    def _reader(self) -> sqlite3.Connection:
        """Connect for reading; the connection has all files of the database open."""
        with close_on_failure(connect(self.path, "query_only = ON")) as connection:
            connection.execute(_HEAD).fetchone()
        return connection

    def _require_files(self) -> None:
        """Raise `StoreAwayError` where the store was closed, or the files are not those that were opened."""
        if self._is_closed:
            raise store_closed_error()
        self._files.require_unchanged()

    @contextmanager
    def _raise_errors(self) -> Iterator[None]:
        """Raise every error of SQLite as a `StoreError`; note that of a damaged file for `is_ready`."""
        try:
            yield
        except sqlite3.Error as error:
            self._is_damaged |= getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGE
            raise _store_error(error, self.path) from error


class _SqliteSession:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, values: Values) -> list[Row]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.OperationalError as error:
            if not str(error).startswith(NOT_UTF_8):
                raise
        return self._rows_with_damage(statement, values)

    def _rows_with_damage(self, statement: str, values: Values) -> list[Row]:
        """Return rows of which some have bytes that are not UTF-8: they are surrogates in the texts."""
        self._connection.text_factory = lambda data: data.decode(errors="surrogateescape")
        try:
            return self._connection.execute(statement, values).fetchall()
        finally:
            self._connection.text_factory = str

    def write(self, statement: str, values: Values) -> int:
        before = self._connection.total_changes
        self._connection.execute(statement, values)
        return self._connection.total_changes - before


def connect(path: Path, *pragmas: str) -> sqlite3.Connection:
    """Connect to an existing file, with settings under which a commit is on disk when it returns."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=rw",
        uri=True,
        timeout=BUSY_TIMEOUT,
        isolation_level=None,
        check_same_thread=False,
    )
    with close_on_failure(connection):
        for pragma in ("trusted_schema = OFF", "synchronous = FULL", *pragmas):
            connection.execute(f"PRAGMA {pragma}")
    return connection


def report_changes(connection: sqlite3.Connection, change: int, on_append: OnAppend) -> int:
    """Call `on_append` for each match with a later `change`, and return the greatest `change`."""
    for match, version, number, writer in connection.execute(_CHANGED_AFTER, (change,)).fetchall():
        change = number
        on_append(match, version, writer)
    return change


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit after a normal exit; after an exception the pool closes the connection, which rolls back."""
    connection.execute("BEGIN IMMEDIATE")
    yield
    connection.execute("COMMIT")


def _require_file(path: Path) -> None:
    """Create the file if missing, readable by its owner only; raises `StoreError` where it cannot be created."""
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113  the methods of Path may raise
        raise NotAStoreError("not_a_store", f"'{path}' is not a file: name a file")
    if not os.path.isdir(path.parent):  # noqa: PTH112  the method of Path may raise
        raise NotAStoreError(
            "no_store_folder", f"there is no folder '{path.parent}' for the store: make it first"
        )
    try:
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
    except (OSError, ValueError) as error:
        if not _may_be_written(path.parent):
            raise _read_only_error(path) from error
        reason = getattr(error, "strerror", None) or error
        raise StoreError("store_failed", f"the store '{path}' cannot be made: {reason}") from error


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Migrate a file to the latest schema; a file of another program is refused unchanged."""
    _read_version(connection, path)
    _use_write_ahead_log(connection)
    with _transaction(connection):
        version = _read_version(connection, path)
        for statement in migrations.migration("sqlite", schema=_SYNTAX.schema, version=version):
            connection.execute(statement)
        if version < migrations.latest_version():
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {migrations.latest_version()}")


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch a file to write-ahead logging; retry, because SQLite does not always wait for other processes here."""
    end = monotonic() + BUSY_TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > end:
                raise
            sleep(RETRY_PAUSE)
        else:
            return


def _read_version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema version of a file, 0 for an empty one; raises `NotAStoreError` for other programs' or newer files."""
    application, version, tables = connection.execute(_HEAD).fetchone()
    if (application, version, tables) == (0, 0, 0):
        return 0
    if application != APPLICATION:
        raise NotAStoreError("not_a_store", f"'{path}' is a database of another program: name another file")
    migrations.require_known(version, f"'{path}'")
    return int(version)


def _may_be_written(*paths: Path) -> bool:
    return all(os.access(path, os.W_OK) for path in paths)


def _has_free_space(path: Path) -> bool:
    return shutil.disk_usage(path.parent).free >= LEAST_FREE_BYTES


def _store_error(error: sqlite3.Error, path: Path) -> StoreError:  # noqa: PLR0911  one return for each kind of failure
    """Return the `StoreError` of an error of SQLite by its code; full and read-only disks are checked here too."""
    match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF:
        case sqlite3.SQLITE_IOERR if not _has_free_space(path):
            return _full_error(path)
        case sqlite3.SQLITE_FULL:
            return _full_error(path)
        case sqlite3.SQLITE_CANTOPEN if not path.exists():
            return StoreAwayError(
                "store_away", f"the store '{path}' was removed: put it back, or start again"
            )
        case sqlite3.SQLITE_CANTOPEN if not _may_be_written(path, path.parent):
            return _read_only_error(path)
        case sqlite3.SQLITE_READONLY:
            return _read_only_error(path)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreBusyError("store_busy", f"another process has been writing to '{path}' for too long")
        case sqlite3.SQLITE_NOTADB:
            return NotAStoreError("not_a_store", f"'{path}' is not a database: name another file")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_CONSTRAINT:
            return DamagedStoreError("damaged_store", f"the store '{path}' is damaged: {error}")
        case _:
            return StoreError("store_failed", f"the store '{path}' cannot be used: {error}")


def _full_error(path: Path) -> StoreFullError:
    return StoreFullError("store_full", f"there is no space left for the store '{path}': free some")


def _read_only_error(path: Path) -> StoreReadOnlyError:
    return StoreReadOnlyError(
        "store_read_only", f"the store '{path}' or its folder may not be written: allow it"
    )

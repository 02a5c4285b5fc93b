"""The dialect of PostgreSQL: server processes on any machines share a database and are notified of all appends."""

import logging
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from threading import BoundedSemaphore, Event
from time import monotonic
from typing import Any, Final, TypeVar

import psycopg
from psycopg import conninfo, errors
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from oddsmith import wire
from oddsmith.errors import (
    DamagedStoreError,
    InputError,
    NotAStoreError,
    StoreAwayError,
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)
from oddsmith.store import migrations
from oddsmith.store.pool import close_on_failure, store_closed_error
from oddsmith.store.row_conversion import Row
from oddsmith.store.sql import OnAppend, Session, Syntax, Values
from oddsmith.store.subscriptions import ListenerThread

T = TypeVar("T")

MOST_CONNECTIONS: Final = 8
POOL_TIMEOUT: Final = 0.2
"""Seconds to wait for a connection from the pool before connecting directly to learn the reason."""
SLOT_TIMEOUT: Final = 5.0
"""Seconds to wait for other calls of the store to return a connection."""
REPLY_TIMEOUT: Final = 5.0
"""Seconds to wait for the server in one step of a transaction; a connection that is silent for longer is closed."""
CHECK_TIMEOUT: Final = 2.0
"""Seconds to wait for the server when an idle connection is checked; one that is silent for longer is replaced."""
PAUSE: Final = 0.2
"""Seconds between checks of a listener whether to stop, and between its attempts to reconnect."""
HEARTBEAT: Final = 2.0
"""Seconds between a listener's reads of the oldest running transaction."""
CONNECTION_DEFAULTS: Final = {
    "connect_timeout": "5",
    "tcp_user_timeout": "10000",
    "application_name": "oddsmith",
}
"""Connection parameters that the URL does not set; a server that is silent for so long is unavailable."""
SESSION_DEFAULTS: Final = {"statement_timeout": "4s", "idle_in_transaction_session_timeout": "10s"}
"""Limits of the server, where neither the URL nor the database sets others: locks of others, and our own while we hang."""
LONGEST_REASON: Final = 300
MIGRATION_LOCK: Final = 0x6F64_6473_6D69_7468
"""The number of the advisory lock under which one process at a time migrates: `oddsmith`."""

_SYNTAX: Final = Syntax(
    schema="oddsmith.",
    change="pg_current_xact_id()",
    last_change="pg_current_xact_id()",
    elements="json_array_elements(CAST(:rows AS json))",
    field="(value ->> {index})",
    unchanged="matches.version = (SELECT expected FROM given WHERE given.match = excluded.match)",
    lock="FOR UPDATE OF matches",
    bytes="""
        (SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class
         WHERE relnamespace = to_regnamespace('oddsmith') AND relkind = 'r')
    """,
    notify="RETURNING pg_notify('oddsmith', CAST(json_build_array(match, version, writer) AS text))",
)
_SYNCHRONOUS: Final = """
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
"""
_SESSION_DEFAULT: Final = (
    "SELECT set_config(%(name)s, %(value)s, false) WHERE current_setting(%(name)s) = '0'"
)
_CHANGED_SINCE: Final = """
    SELECT match, version, writer FROM oddsmith.matches WHERE change >= %s::xid8 ORDER BY change
"""
_PLACEHOLDER: Final = re.compile(r"(?<!:):(\w+)")

# The pool logs every connection that it lends and every attempt to connect; what fails is raised as a `StoreError`.
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that is closed when the server does not reply within `reply_timeout` seconds; None waits without end.

    The limit holds for a server that hangs or cannot be reached any more, which ends no statement by its own time limits.
    """

    reply_timeout: float | None = REPLY_TIMEOUT

    def wait(self, gen: Generator[Any, Any, T], *args: Any, **kwargs: Any) -> T:  # noqa: ANN401  those of the base class
        """Run a generator of psycopg, as all calls that communicate with the server do."""
        if self.reply_timeout is None:
            return super().wait(gen, *args, **kwargs)
        try:
            return super().wait(_limit(gen, self.reply_timeout), *args, **kwargs)
        except TimeoutError:
            self.close()
            raise psycopg.OperationalError(
                f"it did not reply within {self.reply_timeout:g} seconds"
            ) from None


def _limit(gen: Generator[Any, Any, T], seconds: float) -> Generator[Any, Any, T]:
    """Run a generator of psycopg; raise `TimeoutError` when it waits for the server after `seconds`.

    psycopg resumes a generator that waits every 0.1 seconds, with 0 for "not ready".
    """
    end = monotonic() + seconds
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if not ready and monotonic() > end:
                raise TimeoutError
            wanted = gen.send(ready)
    except StopIteration as stop:
        result: T = stop.value
        return result


class PostgresDialect:
    """The schema `oddsmith` of a database of PostgreSQL 13 or newer, for processes on any machines.

    While the server is unreachable or hangs, every method raises `StoreAwayError`, after some seconds at the latest. After
    it is back, listeners receive the matches that have changed in the meantime.
    """

    def __init__(self, url: str) -> None:
        self._conninfo = _with_defaults(url)
        with _raise_store_errors(), closing(self._connect()) as connection, connection.transaction():
            _migrate(connection)
        self._slots = BoundedSemaphore(MOST_CONNECTIONS)
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            self._conninfo,
            connection_class=Connection,
            kwargs={"autocommit": True},
            min_size=0,
            max_size=MOST_CONNECTIONS,
            configure=_configure,
            check=_check,
            reconnect_timeout=0,
            open=True,
        )

    @property
    def syntax(self) -> Syntax:
        """The parts of statements in the syntax of PostgreSQL."""
        return _SYNTAX

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Lend a connection in autocommit mode."""
        with self._connection() as connection:
            yield _PostgresSession(connection)

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Lend a connection inside a transaction."""
        with self._connection() as connection, connection.transaction():
            yield _PostgresSession(connection)

    def listen(self, on_append: OnAppend) -> ListenerThread:
        """Start a thread that receives notifications on its own connection."""
        with _raise_store_errors():
            return ListenerThread(_Listener(self._connect, on_append).run)

    def is_ready(self) -> bool:
        """Return whether the server accepts writes."""
        with self.read() as session:
            return session.rows("SHOW transaction_read_only", {}) == [("off",)]

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        if not self._slots.acquire(timeout=SLOT_TIMEOUT):
            raise StoreBusyError(
                "store_busy",
                f"all {MOST_CONNECTIONS} connections have been in use for {SLOT_TIMEOUT:g} seconds",
            )
        try:
            with _raise_store_errors():
                connection = self._take()
                try:
                    yield connection
                finally:
                    self._pool.putconn(connection)
        finally:
            self._slots.release()

    def _take(self) -> Connection:
        """Return a connection of the pool, or raise the error that keeps the pool from connecting.

        The pool connects in threads and does not report why it failed. The semaphore admits no more callers than the
        pool has connections, so a timeout here means that a new connection fails: a direct one raises its error.
        """
        while True:
            try:
                return self._pool.getconn(POOL_TIMEOUT)
            except PoolTimeout:
                self._connect().close()
                self._pool.check()

    def _connect(self) -> Connection:
        """Connect outside the pool."""
        with close_on_failure(Connection.connect(self._conninfo, autocommit=True)) as connection:
            _configure(connection)
        return connection


class _PostgresSession:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, values: Values) -> list[Row]:
        return self._connection.execute(_translate(statement), values).fetchall()

    def write(self, statement: str, values: Values) -> int:
        return self._connection.execute(_translate(statement), values).rowcount


class _Listener:
    """Receives notifications, and the matches changed while it was disconnected."""

    def __init__(self, connect: Callable[[], Connection], on_append: OnAppend) -> None:
        self._connect = connect
        self._on_append = on_append
        with close_on_failure(self._subscribe()) as self._first:
            self._since = self._reached = _horizon(self._first)

    def run(self, stopped: Event) -> None:
        """Report notifications until stopped; after a reconnection, report all matches changed since the connection was lost."""
        with suppress(psycopg.Error), closing(self._first):
            self._follow(self._first, stopped)
        while not stopped.wait(PAUSE):
            with suppress(psycopg.Error), closing(self._subscribe()) as connection:
                for match, version, writer in connection.execute(_CHANGED_SINCE, (self._since,)).fetchall():
                    self._on_append(match, version, writer)
                self._follow(connection, stopped)

    def _subscribe(self) -> Connection:
        with close_on_failure(self._connect()) as connection:
            connection.execute("LISTEN oddsmith")
        return connection

    def _follow(self, connection: Connection, stopped: Event) -> None:
        """Report notifications until stopped; all transactions before the last heartbeat but one have been reported."""
        asked_at = monotonic()
        while not stopped.is_set():
            for notification in connection.notifies(timeout=PAUSE):
                with suppress(InputError):
                    self._on_append(*wire.from_json(notification.payload, tuple[str, int, str]))
            if monotonic() > asked_at + HEARTBEAT:
                self._since, self._reached = self._reached, _horizon(connection)
                asked_at = monotonic()


def _horizon(connection: Connection) -> str:
    """Return the id of the oldest transaction that may still be running."""
    ask = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text"
    return str(connection.execute(ask).fetchall()[0][0])


def _with_defaults(url: str) -> str:
    try:
        given = conninfo.conninfo_to_dict(url)
    except psycopg.Error:
        raise InputError(
            "bad_store_url", "the URL of the store cannot be read: postgresql://user@host/database is needed"
        ) from None
    missing = {key: value for key, value in CONNECTION_DEFAULTS.items() if key not in given}
    return conninfo.make_conninfo(url, **missing)


def _configure(connection: Connection) -> None:
    """Turn synchronous commit on if it is off, so that a commit is on disk when it returns; limit the time of statements."""
    connection.execute(_SYNCHRONOUS)
    for name, value in SESSION_DEFAULTS.items():
        connection.execute(_SESSION_DEFAULT, {"name": name, "value": value})


def _check(connection: Connection) -> None:
    """Raise an error where an idle connection is broken, or its server does not reply."""
    connection.reply_timeout = CHECK_TIMEOUT
    ConnectionPool.check_connection(connection)
    connection.reply_timeout = REPLY_TIMEOUT


@lru_cache
def _translate(statement: str) -> bytes:
    """Return a statement with the placeholders of psycopg.

    >>> _translate("SELECT CAST(:match AS text)")
    b'SELECT CAST(%(match)s AS text)'
    """
    return _PLACEHOLDER.sub(r"%(\1)s", statement).encode()


def _migrate(connection: Connection) -> None:
    """Migrate the schema to the latest version under a lock; a schema of another program is refused unchanged.

    It has no time limit: to index a large store takes long.
    """
    connection.reply_timeout = None
    connection.execute("SET LOCAL statement_timeout = 0")
    if connection.execute("SHOW transaction_read_only").fetchall() == [("on",)]:
        raise StoreReadOnlyError("store_read_only", "the database of the store may not be written: allow it")
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
    version = _read_version(connection)
    migrations.require_known(version, "the store")
    for statement in migrations.migration("postgresql", schema=_SYNTAX.schema, version=version):
        connection.execute(statement.encode())
    if version < migrations.latest_version():
        connection.execute("UPDATE oddsmith.store SET version = %s", (migrations.latest_version(),))


def _read_version(connection: Connection) -> int:
    """Return the version of the schema; create the schema with version 0 if missing."""
    [(schema, table, relations)] = connection.execute(
        """
        SELECT to_regnamespace('oddsmith')::text, to_regclass('oddsmith.store')::text,
            (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('oddsmith'))
        """
    ).fetchall()
    if table is not None:
        return int(connection.execute("SELECT version FROM oddsmith.store").fetchall()[0][0])
    if relations:
        raise NotAStoreError(
            "not_a_store",
            "the schema 'oddsmith' of the database is of another program: name another database",
        )
    if schema is None:
        connection.execute("CREATE SCHEMA oddsmith")
    connection.execute("CREATE TABLE oddsmith.store (version integer NOT NULL)")
    connection.execute("INSERT INTO oddsmith.store VALUES (0)")
    return 0


@contextmanager
def _raise_store_errors() -> Iterator[None]:
    """Raise every error of psycopg and its pool as a `StoreError`."""
    try:
        yield
    except psycopg.Error as error:
        raise _store_error(error) from error


def _store_error(error: psycopg.Error) -> StoreError:  # noqa: PLR0911  one return for each kind of failure
    """Return the `StoreError` of an error of psycopg by its class; its sentence has no URL, which may hold a password."""
    reason = " ".join(str(error).split())[:LONGEST_REASON]
    match error:
        case PoolClosed():
            return store_closed_error()
        case errors.DiskFull():
            return StoreFullError("store_full", f"there is no space left for the store: {reason}")
        case errors.ReadOnlySqlTransaction() | errors.InsufficientPrivilege():
            return StoreReadOnlyError("store_read_only", f"the store may not be written: {reason}")
        case errors.UniqueViolation():
            return DamagedStoreError("damaged_store", f"the store is damaged: {reason}")
        case errors.QueryCanceled() | errors.LockNotAvailable() | errors.DeadlockDetected():
            return StoreBusyError("store_busy", f"the store took too long: {reason}")
        case psycopg.OperationalError() | psycopg.InterfaceError():
            return StoreAwayError("store_away", f"the store cannot be reached: {reason}")
        case _:
            return StoreError("store_failed", f"the store cannot be used: {reason}")

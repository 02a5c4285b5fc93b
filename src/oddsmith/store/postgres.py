"""Matches in a PostgreSQL database that many server processes share: each hears at once what the others append."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from threading import Event
from time import monotonic
from typing import Any, Final, LiteralString, TypeAlias

import psycopg
from psycopg import conninfo, errors

from oddsmith import wire
from oddsmith.errors import InputError, StoreError
from oddsmith.match.model import Entry
from oddsmith.store.model import Append, Snapshot, Status, Summary, Watch
from oddsmith.store.rows import (
    entry_lines,
    is_text,
    read_entries,
    read_snapshot,
    read_summary,
    summary_row,
)
from oddsmith.store.pool import Spares, closed_on_failure
from oddsmith.store.watching import Listening, Watchers

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

MOST_CONNECTIONS: Final = 8
PAUSE: Final = 0.2
"""After how many seconds a listener looks whether it shall stop, or whether a lost server is back."""
HEARTBEAT: Final = 2.0
"""After how many seconds a listener asks how far the database has come."""
MANNERS: Final = {"connect_timeout": "5", "tcp_user_timeout": "10000", "application_name": "oddsmith"}
"""How a server is spoken to where its URL says nothing else: one that is silent counts as away."""
LONGEST_REASON: Final = 300
MIGRATION_LOCK: Final = 0x6F64_6473_6D69_7468
"""The number of the advisory lock under which one process at a time migrates: `oddsmith`."""

MIGRATIONS: Final[tuple[tuple[LiteralString, ...], ...]] = (
    (
        """
        CREATE TABLE oddsmith.entries (
            match text NOT NULL, version integer NOT NULL, entry text NOT NULL, PRIMARY KEY (match, version)
        )
        """,
        """
        CREATE TABLE oddsmith.matches (
            match text COLLATE "C" PRIMARY KEY, game text NOT NULL, rules_id text NOT NULL, status text NOT NULL,
            version integer NOT NULL, names text NOT NULL, bots text NOT NULL,
            opened_at bigint NOT NULL, changed_at bigint NOT NULL, due_at bigint,
            change xid8 NOT NULL DEFAULT pg_current_xact_id(), writer text NOT NULL
        )
        """,
        "CREATE INDEX matches_changed ON oddsmith.matches (changed_at, match)",
        "CREATE INDEX matches_of_status ON oddsmith.matches (status, changed_at, match)",
        "CREATE INDEX matches_change ON oddsmith.matches (change)",
    ),
    (
        "CREATE TABLE oddsmith.snapshots (match text PRIMARY KEY, version integer NOT NULL, data text NOT NULL)",
        "CREATE INDEX matches_due ON oddsmith.matches (due_at) WHERE due_at IS NOT NULL",
    ),
    (
        "ALTER TABLE oddsmith.matches ADD COLUMN practice boolean NOT NULL DEFAULT false",
        "ALTER TABLE oddsmith.matches ADD COLUMN private boolean NOT NULL DEFAULT false",
        "DROP INDEX oddsmith.matches_changed",
        "DROP INDEX oddsmith.matches_of_status",
        "CREATE INDEX matches_changed ON oddsmith.matches (private, changed_at, match)",
        "CREATE INDEX matches_of_status ON oddsmith.matches (private, status, changed_at, match)",
    ),
)
"""What each version of the schema adds to the one before; `change` is the transaction, `writer` who made it."""

_ADD: Final = """
    WITH advanced AS (
        INSERT INTO oddsmith.matches (
            match, game, rules_id, status, version, names, bots, opened_at, changed_at, due_at,
            practice, private, writer
        )
        SELECT %(match)s, %(game)s, %(rules_id)s, %(status)s, %(version)s, %(names)s, %(bots)s,
            %(opened_at)s, %(changed_at)s, %(due_at)s::bigint,
            %(practice)s, %(private)s, %(writer)s
        WHERE %(expected)s = 0 OR EXISTS (SELECT 1 FROM oddsmith.matches WHERE match = %(match)s)
        ON CONFLICT (match) DO UPDATE SET
            status = excluded.status, version = excluded.version, names = excluded.names, bots = excluded.bots,
            changed_at = excluded.changed_at, due_at = excluded.due_at,
            change = pg_current_xact_id(), writer = excluded.writer
        WHERE matches.version = %(expected)s
        RETURNING match
    )
    INSERT INTO oddsmith.entries (match, version, entry)
    SELECT match, %(expected)s + place, entry
    FROM advanced, unnest(%(entries)s::text[]) WITH ORDINALITY AS given (entry, place)
"""
_SYNCHRONOUS: Final = """
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
"""
_NOTIFY: Final = "SELECT pg_notify('oddsmith', said) FROM unnest(%s::text[]) AS said"
_ALL: Final = """
    SELECT match, game, rules_id, status, version, names, bots, opened_at, changed_at, due_at, practice, private
    FROM oddsmith.matches
    WHERE private = %(private)s AND (%(game)s::text IS NULL OR game = %(game)s)
        AND (changed_at, match) < (%(changed_at)s, %(match)s COLLATE "C")
"""
_OF_STATUS: Final = f"{_ALL} AND status = %(status)s"
_PAGE: Final = "ORDER BY changed_at DESC, match DESC LIMIT %(limit)s"
_KEEP: Final = """
    INSERT INTO oddsmith.snapshots AS kept (match, version, data)
    SELECT match, version, %(data)s FROM oddsmith.entries WHERE match = %(match)s AND version = %(version)s
    ON CONFLICT (match) DO UPDATE SET version = excluded.version, data = excluded.data
    WHERE kept.version < excluded.version
"""
_CHANGED_SINCE: Final = """
    SELECT match, version, writer FROM oddsmith.matches WHERE change >= %s::xid8 ORDER BY change
"""
_LATEST: Final = (2**63 - 1, "")


class PostgresStore:
    """A store in the schema `oddsmith` of a database of PostgreSQL 13 or newer, for processes on any machines.

    While the server is away everything raises `StoreError` with code `store_away`; when it is back all goes on, and
    whoever watches is told which matches have changed meanwhile.
    """

    def __init__(self, where: str) -> None:
        self._where = _with_manners(where)
        self._name = secrets.token_hex(8)
        self._watchers = Watchers(self._listen)
        self._connections = Spares(self._connected, answers=_answers, most=MOST_CONNECTIONS)
        with self._connection() as connection, connection.transaction():
            _migrate(connection)

    def append(self, appends: Sequence[Append]) -> list[bool]:
        """Add entries to logs in one durable transaction, and return for each whether it was done.

        All processes write matches in one order, so that none wait for each other in a circle.
        """
        if not appends:
            return []
        places = sorted(range(len(appends)), key=lambda place: appends[place].summary.match)
        rows = [self._row(appends[place]) for place in places]
        with self._connection() as connection, connection.transaction(), connection.cursor() as cursor:
            done = dict(zip(places, _done(cursor, rows), strict=True))
            added = [append.summary for place, append in enumerate(appends) if done[place]]
            said = [wire.to_json((one.match, one.version, self._name)).decode() for one in added]
            if said:
                cursor.execute(_NOTIFY, (said,))
        for summary in added:
            self._watchers.tell(summary.match, summary.version)
        return [done[place] for place in range(len(appends))]

    def _row(self, append: Append) -> dict[str, Any]:
        more = {"expected": append.version, "entries": entry_lines(append), "writer": self._name}
        return summary_row(append.summary) | more

    def entries(self, match: str, *, after: int = 0) -> tuple[Entry, ...]:
        """Return the log of a match, or what came after a version; nothing for a match that there is not."""
        ask = "SELECT version, entry FROM oddsmith.entries WHERE match = %s AND version > %s ORDER BY version"
        return read_entries(match, after, self._rows(ask, (match, after)) if is_text(match) else [])

    def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot of a version that the log has, unless a later one is kept."""
        data = wire.to_json(snapshot.data).decode()
        with self._connection() as connection:
            connection.execute(_KEEP, {"match": snapshot.match, "version": snapshot.version, "data": data})

    def snapshot(self, match: str) -> Snapshot | None:
        """Return the latest snapshot of a match."""
        ask = "SELECT version, data FROM oddsmith.snapshots WHERE match = %s"
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
        ask: LiteralString = f"{_ALL if status is None else _OF_STATUS} {_PAGE}"
        return tuple(map(read_summary, self._rows(ask, asked)))

    def due(self, now: int, *, limit: int = 100) -> tuple[str, ...]:
        """Return the matches whose clock is up, those that have waited longest first."""
        ask = "SELECT match FROM oddsmith.matches WHERE due_at <= %s ORDER BY due_at LIMIT %s"
        return tuple(match for (match,) in self._rows(ask, (now, limit)))

    def watch(self, changed: Callable[[str, int], None]) -> Watch:
        """Call back with the match and its version after each append, whichever process made it."""
        return self._watchers.add(changed)

    def is_ready(self) -> bool:
        """Say whether the store can be written now."""
        try:
            return self._rows("SHOW transaction_read_only") == [("off",)]
        except StoreError:
            return False

    def close(self) -> None:
        """Let go of everything."""
        self._watchers.close()
        self._connections.close()

    def _rows(self, ask: LiteralString, asked: Any = None) -> list[Any]:  # noqa: ANN401  what psycopg binds
        with self._connection() as connection:
            return connection.execute(ask, asked).fetchall()

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        with _refusing(), self._connections.one() as connection:
            yield connection

    def _connected(self) -> Connection:
        """Connect so that a commit is on disk when it returns, whatever the database is used to."""
        with closed_on_failure(psycopg.connect(self._where, autocommit=True)) as connection:
            connection.execute(_SYNCHRONOUS)
        return connection

    def _listen(self) -> Listening:
        with _refusing():
            return Listening(_Ear(self._connected, self._told).hear)

    def _told(self, match: str, version: int, writer: str) -> None:
        """Pass on what another process has appended; who appends here has told it already."""
        if writer != self._name:
            self._watchers.tell(match, version)


class _Ear:
    """Hears of appends, and knows from which transaction on it may have missed some."""

    def __init__(self, connect: Callable[[], Connection], told: Callable[[str, int, str], None]) -> None:
        self._connect = connect
        self._told = told
        with closed_on_failure(self._subscribed()) as self._first:
            self._since = self._reached = _horizon(self._first)

    def hear(self, stopped: Event) -> None:
        """Pass on what is heard; where the server goes away, come back with what has changed meanwhile."""
        with suppress(psycopg.Error), closing(self._first):
            self._follow(self._first, stopped)
        while not stopped.wait(PAUSE):
            with suppress(psycopg.Error), closing(self._subscribed()) as connection:
                for match, version, writer in connection.execute(_CHANGED_SINCE, (self._since,)).fetchall():
                    self._told(match, version, writer)
                self._follow(connection, stopped)

    def _subscribed(self) -> Connection:
        with closed_on_failure(self._connect()) as connection:
            connection.execute("LISTEN oddsmith")
        return connection

    def _follow(self, connection: Connection, stopped: Event) -> None:
        """Hear until stopped; what the last heartbeat but one had reached has surely been heard."""
        asked_at = monotonic()
        while not stopped.is_set():
            for said in connection.notifies(timeout=PAUSE):
                with suppress(InputError):
                    self._told(*wire.from_json(said.payload, tuple[str, int, str]))
            if monotonic() > asked_at + HEARTBEAT:
                self._since, self._reached = self._reached, _horizon(connection)
                asked_at = monotonic()


def _horizon(connection: Connection) -> str:
    """Return the first transaction that may not have ended yet."""
    ask = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text"
    return str(connection.execute(ask).fetchall()[0][0])


def _done(cursor: psycopg.Cursor[tuple[Any, ...]], rows: Sequence[dict[str, Any]]) -> list[bool]:
    """Make every append that is still in time, all in one round trip, and return which were made."""
    cursor.executemany(_ADD, rows, returning=True)
    done = [cursor.rowcount > 0]
    while cursor.nextset():
        done.append(cursor.rowcount > 0)
    return done


def _with_manners(where: str) -> str:
    try:
        given = conninfo.conninfo_to_dict(where)
    except psycopg.Error:
        raise InputError(
            "bad_store_url", "the URL of the store cannot be read: postgresql://user@host/database is needed"
        ) from None
    missing = {key: value for key, value in MANNERS.items() if key not in given}
    return conninfo.make_conninfo(where, **missing)


def _answers(connection: Connection) -> bool:
    try:
        connection.execute("")
    except psycopg.Error:
        return False
    return True


def _migrate(connection: Connection) -> None:
    """Bring the schema to this version, one process at a time; a schema that is not ours is left as it is."""
    if connection.execute("SHOW transaction_read_only").fetchall() == [("on",)]:
        raise StoreError("store_read_only", "the database of the store may not be written: allow it")
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
    version = _version(connection)
    if version > len(MIGRATIONS):
        raise StoreError(
            "newer_store",
            f"the store has version {version}, and this oddsmith knows {len(MIGRATIONS)}: use a newer oddsmith",
        )
    if version == len(MIGRATIONS):
        return
    for migration in MIGRATIONS[version:]:
        for statement in migration:
            connection.execute(statement)
    connection.execute("UPDATE oddsmith.store SET version = %s", (len(MIGRATIONS),))


def _version(connection: Connection) -> int:
    """Return the version of the schema; make the schema, with version 0, where there is none."""
    [(schema, table, relations)] = connection.execute(
        """
        SELECT to_regnamespace('oddsmith')::text, to_regclass('oddsmith.store')::text,
            (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('oddsmith'))
        """
    ).fetchall()
    if table is not None:
        return int(connection.execute("SELECT version FROM oddsmith.store").fetchall()[0][0])
    if relations:
        raise StoreError(
            "not_a_store",
            "the schema 'oddsmith' of the database is of another program: name another database",
        )
    if schema is None:
        connection.execute("CREATE SCHEMA oddsmith")
    connection.execute("CREATE TABLE oddsmith.store (version integer NOT NULL)")
    connection.execute("INSERT INTO oddsmith.store VALUES (0)")
    return 0


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        raise _refusal(error) from error


def _refusal(error: psycopg.Error) -> StoreError:
    """Return what PostgreSQL says in the words of the house; no URL, for it may hold a password."""
    reason = " ".join(str(error).split())[:LONGEST_REASON]
    match error:
        case errors.DiskFull():
            return StoreError("store_full", f"there is no room left for the store: {reason}")
        case errors.ReadOnlySqlTransaction() | errors.InsufficientPrivilege():
            return StoreError("store_read_only", f"the store may not be written: {reason}")
        case errors.UniqueViolation():
            return StoreError("damaged_store", f"the store is damaged: {reason}")
        case errors.QueryCanceled() | errors.LockNotAvailable() | errors.DeadlockDetected():
            return StoreError("store_busy", f"the store took too long: {reason}")
        case psycopg.OperationalError() | psycopg.InterfaceError():
            return StoreError("store_away", f"the store cannot be reached: {reason}")
        case _:
            return StoreError("store_failed", f"the store cannot be used: {reason}")

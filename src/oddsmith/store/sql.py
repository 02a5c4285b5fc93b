"""A store of matches in an SQL database: every operation is written once, in SQL that SQLite and PostgreSQL share."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final, NamedTuple, Protocol, TypeAlias

from oddsmith import wire
from oddsmith.errors import DamagedStoreError, StoreError
from oddsmith.match.model import Entry
from oddsmith.store.model import Append, Outage, Pulse, Snapshot, Status, StoreUsage, Subscription, Summary
from oddsmith.store.row_conversion import (
    COLUMNS,
    Row,
    entry_rows,
    is_text,
    read_entries,
    read_snapshot,
    read_summary,
    summary_row,
)
from oddsmith.store.subscriptions import ListenerThread, Subscriptions

Value: TypeAlias = str | int | None
Values: TypeAlias = Mapping[str, Value]
OnAppend: TypeAlias = Callable[[str, int, str], None]
"""Called with the match, the version and the writer of an append."""


class Session(Protocol):
    """A connection lent by a dialect; `values` has a value for each `:name` in a statement."""

    def rows(self, statement: str, values: Values) -> list[Row]:
        """Run a statement that reads, and return all rows."""
        ...

    def write(self, statement: str, values: Values) -> int:
        """Run a statement that writes, and return the number of rows written."""
        ...


class Syntax(NamedTuple):
    """The parts of statements that differ between databases."""

    schema: str
    """The prefix of every table."""
    change: str
    """An expression for the column `change`, which is greater in a later transaction."""
    last_change: str
    """An expression for the value of `change` that this transaction wrote last."""
    elements: str
    """A table expression with a column `value` that holds each element of the JSON array `:rows`."""
    field: str
    """An expression for the field `{index}` of `value`, which is a JSON array."""
    unchanged: str
    """The condition for updating a row of `matches`: no other transaction has advanced it since it was read.

    `given` has `match` and the version that is `expected`.
    """
    lock: str
    """A clause after a select that locks the rows of `matches` until the end of the transaction."""
    bytes: str
    """An expression for the number of bytes on disk, of all tables and indexes."""
    notify: str
    """A clause after an insert into `matches` that notifies all listeners when the transaction is committed."""


class Dialect(Protocol):
    """One database: its syntax, connections, errors and notifications.

    Errors of the driver are raised as `StoreError`. The constructor of a dialect migrates its database to the latest
    schema. A dialect may be used from any thread.
    """

    @property
    def syntax(self) -> Syntax:
        """The parts of statements that differ between databases."""
        ...

    def read(self) -> AbstractContextManager[Session]:
        """Lend a connection for reading."""
        ...

    def write(self) -> AbstractContextManager[Session]:
        """Lend a connection inside a transaction: durable after a normal exit, rolled back after an exception."""
        ...

    def listen(self, on_append: OnAppend) -> ListenerThread:
        """Start a thread that calls `on_append` at least once for every append of any process from now on."""
        ...

    def is_ready(self) -> bool:
        """Return whether the database can be written now; may raise `StoreError` instead of returning False."""
        ...

    def close(self) -> None:
        """Close idle connections now, and lent ones when they are returned."""
        ...


class _Statements(NamedTuple):
    advance: str
    advanced_matches: str
    insert_entries: str
    entries: str
    write_snapshot: str
    snapshot: str
    matches: str
    matches_of_status: str
    matches_of_game: str
    matches_of_game_and_status: str
    due_matches: str
    heartbeat: str
    outages: str
    lock_heartbeat: str
    begin_heartbeat: str
    write_heartbeat: str
    write_outage: str
    move_time_limits: str
    running: str
    removable: str
    remove_entries: str
    remove_snapshots: str
    remove_matches: str
    usage: str


_LIST: Final = """
    SELECT {columns} FROM {schema}matches
    WHERE private = :private AND (changed_at, match) < (:changed_at, :match)
"""
_PAGE: Final = "ORDER BY changed_at DESC, match DESC LIMIT :limit"
_PAGES_OF_GAME: Final = " UNION ALL ".join(
    f"SELECT * FROM ({_LIST} AND game = :game AND status = '{status.value}' {_PAGE}) AS page_of_{status.value}"  # noqa: S608  constants
    for status in Status
)
"""A page of each status, each in the order of the index by game and status, so that no more rows are read."""
_TEMPLATES: Final = _Statements(
    # All processes lock rows in the same order, which prevents deadlocks. The subquery for `held` uses the index for each
    # row, where a join may be planned as a scan of all matches.
    advance="""
        WITH given AS MATERIALIZED (SELECT {summary_fields} FROM {elements})
        INSERT INTO {schema}matches ({columns}, change, writer)
        SELECT {given_columns}, {change}, :writer
        FROM given
        WHERE expected = coalesce(
            (SELECT held.version FROM {schema}matches AS held WHERE held.match = given.match), 0
        )
        ORDER BY given.match
        ON CONFLICT (match) DO UPDATE SET
            status = excluded.status, version = excluded.version, names = excluded.names, bots = excluded.bots,
            changed_at = excluded.changed_at, due_at = excluded.due_at,
            change = excluded.change, writer = excluded.writer
        WHERE {unchanged}
        {notify}
    """,
    advanced_matches="SELECT match FROM {schema}matches WHERE change = {last_change}",
    insert_entries="INSERT INTO {schema}entries (match, version, entry) SELECT {entry_fields} FROM {elements}",
    entries="SELECT version, entry FROM {schema}entries WHERE match = :match AND version > :after ORDER BY version",
    write_snapshot="""
        INSERT INTO {schema}snapshots (match, version, data)
        SELECT match, version, :data FROM {schema}entries WHERE match = :match AND version = :version
        ON CONFLICT (match) DO UPDATE SET version = excluded.version, data = excluded.data
        WHERE snapshots.version < excluded.version
    """,
    snapshot="SELECT version, data FROM {schema}snapshots WHERE match = :match",
    matches=f"{_LIST} {_PAGE}",
    matches_of_status=f"{_LIST} AND status = :status {_PAGE}",
    matches_of_game=f"SELECT * FROM ({_PAGES_OF_GAME}) AS pages {_PAGE}",  # noqa: S608  constants
    matches_of_game_and_status=f"{_LIST} AND game = :game AND status = :status {_PAGE}",
    due_matches="SELECT match FROM {schema}matches WHERE due_at <= :now ORDER BY due_at LIMIT :limit",
    heartbeat="SELECT at FROM {schema}heartbeat",
    outages="SELECT began, ended FROM {schema}outages ORDER BY ended",
    lock_heartbeat="UPDATE {schema}heartbeat SET at = at",
    begin_heartbeat="""
        INSERT INTO {schema}heartbeat (id, at)
        SELECT 1, coalesce((SELECT max(changed_at) FROM {schema}matches), CAST(:now AS bigint))
        WHERE TRUE
        ON CONFLICT (id) DO NOTHING
    """,
    write_heartbeat="UPDATE {schema}heartbeat SET at = :now",
    write_outage="INSERT INTO {schema}outages (began, ended) VALUES (:began, :ended)",
    move_time_limits="""
        UPDATE {schema}matches
        SET due_at = due_at + :ended - CASE WHEN changed_at > :began THEN changed_at ELSE :began END
        WHERE due_at IS NOT NULL AND changed_at < :ended
    """,
    running="""
        SELECT match FROM {schema}matches
        WHERE match IN (SELECT {first_field} FROM {elements}) AND status IN ('open', 'playing')
    """,
    removable="""
        WITH given AS MATERIALIZED (SELECT {removed_fields} FROM {elements})
        SELECT matches.match FROM {schema}matches AS matches JOIN given USING (match, version)
        WHERE status IN ('over', 'abandoned')
            AND change <> (SELECT change FROM {schema}matches ORDER BY change DESC LIMIT 1) {lock}
    """,
    remove_entries="DELETE FROM {schema}entries WHERE match IN (SELECT {first_field} FROM {elements})",
    remove_snapshots="DELETE FROM {schema}snapshots WHERE match IN (SELECT {first_field} FROM {elements})",
    remove_matches="DELETE FROM {schema}matches WHERE match IN (SELECT {first_field} FROM {elements})",
    usage="""
        SELECT {bytes}, oldest.changed_at FROM (
            SELECT min(changed_at) AS changed_at FROM (
                SELECT min(changed_at) AS changed_at FROM {schema}matches WHERE private = FALSE
                UNION ALL SELECT min(changed_at) FROM {schema}matches WHERE private = TRUE
            ) AS each_kind
        ) AS oldest
    """,
)
_ENTRY_COLUMNS: Final = {"match": "text", "version": "bigint", "entry": "text"}
_REMOVED_COLUMNS: Final = {"match": "text", "version": "bigint"}
_CHANGED_AT: Final = [*COLUMNS].index("changed_at")
_LATEST: Final = (2**63 - 1, "")


class SqlStore:
    """A `Store` in the database of a dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._sql = _statements(dialect.syntax)
        self._writer = secrets.token_hex(8)
        self._subscriptions = Subscriptions(lambda: dialect.listen(self._on_append))

    def append(self, appends: Sequence[Append]) -> list[bool]:
        """Append entries to logs in one durable transaction, and return for each append whether it was written."""
        if not appends:
            return []
        rows = [(*summary_row(append.summary), append.version) for append in appends]
        entries = [entry_rows(append) for append in appends]
        done = [False] * len(appends)
        with self.dialect.write() as session:
            for indices in _split_repeated(appends):
                advanced = self._advance(session, [rows[index] for index in indices])
                for index in indices:
                    done[index] = appends[index].summary.match in advanced
                lines = [entry for index in indices if done[index] for entry in entries[index]]
                if lines:
                    session.write(self._sql.insert_entries, {"rows": _json(lines)})
        for append, is_done in zip(appends, done, strict=True):
            if is_done:
                self._subscriptions.notify(append.summary.match, append.summary.version)
        return done

    def _advance(self, session: Session, rows: Sequence[tuple[Value, ...]]) -> set[Value]:
        """Advance each match that is at the version which its row expects, and return the ids of these.

        If the number of written rows is that of `rows`, all were advanced and none is read back: sqlite3 acquires the
        interpreter lock for every row that it returns, and waits for it while other threads work.
        """
        count = session.write(self._sql.advance, {"rows": _json(rows), "writer": self._writer})
        if count == len(rows):
            return {match for match, *_ in rows}
        return {match for (match,) in session.rows(self._sql.advanced_matches, {})} if count else set()

    def entries(self, match: str, *, after: int = 0) -> tuple[Entry, ...]:
        """Return the entries of a match's log after a version; none for an unknown match."""
        rows = self._rows(self._sql.entries, match=match, after=after) if is_text(match) else []
        return read_entries(match, after, rows)

    def write_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot of a version that the log has, unless a later one is stored."""
        match, version, data = snapshot.match, snapshot.version, _json(snapshot.data)
        with self.dialect.write() as session:
            session.write(self._sql.write_snapshot, {"match": match, "version": version, "data": data})

    def snapshot(self, match: str) -> Snapshot | None:
        """Return the latest snapshot of a match; None where there is none."""
        return read_snapshot(match, self._rows(self._sql.snapshot, match=match) if is_text(match) else [])

    def matches(
        self,
        *,
        game: str | None = None,
        status: Status | None = None,
        private: bool = False,
        before: tuple[int, str] | None = None,
        limit: int = 50,
        on_damaged: Callable[[str, DamagedStoreError], None] | None = None,
    ) -> tuple[Summary, ...]:
        """Return a page of summaries, most recently changed first, as `Store.matches` describes."""
        changed_at, match = before or _LATEST
        if not is_text(match) or not is_text(game or ""):
            return ()
        page: dict[str, Value] = {
            "private": private,
            "changed_at": changed_at,
            "match": match,
        }
        if game is not None:
            page |= {"game": game}
        if status is not None:
            page |= {"status": status.value}
        statement = {
            (True, True): self._sql.matches,
            (True, False): self._sql.matches_of_status,
            (False, True): self._sql.matches_of_game,
            (False, False): self._sql.matches_of_game_and_status,
        }[game is None, status is None]
        found: list[Summary] = []
        while missing := limit - len(found):
            rows = self._rows(statement, **page | {"limit": missing})
            for row in rows:
                try:
                    found.append(read_summary(row))
                except DamagedStoreError as error:
                    if on_damaged is not None:
                        on_damaged(row[0], error)
            if len(rows) < missing:
                break
            page["match"], page["changed_at"] = row[0] if is_text(row[0]) else "", row[_CHANGED_AT]
        return tuple(found)

    def due_matches(self, now: int, *, limit: int = 100) -> tuple[str, ...]:
        """Return the ids of matches whose time limit has passed at `now`, the longest overdue first."""
        return tuple(match for (match,) in self._rows(self._sql.due_matches, now=now, limit=limit))

    def beat(self, now: int, *, interval: int, longest_gap: int) -> Pulse:
        """Record that a server runs at `now`, and an outage after a long gap, as `Store.beat` describes."""
        with self.dialect.read() as session:
            beats = session.rows(self._sql.heartbeat, {})
            if beats and now - beats[0][0] < interval:
                return self._pulse(session)
        with self.dialect.write() as session:
            if not session.write(self._sql.lock_heartbeat, {}):
                session.write(self._sql.begin_heartbeat, {"now": now})
            [(last,)] = session.rows(self._sql.heartbeat, {})
            if now - last > longest_gap:
                outage: Values = {"began": last, "ended": now}
                session.write(self._sql.write_outage, outage)
                session.write(self._sql.move_time_limits, outage)
            if now > last:
                session.write(self._sql.write_heartbeat, {"now": now})
            return self._pulse(session)

    def _pulse(self, session: Session) -> Pulse:
        [(at,)] = session.rows(self._sql.heartbeat, {})
        outages = session.rows(self._sql.outages, {})
        return Pulse(at=at, outages=tuple(Outage(began=began, ended=ended) for began, ended in outages))

    def running(self, matches: Sequence[str]) -> tuple[str, ...]:
        """Return those of these ids whose matches are open or being played."""
        return tuple(
            match for (match,) in self._rows(self._sql.running, rows=_json([[match] for match in matches]))
        )

    def remove(self, ended: Sequence[tuple[str, int]]) -> tuple[str, ...]:
        """Remove matches that are over or abandoned, at these versions, and return the ids of those removed."""
        with self.dialect.write() as session:
            found = session.rows(self._sql.removable, {"rows": _json(ended)})
            if found:
                removed = {"rows": _json(found)}
                for statement in (
                    self._sql.remove_entries,
                    self._sql.remove_snapshots,
                    self._sql.remove_matches,
                ):
                    session.write(statement, removed)
        return tuple(match for (match,) in found)

    def usage(self) -> StoreUsage:
        """Return the bytes on disk, and the time of the last change of the match that has not changed for longest."""
        [(size, oldest_at)] = self._rows(self._sql.usage)
        return StoreUsage(bytes=size, oldest_at=oldest_at)

    def watch(self, on_change: Callable[[str, int], None]) -> Subscription:
        """Call `on_change` with the match and its version after each append, by this or another process."""
        return self._subscriptions.add(on_change)

    def is_ready(self) -> bool:
        """Return whether the store can be written now."""
        try:
            return self.dialect.is_ready()
        except StoreError:
            return False

    def close(self) -> None:
        """Close all subscriptions and connections."""
        self._subscriptions.close()
        self.dialect.close()

    def _rows(self, statement: str, **values: Value) -> list[Row]:
        with self.dialect.read() as session:
            return session.rows(statement, values)

    def _on_append(self, match: str, version: int, writer: str) -> None:
        """Notify of an append of another open store; `append` notifies of its own."""
        if writer != self._writer:
            self._subscriptions.notify(match, version)


def _statements(syntax: Syntax) -> _Statements:
    """Return the statements with the syntax of a database filled in."""
    parts = {
        "schema": syntax.schema,
        "change": syntax.change,
        "last_change": syntax.last_change,
        "elements": syntax.elements,
        "unchanged": syntax.unchanged,
        "notify": syntax.notify,
        "bytes": syntax.bytes,
        "lock": syntax.lock,
        "columns": ", ".join(COLUMNS),
        "given_columns": ", ".join(f"given.{column}" for column in COLUMNS),
        "summary_fields": _fields(syntax, COLUMNS | {"expected": "bigint"}),
        "entry_fields": _fields(syntax, _ENTRY_COLUMNS),
        "removed_fields": _fields(syntax, _REMOVED_COLUMNS),
        "first_field": syntax.field.format(index=0),
    }
    return _Statements(*(template.format_map(parts) for template in _TEMPLATES))


def _fields(syntax: Syntax, columns: Mapping[str, str]) -> str:
    """Return expressions that read columns, by name and type, from the fields of a JSON array."""
    return ", ".join(
        f"CAST({syntax.field.format(index=index)} AS {kind}) AS {column}"
        for index, (column, kind) in enumerate(columns.items())
    )


def _split_repeated(appends: Sequence[Append]) -> list[list[int]]:
    """Return lists of indices: the first append of each match together, then every other append alone."""
    first: dict[str, int] = {}
    for index, append in enumerate(appends):
        first.setdefault(append.summary.match, index)
    firsts = [*first.values()]
    return [firsts, *([index] for index in sorted({*range(len(appends))} - {*firsts}))]


def _json(value: object) -> str:
    return wire.to_json(value).decode()

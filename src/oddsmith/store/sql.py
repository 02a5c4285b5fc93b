"""A store of matches in an SQL database: every operation once, in SQL that SQLite and PostgreSQL both understand."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final, NamedTuple, Protocol, TypeAlias

from oddsmith import wire
from oddsmith.errors import StoreError
from oddsmith.match.model import Entry
from oddsmith.store.model import Append, Snapshot, Status, Summary, Watch
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
from oddsmith.store.subscriptions import Listening, Watchers

Value: TypeAlias = str | int | None
Values: TypeAlias = Mapping[str, Value]
Hear: TypeAlias = Callable[[str, int, str], None]
"""Called with the match, the version and the writer of an append."""


class Session(Protocol):
    """A connection that is lent; statements have a value for each `:name` in them."""

    def rows(self, statement: str, values: Values) -> list[Row]:
        """Run a statement that reads, and return all rows."""
        ...

    def write(self, statement: str, values: Values) -> int:
        """Run a statement that writes, and return how many rows were written."""
        ...


class Syntax(NamedTuple):
    """The parts of statements that differ between databases."""

    schema: str
    """The prefix of every table."""
    change: str
    """An expression for the column `change`, which orders transactions: in a later one it is greater."""
    last_change: str
    """An expression for what `change` was in the last statement of this transaction that wrote it."""
    elements: str
    """A table expression with a column `value` that holds each element of the JSON array `:rows`."""
    field: str
    """An expression for the field `{index}` of `value`, which is a JSON array."""
    unchanged: str
    """A condition for a row of `matches` that is to be updated: no other transaction has advanced it since it was read.

    `given` has `match` and the version that is `expected`.
    """
    notify: str
    """A clause after an insert into `matches` that notifies all who listen, once the transaction is committed."""


class Dialect(Protocol):
    """One database: its syntax, connections, errors and notifications.

    Whatever the driver raises becomes a `StoreError` here. A dialect is made on a database that has the latest schema,
    and may be used from any thread.
    """

    @property
    def syntax(self) -> Syntax:
        """The parts of statements that are this database's own."""
        ...

    def read(self) -> AbstractContextManager[Session]:
        """Lend a connection to read with."""
        ...

    def write(self) -> AbstractContextManager[Session]:
        """Lend a connection inside a transaction: on a normal exit it is durable, on an exception nothing is changed."""
        ...

    def listen(self, hear: Hear) -> Listening:
        """Start a thread that calls back after every append from now on, by whatever process, at least once."""
        ...

    def is_ready(self) -> bool:
        """Say whether the database can be written now; may raise `StoreError` where not."""
        ...

    def close(self) -> None:
        """Close all connections, those that are lent as soon as they come back."""
        ...


class _Statements(NamedTuple):
    advance: str
    advanced: str
    enter: str
    entries: str
    keep: str
    snapshot: str
    matches: str
    matches_of_status: str
    due: str


_LIST: Final = """
    SELECT {columns} FROM {schema}matches
    WHERE private = :private AND (CAST(:game AS text) IS NULL OR game = :game)
        AND (changed_at, match) < (:changed_at, :match)
"""
_PAGE: Final = "ORDER BY changed_at DESC, match DESC LIMIT :limit"
_TEMPLATES: Final = _Statements(
    # Rows are locked in one order by all processes, so that none wait for each other in a circle. The subquery for
    # `held` is answered by the index for each row, where a join may be planned as a scan of all matches.
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
    advanced="SELECT match FROM {schema}matches WHERE change = {last_change}",
    enter="INSERT INTO {schema}entries (match, version, entry) SELECT {entry_fields} FROM {elements}",
    entries="SELECT version, entry FROM {schema}entries WHERE match = :match AND version > :after ORDER BY version",
    keep="""
        INSERT INTO {schema}snapshots (match, version, data)
        SELECT match, version, :data FROM {schema}entries WHERE match = :match AND version = :version
        ON CONFLICT (match) DO UPDATE SET version = excluded.version, data = excluded.data
        WHERE snapshots.version < excluded.version
    """,
    snapshot="SELECT version, data FROM {schema}snapshots WHERE match = :match",
    matches=f"{_LIST} {_PAGE}",
    matches_of_status=f"{_LIST} AND status = :status {_PAGE}",
    due="SELECT match FROM {schema}matches WHERE due_at <= :now ORDER BY due_at LIMIT :limit",
)
_ENTRY_COLUMNS: Final = {"match": "text", "version": "bigint", "entry": "text"}
_LATEST: Final = (2**63 - 1, "")


class SqlStore:
    """A `Store` in the database of a dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._sql = _statements(dialect.syntax)
        self._writer = secrets.token_hex(8)
        self._watchers = Watchers(lambda: dialect.listen(self._hear))

    def append(self, appends: Sequence[Append]) -> list[bool]:
        """Add entries to logs in one durable transaction, and return for each whether it was done."""
        if not appends:
            return []
        rows = [(*summary_row(append.summary), append.version) for append in appends]
        entries = [entry_rows(append) for append in appends]
        done = [False] * len(appends)
        with self.dialect.write() as session:
            for places in _without_repetition(appends):
                advanced = self._advance(session, [rows[place] for place in places])
                for place in places:
                    done[place] = appends[place].summary.match in advanced
                lines = [entry for place in places if done[place] for entry in entries[place]]
                if lines:
                    session.write(self._sql.enter, {"rows": _json(lines)})
        for append, is_done in zip(appends, done, strict=True):
            if is_done:
                self._watchers.tell(append.summary.match, append.summary.version)
        return done

    def _advance(self, session: Session, rows: Sequence[tuple[Value, ...]]) -> set[Value]:
        """Advance each match that has the version which its row expects, and return which these are.

        As a rule it is all of them, which their number tells. They are read only where it does not: sqlite3 takes the
        interpreter lock again for every row that it returns, and waits for it while other threads work.
        """
        count = session.write(self._sql.advance, {"rows": _json(rows), "writer": self._writer})
        if count == len(rows):
            return {match for match, *_ in rows}
        return {match for (match,) in session.rows(self._sql.advanced, {})} if count else set()

    def entries(self, match: str, *, after: int = 0) -> tuple[Entry, ...]:
        """Return the log of a match, or what came after a version; nothing for a match that there is not."""
        rows = self._rows(self._sql.entries, match=match, after=after) if is_text(match) else []
        return read_entries(match, after, rows)

    def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot of a version that the log has, unless a later one is kept."""
        match, version, data = snapshot.match, snapshot.version, _json(snapshot.data)
        with self.dialect.write() as session:
            session.write(self._sql.keep, {"match": match, "version": version, "data": data})

    def snapshot(self, match: str) -> Snapshot | None:
        """Return the latest snapshot of a match."""
        return read_snapshot(match, self._rows(self._sql.snapshot, match=match) if is_text(match) else [])

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
        page = {"private": private, "game": game, "changed_at": changed_at, "match": match, "limit": limit}
        if status is None:
            rows = self._rows(self._sql.matches, **page)
        else:
            rows = self._rows(self._sql.matches_of_status, **page, status=status.value)
        return tuple(map(read_summary, rows))

    def due(self, now: int, *, limit: int = 100) -> tuple[str, ...]:
        """Return the matches whose clock is up, those that have waited longest first."""
        return tuple(match for (match,) in self._rows(self._sql.due, now=now, limit=limit))

    def watch(self, changed: Callable[[str, int], None]) -> Watch:
        """Call back with the match and its version after each append, whichever process made it."""
        return self._watchers.add(changed)

    def is_ready(self) -> bool:
        """Say whether the store can be written now."""
        try:
            return self.dialect.is_ready()
        except StoreError:
            return False

    def close(self) -> None:
        """Let go of everything."""
        self._watchers.close()
        self.dialect.close()

    def _rows(self, statement: str, **values: Value) -> list[Row]:
        with self.dialect.read() as session:
            return session.rows(statement, values)

    def _hear(self, match: str, version: int, writer: str) -> None:
        """Tell of an append of another store; `append` has told of this one's."""
        if writer != self._writer:
            self._watchers.tell(match, version)


def _statements(syntax: Syntax) -> _Statements:
    """Return all statements in the syntax of a database."""
    parts = {
        "schema": syntax.schema,
        "change": syntax.change,
        "last_change": syntax.last_change,
        "elements": syntax.elements,
        "unchanged": syntax.unchanged,
        "notify": syntax.notify,
        "columns": ", ".join(COLUMNS),
        "given_columns": ", ".join(f"given.{column}" for column in COLUMNS),
        "summary_fields": _fields(syntax, COLUMNS | {"expected": "bigint"}),
        "entry_fields": _fields(syntax, _ENTRY_COLUMNS),
    }
    return _Statements(*(template.format_map(parts) for template in _TEMPLATES))


def _fields(syntax: Syntax, columns: Mapping[str, str]) -> str:
    """Return expressions that read columns, by name and type, from the fields of a JSON array."""
    return ", ".join(
        f"CAST({syntax.field.format(index=index)} AS {kind}) AS {column}"
        for index, (column, kind) in enumerate(columns.items())
    )


def _without_repetition(appends: Sequence[Append]) -> list[list[int]]:
    """Return the indices of the first append to each match, then those of all others one by one."""
    first: dict[str, int] = {}
    for place, append in enumerate(appends):
        first.setdefault(append.summary.match, place)
    together = [*first.values()]
    return [together, *([place] for place in sorted({*range(len(appends))} - {*together}))]


def _json(value: object) -> str:
    return wire.to_json(value).decode()

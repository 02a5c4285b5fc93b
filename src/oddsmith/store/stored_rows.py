"""The rows of a match as a store has them, readable or not, for an operator: read, corrected and removed."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from oddsmith.store.model import Summary
from oddsmith.store.row_conversion import COLUMNS, Row, is_text, read_summary, summary_row
from oddsmith.store.sql import SqlStore, Value

WRITER: Final = "store check"
"""The writer of rows that were corrected."""


class StoredRows(msgspec.Struct, frozen=True, kw_only=True):
    """All rows of a match: by column that of `matches`, the version and JSON of each entry, and of the snapshot."""

    match: str
    summary: dict[str, Value] | None
    entries: tuple[tuple[int, str], ...]
    snapshot: tuple[int, str] | None


class _Statements(NamedTuple):
    unfinished: str
    every: str
    without_row: str
    summary: str
    entries: str
    snapshot: str
    write_summary: str
    remove_snapshot: str
    remove_entries: str
    remove_summary: str


_TEMPLATES: Final = _Statements(
    unfinished="SELECT match FROM {schema}matches WHERE status NOT IN ('over', 'abandoned') ORDER BY match",
    every="SELECT match FROM {schema}matches ORDER BY match",
    without_row="""
        SELECT DISTINCT match FROM {schema}entries
        WHERE NOT EXISTS (SELECT 1 FROM {schema}matches WHERE matches.match = entries.match)
    """,
    summary="SELECT {columns} FROM {schema}matches WHERE match = :match",
    entries="SELECT version, entry FROM {schema}entries WHERE match = :match ORDER BY version",
    snapshot="SELECT version, data FROM {schema}snapshots WHERE match = :match",
    write_summary="""
        INSERT INTO {schema}matches ({columns}, change, writer) VALUES ({values}, {change}, :writer)
        ON CONFLICT (match) DO UPDATE SET {updates}, change = excluded.change, writer = excluded.writer
    """,
    remove_snapshot="DELETE FROM {schema}snapshots WHERE match = :match",
    remove_entries="DELETE FROM {schema}entries WHERE match = :match",
    remove_summary="DELETE FROM {schema}matches WHERE match = :match",
)


class RowEditor:
    """Reads and edits the rows of matches in a store."""

    def __init__(self, store: SqlStore) -> None:
        self._dialect = store.dialect
        parts = {
            "schema": store.dialect.syntax.schema,
            "change": store.dialect.syntax.change,
            "columns": ", ".join(COLUMNS),
            "values": ", ".join(f":{column}" for column in COLUMNS),
            "updates": ", ".join(f"{column} = excluded.{column}" for column in COLUMNS if column != "match"),
        }
        self._sql = _Statements(*(template.format_map(parts) for template in _TEMPLATES))

    def matches(self, *, finished: bool) -> Iterator[str]:
        """Yield the ids of matches that are not over, with `finished` those of all; then those that have a log but no row."""
        for statement in (self._sql.every if finished else self._sql.unfinished, self._sql.without_row):
            yield from (match for (match,) in self._rows(statement))

    def read(self, match: str) -> StoredRows:
        """Return all rows of a match."""
        summaries = self._rows(self._sql.summary, match=match)
        snapshots = self._rows(self._sql.snapshot, match=match)
        return StoredRows(
            match=match,
            summary=dict(zip(COLUMNS, summaries[0], strict=True)) if summaries else None,
            entries=tuple((version, entry) for version, entry in self._rows(self._sql.entries, match=match)),
            snapshot=(snapshots[0][0], snapshots[0][1]) if snapshots else None,
        )

    def read_summary(self, match: str) -> Summary | None:
        """Return the summary of a match, None where it has no row; raise `DamagedStoreError` for one that cannot be read."""
        rows = self._rows(self._sql.summary, match=match)
        return read_summary(rows[0]) if rows else None

    def can_remove(self, match: str) -> bool:
        """Return whether the rows of a match can be removed: no statement can name an id that is not UTF-8 itself."""
        return is_text(match)

    def write_summary(self, summary: Summary) -> None:
        """Replace the row of a match."""
        values: dict[str, Value] = dict(zip(COLUMNS, summary_row(summary), strict=True))
        with self._dialect.write() as session:
            session.write(self._sql.write_summary, values | {"writer": WRITER})

    def remove_snapshot(self, match: str) -> None:
        """Remove the snapshot of a match: it is then read from its whole log."""
        with self._dialect.write() as session:
            session.write(self._sql.remove_snapshot, {"match": match})

    def remove(self, match: str) -> None:
        """Remove all rows of a match in one transaction."""
        with self._dialect.write() as session:
            for statement in (self._sql.remove_snapshot, self._sql.remove_entries, self._sql.remove_summary):
                session.write(statement, {"match": match})

    def _rows(self, statement: str, **values: Value) -> list[Row]:
        """Return the rows of a statement; none where a value is a damaged id, which no statement can hold."""
        if not all(is_text(value) for value in values.values() if isinstance(value, str)):
            return []
        with self._dialect.read() as session:
            return session.rows(statement, values)

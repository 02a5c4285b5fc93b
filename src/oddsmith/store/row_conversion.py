"""Conversion between the values of a store and rows of its tables, the same for every database."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, TypeVar

from oddsmith import wire
from oddsmith.errors import DamagedStoreError, InputError
from oddsmith.match.model import Entry
from oddsmith.store.model import Append, Snapshot, Status, Summary

T = TypeVar("T")
Row: TypeAlias = tuple[Any, ...]
"""A row as a driver returns it; the statement decides the types of its values."""

COLUMNS: Final = {
    "match": "text",
    "game": "text",
    "rules_id": "text",
    "status": "text",
    "version": "bigint",
    "names": "text",
    "bots": "text",
    "opened_at": "bigint",
    "changed_at": "bigint",
    "due_at": "bigint",
    "practice": "boolean",
    "private": "boolean",
}
"""The columns that hold a `Summary` and their SQL types, in the order of `summary_row`."""


def is_text(text: str) -> bool:
    r"""Return whether stores can hold a text: it has no NUL and can be encoded as UTF-8.

    >>> is_text("ann"), is_text("\0"), is_text("\ud800")
    (True, False, False)
    """
    return "\0" not in text and text.encode(errors="ignore").decode() == text


def summary_row(summary: Summary) -> tuple[str | int | None, ...]:
    """Return the values of a summary in the order of `COLUMNS`."""
    return (
        summary.match,
        summary.game,
        summary.rules_id,
        summary.status.value,
        summary.version,
        wire.to_json(summary.names).decode(),
        wire.to_json(summary.bots).decode(),
        summary.opened_at,
        summary.changed_at,
        summary.due_at,
        summary.practice,
        summary.private,
    )


def entry_rows(append: Append) -> list[tuple[str, int, str]]:
    """Return each entry of an append as match, version and JSON."""
    return [
        (append.summary.match, version, wire.to_json(entry).decode())
        for version, entry in enumerate(append.entries, append.version + 1)
    ]


def read_summary(row: Row) -> Summary:
    """Return the summary of a row of `COLUMNS`; raises `DamagedStoreError` where its JSON or its status cannot be read."""
    match, game, rules_id, status, version, names, bots, opened_at, changed_at, due_at, practice, private = (
        row
    )
    if not all(map(is_text, (match, game, rules_id))):
        raise DamagedStoreError("damaged_store", f"the row of match {match!r} is not UTF-8")
    return Summary(
        match=match,
        game=game,
        rules_id=rules_id,
        status=_read(f'"{status}"', Status, match),
        version=version,
        names=_read(names, tuple[str | None, ...], match),
        bots=_read(bots, tuple[str | None, ...], match),
        opened_at=opened_at,
        changed_at=changed_at,
        due_at=due_at,
        practice=bool(practice),
        private=bool(private),
    )


def read_entries(match: str, after: int, rows: Sequence[Row]) -> tuple[Entry, ...]:
    """Return the entries after a version from rows of version and JSON; raises `DamagedStoreError` where one is missing."""
    if rows and rows[-1][0] != after + len(rows):
        raise DamagedStoreError("damaged_store", f"the log of match '{match}' has gaps after version {after}")
    return _read(f"[{','.join(line for _, line in rows)}]", tuple[Entry, ...], match)


def read_snapshot(match: str, rows: Sequence[Row]) -> Snapshot | None:
    """Return the snapshot in the first row, of version and JSON; None where there is no row."""
    if not rows:
        return None
    version, data = rows[0]
    return Snapshot(match=match, version=version, data=_read(data, dict[str, Any], match))


def _read(text: str, kind: type[T], match: str) -> T:
    try:
        return wire.from_json(text, kind)
    except (InputError, UnicodeError) as error:
        raise DamagedStoreError(
            "damaged_store", f"what is kept of match '{match}' cannot be read: {error}"
        ) from error

"""Appends become rows, and rows become entries and summaries, alike in every store."""

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from oddsmith import wire
from oddsmith.errors import InputError, StoreError
from oddsmith.match.model import Entry
from oddsmith.store.model import Append, Snapshot, Status, Summary

T = TypeVar("T")
COLUMNS: Final = (
    "match",
    "game",
    "rules_id",
    "status",
    "version",
    "names",
    "bots",
    "opened_at",
    "changed_at",
    "due_at",
    "practice",
    "private",
)
"""What the table of matches holds of a `Summary`, in this order."""


def is_text(text: str) -> bool:
    r"""Say whether stores can hold a text: it has no NUL, and UTF-8 has every character of it.

    >>> is_text("ann"), is_text("\0"), is_text("\ud800")
    (True, False, False)
    """
    return "\0" not in text and text.encode(errors="ignore").decode() == text


def entry_lines(append: Append) -> list[str]:
    """Return each entry of an append as JSON."""
    return [wire.to_json(entry).decode() for entry in append.entries]


def summary_row(summary: Summary) -> dict[str, Any]:
    """Return a summary as a value for each of `COLUMNS`."""
    return {
        "match": summary.match,
        "game": summary.game,
        "rules_id": summary.rules_id,
        "status": summary.status.value,
        "version": summary.version,
        "names": wire.to_json(summary.names).decode(),
        "bots": wire.to_json(summary.bots).decode(),
        "opened_at": summary.opened_at,
        "changed_at": summary.changed_at,
        "due_at": summary.due_at,
        "practice": summary.practice,
        "private": summary.private,
    }


def read_summary(row: Sequence[Any]) -> Summary:
    """Return the summary that the values of `COLUMNS` stand for."""
    match, game, rules_id, status, version, names, bots, opened_at, changed_at, due_at, practice, private = (
        row
    )
    return Summary(
        match=match,
        game=game,
        rules_id=rules_id,
        status=Status(status),
        version=version,
        names=_read(names, tuple[str | None, ...], match),
        bots=_read(bots, tuple[str | None, ...], match),
        opened_at=opened_at,
        changed_at=changed_at,
        due_at=due_at,
        practice=bool(practice),
        private=bool(private),
    )


def read_entries(match: str, after: int, rows: Sequence[tuple[int, str]]) -> tuple[Entry, ...]:
    """Return the entries of a match that follow a version, from rows in their order; none may be missing."""
    if rows and rows[-1][0] != after + len(rows):
        raise StoreError("damaged_store", f"the log of match '{match}' has gaps after version {after}")
    return _read(f"[{','.join(line for _, line in rows)}]", tuple[Entry, ...], match)


def read_snapshot(match: str, row: tuple[int, str] | None) -> Snapshot | None:
    """Return the snapshot that a version and its data stand for."""
    if row is None:
        return None
    return Snapshot(match=match, version=row[0], data=_read(row[1], dict[str, Any], match))


def _read(text: str, kind: type[T], match: str) -> T:
    try:
        return wire.from_json(text, kind)
    except InputError as error:
        raise StoreError(
            "damaged_store", f"what is kept of match '{match}' cannot be read: {error}"
        ) from error

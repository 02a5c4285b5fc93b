"""The types of a store of matches, and its protocol."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Protocol

import msgspec

from oddsmith.errors import InputError
from oddsmith.match.model import Entry


class Status(StrEnum):
    """The phase of a match."""

    OPEN = "open"
    PLAYING = "playing"
    OVER = "over"
    ABANDONED = "abandoned"


class Summary(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A match as a list shows it; nothing in it is secret.

    `names` has the player's name for each seat and `bots` the name of its bot, null where there is none. `practice` is
    true where all luck comes from a chosen seed. A `private` match is in no public list.
    """

    match: str
    game: str
    rules_id: str
    status: Status
    version: int
    names: tuple[str | None, ...]
    bots: tuple[str | None, ...]
    opened_at: int
    changed_at: int
    due_at: int | None = None
    practice: bool = False
    private: bool = False


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """Entries to append to the log of a match that has `version` entries, and the match's summary after the append."""

    version: int
    entries: tuple[Entry, ...]
    summary: Summary

    def __post_init__(self) -> None:
        after = self.version + len(self.entries)
        if not self.entries or self.summary.version != after:
            raise InputError(
                "bad_append",
                f"{len(self.entries)} entries after version {self.version} do not make version {self.summary.version}",
            )


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a match at a version: loading it is faster than replaying the log from the beginning."""

    match: str
    version: int
    data: dict[str, Any]


class Subscription(Protocol):
    """A callback that is called for changes until it is closed."""

    def close(self) -> None:
        """Stop the calls."""
        ...


class Store(Protocol):
    """An append-only log for each match. Every method blocks, and may be called from any thread."""

    def append(self, appends: Sequence[Append]) -> list[bool]:
        """Append entries to logs in one durable transaction, and return for each append whether it was written.

        An append is not written where the log is no longer at its `version`, because another append came first. What
        was written is on disk when this returns. After a `StoreError` the result is unknown: the entries may have been
        written, so read the log again.
        """
        ...

    def entries(self, match: str, *, after: int = 0) -> tuple[Entry, ...]:
        """Return the entries of a match's log after a version; none for an unknown match."""
        ...

    def write_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot of a version that the log has, unless a later one is stored; snapshots only save time."""
        ...

    def snapshot(self, match: str) -> Snapshot | None:
        """Return the latest snapshot of a match; None where there is none."""
        ...

    def matches(
        self,
        *,
        game: str | None = None,
        status: Status | None = None,
        private: bool = False,
        before: tuple[int, str] | None = None,
        limit: int = 50,
    ) -> tuple[Summary, ...]:
        """Return summaries of public matches, or of private ones, most recently changed first.

        For the next page, `before` is `changed_at` and `match` of the last summary. `match` breaks ties of matches that
        changed in the same millisecond.
        """
        ...

    def due_matches(self, now: int, *, limit: int = 100) -> tuple[str, ...]:
        """Return the ids of matches whose time limit has passed at `now`, the longest overdue first."""
        ...

    def watch(self, on_change: Callable[[str, int], None]) -> Subscription:
        """Call `on_change` with the match and its version after each append, by this or another process.

        Several appends of another process may cause one call, with the last version. Calls come from any thread. An
        exception that a call raises is logged; the append stays.
        """
        ...

    def is_ready(self) -> bool:
        """Return whether the store can be written now."""
        ...

    def close(self) -> None:
        """Close all subscriptions and connections."""
        ...

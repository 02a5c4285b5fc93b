"""The types of a store of matches, and its protocol."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Protocol

import msgspec

from oddsmith.errors import DamagedStoreError, InputError
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


class Outage(msgspec.Struct, frozen=True, kw_only=True):
    """A time in which no server used a store, or none could, in milliseconds since 1970."""

    began: int
    ended: int


class Pulse(msgspec.Struct, frozen=True, kw_only=True):
    """What a store knows of the time: its last heartbeat, and all outages, the earliest first."""

    at: int
    outages: tuple[Outage, ...]


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


class StoreUsage(msgspec.Struct, frozen=True, kw_only=True):
    """What a store holds: bytes on disk, and the time of the last change of the match that has not changed for longest."""

    bytes: int
    oldest_at: int | None


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
        on_damaged: Callable[[str, DamagedStoreError], None] | None = None,
    ) -> tuple[Summary, ...]:
        """Return summaries of public matches, or of private ones, most recently changed first.

        A row that cannot be read is left out, and the next one is taken; `on_damaged` is called with its match.
        For the next page, `before` is `changed_at` and `match` of the last summary. `match` breaks ties of matches that
        changed in the same millisecond.
        """
        ...

    def due_matches(self, now: int, *, limit: int = 100) -> tuple[str, ...]:
        """Return the ids of matches whose time limit has passed at `now`, the longest overdue first."""
        ...

    def beat(self, now: int, *, interval: int, longest_gap: int) -> Pulse:
        """Record that a server runs at `now`, unless the last heartbeat was less than `interval` milliseconds ago.

        A time of more than `longest_gap` since the last heartbeat is recorded as an outage, in the same transaction in
        which all time limits that were running are moved on by it. Heartbeats never go back: one before the last changes
        nothing. A store without a heartbeat begins with the time of the last change of a match.
        """
        ...

    def running(self, matches: Sequence[str]) -> tuple[str, ...]:
        """Return those of these ids whose matches are open or being played."""
        ...

    def remove(self, ended: Sequence[tuple[str, int]]) -> tuple[str, ...]:
        """Remove matches that are over or abandoned from the store, for good, and return the ids of those removed.

        Each is given with the version that its log has. The match that was changed last by any process stays: changes are
        counted from it. The freed space is used again; the files of a store do not shrink.
        """
        ...

    def usage(self) -> StoreUsage:
        """Return what the store holds; takes no longer for a large store."""
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

"""What any store of matches promises: types only."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Protocol

import msgspec

from oddsmith.errors import InputError
from oddsmith.match.model import Entry


class Status(StrEnum):
    """How far a match has come."""

    OPEN = "open"
    PLAYING = "playing"
    OVER = "over"
    ABANDONED = "abandoned"


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A match as a list shows it; nothing in it is secret.

    `names` has who sits in each seat, `bots` the bot that holds it, and null where there is none. `practice` says that
    all luck comes from a seed that somebody chose; one that is `private` is in no public list.
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
    """Entries to be added to the log of a match that has `version` entries, and how a list shows it afterwards."""

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
    """A match as its log folded to at a version, so that a long log need not be played again."""

    match: str
    version: int
    data: dict[str, Any]


class Watch(Protocol):
    """A subscription that lasts until it is closed."""

    def close(self) -> None:
        """Hear no more."""
        ...


class Store(Protocol):
    """An append-only log for each match; every method may be called from any thread, and blocks."""

    def append(self, appends: Sequence[Append]) -> list[bool]:
        """Add entries to logs in one durable transaction, and return for each whether it was done.

        It was not where the log no longer has the version it was meant for: somebody else was first. What was done
        is on disk when this returns. Where a `StoreError` is raised instead, nothing is promised: after a
        `StoreAwayError` the entries may be there all the same, so read the log again before going on.
        """
        ...

    def entries(self, match: str, *, after: int = 0) -> tuple[Entry, ...]:
        """Return the log of a match, or what came after a version; nothing for a match that there is not."""
        ...

    def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot of a version that the log has, unless a later one is kept; losing it costs only time."""
        ...

    def snapshot(self, match: str) -> Snapshot | None:
        """Return the latest snapshot of a match."""
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
        """Return matches, those changed last first: those that everyone may see, or the private ones.

        For the next page `before` is `changed_at` and `match` of the last one: many change in one millisecond.
        """
        ...

    def due(self, now: int, *, limit: int = 100) -> tuple[str, ...]:
        """Return the matches whose clock is up, those that have waited longest first."""
        ...

    def watch(self, changed: Callable[[str, int], None]) -> Watch:
        """Call back with the match and its version after each append, whichever process made it.

        Quick appends of another process may be told as one, by their last version. Calls come from any thread, and
        what they raise is logged: an append is not undone by who hears of it.
        """
        ...

    def is_ready(self) -> bool:
        """Say whether the store can be written now."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...

"""Matches read from a store: from a snapshot, from the whole log, or updated."""

from collections.abc import Callable
from typing import NamedTuple

from oddsmith.errors import DamagedStoreError, NotFoundError, OddsmithError, StoreError
from oddsmith.match.fold import apply_entry, replay_log
from oddsmith.match.model import Match, Opened
from oddsmith.match.recording import resume_match
from oddsmith.store.model import Store


class StoredMatch(NamedTuple):
    """What a store has of a match: the name of its game, and the function that makes the match from it."""

    game: str
    restore: Callable[[], Match]


def read_latest(store: Store, match: str) -> StoredMatch:
    """Read a match from its latest snapshot and the entries after it; from the whole log where that fails."""
    snapshot = store.snapshot(match)
    if snapshot is None:
        return read_whole(store, match)
    later = store.entries(match, after=snapshot.version)

    def restore() -> Match:
        try:
            return resume_match(snapshot.data, later)
        except OddsmithError:
            return read_whole(store, match).restore()

    return StoredMatch(str(snapshot.data.get("game", "")), restore)


def read_whole(store: Store, match: str) -> StoredMatch:
    """Read a match with its whole log; raise `NotFoundError` where the store has none of that id."""
    entries = store.entries(match)
    if not entries:
        raise NotFoundError("unknown_match", f"there is no match '{match}'")
    first = entries[0]

    def restore() -> Match:
        try:
            return replay_log(entries)
        except OddsmithError as error:
            raise _damaged_error(match, error) from error

    return StoredMatch(first.game if isinstance(first, Opened) else "", restore)


def read_later(store: Store, match: Match) -> StoredMatch:
    """Read the entries that the store has after the version of a match, which is restored with them."""
    later = store.entries(match.id, after=match.version)

    def restore() -> Match:
        found = match
        try:
            for entry in later:
                found = apply_entry(found, entry)
        except StoreError:
            raise
        except OddsmithError as error:
            raise _damaged_error(match.id, error) from error
        return found

    return StoredMatch(match.game, restore)


def read_match(store: Store, match: str) -> Match:
    """Return a match as `read_latest` reads it."""
    return read_latest(store, match).restore()


def read_whole_match(store: Store, match: str) -> Match:
    """Return a match as `read_whole` reads it."""
    return read_whole(store, match).restore()


def update_match(store: Store, match: Match) -> Match:
    """Return a match as `read_later` reads it."""
    return read_later(store, match).restore()


def _damaged_error(match: str, error: OddsmithError) -> DamagedStoreError:
    return DamagedStoreError("damaged_store", f"the log of match '{match}' does not replay: {error}")

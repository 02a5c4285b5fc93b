"""Matches read from a store: from a snapshot, from the whole log, or updated."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from oddsmith.errors import ChangedMechanicError, DamagedStoreError, NotFoundError, OddsmithError, StoreError
from oddsmith.match.fold import apply_entry, replay_log
from oddsmith.match.model import Entry, Match, Opened
from oddsmith.match.recording import resume_match
from oddsmith.mechanic_source import describe_error
from oddsmith.records.versions import describe_change, missing_game_error
from oddsmith.registry import mechanic_names
from oddsmith.store.model import Store


class StoredMatch(NamedTuple):
    """What a store has of a match: the name of its game, and the function that makes the match from it."""

    game: str
    restore: Callable[[], Match]


def read_latest(store: Store, match: str) -> StoredMatch:
    """Read a match from its latest snapshot and the entries after it; from the whole log where that fails."""
    try:
        snapshot = store.snapshot(match)
    except DamagedStoreError:
        snapshot = None
    if snapshot is None:
        return read_whole(store, match)
    later = store.entries(match, after=snapshot.version)

    game = str(snapshot.data.get("game", ""))

    def restore() -> Match:
        try:
            return resume_match(snapshot.data, later)
        except Exception:  # noqa: BLE001  the rules may have changed; the whole log says what is wrong
            return read_whole(store, match).restore()

    return StoredMatch(game, restore)


def read_whole(store: Store, match: str) -> StoredMatch:
    """Read a match with its whole log; raise `NotFoundError` where the store has none of that id."""
    entries = store.entries(match)
    if not entries:
        raise NotFoundError("unknown_match", f"there is no match '{match}'")
    first = entries[0]
    if not isinstance(first, Opened):
        return StoredMatch("", lambda: _replay(match, entries, None))
    if first.game not in mechanic_names():
        raise missing_game_error(first.game, first.mechanic, what=f"match '{match}'")
    return StoredMatch(
        first.game, lambda: _replay(match, entries, describe_change(first.game, first.mechanic))
    )


def _replay(match: str, entries: Sequence[Entry], change: str | None) -> Match:
    """Return the match of a log; `change` says that its mechanic has another version here, None where it has not."""
    try:
        return replay_log(entries)
    except OddsmithError as error:
        if change is None:
            raise _damaged_error(match, error) from error
        raise _changed_error(match, error.refusal.sentence, change) from error
    except Exception as error:
        if change is None:
            raise
        raise _changed_error(match, describe_error(error), change) from error


def _changed_error(match: str, what: str, change: str) -> ChangedMechanicError:
    return ChangedMechanicError("mechanic_changed", f"match '{match}' does not replay: {what}; {change}")


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

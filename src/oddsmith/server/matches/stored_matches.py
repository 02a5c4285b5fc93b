"""Matches read from a store: from a snapshot, from the whole log, or updated."""

from oddsmith.errors import DamagedStoreError, NotFoundError, OddsmithError, StoreError
from oddsmith.match.fold import apply_entry, replay_log
from oddsmith.match.model import Match
from oddsmith.match.recording import resume_match
from oddsmith.store.model import Store


def read_match(store: Store, match: str) -> Match:
    """Return a match from its latest snapshot and the entries after it; from the whole log where that fails."""
    snapshot = store.snapshot(match)
    if snapshot is not None:
        later = store.entries(match, after=snapshot.version)
        try:
            return resume_match(snapshot.data, later)
        except OddsmithError:
            return read_whole_match(store, match)
    return read_whole_match(store, match)


def read_whole_match(store: Store, match: str) -> Match:
    """Return a match with its whole log; raise `NotFoundError` where the store has none of that id."""
    entries = store.entries(match)
    if not entries:
        raise NotFoundError("unknown_match", f"there is no match '{match}'")
    try:
        return replay_log(entries)
    except OddsmithError as error:
        raise _damaged_error(match, error) from error


def update_match(store: Store, match: Match) -> Match:
    """Return a match with the entries that the store has after its version."""
    try:
        for entry in store.entries(match.id, after=match.version):
            match = apply_entry(match, entry)
    except StoreError:
        raise
    except OddsmithError as error:
        raise _damaged_error(match.id, error) from error
    return match


def _damaged_error(match: str, error: OddsmithError) -> DamagedStoreError:
    return DamagedStoreError("damaged_store", f"the log of match '{match}' does not replay: {error}")

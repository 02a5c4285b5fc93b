"""A room holds one match in memory, who watches it, and how sure it is to know the whole log."""

import asyncio

from oddsmith.errors import NotFoundError, OddsmithError, StoreError
from oddsmith.game import Seat
from oddsmith.match.fold import after, replayed
from oddsmith.match.machine import due_at
from oddsmith.match.model import Match
from oddsmith.match.recording import resumed
from oddsmith.server.frames import Frames
from oddsmith.server.turns import Turn
from oddsmith.store.model import Status, Store, Summary


class Subscriber:
    """Somebody who watches a match: told that there is something new, not what."""

    def __init__(self, viewer: Seat | None) -> None:
        self.viewer = viewer
        self.news = asyncio.Event()


class Room:
    """One match in memory, who watches it, and the turn that its commands take.

    All that the log had at `known_at` is known here; where an append has failed, nobody can say, and `is_certain` is
    False until the log was read again. `writing` is the version that is on its way to disk.
    """

    def __init__(self, match: Match, *, known_at: float) -> None:
        self.match = match
        self.frames = Frames(match)
        self.turn = Turn()
        self.subscribers: set[Subscriber] = set()
        self.known_at = known_at
        self.is_certain = True
        self.writing = 0
        self.kept = match.forgotten
        self.driver: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nobody would notice if the room were closed."""
        return not self.subscribers and not self.turn.is_taken and self.driver is None and self.is_certain

    def show(self, match: Match) -> None:
        """Let everyone see what is durable now."""
        self.match = match
        self.frames = Frames(match)
        for subscriber in self.subscribers:
            subscriber.news.set()


def summary_of(match: Match) -> Summary:
    """Return a match as a list shows it."""
    if match.is_abandoned:
        status = Status.ABANDONED
    elif match.is_over:
        status = Status.OVER
    else:
        status = Status.OPEN if match.state is None else Status.PLAYING
    return Summary(
        match=match.id,
        game=match.game,
        rules_id=match.rules.rules_id,
        status=status,
        version=match.version,
        names=tuple(chair.name for chair in match.chairs),
        bots=tuple(chair.bot for chair in match.chairs),
        opened_at=match.opened_at,
        changed_at=match.at,
        due_at=due_at(match),
        practice=match.practice is not None,
        private=match.private,
    )


def read_match(store: Store, match: str) -> Match:
    """Return a match as the store has it, from its latest snapshot where it has one."""
    snapshot = store.snapshot(match)
    if snapshot is not None:
        later = store.entries(match, after=snapshot.version)
        try:
            return resumed(snapshot.data, later)
        except OddsmithError:
            return read_whole_match(store, match)
    return read_whole_match(store, match)


def read_whole_match(store: Store, match: str) -> Match:
    """Return a match with its whole log; one that there is not is refused."""
    entries = store.entries(match)
    if not entries:
        raise NotFoundError("unknown_match", f"there is no match '{match}'")
    try:
        return replayed(entries)
    except OddsmithError as error:
        raise _damaged(match, error) from error


def caught_up(store: Store, match: Match) -> Match:
    """Return a match with what others have added to its log."""
    try:
        for entry in store.entries(match.id, after=match.version):
            match = after(match, entry)
    except StoreError:
        raise
    except OddsmithError as error:
        raise _damaged(match.id, error) from error
    return match


def _damaged(match: str, error: OddsmithError) -> StoreError:
    return StoreError("damaged_store", f"the log of match '{match}' does not replay: {error}")

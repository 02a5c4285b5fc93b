"""One match in memory, with its subscribers and the lock that serialises its commands."""

import asyncio

from oddsmith.game import Seat
from oddsmith.match.model import Match
from oddsmith.server.frames import Frames


class Subscriber:
    """A viewer of a match; `update` is set when the match has changed."""

    def __init__(self, viewer: Seat | None) -> None:
        self.viewer = viewer
        self.update = asyncio.Event()


class LiveMatch:
    """One match in memory.

    `match` is the durable state. It holds every entry that the log had at `known_at`; after an append whose result is
    unknown, `is_certain` is False until the log was read again. `writing` is the version of an append in progress, else
    0. `snapshot_version` is the version of the latest snapshot. `bot_task` is the task that lets its bots choose.
    """

    def __init__(self, match: Match, *, known_at: float) -> None:
        self.match = match
        self.frames = Frames(match)
        self.lock = asyncio.Lock()
        self.subscribers: set[Subscriber] = set()
        self.known_at = known_at
        self.is_certain = True
        self.writing = 0
        self.snapshot_version = match.log_start
        self.bot_task: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether the match can be evicted from memory."""
        return not self.subscribers and not self.lock.locked() and self.bot_task is None and self.is_certain

    def show(self, match: Match) -> None:
        """Replace the state, and notify all subscribers."""
        self.match = match
        self.frames = Frames(match)
        for subscriber in self.subscribers:
            subscriber.update.set()

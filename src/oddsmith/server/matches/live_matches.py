"""Matches in memory with their subscribers: loaded on demand, kept up to date with the store, evicted when idle."""

import asyncio
import re
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple

import structlog

from oddsmith import wire
from oddsmith.errors import AccessError, NotFoundError, StoreError
from oddsmith.game import Seat
from oddsmith.match.drafts import DraftView
from oddsmith.match.machine import seat_of
from oddsmith.match.model import Command, Match
from oddsmith.match.recording import snapshot_data
from oddsmith.server.frames import Frames
from oddsmith.server.long_work import WorkTime
from oddsmith.server.matches.background import Background
from oddsmith.server.matches.match_memory import MatchMemory
from oddsmith.server.matches.stored_matches import StoredMatch, read_later, read_latest, read_whole
from oddsmith.server.matches.wake_queue import WakeQueue
from oddsmith.server.metrics import Metrics
from oddsmith.server.rule_calls import SECONDS_TO_REPLAY, RuleCalls
from oddsmith.store.model import Snapshot, Store

MATCH_ID: Final = re.compile(r"[0-9a-f]{20}")
MOST_LIVE_BYTES: Final = 256 * 10**6
"""Estimated bytes of matches in memory above which idle ones are evicted, least recently used first."""
SHARE_EVICTED: Final = 0.1
"""The share of these bytes that is freed then."""
MOST_EXAMINED: Final = 400
"""Matches that are examined at a time: those in use come last in the order, and the next ones are examined later."""
ENTRIES_BETWEEN_SNAPSHOTS: Final = 256
SECONDS_BETWEEN_CHECKS: Final = 0.5
SECONDS_FOR_OTHERS: Final = 2.0
"""How long bots of a match that another process advanced are left to that process."""


class Subscriber:
    """A viewer of a match; `update` is set when the match has changed."""

    def __init__(self, viewer: Seat | None) -> None:
        self.viewer = viewer
        self.update = asyncio.Event()

    @property
    def is_spectator(self) -> bool:
        """Whether the viewer has no seat."""
        return self.viewer is None

    def wake(self) -> None:
        """Note that the match has changed."""
        self.update.set()


class ShownDraft(NamedTuple):
    """A draft that a seat shows: the subscriber whose socket sent it, and the JSON of its `DraftView`."""

    by: Subscriber
    text: str


class LiveMatch:
    """One match in memory.

    `match` is the durable state. It holds every entry that the log had at `known_at`; after an append whose result is
    unknown, `is_certain` is False until the log was read again, and `failure` is the last error of the store, with its
    time: a command that waited for the lock meanwhile fails like that, instead of waiting for the store once more. `writing` is the
    version of an append in progress, else 0. `snapshot_version` is the version of the latest snapshot. `bot_task` is the task that lets its bots choose.
    `command_times`, `draft_time` and `frame_times` are how long its commands of each type, its drafts and the frames of each
    viewer take to compute.
    `owner` is the key of the client that the work of its bots is counted for: the one that opened it, else the first that sent a
    command; None while there was none. It is in memory only, and never shown.
    `drafts` are those that seats show at the version of `match`; the mapping is replaced, never changed.
    """

    def __init__(self, match: Match, wake_queue: WakeQueue, *, known_at: float) -> None:
        self.match = match
        self._wake_queue = wake_queue
        self.frames = Frames(match)
        self.lock = asyncio.Lock()
        self.subscribers: set[Subscriber] = set()
        self.known_at = known_at
        self.is_certain = True
        self.failure: tuple[float, StoreError] | None = None
        self.writing = 0
        self.snapshot_version = match.log_start
        self.drafts: Mapping[Seat, ShownDraft] = {}
        self.bot_task: asyncio.Task[None] | None = None
        self.command_times: defaultdict[type[Command], WorkTime] = defaultdict(WorkTime)
        self.draft_time = WorkTime()
        self.frame_times: defaultdict[Seat | None, WorkTime] = defaultdict(WorkTime)
        self.owner: str | None = None

    @property
    def is_idle(self) -> bool:
        """Whether the match can be evicted from memory."""
        return not self.subscribers and not self.lock.locked() and self.bot_task is None and self.is_certain

    def show(self, match: Match) -> None:
        """Replace the state, drop all drafts, and notify all subscribers: seats at once, spectators in slices."""
        self.match = match
        self.frames = Frames(match)
        self.drafts = {}
        self._notify()

    def show_draft(self, by: Subscriber, draft: DraftView) -> None:
        """Show a draft of the current version to all subscribers, until the next version or until `by` leaves."""
        others = {seat: shown for seat, shown in self.drafts.items() if seat != draft.seat}
        own = {} if draft.draft is None else {draft.seat: ShownDraft(by, wire.to_json(draft).decode())}
        self.drafts = others | own
        self._notify()

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a subscriber and the drafts that it shows."""
        self.subscribers.discard(subscriber)
        self._wake_queue.forget(subscriber)
        left = {seat: shown for seat, shown in self.drafts.items() if shown.by is not subscriber}
        if len(left) < len(self.drafts):
            self.drafts = left
            self._notify()

    def _notify(self) -> None:
        self._wake_queue.wake(self.subscribers)


class LiveMatches:
    """The matches of this process by id.

    `move_bots` is called with a match that was loaded, or that another process advanced. `pause` returns a match without
    the time that its clocks are not charged for.
    """

    def __init__(
        self,
        store: Store,
        background: Background,
        metrics: Metrics,
        move_bots: Callable[[LiveMatch], None],
        rules: RuleCalls,
        *,
        pause: Callable[[Match], Match],
        most_bytes: int = MOST_LIVE_BYTES,
    ) -> None:
        self._store = store
        self._background = background
        self._metrics = metrics
        self._move_bots = move_bots
        self._pause = pause
        self._rules = rules
        self._matches: OrderedDict[str, LiveMatch] = OrderedDict()
        self._most_bytes = most_bytes
        self._memory = MatchMemory()
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        self._versions_while_loading: dict[str, int] = {}
        self._uncertain: set[LiveMatch] = set()
        self._wake_queue = WakeQueue()
        self._log = structlog.get_logger().bind()

    def __len__(self) -> int:
        return len(self._matches)

    async def watch(self) -> None:
        """Update matches when other processes advance them, and recheck those whose last append failed."""
        loop = asyncio.get_running_loop()

        def on_change(match: str, version: int) -> None:
            if not self._has(match, version):
                loop.call_soon_threadsafe(self._note_version, match, version)

        self._watch = await self._background.read(lambda: self._store.watch(on_change))
        self._background.start(self._recheck_uncertain())

    async def unwatch(self) -> None:
        """Close the subscription to the store; its thread may not have ended where the store hangs."""
        with suppress(StoreError):
            await self._background.read(self._watch.close)

    # --- finding -----------------------------------------------------------------------------------------------------

    async def find(self, match: str, *, at_least: int = 0) -> LiveMatch:
        """Return a match, at `at_least` or a later version if the store has it; `NotFoundError` if there is none."""
        live = self._matches.get(match)
        if live is None:
            live = await self._load_once(match)
        if match in self._matches:
            self._matches.move_to_end(match)
        if not live.is_certain or live.match.version < at_least:
            asked_at = time.monotonic()
            async with live.lock:
                if not live.is_certain or live.known_at < asked_at:
                    await self.refresh(live, since=asked_at)
        return live

    async def find_seat(self, match: str, token: str) -> Seat:
        """Return the seat that a token proves; raise `AccessError` where it proves none."""
        live = await self.find(match)
        seat = seat_of(live.match, token)
        if seat is None:
            asked_at = time.monotonic()
            async with live.lock:
                if live.known_at < asked_at:
                    await self.refresh(live, since=asked_at)
            seat = seat_of(live.match, token)
        if seat is None:
            raise AccessError("bad_token", "the token proves no seat of this match")
        return seat

    async def find_whole(self, match: str) -> Match:
        """Return a match with its whole log, as a record needs it."""
        found = (await self.find(match)).match
        if not found.log_start:
            return found
        return await self.read_whole(match)

    async def read_whole(self, match: str) -> Match:
        """Return a match with its whole log, without keeping it in memory."""
        return await self._restore(lambda: read_whole(self._store, match))

    async def _load_once(self, match: str) -> LiveMatch:
        """Load a match; concurrent callers share one load."""
        if not MATCH_ID.fullmatch(match):
            raise NotFoundError("unknown_match", f"there is no match '{match[:40]}'")
        loading = self._loading.get(match)
        if loading is None:
            loading = self._loading[match] = self._background.start(self._load(match))
            loading.add_done_callback(lambda _: self._loading.pop(match))
        return await asyncio.shield(loading)

    async def _load(self, match: str) -> LiveMatch:
        known_at = time.monotonic()
        self._versions_while_loading[match] = 0
        try:
            found = await self._restore(lambda: read_latest(self._store, match))
            if found.version < self._versions_while_loading[match]:
                known_at = time.monotonic()
                found = await self._restore(lambda: read_later(self._store, found))
        finally:
            del self._versions_while_loading[match]
        live = self.add(self._pause(found), known_at=known_at)
        self._move_bots(live)
        return live

    async def _restore(self, read: Callable[[], StoredMatch]) -> Match:
        """Return the match of what is read from the store; that of a game with limited rules is made by their thread."""

        def load() -> Match | StoredMatch:
            stored = read()
            return stored if self._rules.is_limited(stored.game) else stored.restore()

        found = await self._background.read(load)
        if isinstance(found, StoredMatch):
            return await self._rules.run(found.game, found.restore, SECONDS_TO_REPLAY)
        return found

    # --- adding and evicting -----------------------------------------------------------------------------------------

    def add(self, match: Match, *, known_at: float) -> LiveMatch:
        """Add a match that was opened or loaded, and evict idle ones where there are too many."""
        live = self._matches.setdefault(match.id, LiveMatch(match, self._wake_queue, known_at=known_at))
        self._memory.note(live.match)
        if self._memory.total > self._most_bytes:
            self._evict_oldest(except_for=match.id)
        self._metrics.set_live_matches(len(self._matches), self._memory.total)
        return live

    def _evict_oldest(self, *, except_for: str) -> None:
        """Evict idle matches, least recently used first, until a share of the memory is free, or `MOST_EXAMINED` were examined."""
        for match in [*islice(self._matches, MOST_EXAMINED)]:
            if self._memory.total <= self._most_bytes * (1 - SHARE_EVICTED):
                return
            if match == except_for or not self.evict_idle(match):
                self._matches.move_to_end(match)

    def evict_idle(self, match: str) -> bool:
        """Remove a match from memory unless it is in use, and return whether it is not in memory now."""
        live = self._matches.get(match)
        if live is not None and live.is_idle:
            self.evict(match)
        return match not in self._matches and match not in self._loading

    def evict(self, match: str) -> None:
        """Remove a match from memory; it is loaded again when it is next used."""
        self._matches.pop(match, None)
        self._memory.forget(match)
        self._metrics.set_live_matches(len(self._matches), self._memory.total)

    # --- keeping up to date ------------------------------------------------------------------------------------------

    def show(self, live: LiveMatch, match: Match) -> None:
        """Show a durable state to all subscribers, and store a snapshot when one is due."""
        live.show(match)
        if match.id in self._matches:
            self._memory.note(match)
        if match.is_over:
            self._log.info("match over", match=match.id, game=match.game, version=match.version)
        if match.version - live.snapshot_version >= ENTRIES_BETWEEN_SNAPSHOTS:
            live.snapshot_version = match.version
            self._background.start(self._store_snapshot(match))

    async def _store_snapshot(self, match: Match) -> None:
        """Store a snapshot; a failure is logged, because loading without it only takes longer."""
        try:
            await self._background.read(
                lambda: self._store.write_snapshot(
                    Snapshot(match=match.id, version=match.version, data=snapshot_data(match))
                )
            )
        except StoreError as error:
            self._log.warning("no snapshot kept", match=match.id, code=error.refusal.code)

    def pause_all(self) -> None:
        """Show the time limits of all matches without the last outage to who asks from now on.

        A match with a command in progress is left as it is: its next command does so.
        """
        for live in self._matches.values():
            paused = live.match if live.lock.locked() else self._pause(live.match)
            if paused is not live.match:
                live.match, live.frames = paused, Frames(paused)

    async def refresh(self, live: LiveMatch, *, since: float | None = None) -> None:
        """Read the entries that the log has after the match's version; the caller holds its lock.

        Raises the error of the store again where it failed after `since`, when the caller began to wait.
        """
        known_at, known = time.monotonic(), live.match
        if since is not None and live.failure is not None and live.failure[0] > since:
            raise type(live.failure[1]).of(live.failure[1].refusal)
        try:
            match = await self._restore(lambda: read_later(self._store, known))
        except StoreError as error:
            live.failure = (time.monotonic(), error)
            raise
        live.failure = None
        live.known_at, live.is_certain = known_at, True
        self._uncertain.discard(live)
        if match.version > known.version:
            self.show(live, match)
            asyncio.get_running_loop().call_later(SECONDS_FOR_OTHERS, self._move_bots, live)

    def mark_uncertain(self, live: LiveMatch, error: BaseException) -> None:
        """Have the log read again before the next command, and soon in any case: an append may or may not be in it."""
        live.is_certain = False
        if isinstance(error, StoreError):
            live.failure = (time.monotonic(), error)
        self._uncertain.add(live)

    async def _recheck_uncertain(self) -> None:
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_CHECKS)
            for live in [*self._uncertain]:
                await self._background.attempt(self.find(live.match.id))

    def _note_version(self, match: str, version: int) -> None:
        """Update a match that the store has at a later version than this process knows or writes."""
        if match in self._versions_while_loading:
            self._versions_while_loading[match] = max(self._versions_while_loading[match], version)
        live = self._matches.get(match)
        if live is not None and not self._has(match, version):
            self._background.start(self._update_to(live, version))

    def _has(self, match: str, version: int) -> bool:
        """Return whether a live match is at a version or a later one, or writes it; may be called from any thread."""
        live = self._matches.get(match)
        return live is not None and version <= max(live.match.version, live.writing)

    async def _update_to(self, live: LiveMatch, version: int) -> None:
        async with live.lock:
            if live.match.version < version:
                try:
                    await self.refresh(live)
                except StoreError as error:
                    self.mark_uncertain(live, error)

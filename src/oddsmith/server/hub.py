"""Every match has a room here: commands go through it one at a time, and are shown only when they are durable."""

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any, Final, TypeVar

import structlog

from oddsmith.chance import Draw, System
from oddsmith.errors import (
    AccessError,
    NotFoundError,
    OddsmithError,
    StoppingError,
    StoreError,
    UnavailableError,
)
from oddsmith.game import Seat
from oddsmith.match.bots import bot_choice, waiting_bots
from oddsmith.match.machine import Reaction, apply, open_match, seat_of
from oddsmith.match.model import Answer, Applied, Command, Illegal, Match, Open, Stale, Tick
from oddsmith.match.recording import snapshot_data
from oddsmith.server.committer import Committer
from oddsmith.server.measuring import Measuring
from oddsmith.server.metrics import Metrics
from oddsmith.server.rooms import Room, caught_up, read_match, read_whole_match, summary_of
from oddsmith.store.model import Append, Snapshot, Status, Store, Summary

T = TypeVar("T")

MATCH_ID: Final = re.compile(r"[0-9a-f]{20}")
MOST_ROOMS: Final = 4_000
MOST_TRIES: Final = 8
MOST_DUE: Final = 100
SECONDS_BETWEEN_TICKS: Final = 0.5
SECONDS_BETWEEN_SWEEPS: Final = 600
SECONDS_FOR_OTHERS: Final = 2.0
"""How long bots of a match that another process moved are left to that process."""
SECONDS_TO_RETRY: Final = 1.0
ENTRIES_BETWEEN_SNAPSHOTS: Final = 256
MILLISECONDS_OF_A_DAY: Final = 24 * 3600 * 1000


class Hub:
    """All matches of a server process."""

    def __init__(
        self,
        store: Store,
        *,
        metrics: Metrics | None = None,
        now: Callable[[], int] | None = None,
        draw: Draw | None = None,
        days_to_desertion: int = 0,
    ) -> None:
        self._store = store
        self._metrics = metrics or Metrics()
        self._committer = Committer(store, self._metrics)
        self._measuring = Measuring(store, self._metrics)
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._heard: dict[str, int] = {}
        self._doubtful: set[Room] = set()
        self._now = now or (lambda: time.time_ns() // 1_000_000)
        self._draw = draw or System()
        self._patience = days_to_desertion * MILLISECONDS_OF_A_DAY
        self._readers = ThreadPoolExecutor(4, thread_name_prefix="oddsmith-read")
        self._thinkers = ThreadPoolExecutor(2, thread_name_prefix="oddsmith-bots")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_stopping = False
        self._unanswered = 0
        self._all_answered = asyncio.Event()
        self._all_answered.set()
        self._trouble: str | None = None
        self._log = structlog.get_logger().bind()

    async def start(self) -> None:
        """Hear of what other processes do, and watch the clocks."""
        loop = asyncio.get_running_loop()

        def changed(match: str, version: int) -> None:
            loop.call_soon_threadsafe(self._changed, match, version)

        self._watch = await self._reading(lambda: self._store.watch(changed))
        self._in_background(self._tick())
        self._in_background(self._sweep())

    async def rest(self) -> None:
        """Take no more commands, answer those that were taken, and finish what waits to be written."""
        self._is_stopping = True
        await self._all_answered.wait()
        await self._committer.drained()

    async def stop(self) -> None:
        """Finish what waits to be written, and let go."""
        await self.rest()
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._reading(self._watch.close)
        self._committer.close()
        self._measuring.close()
        self._readers.shutdown(wait=False)
        self._thinkers.shutdown(wait=False, cancel_futures=True)

    async def open(self, command: Open) -> Match:
        """Open a match; it is durable when this returns."""
        self._require_open()
        reaction = open_match(command, self._now(), self._draw)
        known_at = time.monotonic()
        if not await self._committer.append(_append(reaction, 0)):
            raise UnavailableError("busy", "the match could not be opened: try again")
        room = self._room(reaction.match, known_at)
        self._log.info("match opened", match=room.match.id, game=room.match.game)
        self._move_bots(room)
        return reaction.match

    async def room(self, match: str, *, at_least: int = 0) -> Room:
        """Return the room of a match, with the version that somebody has seen; one that there is not is refused."""
        room = self._rooms.get(match) or await self._loaded(match)
        if match in self._rooms:
            self._rooms.move_to_end(match)
        if not room.is_certain or room.match.version < at_least:
            asked_at = time.monotonic()
            async with room.turn:
                if not room.is_certain or room.known_at < asked_at:
                    await self._refresh(room)
        return room

    async def whole_match(self, match: str) -> Match:
        """Return a match with its whole log, as a record needs it."""
        found = (await self.room(match)).match
        return await self._reading(lambda: read_whole_match(self._store, match)) if found.forgotten else found

    async def seat(self, match: str, token: str) -> Seat:
        """Return the seat that a token proves; any other is refused."""
        room = await self.room(match)
        seat = seat_of(room.match, token)
        if seat is None:
            asked_at = time.monotonic()
            async with room.turn:
                if room.known_at < asked_at:
                    await self._refresh(room)
            seat = seat_of(room.match, token)
        if seat is None:
            raise AccessError("bad_token", "the token proves no seat of this match")
        return seat

    async def matches(self, **wanted: Any) -> tuple[Summary, ...]:  # noqa: ANN401  as the store takes them
        """List matches."""
        return await self._reading(lambda: self._store.matches(**wanted))

    async def command(self, match: str, command: Command) -> Answer:
        """Give a command to a match, and return its answer once what it did is durable.

        Whoever waits for the answer may go away: what was begun is finished, and shown, all the same.
        """
        self._require_open()
        self._unanswered += 1
        self._all_answered.clear()
        try:
            answering = self._begun(match, command)
            if answering is None:
                answering = asyncio.shield(self._in_background(self._commanded(match, command)))
            answer = await answering
        finally:
            self._unanswered -= 1
            if not self._unanswered:
                self._all_answered.set()
        self._metrics.decided(answer)
        return answer

    def _begun(self, match: str, command: Command) -> "asyncio.Future[Answer] | None":
        """Begin to do a command of a match that nothing else is done to, and return what its answer will be.

        None where it must wait, or where what is known here may not be all: then `_commanded` answers it.
        """
        room = self._rooms.get(match)
        if room is None or not room.is_certain or not room.turn.enter_at_once():
            return None
        try:
            reaction = apply(room.match, command, self._now())
            writing = self._writing(room, reaction) if reaction.entries else None
        except BaseException:
            room.turn.leave()
            raise
        if writing is None:
            room.turn.leave()
            return None
        self._rooms.move_to_end(match)
        answering: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        known_at = time.monotonic()

        def wrote(writing: "asyncio.Future[bool]") -> None:
            try:
                if self._wrote(room, reaction, writing, known_at):
                    _tell(answering, reaction.answer)
                else:
                    self._doubt(room)
                    self._in_background(self._answered(answering, match, command))
            except Exception as error:  # noqa: BLE001  whoever waits is told, whatever it is
                _tell(answering, error)
            finally:
                room.turn.leave()

        writing.add_done_callback(wrote)
        return answering

    async def _answered(self, answering: "asyncio.Future[Answer]", match: str, command: Command) -> None:
        """Do a command after another process was first, and tell who waits for its answer."""
        try:
            _tell(answering, await self._commanded(match, command))
        except Exception as error:  # noqa: BLE001  as above
            _tell(answering, error)

    def _require_open(self) -> None:
        if self._is_stopping:
            raise StoppingError("stopping", "the server is about to stop: try again in a moment")

    async def _commanded(self, match: str, command: Command) -> Answer:
        arrived = time.monotonic()
        room = await self.room(match)
        async with room.turn:
            for _ in range(MOST_TRIES):
                if not room.is_certain:
                    await self._refresh(room)
                reaction = apply(room.match, command, self._now())
                if reaction.entries:
                    if await self._written(room, reaction):
                        return reaction.answer
                elif isinstance(reaction.answer, Stale | Illegal) and room.known_at < arrived:
                    await self._refresh(room)
                else:
                    return reaction.answer
        raise UnavailableError("busy", "the match changes too fast: try again")

    async def _written(self, room: Room, reaction: Reaction) -> bool:
        """Make durable, then show; where another process was first, read what it did."""
        known_at = time.monotonic()
        writing = self._writing(room, reaction)
        await asyncio.wait([writing])
        done = self._wrote(room, reaction, writing, known_at)
        if not done:
            await self._refresh(room)
        return done

    def _writing(self, room: Room, reaction: Reaction) -> "asyncio.Future[bool]":
        """Let what came of a command go to disk."""
        writing = self._committer.append(_append(reaction, room.match.version))
        room.writing = reaction.match.version
        return writing

    def _wrote(
        self, room: Room, reaction: Reaction, writing: "asyncio.Future[bool]", known_at: float
    ) -> bool:
        """Show what is durable; where that is not known, say so."""
        room.writing = 0
        try:
            done = writing.result()
        except BaseException:
            self._doubt(room)
            raise
        if done:
            room.known_at = known_at
            self._show(room, reaction.match)
            self._move_bots(room)
            if reaction.match.is_over:
                self._measuring.over(reaction.match)
        return done

    def _doubt(self, room: Room) -> None:
        """Read the log again before anything else is done, and soon in any case."""
        room.is_certain = False
        self._doubtful.add(room)

    def _show(self, room: Room, match: Match) -> None:
        room.show(match)
        if match.is_over:
            self._log.info("match over", match=match.id, game=match.game, version=match.version)
        if match.version - room.kept >= ENTRIES_BETWEEN_SNAPSHOTS:
            room.kept = match.version
            self._in_background(self._keep(match))

    async def _keep(self, match: Match) -> None:
        """Keep a snapshot; that it could not be kept costs only time."""
        try:
            await self._reading(
                lambda: self._store.keep(
                    Snapshot(match=match.id, version=match.version, data=snapshot_data(match))
                )
            )
        except StoreError as error:
            self._log.warning("no snapshot kept", match=match.id, code=error.refusal.code)

    async def _refresh(self, room: Room) -> None:
        """Read what another process, or an append that seemed to fail, has added to the log."""
        known_at, known = time.monotonic(), room.match
        match = await self._reading(lambda: caught_up(self._store, known))
        room.known_at, room.is_certain = known_at, True
        self._doubtful.discard(room)
        if match.version > known.version:
            self._show(room, match)
            asyncio.get_running_loop().call_later(SECONDS_FOR_OTHERS, self._move_bots, room)

    async def _loaded(self, match: str) -> Room:
        """Return the room of a match that is not in memory; many who ask at once wait for one reading."""
        if not MATCH_ID.fullmatch(match):
            raise NotFoundError("unknown_match", f"there is no match '{match[:40]}'")
        loading = self._loading.get(match)
        if loading is None:
            loading = self._loading[match] = self._in_background(self._load(match))
            loading.add_done_callback(lambda _: self._loading.pop(match))
        return await asyncio.shield(loading)

    async def _load(self, match: str) -> Room:
        known_at = time.monotonic()
        self._heard[match] = 0
        try:
            found = await self._reading(lambda: read_match(self._store, match))
            if found.version < self._heard[match]:
                known_at = time.monotonic()
                found = await self._reading(lambda: caught_up(self._store, found))
        finally:
            del self._heard[match]
        room = self._room(found, known_at)
        self._move_bots(room)
        return room

    def _room(self, match: Match, known_at: float) -> Room:
        """Open a room; when there are too many, close those that nobody has been in for longest."""
        room = self._rooms.setdefault(match.id, Room(match, known_at=known_at))
        if len(self._rooms) > MOST_ROOMS:
            oldest = [*self._rooms][: MOST_ROOMS // 10]
            for name in oldest:
                if self._rooms[name].is_idle and name != match.id:
                    del self._rooms[name]
        self._metrics.has_rooms(len(self._rooms))
        return room

    def _changed(self, match: str, version: int) -> None:
        """Hear that a match has come to a version, by whomever; what is being written here is known already."""
        if match in self._heard:
            self._heard[match] = max(self._heard[match], version)
        room = self._rooms.get(match)
        if room is not None and max(room.match.version, room.writing) < version:
            self._in_background(self._catch_up(room, version))

    async def _catch_up(self, room: Room, version: int) -> None:
        async with room.turn:
            if room.match.version < version:
                try:
                    await self._refresh(room)
                except StoreError:
                    self._doubt(room)

    def _move_bots(self, room: Room) -> None:
        if room.driver is None and not self._is_stopping and waiting_bots(room.match):
            room.driver = self._in_background(self._drive(room))

    async def _drive(self, room: Room) -> None:
        """Let bots choose as long as the match waits for one; while the store is away, or busy, they wait."""
        try:
            while not self._is_stopping and (seats := waiting_bots(room.match)):
                try:
                    await self._let_choose(room, seats[0])
                except UnavailableError:
                    await asyncio.sleep(SECONDS_TO_RETRY)
        finally:
            room.driver = None

    async def _let_choose(self, room: Room, seat: Seat) -> None:
        match, loop = room.match, asyncio.get_running_loop()
        choice = await loop.run_in_executor(self._thinkers, bot_choice, match, seat)
        answer = await self._commanded(match.id, choice)
        if isinstance(answer, Illegal) and answer.version == match.version:
            raise RuntimeError(f"a bot of {match.game} chose what is refused: {answer.refusal.code}")

    async def _tick(self) -> None:
        """Let clocks run out, and find out what became of appends that failed."""
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_TICKS)
            for room in [*self._doubtful]:
                await self._settled(self.room(room.match.id))
            due = await self._settled(self._reading(lambda: self._store.due(self._now(), limit=MOST_DUE)))
            await asyncio.gather(*(self._settled(self._run_out(match)) for match in due or ()))

    async def _run_out(self, match: str) -> None:
        """Let the clock choose as long as somebody is late."""
        while isinstance(await self._commanded(match, Tick()), Applied):
            pass

    async def _sweep(self) -> None:
        """Give up matches that nobody has come back to."""
        while self._patience:
            for status, private in product((Status.OPEN, Status.PLAYING), (False, True)):
                before = (self._now() - self._patience, "")
                asked = self.matches(status=status, private=private, before=before, limit=MOST_DUE)
                for match in await self._settled(asked) or ():
                    await self._settled(self._commanded(match.match, Tick(is_deserted=True)))
            await asyncio.sleep(SECONDS_BETWEEN_SWEEPS)

    async def _settled(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Return what comes of work that nobody waits for; that it failed is logged, and it is tried again."""
        try:
            done = await work
        except OddsmithError as error:
            if error.refusal.code != self._trouble:
                self._trouble = error.refusal.code
                self._log.warning("put off", code=error.refusal.code, sentence=error.refusal.sentence)
            return None
        except Exception:  # noqa: BLE001  whatever it is, the next one is not to suffer
            self._log.exception("failed")
            return None
        self._trouble = None
        return done

    async def _reading(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    def _in_background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, OddsmithError):
            self._log.error("failed", exc_info=error)


def _tell(answering: "asyncio.Future[Answer]", told: Answer | Exception) -> None:
    """Tell who waits for an answer, if it still does."""
    if answering.done():
        return
    if isinstance(told, Exception):
        answering.set_exception(told)
    else:
        answering.set_result(told)


def _append(reaction: Reaction, version: int) -> Append:
    return Append(version=version, entries=reaction.entries, summary=summary_of(reaction.match))

"""Every match has a room here: commands go through it one at a time, and are shown only when they are durable."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from oddsmith.chance import Draw, System
from oddsmith.errors import InputError
from oddsmith.game import Seat
from oddsmith.server.committer import Committer
from oddsmith.server.frames import Frames
from oddsmith.store.model import Append, Status, Store, Summary
from oddsmith.table.bots import bot_choice, waiting_bots
from oddsmith.table.fold import after, replayed
from oddsmith.table.machine import Reaction, apply, due_at, open_match, seat_of
from oddsmith.table.model import Answer, Command, Match, Open, Tick

__all__ = ["Hub", "Room", "Subscriber", "summary_of"]

MOST_ROOMS: Final = 10_000
MOST_TRIES: Final = 5
SECONDS_BETWEEN_TICKS: Final = 1.0


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
        opened_at=match.log[0].at,
        changed_at=match.log[-1].at,
        due_at=due_at(match),
    )


class Subscriber:
    """Somebody who watches a match: told that there is something new, not what."""

    def __init__(self, viewer: Seat | None) -> None:
        self.viewer = viewer
        self.news = asyncio.Event()


class Room:
    """One match in memory, who watches it, and the lock that its commands wait for."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.frames = Frames(match)
        self.lock = asyncio.Lock()
        self.subscribers: set[Subscriber] = set()

    def show(self, match: Match) -> None:
        """Let everyone see what is durable now."""
        self.match = match
        self.frames = Frames(match)
        for subscriber in self.subscribers:
            subscriber.news.set()


class Hub:
    """All matches of a server process."""

    def __init__(
        self, store: Store, *, now: Callable[[], int] | None = None, draw: Draw | None = None
    ) -> None:
        self._store = store
        self._committer = Committer(store)
        self._rooms: dict[str, Room] = {}
        self._now = now or (lambda: time.time_ns() // 1_000_000)
        self._draw = draw or System()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Hear of what other processes do, and watch the clocks."""
        loop = asyncio.get_running_loop()
        self._watch = self._store.watch(
            lambda match, version: loop.call_soon_threadsafe(self._changed_elsewhere, match, version)
        )
        self._in_background(self._tick())

    async def stop(self) -> None:
        """Finish what waits to be written, and let go."""
        self._watch.close()
        for task in self._tasks:
            task.cancel()
        await self._committer.drained()

    async def open(self, command: Open) -> Match:
        """Open a match."""
        reaction = open_match(command, self._now(), self._draw)
        await self._committer.append(_append(reaction, 0))
        room = self._rooms.setdefault(reaction.match.id, Room(reaction.match))
        self._make_room()
        self._move_bots(room)
        return reaction.match

    async def room(self, match: str) -> Room:
        """Return the room of a match; one that there is not is refused."""
        found = self._rooms.get(match)
        if found is None:
            entries = await asyncio.to_thread(self._store.entries, match)
            if not entries:
                raise InputError("unknown_match", f"there is no match '{match[:40]}'")
            known = await asyncio.to_thread(replayed, entries)
            found = self._rooms.setdefault(match, Room(known))
            self._make_room()
            self._move_bots(found)
        return found

    async def command(self, match: str, command: Command) -> Answer:
        """Give a command to a match, and return its answer once what it did is durable."""
        room = await self.room(match)
        async with room.lock:
            for _ in range(MOST_TRIES):
                reaction = apply(room.match, command, self._now())
                if not reaction.entries:
                    return reaction.answer
                if await self._committer.append(_append(reaction, room.match.version)):
                    room.show(reaction.match)
                    self._move_bots(room)
                    return reaction.answer
                await self._refresh(room)
        raise InputError("busy", "the match changes too fast: try again")

    async def matches(self, **wanted: Any) -> tuple[Summary, ...]:  # noqa: ANN401  as the store takes them
        """List matches."""
        return await asyncio.to_thread(lambda: self._store.matches(**wanted))

    async def seat(self, match: str, token: str) -> Seat:
        """Return the seat that a token proves; any other is refused."""
        seat = seat_of((await self.room(match)).match, token)
        if seat is None:
            raise InputError("bad_token", "the token proves no seat of this match")
        return seat

    async def _refresh(self, room: Room) -> None:
        """Read what another process has added to the log."""
        later = await asyncio.to_thread(lambda: self._store.entries(room.match.id, after=room.match.version))
        match = room.match
        for entry in later:
            match = after(match, entry)
        if later:
            room.show(match)

    def _changed_elsewhere(self, match: str, version: int) -> None:
        room = self._rooms.get(match)
        if room is not None and room.match.version < version:
            self._in_background(self._catch_up(room))

    async def _catch_up(self, room: Room) -> None:
        async with room.lock:
            await self._refresh(room)

    def _move_bots(self, room: Room) -> None:
        if waiting_bots(room.match):
            self._in_background(self._let_bots_move(room))

    async def _let_bots_move(self, room: Room) -> None:
        match = room.match
        seats = waiting_bots(match)
        if seats:
            choice = await asyncio.to_thread(bot_choice, match, seats[0])
            await self.command(match.id, choice)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_TICKS)
            with suppress(Exception):
                for match in await asyncio.to_thread(self._store.due, self._now()):
                    await self.command(match, Tick())

    def _in_background(self, coroutine: Any) -> None:  # noqa: ANN401  any coroutine
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _make_room(self) -> None:
        """Forget matches that nobody watches when there are too many; their logs are in the store."""
        if len(self._rooms) > MOST_ROOMS:
            for match, room in list(self._rooms.items())[: MOST_ROOMS // 10]:
                if not room.subscribers and not room.lock.locked():
                    del self._rooms[match]


def _append(reaction: Reaction, version: int) -> Append:
    return Append(version=version, entries=reaction.entries, summary=summary_of(reaction.match))

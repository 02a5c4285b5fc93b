"""A server is killed again and again while all five games are played on it: nothing that it said may be lost."""

import asyncio
import time
from collections.abc import Sequence
from random import Random
from typing import Final

import msgspec

from chaos.ledger import Ledger
from chaos.servers import ServerProcess
from chaos.socket_player import SocketPlayer
from oddsmith.client import AsyncClient, Frame, JoinReply, new_id, new_join_id
from oddsmith.errors import OddsmithError, ServerAwayError
from oddsmith.game import Seat
from oddsmith.match.model import Clock, Stale
from oddsmith.store import open_store

SEATS: Final[dict[str, Sequence[str | None]]] = {
    "destiny": (None, None),
    "duel": (None, None),
    "dice": (None,),
    "fate": (None, None, None),
    "casino": (None, "random", None, None),
}
"""The five games, and who sits at their tables: one bot among people."""
CLOCK: Final = Clock(choice_seconds=600, bank_seconds=600)
PATIENCE: Final = 120.0
SECONDS_TO_HANG_UP: Final = 0.2
"""A connection whose task was cancelled closes a moment later."""
SECONDS_TO_DIE_AT_BIRTH: Final = 1.0


class KillReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was done, and what went wrong."""

    kills: int
    births_cut_short: int
    matches: int
    acknowledged: int
    frames: int
    seconds: float
    faults: tuple[str, ...]


class Storm:
    """Players at many tables, and the one who kills their server."""

    def __init__(self, server: ServerProcess, *, kills: int, actions: int, life: float, seed: str) -> None:
        self._server = server
        self._kills = kills
        self._actions = actions
        self._life = life
        self._random = Random(seed)  # noqa: S311  no secret
        self.ledger = Ledger()
        self.strange: list[str] = []
        self.killed = 0
        self.cut_short = 0
        self.matches = 0
        self.is_over = False
        self._enough = asyncio.Event()

    async def rage(self, tables: int) -> None:
        """Play at so many tables of each game until enough was done and the server was killed often enough."""
        async with AsyncClient(self._server.url, retry_seconds=PATIENCE) as client:
            playing = [asyncio.create_task(self._sit(client, game)) for game in SEATS for _ in range(tables)]
            try:
                await self._reap()
            finally:
                self.is_over = True
                for task in playing:
                    task.cancel()
                await asyncio.gather(*playing, return_exceptions=True)
                await asyncio.sleep(SECONDS_TO_HANG_UP)

    # --- who kills ---------------------------------------------------------------------------------------------------

    async def _reap(self) -> None:
        while self.killed < self._kills:
            if self._random.random() < 0.1:  # noqa: PLR2004  one in ten does not live to see a request
                await asyncio.sleep(self._random.uniform(0, SECONDS_TO_DIE_AT_BIRTH))
                self.cut_short += 1
            else:
                await asyncio.to_thread(self._server.wait)
                await asyncio.sleep(self._random.uniform(0, 2 * self._life))
            await asyncio.to_thread(self._server.kill)
            self.killed += 1
            self._server.start()
        await asyncio.to_thread(self._server.wait)
        await self._enough.wait()

    # --- who plays ---------------------------------------------------------------------------------------------------

    async def _sit(self, client: AsyncClient, game: str) -> None:
        """Play one match of a game after another."""
        while not self.is_over:
            try:
                await self._play(client, game)
            except ServerAwayError:
                continue  # the server was killed while a match was being opened: open another one
            except (OddsmithError, RuntimeError) as error:
                self.strange.append(f"{game}: {error}")
                self._enough.set()
                raise

    async def _play(self, client: AsyncClient, game: str) -> None:
        """Open a match, let everybody sit down, and play it to its end, with somebody looking on."""
        opening = await client.open(game, SEATS[game], clock=CLOCK)
        self.matches += 1
        people = [
            await client.join(
                opening.match, f"{game} {seat}", seat=seat, seed=new_id(), join_id=new_join_id()
            )
            for seat, bot in enumerate(SEATS[game])
            if bot is None
        ]
        by_socket = self.matches % 2 == 0
        await asyncio.gather(
            self._look_on(client, opening.match),
            *(
                self._through_socket(opening.match, person)
                if by_socket
                else self._take_part(client, opening.match, person)
                for person in people
            ),
        )

    async def _look_on(self, client: AsyncClient, match: str) -> None:
        since = 0
        async with client.watch(match, since=since) as watch:
            async for frame in watch:
                self.ledger.show(frame, since)
                since = frame.version

    async def _through_socket(self, match: str, person: JoinReply) -> None:
        """Play without a client, through a socket alone."""
        player = SocketPlayer(
            self._server.url,
            match,
            person,
            self.ledger,
            lambda frame: self._random.choice(frame.actions),
            done=self._count,
        )
        await player.play()

    async def _take_part(self, client: AsyncClient, match: str, person: JoinReply) -> None:
        """Choose at random whenever a frame asks for it."""
        since = None
        async with client.watch(match, token=person.token) as watch:
            async for frame in watch:
                self.ledger.show(frame, since)
                since = frame.version
                if person.seat in frame.deciding:
                    await self._choose(client, frame, person.seat, person.token)

    async def _choose(self, client: AsyncClient, frame: Frame, seat: Seat, token: str) -> None:
        """Send a choice until it is answered, across as many deaths as it takes."""
        action, command = self._random.choice(frame.actions), new_id()
        self.ledger.send(frame.match, seat, command, action)
        answer = await client.act(frame.match, token, action, version=frame.version, command_id=command)
        if isinstance(answer, Stale):
            self.ledger.refuse(frame.match, seat, command)
        else:
            self.ledger.acknowledge(frame.match, seat, command, answer.version)
            self._count()

    def _count(self) -> None:
        if self.ledger.acknowledged >= self._actions:
            self._enough.set()


def play_through_kills(
    server: ServerProcess,
    *,
    kills: int,
    actions: int,
    tables: int = 2,
    life: float = 0.5,
    seed: str = "storm",
) -> KillReport:
    """Kill a server so often while it is played on, and hold what everybody knows against its logs.

    It lives about `life` seconds each time, and in one of ten lives never gets to answer.
    """
    storm = Storm(server, kills=kills, actions=actions, life=life, seed=seed)
    start = time.monotonic()
    asyncio.run(storm.rage(tables))
    seconds = time.monotonic() - start
    server.close()
    store = open_store(server.store)
    try:
        faults = storm.ledger.faults(store)
    finally:
        store.close()
    return KillReport(
        kills=storm.killed,
        births_cut_short=storm.cut_short,
        matches=storm.matches,
        acknowledged=storm.ledger.acknowledged,
        frames=storm.ledger.frames,
        seconds=seconds,
        faults=(*storm.strange, *faults),
    )

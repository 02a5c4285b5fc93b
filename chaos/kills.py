"""Kills a server again and again while all games are played on it: no acknowledged choice may be lost."""

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
"""The seats of a match of each game: None for a player, else the name of a bot."""
CLOCK: Final = Clock(choice_seconds=600, bank_seconds=600)
RETRY_SECONDS: Final = 120.0
SECONDS_TO_DISCONNECT: Final = 0.2
"""Connections of cancelled tasks are closed a moment later."""
MOST_SECONDS_TO_EARLY_KILL: Final = 1.0


class KillReport(msgspec.Struct, frozen=True, kw_only=True):
    """Counts, and the faults found."""

    kills: int
    early_kills: int
    matches: int
    acknowledged: int
    frames: int
    seconds: float
    faults: tuple[str, ...]


class KillRun:
    """Plays matches on a server while it is killed repeatedly."""

    def __init__(self, server: ServerProcess, *, kills: int, actions: int, life: float, seed: str) -> None:
        self._server = server
        self._kills = kills
        self._actions = actions
        self._life = life
        self._random = Random(seed)  # noqa: S311  not a secret
        self.ledger = Ledger()
        self.errors: list[str] = []
        self.killed = 0
        self.early_kills = 0
        self.matches = 0
        self.is_over = False
        self._enough = asyncio.Event()

    async def run(self, matches_per_game: int) -> None:
        """Play `matches_per_game` matches of each game at a time until enough choices were acknowledged and enough kills done."""
        async with AsyncClient(self._server.url, retry_seconds=RETRY_SECONDS) as client:
            tasks = [
                asyncio.create_task(self._play_matches(client, game))
                for game in SEATS
                for _ in range(matches_per_game)
            ]
            try:
                await self._kill_repeatedly()
            finally:
                self.is_over = True
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                await asyncio.sleep(SECONDS_TO_DISCONNECT)

    # --- kills -------------------------------------------------------------------------------------------------------

    async def _kill_repeatedly(self) -> None:
        while self.killed < self._kills:
            if self._random.random() < 0.1:  # noqa: PLR2004  one in ten is killed before it answers a request
                await asyncio.sleep(self._random.uniform(0, MOST_SECONDS_TO_EARLY_KILL))
                self.early_kills += 1
            else:
                await asyncio.to_thread(self._server.wait)
                await asyncio.sleep(self._random.uniform(0, 2 * self._life))
            await asyncio.to_thread(self._server.kill)
            self.killed += 1
            self._server.start()
        await asyncio.to_thread(self._server.wait)
        await self._enough.wait()

    # --- players -----------------------------------------------------------------------------------------------------

    async def _play_matches(self, client: AsyncClient, game: str) -> None:
        """Play one match of a game after another."""
        while not self.is_over:
            try:
                await self._play(client, game)
            except ServerAwayError:
                continue  # the server was killed while a match was being opened: open another one
            except (OddsmithError, RuntimeError) as error:
                self.errors.append(f"{game}: {error}")
                self._enough.set()
                raise

    async def _play(self, client: AsyncClient, game: str) -> None:
        """Open a match, join all free seats, and play it to its end, with a spectator."""
        opened = await client.open(game, SEATS[game], clock=CLOCK)
        self.matches += 1
        players = [
            await client.join(opened.match, f"{game} {seat}", seat=seat, seed=new_id(), join_id=new_join_id())
            for seat, bot in enumerate(SEATS[game])
            if bot is None
        ]
        by_socket = self.matches % 2 == 0
        await asyncio.gather(
            self._watch(client, opened.match),
            *(
                self._play_by_socket(opened.match, player)
                if by_socket
                else self._play_by_client(client, opened.match, player)
                for player in players
            ),
        )

    async def _watch(self, client: AsyncClient, match: str) -> None:
        since = 0
        async with client.watch(match, since=since) as watch:
            async for frame in watch:
                self.ledger.receive(frame, since)
                since = frame.version

    async def _play_by_socket(self, match: str, player: JoinReply) -> None:
        """Play a seat through a bare socket, without the client."""
        socket_player = SocketPlayer(
            self._server.url,
            match,
            player,
            self.ledger,
            lambda frame: self._random.choice(frame.actions),
            on_acknowledged=self._check_count,
        )
        await socket_player.play()

    async def _play_by_client(self, client: AsyncClient, match: str, player: JoinReply) -> None:
        """Make random choices in a seat through the client."""
        since = None
        async with client.watch(match, token=player.token) as watch:
            async for frame in watch:
                self.ledger.receive(frame, since)
                since = frame.version
                if player.seat in frame.deciding:
                    await self._choose(client, frame, player.seat, player.token)

    async def _choose(self, client: AsyncClient, frame: Frame, seat: Seat, token: str) -> None:
        """Send a choice until it is answered, across restarts of the server."""
        action, command = self._random.choice(frame.actions), new_id()
        self.ledger.send(frame.match, seat, command, action)
        answer = await client.act(frame.match, token, action, version=frame.version, command_id=command)
        if isinstance(answer, Stale):
            self.ledger.refuse(frame.match, seat, command)
        else:
            self.ledger.acknowledge(frame.match, seat, command, answer.version)
            self._check_count()

    def _check_count(self) -> None:
        if self.ledger.acknowledged >= self._actions:
            self._enough.set()


def play_through_kills(
    server: ServerProcess,
    *,
    kills: int,
    actions: int,
    matches_per_game: int = 2,
    life: float = 0.5,
    seed: str = "storm",
) -> KillReport:
    """Kill a server `kills` times while matches are played on it, and compare what the clients know with its log.

    It runs about `life` seconds each time; one in ten is killed before it answers.
    """
    run = KillRun(server, kills=kills, actions=actions, life=life, seed=seed)
    start = time.monotonic()
    asyncio.run(run.run(matches_per_game))
    seconds = time.monotonic() - start
    server.close()
    store = open_store(server.store)
    try:
        faults = run.ledger.faults(store)
    finally:
        store.close()
    return KillReport(
        kills=run.killed,
        early_kills=run.early_kills,
        matches=run.matches,
        acknowledged=run.ledger.acknowledged,
        frames=run.ledger.frames,
        seconds=seconds,
        faults=(*run.errors, *faults),
    )

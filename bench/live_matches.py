"""Durable choices, compared with bare appends in the same run, and the delay until spectators see them."""

import asyncio
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from bench.measure import Row
from chaos.servers import run_server
from oddsmith.client import Client
from oddsmith.client.addresses import socket_address
from oddsmith.games.duel import Rules
from oddsmith.match.model import Act, Applied, Join, Made, Open
from oddsmith.server import logs
from oddsmith.server.matches import MatchService
from oddsmith.server.matches.committer import Committer
from oddsmith.server.metrics import Metrics
from oddsmith.server.uvicorn_server import SECONDS_BETWEEN_THREADS
from oddsmith.store import Append, Store, open_store
from oddsmith.store.model import Status, Summary

MATCHES: Final = 100
CHOICES: Final = 100
"""Choices in each match."""
LEAST_CHOICES: Final = 3_000
LEAST_SHARE: Final = 60
SPECTATORS: Final = 200
MOVES: Final = 50
MOST_DELAY: Final = 0.05
RULES: Final = {"most_selections": 1000, "player_hp": 1000}
LINE: Final = "attack 0 1"


def rows() -> Iterator[Row]:
    """Yield the durable choices a second, their share of bare appends, and the delay until spectators see one."""
    logs.configure("warning")
    with TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "matches.db"))
        sys.setswitchinterval(SECONDS_BETWEEN_THREADS)
        bare = uvloop.run(_bare_appends(store))
        choices = uvloop.run(_choices(store))
        store.close()
    share = 100 * choices / bare
    yield Row(f"bare appends to SQLite by {MATCHES} writers", f"{bare:,.0f} /s", "(no bound)", held=True)
    yield Row(
        f"durable choices in {MATCHES} matches",
        f"{choices:,.0f} /s",
        f"≥ {LEAST_CHOICES:,} /s",
        held=choices >= LEAST_CHOICES,
    )
    yield Row(
        "their share of bare appends", f"{share:.0f} %", f"≥ {LEAST_SHARE} %", held=share >= LEAST_SHARE
    )
    delays = _delays()
    p99 = statistics.quantiles(delays, n=100)[98]
    yield Row(
        f"a move is seen by {SPECTATORS} spectators: p99",
        f"{p99 * 1000:.1f} ms",
        f"< {MOST_DELAY * 1000:.0f} ms",
        held=p99 < MOST_DELAY,
    )


async def _bare_appends(store: Store) -> float:
    """Return the entries a second that as many writers as there are matches append without playing.

    Each writer waits until its entry is on disk before it appends the next; waiting entries are written together.
    """
    committer = Committer(store, Metrics())
    start = time.perf_counter()
    await asyncio.gather(*(_append_entries(committer, f"bare{match:03}") for match in range(MATCHES)))
    seconds = time.perf_counter() - start
    committer.close()
    return MATCHES * CHOICES / seconds


async def _append_entries(committer: Committer, match: str) -> None:
    for version in range(CHOICES):
        if not await committer.append(_entry(match, version)):
            raise RuntimeError("an append without a competitor was refused")


def _entry(match: str, version: int) -> Append:
    return Append(
        version=version,
        entries=(Made(at=version, line=f"0 {LINE}", seat=0, id=f"c{version}"),),
        summary=Summary(
            match=match,
            game="duel",
            rules_id="0" * 64,
            status=Status.PLAYING,
            version=version + 1,
            names=("Ann", "Bo"),
            bots=(None, None),
            opened_at=0,
            changed_at=version,
        ),
    )


async def _choices(store: Store) -> float:
    """Return the durable and acknowledged choices a second, where every match makes one after another."""
    service = MatchService(store)
    await service.start()
    opened = [await _open_match(service) for _ in range(MATCHES)]
    start = time.perf_counter()
    await asyncio.gather(*(_make_choices(service, match, token, version) for match, token, version in opened))
    seconds = time.perf_counter() - start
    await service.stop()
    return MATCHES * CHOICES / seconds


async def _open_match(service: MatchService) -> tuple[str, str, int]:
    match = await service.open(Open(rules=Rules.from_data(RULES), bots=(None, None)))
    ann, bo = [await service.run(match.id, Join(id=name * 16, name=name)) for name in ("Ann", "Bob")]
    if not isinstance(ann, Applied) or ann.token is None:
        raise TypeError(f"Ann was refused: {ann}")
    return match.id, ann.token, bo.version


async def _make_choices(service: MatchService, match: str, token: str, version: int) -> None:
    for number in range(CHOICES):
        answer = await service.run(match, Act(token=token, id=f"c{number}", version=version, action=LINE))
        if not isinstance(answer, Applied):
            raise TypeError(f"a choice was refused: {answer}")
        version = answer.version


def _delays() -> list[float]:
    """Return the seconds from sending a choice to receiving its frame, for every move and spectator."""
    with TemporaryDirectory() as folder:
        path = Path(folder)
        with run_server(str(path / "matches.db"), path / "log") as server, Client(server.url) as client:
            match = client.open("duel", (None, None), rules=RULES).match
            token = client.join(match, "Ann").token
            version = client.join(match, "Bo").version
            return asyncio.run(_watch_moves(socket_address(server.url, match), token, version))


async def _watch_moves(address: str, token: str, version: int) -> list[float]:
    async with AsyncExitStack() as stack:
        sockets = [
            await stack.enter_async_context(connect(address, max_size=None, proxy=None, compression=None))
            for _ in range(SPECTATORS + 1)
        ]
        player, *spectators = sockets
        await player.send(msgspec.json.encode({"token": token}).decode())
        for spectator in spectators:
            await spectator.send("{}")
        await asyncio.gather(*(socket.recv() for socket in sockets))
        delays = []
        for number in range(MOVES):
            delays += await _move(player, spectators, number, version)
            version += 1
        return delays[SPECTATORS:]


async def _move(
    player: ClientConnection, spectators: Sequence[ClientConnection], number: int, version: int
) -> list[float]:
    """Make a choice, and return the delay of each spectator."""
    seen = [asyncio.create_task(_receive_time(spectator)) for spectator in spectators]
    await asyncio.sleep(0)
    start = time.perf_counter()
    await player.send(msgspec.json.encode({"id": f"m{number}", "version": version, "act": LINE}).decode())
    times = await asyncio.gather(*seen)
    await player.recv()
    await player.recv()
    await asyncio.sleep(0.02)
    return [received - start for received in times]


async def _receive_time(spectator: ClientConnection) -> float:
    await spectator.recv()
    return time.perf_counter()


if __name__ == "__main__":
    from bench.measure import format_rows

    print(format_rows([*rows()]))

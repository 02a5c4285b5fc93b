"""The delay until spectators see a move over sockets, and that of a bare broadcast of as many bytes.

`python -m bench.broadcasts PORT` is the process of the bare broadcast.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, broadcast, serve

from chaos.servers import free_port, run_server
from oddsmith.client import Client
from oddsmith.client.addresses import socket_address

SPECTATORS: Final = 200
MOVES: Final = 50
SECONDS_BETWEEN_MOVES: Final = 0.02
FRAME: Final = "x" * 3_000
"""About as long as the frame of a duel."""


def move_delays(rules: Mapping[str, int], line: str) -> list[float]:
    """Return the seconds from sending a choice until the last spectator has its frame, for every move of a duel."""
    with TemporaryDirectory() as folder:
        path = Path(folder)
        with run_server(str(path / "matches.db"), path / "log") as server, Client(server.url) as client:
            match = client.open("duel", (None, None), rules=dict(rules)).match
            token = client.join(match, "Ann").token
            version = client.join(match, "Bo").version
            return asyncio.run(_watch_moves(socket_address(server.url, match), token, version, line))


async def _watch_moves(address: str, token: str, version: int, line: str) -> list[float]:
    """Make moves, and return the delay of each but the first."""
    async with AsyncExitStack() as stack:
        sockets = await _connect(stack, address)
        player, *spectators = sockets
        await player.send(msgspec.json.encode({"token": token}).decode())
        for spectator in spectators:
            await spectator.send("{}")
        await asyncio.gather(*(socket.recv() for socket in sockets))
        slowest = []
        for number in range(MOVES):
            choice = msgspec.json.encode({"id": f"m{number}", "version": version + number, "act": line})
            slowest.append(await _send(player, spectators, choice.decode()))
            await player.recv()
            await player.recv()
            await asyncio.sleep(SECONDS_BETWEEN_MOVES)
        return slowest[1:]


async def _connect(stack: AsyncExitStack, address: str) -> list[ClientConnection]:
    return [
        await stack.enter_async_context(connect(address, max_size=None, proxy=None, compression=None))
        for _ in range(SPECTATORS + 1)
    ]


async def _send(player: ClientConnection, spectators: Sequence[ClientConnection], message: str) -> float:
    """Send a message, and return the delay until every spectator has received the next one."""
    seen = [asyncio.create_task(_receive_time(spectator)) for spectator in spectators]
    await asyncio.sleep(0)
    start = time.perf_counter()
    await player.send(message)
    return max(await asyncio.gather(*seen)) - start


async def _receive_time(spectator: ClientConnection) -> float:
    await spectator.recv()
    return time.perf_counter()


def broadcast_delays() -> list[float]:
    """Return the same delays of a process that only sends every message that it receives to all sockets."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "bench.broadcasts", str(port)], stdout=subprocess.PIPE)
    try:
        if process.stdout is None or not process.stdout.readline():
            raise RuntimeError("the process of the bare broadcast has ended")
        return asyncio.run(_watch_broadcasts(f"ws://127.0.0.1:{port}"))
    finally:
        process.terminate()
        process.wait()


async def _watch_broadcasts(address: str) -> list[float]:
    async with AsyncExitStack() as stack:
        player, *spectators = await _connect(stack, address)
        slowest = []
        for _ in range(MOVES):
            slowest.append(await _send(player, spectators, FRAME))
            await player.recv()
            await asyncio.sleep(SECONDS_BETWEEN_MOVES)
        return slowest[1:]


async def _broadcast(port: int) -> None:
    """Send every message to all sockets, and print a line once the port is open."""
    sockets: set[ServerConnection] = set()

    async def serve_socket(socket: ServerConnection) -> None:
        sockets.add(socket)
        async for message in socket:
            broadcast(sockets, message)

    async with serve(serve_socket, "127.0.0.1", port, compression=None) as server:
        print("ready", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    import uvloop

    uvloop.run(_broadcast(int(sys.argv[1])))

"""Sockets of spectators that read and ignore what they receive, so cheap that one process can hold thousands."""

import asyncio
from contextlib import AsyncExitStack
from typing import Final
from urllib.parse import urlsplit

from chaos.attackers import API, MOST_OF_AN_ADDRESS, loopback_address

SECONDS: Final = 60.0
AT_ONCE: Final = 40
HELLO: Final = b"\x81\x82\x00\x00\x00\x00{}"
"""A WebSocket frame with the text `{}`, masked with zeros."""


class SilentSocket(asyncio.Protocol):
    """A spectator's socket; `is_shown` is set by its first frame, `received_at` is the loop's time of the last bytes."""

    def __init__(self, handshake: bytes) -> None:
        self._handshake = handshake
        self._beginning = b""
        self.is_shown = asyncio.Event()
        self.is_lost = asyncio.Event()
        self.received = 0
        self.received_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the handshake."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  a stream
        self.transport = transport
        transport.write(self._handshake)

    def data_received(self, data: bytes) -> None:
        """Send the hello after the handshake; count the bytes of frames."""
        self.received_at = asyncio.get_running_loop().time()
        if self._handshake:
            self._beginning += data
            if b"\r\n\r\n" not in self._beginning:
                return
            if not self._beginning.startswith(b"HTTP/1.1 101"):
                self.transport.abort()
                return
            self._handshake = b""
            self.transport.write(HELLO)
            return
        self.received += len(data)
        self.is_shown.set()

    def connection_lost(self, _error: Exception | None) -> None:
        """Note that the socket was closed."""
        self.is_lost.set()


async def open_silent_sockets(
    url: str, match: str, count: int, *, first_address: int, stack: AsyncExitStack
) -> list[SilentSocket]:
    """Open spectators' sockets of a match, 80 from each address; all have had their first frame."""
    opened: list[SilentSocket] = []
    for start in range(0, count, AT_ONCE):
        numbers = range(start, min(count, start + AT_ONCE))
        group = await asyncio.gather(
            *(_open(url, match, first_address + number // MOST_OF_AN_ADDRESS) for number in numbers)
        )
        for socket in group:
            stack.callback(socket.transport.abort)
        opened += group
    return opened


async def _open(url: str, match: str, address: int) -> SilentSocket:
    parts = urlsplit(url)
    handshake = (
        f"GET {API}/matches/{match}/socket HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    _, socket = await asyncio.get_running_loop().create_connection(
        lambda: SilentSocket(handshake.encode()),
        parts.hostname or "",
        parts.port or 0,
        local_addr=(loopback_address(address), 0),
    )
    async with asyncio.timeout(SECONDS):
        waits = {asyncio.create_task(socket.is_shown.wait()), asyncio.create_task(socket.is_lost.wait())}
        _, left = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
    if socket.is_lost.is_set():
        raise ConnectionError("a spectator's socket was refused")
    return socket

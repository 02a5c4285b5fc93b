"""A client that loads a server from an address of its own: the same requests on several connections, or many matches and sockets."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any, Final, Self

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from oddsmith.client.addresses import socket_address

API: Final = "/api/v1"
SECONDS: Final = 60.0
PAUSE_AFTER_REFUSAL: Final = 0.02
REFUSED: Final = (429, 503)
"""The statuses of a request whose work was not done: its time says nothing about the cost of the input."""
MOST_OF_AN_ADDRESS: Final = 80
"""Connections or matches that one address may open at once, below the default limits."""


class Sending(msgspec.Struct, frozen=True, kw_only=True):
    """A request as it is sent, with the token of a seat where it needs one."""

    method: str
    path: str
    body: bytes | None = None
    token: str | None = None

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the request."""
        found = {} if self.body is None else {"content-type": "application/json"}
        return found if self.token is None else found | {"authorization": f"Bearer {self.token}"}


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """A match and the tokens of its seats, by seat."""

    match: str
    tokens: tuple[str | None, ...]

    @property
    def path(self) -> str:
        """The path of the match."""
        return f"{API}/matches/{self.match}"


def loopback_address(number: int) -> str:
    """Return an address of this machine; each number has another one.

    >>> loopback_address(1), loopback_address(300)
    ('127.0.1.1', '127.0.2.45')
    """
    return f"127.0.{1 + number // 255}.{number % 255}"


class Attacker:
    """One address, which sends requests to a server and counts their statuses."""

    def __init__(self, url: str, number: int) -> None:
        self._url = url
        self._address = loopback_address(number)
        self.statuses: Counter[int] = Counter()
        self.seconds: list[float] = []

    async def __aenter__(self) -> Self:
        limits = httpx.Limits(max_connections=MOST_OF_AN_ADDRESS)
        transport = httpx.AsyncHTTPTransport(local_address=self._address, limits=limits)
        self._http = httpx.AsyncClient(base_url=self._url, transport=transport, timeout=SECONDS)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def send(self, sending: Sending) -> httpx.Response:
        """Send one request; count its status and, where its work was done, its time."""
        start = time.monotonic()
        reply = await self._http.request(
            sending.method, sending.path, content=sending.body, headers=sending.headers
        )
        self.statuses[reply.status_code] += 1
        if reply.status_code not in REFUSED:
            self.seconds.append(time.monotonic() - start)
        return reply

    async def repeat(self, sendings: Sequence[Sending], *, connections: int, seconds: float) -> None:
        """Send requests in turn on several connections for some seconds; those under way then are given up."""
        waiting = [sendings[number % len(sendings)] for number in range(connections)]
        await run_for(seconds, [self._repeat_one(sendings, first) for first in waiting])

    async def _repeat_one(self, sendings: Sequence[Sending], first: Sending) -> None:
        place = sendings.index(first)
        while True:
            reply = await self.send(sendings[place % len(sendings)])
            place += 1
            if reply.status_code in REFUSED:
                await asyncio.sleep(PAUSE_AFTER_REFUSAL)

    # --- matches -----------------------------------------------------------------------------------------------------

    async def open(self, game: str, seats: Sequence[str | None], **more: Any) -> Seated:  # noqa: ANN401  fields of the request
        """Open a match and take its free seats."""
        opened = await self._post(f"{API}/matches", {"game": game, "seats": seats, **more})
        path = f"{API}/matches/{opened['match']}"
        tokens: list[str | None] = []
        for seat, bot in enumerate(seats):
            fields = {"id": f"{opened['match']}-{seat}", "name": f"Player {seat}", "seat": seat}
            tokens.append(None if bot is not None else (await self._post(f"{path}/join", fields))["token"])
        return Seated(match=opened["match"], tokens=tuple(tokens))

    async def view(self, seated: Seated, seat: int) -> dict[str, Any]:
        """Return the frame of a seat."""
        reply = await self.send(Sending(method="GET", path=seated.path, token=seated.tokens[seat]))
        found: dict[str, Any] = reply.raise_for_status().json()
        return found

    async def act(self, seated: Seated, seat: int, action: object, version: int) -> dict[str, Any]:
        """Make a choice, and return its answer."""
        fields = {"id": f"a{version}", "version": version, "act": action}
        return await self._post(f"{seated.path}/act", fields, token=seated.tokens[seat])

    async def _post(self, path: str, fields: object, *, token: str | None = None) -> dict[str, Any]:
        """Return the reply to a request; one that comes too soon is repeated."""
        while True:
            body = msgspec.json.encode(fields)
            reply = await self.send(Sending(method="POST", path=path, body=body, token=token))
            if reply.status_code not in REFUSED:
                found: dict[str, Any] = reply.raise_for_status().json()
                return found
            await asyncio.sleep(PAUSE_AFTER_REFUSAL)

    async def watch(self, match: str, stack: AsyncExitStack, token: str | None = None) -> ClientConnection:
        """Open a socket of a match, which the stack closes, and read its first frame."""
        socket = await stack.enter_async_context(
            connect(
                socket_address(self._url, match),
                local_addr=(self._address, 0),
                open_timeout=SECONDS,
                close_timeout=1,
                max_size=None,
                proxy=None,
            )
        )
        await socket.send(msgspec.json.encode({} if token is None else {"token": token}).decode())
        await socket.recv()
        return socket


async def run_for(seconds: float, work: Sequence[Any]) -> None:
    """Run coroutines that do not end for some seconds; raise what one of them raises."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()

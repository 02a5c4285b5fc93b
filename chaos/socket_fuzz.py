"""Sockets are sent valid frames that were spoilt: each is answered, refused, or the reason to be shown out."""

import asyncio
from collections import Counter
from random import Random
from typing import Any, Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from chaos.mutations import mutated
from oddsmith.client import AsyncClient
from oddsmith.client.addresses import socket_address

RULES: Final = {"most_selections": 1000, "player_hp": 1000}
CHOICES: Final[tuple[Any, ...]] = (
    "attack 0 1",
    "defend 3 4",
    {"type": "select_attack", "cards": [0, 1]},
    "fight",
    {"act": "attack", "indices": [0]},
)
SECONDS: Final = 20
PER_MATCH: Final = 400
FAIR: Final = (1000, 1002, 1003, 1007, 1008, 1009)
"""How a socket may be closed on somebody who sends nonsense; 1011 is a fault of the server."""


class SocketFuzz:
    """Sends spoilt frames to a server, and counts what comes of them."""

    def __init__(self, url: str, *, payloads: int, seed: str) -> None:
        self._url = url
        self._left = payloads
        self.sent = 0
        self._random = Random(seed)  # noqa: S311  no secret
        self.answers: Counter[str] = Counter()
        self.faults: list[str] = []

    async def run(self, connections: int) -> None:
        """Send all payloads, through so many connections at a time."""
        async with AsyncClient(self._url) as client:
            await asyncio.gather(*(self._worker(client) for _ in range(connections)))

    async def _worker(self, client: AsyncClient) -> None:
        while self._left > 0:
            match = (await client.open("duel", (None, None), rules=RULES)).match
            tokens = [(await client.join(match, name)).token for name in ("Ann", "Bo")]
            before = self.sent
            while self._left > 0 and self.sent - before < PER_MATCH:
                await self._visit(match, self._random.choice([*tokens, None]))

    async def _visit(self, match: str, token: str | None) -> None:
        """Open a socket and send nonsense until it is closed."""
        address = socket_address(self._url, match)
        said: object = "nothing"
        try:
            async with connect(
                address, max_size=None, open_timeout=SECONDS, close_timeout=1, proxy=None
            ) as connection:
                hello: dict[str, Any] = {"since": 0} if token is None else {"token": token, "since": 0}
                said = (
                    mutated(hello, self._random)
                    if self._random.randrange(3) == 0
                    else msgspec.json.encode(hello).decode()
                )
                self._count()
                await connection.send(said)
                version = await self._first(connection)
                while self._left > 0:
                    self._count()
                    said = mutated(self._choice(version), self._random)
                    await connection.send(said)
                    version = await self._answer(connection, version)
        except ConnectionClosed as error:
            code = 1006 if error.rcvd is None else error.rcvd.code
            self.answers[f"closed with {code}"] += 1
            if code not in FAIR:
                self.faults.append(f"{said!r:.300} was answered by closing with {code}")
        except TimeoutError:
            self.faults.append(f"{said!r:.300} was never answered")

    def _count(self) -> None:
        self._left -= 1
        self.sent += 1

    def _choice(self, version: int) -> dict[str, Any]:
        return {
            "id": f"c{self._random.randrange(10**6)}",
            "version": version,
            "act": self._random.choice(CHOICES),
        }

    async def _first(self, connection: ClientConnection) -> int:
        """Return the version of the first frame; a refusal comes before the end."""
        said = await self._said(connection)
        if "version" in said:
            self.answers["frame"] += 1
            return int(said["version"])
        self._refused(said)
        await self._said(connection)
        return 0

    async def _answer(self, connection: ClientConnection, version: int) -> int:
        """Return the version after an answer; frames of what others do come between."""
        while True:
            said = await self._said(connection)
            if "chairs" in said:
                version = int(said["version"])
            elif "answer" in said:
                self.answers[said["answer"]["answer"]] += 1
                return max(version, int(said["answer"]["version"]))
            else:
                self._refused(said)
                return version

    def _refused(self, said: dict[str, Any]) -> None:
        code = said["error"]["code"]
        self.answers[f"refused: {code}"] += 1
        if code == "internal_error":
            self.faults.append(f"the server broke: {said}")

    async def _said(self, connection: ClientConnection) -> dict[str, Any]:
        async with asyncio.timeout(SECONDS):
            return msgspec.json.decode(await connection.recv(), type=dict[str, Any])

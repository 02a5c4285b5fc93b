"""Fuzzing of sockets: each mutated frame must be answered or refused, or close the socket with a permitted code."""

import asyncio
from collections import Counter
from random import Random
from typing import Any, Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from chaos.mutations import mutate
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
PERMITTED_CODES: Final = (1000, 1002, 1003, 1007, 1008, 1009)
"""Close codes that are permitted after invalid frames; 1011 is an error of the server."""


class SocketFuzz:
    """Sends mutated frames to a server, and counts answers and faults."""

    def __init__(self, url: str, *, payloads: int, seed: str) -> None:
        self._url = url
        self._left = payloads
        self.sent = 0
        self._random = Random(seed)  # noqa: S311  not a secret
        self.answers: Counter[str] = Counter()
        self.faults: list[str] = []

    async def run(self, connections: int) -> None:
        """Send all payloads over `connections` connections at a time."""
        async with AsyncClient(self._url) as client:
            await asyncio.gather(*(self._worker(client) for _ in range(connections)))

    async def _worker(self, client: AsyncClient) -> None:
        while self._left > 0:
            match = (await client.open("duel", (None, None), rules=RULES)).match
            tokens = [(await client.join(match, name)).token for name in ("Ann", "Bo")]
            before = self.sent
            while self._left > 0 and self.sent - before < PER_MATCH:
                await self._fuzz_connection(match, self._random.choice([*tokens, None]))

    async def _fuzz_connection(self, match: str, token: str | None) -> None:
        """Open a socket and send mutated frames until it is closed."""
        address = socket_address(self._url, match)
        message: object = "nothing"
        try:
            async with connect(
                address, max_size=None, open_timeout=SECONDS, close_timeout=1, proxy=None
            ) as connection:
                hello: dict[str, Any] = {"since": 0} if token is None else {"token": token, "since": 0}
                message = (
                    mutate(hello, self._random)
                    if self._random.randrange(3) == 0
                    else msgspec.json.encode(hello).decode()
                )
                self._count()
                await connection.send(message)
                version = await self._read_first(connection)
                while self._left > 0:
                    self._count()
                    message = mutate(self._choice(version), self._random)
                    await connection.send(message)
                    version = await self._read_answer(connection, version)
        except ConnectionClosed as error:
            code = 1006 if error.rcvd is None else error.rcvd.code
            self.answers[f"closed with {code}"] += 1
            if code not in PERMITTED_CODES:
                self.faults.append(f"{message!r:.300} was answered by closing with {code}")
        except TimeoutError:
            self.faults.append(f"{message!r:.300} was never answered")

    def _count(self) -> None:
        self._left -= 1
        self.sent += 1

    def _choice(self, version: int) -> dict[str, Any]:
        return {
            "id": f"c{self._random.randrange(10**6)}",
            "version": version,
            "act": self._random.choice(CHOICES),
        }

    async def _read_first(self, connection: ClientConnection) -> int:
        """Return the version of the first frame; after a refusal, wait for the close."""
        message = await self._receive(connection)
        if "version" in message:
            self.answers["frame"] += 1
            return int(message["version"])
        self._count_refusal(message)
        await self._receive(connection)
        return 0

    async def _read_answer(self, connection: ClientConnection, version: int) -> int:
        """Return the version after the next answer; frames in between are read."""
        while True:
            message = await self._receive(connection)
            if "chairs" in message:
                version = int(message["version"])
            elif "answer" in message:
                self.answers[message["answer"]["answer"]] += 1
                return max(version, int(message["answer"]["version"]))
            else:
                self._count_refusal(message)
                return version

    def _count_refusal(self, message: dict[str, Any]) -> None:
        code = message["error"]["code"]
        self.answers[f"refused: {code}"] += 1
        if code == "internal_error":
            self.faults.append(f"the server broke: {message}")

    async def _receive(self, connection: ClientConnection) -> dict[str, Any]:
        async with asyncio.timeout(SECONDS):
            return msgspec.json.decode(await connection.recv(), type=dict[str, Any])

"""A player who does everything through one socket, and comes back through another with the same words."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from chaos.ledger import Ledger
from oddsmith import wire
from oddsmith.client import Frame, JoinReply, new_id
from oddsmith.client.addresses import socket_address
from oddsmith.errors import ErrorReply

FAILURES: Final = (OSError, TimeoutError, EOFError, WebSocketException)
PAUSE: Final = 0.1


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    answer: str
    version: int
    refusal: Any = None


class _Answered(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    answer: _Answer


class SocketPlayer:
    """One seat of a match; a choice that was sent and not answered is sent again after each reconnect."""

    def __init__(
        self,
        server: str,
        match: str,
        person: JoinReply,
        ledger: Ledger,
        choose: Callable[[Frame], object],
        *,
        done: Callable[[], None],
    ) -> None:
        self._address = socket_address(server, match)
        self._match = match
        self._person = person
        self._ledger = ledger
        self._choose = choose
        self._done = done
        self._latest: Frame | None = None
        self._pending: dict[str, Any] | None = None
        self._least = 0

    async def play(self) -> None:
        """Play until the match is over."""
        while self._latest is None or not self._latest.is_over:
            try:
                async with connect(self._address, max_size=None, close_timeout=1, proxy=None) as connection:
                    await self._sit(connection)
            except FAILURES:
                await asyncio.sleep(PAUSE)

    async def _sit(self, connection: ClientConnection) -> None:
        """Say hello, and what was not answered before; then listen until the match or the connection ends."""
        hello: dict[str, Any] = {"token": self._person.token}
        if self._latest is not None:
            hello["since"] = self._latest.version
        await connection.send(wire.to_json(hello).decode())
        if self._pending is not None:
            await connection.send(wire.to_json(self._pending).decode())
        async for message in connection:
            self._hear(wire.from_json(message, dict[str, Any]))
            if self._latest is not None and self._latest.is_over:
                return
            await self._act(connection)

    def _hear(self, said: dict[str, Any]) -> None:
        if "chairs" in said:
            frame = wire.from_builtins(said, Frame)
            self._ledger.show(frame, None if self._latest is None else self._latest.version)
            self._latest = frame
        elif "answer" in said:
            self._answered(wire.from_builtins(said, _Answered))
        elif wire.from_builtins(said, ErrorReply).retry_after is None:
            raise RuntimeError(f"refused: {said}")

    def _answered(self, said: _Answered) -> None:
        """Take an answer to what is pending; one that comes once more, after a reconnect, must be the same."""
        if self._pending is None or said.id != self._pending["id"]:
            return
        self._pending = None
        if said.answer.answer in ("applied", "duplicate"):
            self._ledger.acknowledge(self._match, self._person.seat, said.id, said.answer.version)
            self._done()
        elif said.answer.answer == "stale":
            self._ledger.refuse(self._match, self._person.seat, said.id)
        else:
            raise RuntimeError(f"refused: {said}")
        self._least = said.answer.version

    async def _act(self, connection: ClientConnection) -> None:
        """Choose where the latest frame asks for it, and nothing is on its way."""
        frame = self._latest
        if frame is None or self._pending is not None or frame.version < self._least:
            return
        if self._person.seat in frame.deciding:
            action = self._choose(frame)
            self._pending = {"id": new_id(), "version": frame.version, "act": action}
            self._ledger.send(self._match, self._person.seat, self._pending["id"], action)
            await connection.send(wire.to_json(self._pending).decode())

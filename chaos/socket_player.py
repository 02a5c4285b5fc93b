"""A player on bare sockets, who repeats an unanswered choice after each reconnect."""

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


class _AnswerMessage(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    answer: _Answer


class SocketPlayer:
    """One seat of a match; a choice that was sent and not answered is sent again after each reconnect."""

    def __init__(
        self,
        server: str,
        match: str,
        player: JoinReply,
        ledger: Ledger,
        choose: Callable[[Frame], object],
        *,
        on_acknowledged: Callable[[], None],
    ) -> None:
        self._address = socket_address(server, match)
        self._match = match
        self._player = player
        self._ledger = ledger
        self._choose = choose
        self._on_acknowledged = on_acknowledged
        self._latest: Frame | None = None
        self._pending: dict[str, Any] | None = None
        self._least = 0

    async def play(self) -> None:
        """Play until the match is over."""
        while self._latest is None or not self._latest.is_over:
            try:
                async with connect(self._address, max_size=None, close_timeout=1, proxy=None) as connection:
                    await self._play_on(connection)
            except FAILURES:
                await asyncio.sleep(PAUSE)

    async def _play_on(self, connection: ClientConnection) -> None:
        """Send hello and the pending choice, then play until the match or the connection ends."""
        hello: dict[str, Any] = {"token": self._player.token}
        if self._latest is not None:
            hello["since"] = self._latest.version
        await connection.send(wire.to_json(hello).decode())
        if self._pending is not None:
            await connection.send(wire.to_json(self._pending).decode())
        async for message in connection:
            self._handle(wire.from_json(message, dict[str, Any]))
            if self._latest is not None and self._latest.is_over:
                return
            await self._act(connection)

    def _handle(self, message: dict[str, Any]) -> None:
        if "chairs" in message:
            frame = wire.from_builtins(message, Frame)
            self._ledger.receive(frame, None if self._latest is None else self._latest.version)
            self._latest = frame
        elif "answer" in message:
            self._handle_answer(wire.from_builtins(message, _AnswerMessage))
        elif wire.from_builtins(message, ErrorReply).retry_after is None:
            raise RuntimeError(f"refused: {message}")

    def _handle_answer(self, message: _AnswerMessage) -> None:
        """Record the answer to the pending choice; ignore others."""
        if self._pending is None or message.id != self._pending["id"]:
            return
        self._pending = None
        if message.answer.answer in ("applied", "duplicate"):
            self._ledger.acknowledge(self._match, self._player.seat, message.id, message.answer.version)
            self._on_acknowledged()
        elif message.answer.answer == "stale":
            self._ledger.refuse(self._match, self._player.seat, message.id)
        else:
            raise RuntimeError(f"refused: {message}")
        self._least = message.answer.version

    async def _act(self, connection: ClientConnection) -> None:
        """Make a choice if the latest frame asks for one and none is pending."""
        frame = self._latest
        if frame is None or self._pending is not None or frame.version < self._least:
            return
        if self._player.seat in frame.deciding:
            action = self._choose(frame)
            self._pending = {"id": new_id(), "version": frame.version, "act": action}
            self._ledger.send(self._match, self._player.seat, self._pending["id"], action)
            await connection.send(wire.to_json(self._pending).decode())

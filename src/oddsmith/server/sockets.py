"""A WebSocket for each viewer of a match: frames go out as the match changes, choices come in."""

import asyncio
from contextlib import suppress
from typing import Any, Final

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from oddsmith import wire
from oddsmith.errors import InputError, OddsmithError, Refusal
from oddsmith.server.guard import is_allowed_origin
from oddsmith.server.hub import Hub, Room, Subscriber
from oddsmith.server.routes import API, Acting
from oddsmith.table.model import Act, Answer, CommandId

__all__ = ["watch"]

SECONDS_TO_HELLO: Final = 10
LARGEST_FRAME: Final = 8 * 1024
MOST_MISTAKES: Final = 20
POLICY: Final = 1008
TOO_LARGE: Final = 1009
TRY_LATER: Final = 1013

Socket = WebSocket[Any, Any, Any]


class Hello(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first frame of a client: the token of its seat, or none to look on; and up to which version it has seen all."""

    token: str | None = None
    since: int | None = None


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a choice, under the id that it came with."""

    id: CommandId
    answer: Answer


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A frame that could not be read, and why."""

    refusal: Refusal


@websocket(f"{API}/matches/{{match:str}}/socket")
async def watch(socket: Socket, match: str) -> None:
    """Show a match to one viewer until it goes."""
    settings, hub = socket.app.state.settings, socket.app.state.hub
    if not is_allowed_origin(socket.headers.get("origin"), socket.headers.get("host"), settings.origins):
        await socket.close(code=POLICY, reason="origin not allowed")
        return
    await socket.accept()
    with suppress(WebSocketDisconnect):
        try:
            await _Sitting(socket, hub, match).run()
        except OddsmithError as error:
            await socket.send_data(wire.to_json(Refused(refusal=error.refusal)), "text")
            await socket.close(code=POLICY, reason=error.refusal.code)


class _Sitting:
    """One viewer at one match, from its hello to its going."""

    def __init__(self, socket: Socket, hub: Hub, match: str) -> None:
        self._socket = socket
        self._hub = hub
        self._match = match

    async def run(self) -> None:
        try:
            async with asyncio.timeout(SECONDS_TO_HELLO):
                hello = wire.from_json(await self._receive(), Hello)
        except TimeoutError as error:
            raise InputError("no_hello", 'the first frame says who looks: {} or {"token": …}') from error
        viewer = None if hello.token is None else await self._hub.seat(self._match, hello.token)
        room = await self._hub.room(self._match)
        subscriber = Subscriber(viewer)
        room.subscribers.add(subscriber)
        sending = asyncio.create_task(self._send(room, subscriber, hello.since))
        try:
            await self._listen(hello.token)
        finally:
            room.subscribers.discard(subscriber)
            sending.cancel()

    async def _receive(self) -> str:
        text = await self._socket.receive_text()
        if len(text) > LARGEST_FRAME:
            raise InputError("frame_too_large", f"a frame has at most {LARGEST_FRAME:,} characters")
        return text

    async def _send(self, room: Room, subscriber: Subscriber, since: int | None) -> None:
        """Send a frame now, and one after each change; who is slow gets several changes in one."""
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                subscriber.news.clear()
                frame, version = room.frames.frame(subscriber.viewer, since), room.match.version
                await self._socket.send_data(frame, "text")
                since = version
                await subscriber.news.wait()

    async def _listen(self, token: str | None) -> None:
        mistakes = 0
        while mistakes < MOST_MISTAKES:
            try:
                acting = wire.from_json(await self._receive(), Acting)
                if token is None:
                    raise InputError("no_token", "who looks on makes no choices")
                command = Act(token=token, id=acting.id, version=acting.version, action=acting.act)
                answer = await self._hub.command(self._match, command)
                await self._socket.send_data(wire.to_json(Answered(id=acting.id, answer=answer)), "text")
            except OddsmithError as error:
                mistakes += 1
                await self._socket.send_data(wire.to_json(Refused(refusal=error.refusal)), "text")
        raise InputError("too_many_mistakes", f"{MOST_MISTAKES} frames could not be read")

"""A WebSocket for each viewer of a match: frames go out as the match changes, choices come in."""

import asyncio
from contextlib import suppress
from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.errors import (
    AccessError,
    InputError,
    MediaTypeError,
    OddsmithError,
    TokenError,
    UnavailableError,
)
from oddsmith.match.model import Act, Chair, CommandId, Token
from oddsmith.server.api_types import ActRequest, CommandReply, Since, refuse_strangers, require_shallow, said
from oddsmith.server.asgi import Message, Receive, Send
from oddsmith.server.http_request import Request
from oddsmith.server.matches import LiveMatch, MatchService, Subscriber
from oddsmith.server.metrics import Metrics
from oddsmith.server.middleware.error_responses import error_json, internal_error
from oddsmith.server.middleware.rate_limits import RateLimits

SECONDS_TO_HELLO: Final = 10.0
LARGEST_FRAME: Final = 8 * 1024
MOST_MISTAKES: Final = 20
POLICY: Final = 1008
BROKE: Final = 1011
TRY_LATER: Final = 1013


class Hello(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first frame of a client: the token of its seat, or none to look on; and up to which version it has seen all."""

    token: Token | None = None
    since: Since | None = None


class SocketReply(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a choice, under the id that it came with."""

    id: CommandId
    answer: CommandReply


class _GoneError(Exception):
    """The client is not there any more."""


class SocketSession:
    """One viewer at one match, from its first frame until the socket closes."""

    def __init__(
        self,
        request: Request,
        receive: Receive,
        send: Send,
        *,
        matches: MatchService,
        metrics: Metrics,
        limits: RateLimits,
        match: str,
    ) -> None:
        self._request = request
        self._receive = receive
        self._send = send
        self._matches = matches
        self._metrics = metrics
        self._limits = limits
        self._match = match

    async def serve(self) -> None:
        """Accept the socket, and show the match until it closes; why the server closes it is said before."""
        await self._receive()
        await self._send({"type": "websocket.accept"})
        self._metrics.socket_opened()
        try:
            with suppress(_GoneError):
                await self._answer_errors()
        finally:
            self._metrics.socket_closed()

    async def _answer_errors(self) -> None:
        try:
            await self.run()
        except _GoneError:
            raise
        except OddsmithError as error:
            await self._fail(error, TRY_LATER if error.retry_after is not None else POLICY)
        except Exception:  # noqa: BLE001  whatever it is, the viewer is told that it is not to blame
            self._request.bound_log().exception("failed")
            await self._fail(internal_error(), BROKE)

    async def _fail(self, error: OddsmithError, code: int) -> None:
        await self._told({"type": "websocket.send", "text": error_json(error).decode()})
        await self._told({"type": "websocket.close", "code": code, "reason": error.refusal.code})

    async def run(self) -> None:
        """Read the first frame, then show the match and take choices until the client has gone."""
        try:
            async with asyncio.timeout(SECONDS_TO_HELLO):
                hello = wire.from_json(await self._heard(), Hello)
        except TimeoutError as error:
            raise InputError("no_hello", 'the first frame says who looks: {} or {"token": …}') from error
        self._limits.check_token(self._request, hello.token)
        live = await self._matches.find(self._match, at_least=hello.since or 0)
        viewer = None
        if hello.token is not None:
            try:
                viewer = await self._matches.find_seat(self._match, hello.token)
            except AccessError:
                self._limits.note_failure(self._request)
                raise
        subscriber = Subscriber(viewer)
        live.subscribers.add(subscriber)
        try:
            await self._both(self._show(live, subscriber, hello.since), self._listen(hello.token))
        finally:
            live.subscribers.discard(subscriber)

    async def _both(self, showing: Any, listening: Any) -> None:  # noqa: ANN401  coroutines
        """Do both until one ends; why it did is why the socket does."""
        tasks = [asyncio.create_task(showing), asyncio.create_task(listening)]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        done.pop().result()

    async def say(self, said: object) -> None:
        """Send something that is not a frame of the match."""
        await self._told({"type": "websocket.send", "text": wire.to_json(said).decode()})

    async def _told(self, message: Message) -> None:
        """Send a message; where the protocol has closed the socket meanwhile, nobody is there to hear it."""
        try:
            await self._send(message)
        except (RuntimeError, OSError) as error:
            raise _GoneError from error

    async def _heard(self) -> str:
        message = await self._receive()
        if message["type"] != "websocket.receive":
            raise _GoneError
        text: str | None = message.get("text")
        if text is None:
            raise MediaTypeError("not_json", "a frame is JSON in text, not bytes")
        if len(text.encode()) > LARGEST_FRAME:
            raise InputError("frame_too_large", f"a frame has at most {LARGEST_FRAME:,} bytes")
        return text

    async def _show(self, live: LiveMatch, subscriber: Subscriber, since: int | None) -> None:
        """Send a frame now, and one after each change; who is slow gets several changes in one."""
        chair = _proof(live, subscriber)
        while True:
            subscriber.news.clear()
            if _proof(live, subscriber) != chair:
                raise AccessError("bad_token", "the seat was given up: the token proves it no more")
            frame, version = live.frames.frame(subscriber.viewer, since), live.match.version
            await self._told({"type": "websocket.send", "text": frame})
            self._metrics.sent_frame()
            since = version
            await subscriber.news.wait()

    async def _listen(self, token: str | None) -> None:
        mistakes = 0
        while mistakes < MOST_MISTAKES:
            try:
                text = await self._heard()
                await self._limits.pause(self._request, token)
                await self.say(await self._acted(text, token))
            except OddsmithError as error:
                mistakes += not isinstance(error, UnavailableError)
                await self._told({"type": "websocket.send", "text": error_json(error).decode()})
        raise InputError("too_many_mistakes", f"{MOST_MISTAKES} frames could not be read")

    async def _acted(self, text: str, token: str | None) -> SocketReply:
        acting = wire.from_json(text, ActRequest)
        require_shallow(acting.act)
        if token is None:
            raise TokenError("no_token", "who looks on makes no choices")
        command = Act(token=token, id=acting.id, version=acting.version, action=acting.act)
        answer = refuse_strangers(await self._matches.run(self._match, command))
        return SocketReply(id=acting.id, answer=said(answer))


def _proof(live: LiveMatch, subscriber: Subscriber) -> str | None:
    """Return what proves the seat of a viewer, as it is kept."""
    if subscriber.viewer is None:
        return None
    chair: Chair = live.match.chairs[subscriber.viewer]
    return chair.token

"""The session of a WebSocket: sends frames and drafts of a match as it changes, and receives the viewer's."""

import asyncio
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import suppress
from functools import partial
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
from oddsmith.game import Seat
from oddsmith.match.drafts import DraftView, view_draft
from oddsmith.match.model import Act, Applied, Chair, CommandId, Illegal, Stale, Token, Version
from oddsmith.server.api_types import (
    CommandReply,
    Since,
    command_reply,
    read_command,
    require_shallow,
    require_valid_token,
)
from oddsmith.server.asgi import Message, Receive, Send
from oddsmith.server.charging import start_metered
from oddsmith.server.http_request import Request
from oddsmith.server.matches import LiveMatch, MatchService, ShownDraft, Subscriber
from oddsmith.server.metrics import Metrics
from oddsmith.server.middleware.error_responses import error_json, internal_error
from oddsmith.server.middleware.rate_limits import RateLimits
from oddsmith.server.rule_calls import RuleCalls

SECONDS_TO_HELLO: Final = 10.0
LARGEST_FRAME: Final = 8 * 1024
MOST_MISTAKES: Final = 20
POLICY: Final = 1008
INTERNAL_ERROR: Final = 1011
TRY_LATER: Final = 1013


class Hello(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first frame of a client: the token of its seat, none for a spectator, and the last version it has seen."""

    token: Token | None = None
    since: Since | None = None


class SocketRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A frame of a client: a choice, or a draft to be shown to all viewers; a draft of null withdraws the last one."""

    id: CommandId
    version: Version
    act: Any = msgspec.UNSET
    draft: Any = msgspec.UNSET


class SocketReply(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a choice or a draft, with the id of its request."""

    id: CommandId
    answer: CommandReply


class _DisconnectedError(Exception):
    """The client has disconnected."""


class SocketSession:
    """One viewer of one match, from its first frame until the socket closes."""

    def __init__(
        self,
        request: Request,
        receive: Receive,
        send: Send,
        *,
        matches: MatchService,
        metrics: Metrics,
        limits: RateLimits,
        rules: RuleCalls,
        match: str,
    ) -> None:
        self._request = request
        self._receive = receive
        self._send = send
        self._matches = matches
        self._metrics = metrics
        self._limits = limits
        self._rules = rules
        self._match = match

    async def serve(self) -> None:
        """Accept the socket and run the session; an error is sent before the server closes the socket."""
        await self._receive()
        await self._send({"type": "websocket.accept"})
        self._metrics.add_socket()
        try:
            with suppress(_DisconnectedError):
                await self._answer_errors()
        finally:
            self._metrics.remove_socket()

    async def _answer_errors(self) -> None:
        try:
            await self.run()
        except _DisconnectedError:
            raise
        except OddsmithError as error:
            await self._fail(error, TRY_LATER if error.retry_after is not None else POLICY)
        except Exception:  # noqa: BLE001  a defect is logged, and sent as an internal error
            self._request.bound_log().exception("failed")
            await self._fail(internal_error(), INTERNAL_ERROR)

    async def _fail(self, error: OddsmithError, code: int) -> None:
        await self._send_message({"type": "websocket.send", "text": error_json(error).decode()})
        await self._send_message({"type": "websocket.close", "code": code, "reason": error.refusal.code})

    async def run(self) -> None:
        """Read the first frame, then send frames and receive choices until the client disconnects."""
        try:
            async with asyncio.timeout(SECONDS_TO_HELLO):
                hello = wire.from_json(await self._receive_text(), Hello)
        except TimeoutError as error:
            raise InputError("no_hello", 'the first frame names the viewer: {} or {"token": …}') from error
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
            await self._run_until_first_ends(
                self._send_frames(live, subscriber, hello.since),
                self._receive_requests(live, subscriber, hello.token),
            )
        finally:
            live.leave(subscriber)

    async def _run_until_first_ends(self, *work: Coroutine[Any, Any, None]) -> None:
        """Run coroutines concurrently until one ends, cancel the others, and raise what the first one raised."""
        tasks = [start_metered(one) for one in work]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        done.pop().result()

    async def send_json(self, value: object) -> None:
        """Send a value as JSON."""
        await self._send_message({"type": "websocket.send", "text": wire.to_json(value).decode()})

    async def _send_message(self, message: Message) -> None:
        """Send a message of ASGI; raises `_DisconnectedError` where the socket is closed."""
        try:
            await self._send(message)
        except (RuntimeError, OSError) as error:
            raise _DisconnectedError from error

    async def _receive_text(self) -> str:
        message = await self._receive()
        if message["type"] != "websocket.receive":
            raise _DisconnectedError
        text: str | None = message.get("text")
        if text is None:
            raise MediaTypeError("not_json", "a frame is JSON in text, not bytes")
        if len(text.encode()) > LARGEST_FRAME:
            raise InputError("frame_too_large", f"a frame has at most {LARGEST_FRAME:,} bytes")
        return text

    async def _send_frames(self, live: LiveMatch, subscriber: Subscriber, since: int | None) -> None:
        """Send a frame now and after each new version, and drafts as they change.

        A slow client gets several versions in one frame, and of each seat's drafts only the last.
        """
        proof = _proof(live, subscriber)
        shown: int | None = None
        drafts: Mapping[Seat, ShownDraft] = {}
        while True:
            subscriber.update.clear()
            if _proof(live, subscriber) != proof:
                raise AccessError("bad_token", "the seat was given up: the token is no longer valid")
            version, frames, shown_drafts = live.match.version, live.frames, live.drafts
            messages = []
            if version != shown:
                viewer, took = subscriber.viewer, live.frame_times[subscriber.viewer]
                messages.append(
                    await frames.make_frame(self._rules, took, viewer, since, was_present=shown is not None)
                )
                drafts = {}
            messages.extend(_draft_messages(version, drafts, shown_drafts))
            shown = since = version
            drafts = shown_drafts
            for message in messages:
                await self._send_message({"type": "websocket.send", "text": message})
                self._metrics.count_frame()
            await subscriber.update.wait()

    async def _receive_requests(self, live: LiveMatch, subscriber: Subscriber, token: str | None) -> None:
        mistakes = 0
        while mistakes < MOST_MISTAKES:
            try:
                text = await self._receive_text()
                await self._limits.pause(self._request, token)
                await self.send_json(await self._answer(text, live, subscriber, token))
            except OddsmithError as error:
                mistakes += not isinstance(error, UnavailableError)
                await self._send_message({"type": "websocket.send", "text": error_json(error).decode()})
        raise InputError("too_many_mistakes", f"{MOST_MISTAKES} frames could not be read")

    async def _answer(
        self, text: str, live: LiveMatch, subscriber: Subscriber, token: str | None
    ) -> SocketReply:
        request = read_command(text, SocketRequest)
        if (request.act is msgspec.UNSET) == (request.draft is msgspec.UNSET):
            raise InputError("bad_json", "a frame has an `act` or a `draft`, and not both", where="act")
        require_shallow(request.draft if request.act is msgspec.UNSET else request.act)
        if token is None:
            raise TokenError("no_token", "a spectator makes no choices")
        if request.act is msgspec.UNSET:
            await self._matches.find_seat(self._match, token)
            return SocketReply(id=request.id, answer=await self._show_draft(request, live, subscriber))
        command = Act(token=token, id=request.id, version=request.version, action=request.act)
        answer = require_valid_token(
            await self._matches.run(self._match, command, client=self._request.client)
        )
        return SocketReply(id=request.id, answer=command_reply(answer))

    async def _show_draft(
        self, request: SocketRequest, live: LiveMatch, subscriber: Subscriber
    ) -> CommandReply:
        """Show the draft of a request to all viewers of a match, or say why not; nothing of it is stored."""
        match, seat = live.match, subscriber.viewer
        assert seat is not None  # noqa: S101  a viewer with a valid token has a seat
        if request.version != match.version:
            return command_reply(Stale(version=match.version))
        try:
            view = partial(view_draft, match, seat, request.draft)
            draft = await self._rules.run(match.game, view, took=live.draft_time)
        except OddsmithError as error:
            return Illegal(version=match.version, refusal=error.refusal)
        if live.match.version != match.version:
            return command_reply(Stale(version=live.match.version))
        live.show_draft(subscriber, draft)
        return Applied(version=match.version)


def _draft_messages(
    version: int, before: Mapping[Seat, ShownDraft], now: Mapping[Seat, ShownDraft]
) -> Iterator[str]:
    """Yield a message for each draft that is new, or is no longer shown, at one version."""
    for seat, draft in now.items():
        if before.get(seat) is not draft:
            yield draft.text
    for seat in before:
        if seat not in now:
            yield wire.to_json(DraftView(version=version, seat=seat, draft=None)).decode()


def _proof(live: LiveMatch, subscriber: Subscriber) -> str | None:
    """Return the token hash of the viewer's seat; None for a spectator."""
    if subscriber.viewer is None:
        return None
    chair: Chair = live.match.chairs[subscriber.viewer]
    return chair.token

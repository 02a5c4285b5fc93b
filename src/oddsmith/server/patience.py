"""Connections are not waited for without end: who is slow to ask, to read or to finish is sent away."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from oddsmith.errors import InputError
from oddsmith.server.door import LARGEST_BODY, AtOnce, Scope
from oddsmith.server.guard import Network, Turnstile, networks, true_address, visitor
from oddsmith.server.refusals import raw_answer
from oddsmith.server.settings import Settings

SECONDS_TO_ASK: Final = 15.0
"""How long a whole request may take to come."""
SECONDS_TO_READ: Final = 20.0
"""How long somebody may read nothing of what is sent."""
SECONDS_TO_ASK_AGAIN: Final = 30
LARGEST_HEAD: Final = 16 * 1024
LARGEST_FRAME: Final = 8 * 1024
MOST_PARTS: Final = 64
MOST_AHEAD: Final = 32
"""How many requests may be sent before the first is answered."""
SECONDS_TO_STOP: Final = 10


class HouseConfig(uvicorn.Config):
    """How uvicorn serves this application; `at_once` answers requests that need not wait for anything, by their URL."""

    def __init__(
        self,
        app: Any,  # noqa: ANN401  an ASGI application
        settings: Settings,
        at_once: Mapping[bytes, AtOnce] = MappingProxyType({}),
    ) -> None:
        self.at_once = at_once
        self.turnstile = Turnstile(most=settings.connections_per_address)
        self.proxies: tuple[Network, ...] = networks(settings.proxies)
        super().__init__(
            app,
            loop="auto",
            http=PatientHttp,
            ws=PatientSocket,
            ws_max_size=LARGEST_FRAME,
            ws_per_message_deflate=False,
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            workers=1,
            timeout_keep_alive=SECONDS_TO_ASK_AGAIN,
            timeout_graceful_shutdown=SECONDS_TO_STOP,
        )

    def visitor(self, client: tuple[str, int] | None) -> str | None:
        """Return who is connected, unless it is a proxy, which speaks for many."""
        if client is None:
            return None
        address = client[0]
        is_proxy = true_address(address, "192.0.2.1", self.proxies) != address
        return None if is_proxy else visitor(address)


class PatientHttp(HttpToolsProtocol):
    """A connection that asks, within bounds."""

    config: HouseConfig

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Let a connection in, unless its address has enough of them."""
        super().connection_made(transport)
        self._asking: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._idle_since: float | None = None
        self._is_whole = False
        self._is_heading = True
        self._has_advanced = False
        self._unread = 0
        self._running: Any = None
        self._at_once: AtOnce | None = None
        self._body = b""
        self._is_ending = False
        self._why = InputError("bad_request", "this is not HTTP as it should be")
        self._visitor = self.config.visitor(self.client)
        if self._visitor is not None and not self.config.turnstile.enter(self._visitor):
            self._visitor = None
            self._refuse(
                InputError("too_many_connections", "too many connections are open from your address")
            )
            return
        self._asking = self.loop.call_later(SECONDS_TO_ASK, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._let_go()
        self._abandon()
        super().connection_lost(exc)

    def _let_go(self) -> None:
        for timer in (self._asking, self._reading, self.timeout_keep_alive_task):
            if timer is not None:
                timer.cancel()
        self._asking = self._reading = self.timeout_keep_alive_task = None
        if self._visitor is not None:
            self.config.turnstile.leave(self._visitor)
            self._visitor = None

    def data_received(self, data: bytes) -> None:
        """Read on, while what is no body of a request is not too long, and its end not too far."""
        if self.transport.is_closing():
            return
        self._has_advanced = False
        super().data_received(data)
        is_over = self.transport.is_closing() or (self._is_whole and self._has_advanced)
        if self._asking is None and not is_over:
            self._asking = self.loop.call_later(SECONDS_TO_ASK, self._too_slow)
        self._unread = 0 if self._has_advanced else self._unread + len(data)
        if self._unread > LARGEST_HEAD and not self.transport.is_closing():
            self._refuse(_head_too_large())

    def _unset_keepalive_if_required(self) -> None:
        """Be busy; the timer runs on, and finds that out."""
        self._idle_since = None

    def on_response_complete(self) -> None:
        """Go on with what was sent ahead, or wait: one timer does for all waits of a connection."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
            return
        self._idle_since = self.loop.time()
        if self.timeout_keep_alive_task is None:
            self._wait_idle(self.timeout_keep_alive)

    def _wait_idle(self, seconds: float) -> None:
        self.timeout_keep_alive_task = self.loop.call_later(seconds, self.timeout_keep_alive_handler)

    def timeout_keep_alive_handler(self) -> None:
        """End a connection that has been idle for long enough."""
        self.timeout_keep_alive_task = None
        if self._idle_since is None:
            return
        left = self._idle_since + self.timeout_keep_alive - self.loop.time()
        if left > 0:
            self._wait_idle(left)
        else:
            self.transport.close()

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._is_whole, self._is_heading = False, True
        self._unset_keepalive_if_required()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a line of a head; what follows a body is no part of it, and is not kept."""
        if self._is_heading:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to answer, unless the head is too long, or too much is asked at once."""
        self._require_short_head()
        self._is_heading, self._has_advanced = False, True
        self._at_once, self._body = self._quick(), b""
        if self._at_once is not None or self.transport.is_closing():
            return
        if len(self.pipeline) >= MOST_AHEAD:
            self._cut()
            return
        super().on_headers_complete()

    def _require_short_head(self) -> None:
        """Refuse a head that came whole and is too long; one that comes in parts is cut off before its end."""
        if sum([len(name) + len(value) for name, value in self.headers], len(self.url)) > LARGEST_HEAD:
            self._why = _head_too_large()
            raise self._why

    def _quick(self) -> AtOnce | None:
        """Return what answers the request as soon as it is whole, if nothing before it or about it makes it wait."""
        answer = self.config.at_once.get(self.url)
        if (
            answer is None
            or self.transport.is_closing()
            or self.expect_100_continue
            or self.flow.write_paused
            or self._is_answering
            or self.parser.get_method() != b"POST"
            or self.parser.get_http_version() != "1.1"
            or self.parser.should_upgrade()
            or not self.parser.should_keep_alive()
        ):
            return None
        return answer

    @property
    def _is_answering(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _answer_at_once(self, answer: AtOnce) -> None:
        self._at_once = None
        said, is_last = answer(cast("Scope", self.scope), self._body, self.server_state.default_headers)
        self.transport.write(said)
        if is_last or self._is_ending:
            self.transport.close()
        self.on_response_complete()

    def shutdown(self) -> None:
        """End the connection in good order: what has begun to come is answered first."""
        if self._at_once is None:
            super().shutdown()
        self._is_ending = True

    def on_message_complete(self) -> None:
        """Have a whole request."""
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None
        self._is_whole = self._is_heading = self._has_advanced = True
        if self._at_once is not None:
            self._answer_at_once(self._at_once)
        elif self.cycle is not None:
            super().on_message_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of a body."""
        self._has_advanced = True
        if self._at_once is not None:
            self._body += body
            if len(self._body) > LARGEST_BODY:
                self._answer_at_once(self._at_once)
        elif self.cycle is not None:
            super().on_body(body)

    def handle_websocket_upgrade(self) -> None:
        """Become a socket, which is counted in its own right."""
        self._let_go()
        self._is_whole = self._has_advanced = True
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  uvicorn's words
        """Refuse what is no request."""
        self._refuse(self._why)

    def _too_slow(self) -> None:
        self._asking = None
        self._refuse(InputError("slow_request", f"a request is sent within {SECONDS_TO_ASK:g} seconds"))

    def _refuse(self, error: InputError) -> None:
        """Answer without the application, where no answer is under way, and end the connection."""
        cycle: Any = self.cycle
        if cycle is None or not cycle.response_started or cycle.response_complete:
            self.transport.write(raw_answer(error))
        self.transport.close()

    def pause_writing(self) -> None:
        """Wait for a while until more is read."""
        super().pause_writing()
        self._reading = self._reading or self.loop.call_later(SECONDS_TO_READ, self._cut)

    def resume_writing(self) -> None:
        """Go on."""
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:  # noqa: ANN401  as uvicorn has them
        """Begin to answer a request, and know which it is."""
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def _cut(self) -> None:
        """End the connection at once."""
        self._abandon()
        self.transport.abort()

    def _abandon(self) -> None:
        """Let nobody write to a connection that is no more, nor begin what waits behind."""
        self.pipeline.clear()
        if self._running is not None and not self._running.response_complete:
            self._running.disconnected = True
            self._running.message_event.set()


class PatientSocket(WebSocketsSansIOProtocol):
    """A socket, within bounds."""

    config: HouseConfig

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count a socket; its connection was let in before."""
        super().connection_made(transport)
        self._reading: asyncio.TimerHandle | None = None
        self._visitor = self.config.visitor(self.client)
        if self._visitor is not None and not self.config.turnstile.enter(self._visitor):
            self._visitor = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a socket."""
        if self._reading is not None:
            self._reading.cancel()
        if self._visitor is not None:
            self.config.turnstile.leave(self._visitor)
            self._visitor = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; a head that websockets cannot read, and leaves without an answer, is refused."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(raw_answer(_no_handshake()))
            self.transport.close()

    async def send(self, message: Any) -> None:  # noqa: ANN401  as uvicorn has it
        """Send something; a socket that is refused has been answered, which uvicorn would call an error."""
        await super().send(message)
        self.handshake_complete = self.handshake_complete or self.close_sent

    def pause_writing(self) -> None:
        """Hear nothing from who reads nothing, and wait for a while."""
        super().pause_writing()
        self.transport.pause_reading()
        self._reading = self._reading or self.loop.call_later(SECONDS_TO_READ, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on."""
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def handle_cont(self, event: Any) -> None:  # noqa: ANN401  a frame of websockets
        """Take a part of a frame, of which there are not too many."""
        if len(self.frames) >= MOST_PARTS:
            self._fail(1009)
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a frame on; one that is no text is not worth a line in the log."""
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self._fail(1007)
        else:
            super().send_receive_event_to_app()

    def _fail(self, code: int) -> None:
        self.frames = []
        if not self.close_sent and not self.transport.is_closing():
            self.conn.fail(code)
            self.handle_parser_exception()


def _head_too_large() -> InputError:
    return InputError("head_too_large", f"the head of a request has at most {LARGEST_HEAD:,} bytes")


def _no_handshake() -> InputError:
    return InputError("bad_handshake", "a socket is asked for with a short head, and without a body")


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True

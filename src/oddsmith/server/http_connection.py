"""The HTTP/1.1 protocol for uvicorn's setting `http`: parsing by httptools, pipelining, and the limits of connections.

uvicorn's own protocols stream responses. The application sends every response whole, so a response here is one write. The
limits of a connection need the state of the parser, which uvicorn's protocols do not publish.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final, cast
from urllib.parse import unquote

import httptools
import structlog
from uvicorn.server import ServerState

from oddsmith.errors import InputError, OddsmithError
from oddsmith.server.asgi import Header, Message, Scope
from oddsmith.server.buckets import too_many_connections_error
from oddsmith.server.connection_limits import (
    LARGEST_REQUEST,
    MOST_PIPELINED,
    SECONDS_IDLE,
    SECONDS_TO_READ,
    LimitedConfig,
    encode_error_response,
)
from oddsmith.server.http_request import BOUNDED_TIME, SECONDS_TO_SEND, slow_request_error
from oddsmith.server.middleware.error_responses import CLOSE, error_response, internal_error
from oddsmith.server.middleware.size_limits import LARGEST_HEAD, head_too_large_error

ASGI: Final = {"version": "3.0", "spec_version": "2.3"}
STATUS_LINES: Final = {
    status.value: b"HTTP/1.1 %d %b" % (status, status.phrase.encode()) for status in HTTPStatus
}
EXPECTS: Final = (b"expect", b"100-continue")
CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
DISCONNECT: Final = {"type": "http.disconnect"}


class Exchange:
    """One request of a connection, with its response once there is one; `receive` and `send` are those of ASGI."""

    __slots__ = (
        "_connection",
        "_has_continued",
        "_parts",
        "_start",
        "_waiting",
        "has_ended",
        "is_complete",
        "is_kept_alive",
        "scope",
    )

    def __init__(self, connection: "HttpConnection", scope: Scope, *, is_kept_alive: bool) -> None:
        self.scope = scope
        self.is_kept_alive = is_kept_alive
        self.is_complete = False
        """Whether the whole request has arrived."""
        self.has_ended = False
        """Whether the response was sent, or the connection is lost."""
        self._connection = connection
        self._parts: list[bytes] = []
        self._has_continued = False
        self._start: Message | None = None
        self._waiting: asyncio.Future[None] | None = None

    def add_body(self, part: bytes) -> None:
        """Add a part of the body; ignored once the response was sent."""
        if not self.has_ended:
            self._parts.append(part)
            self._wake()

    def complete(self) -> None:
        """Note that the whole request has arrived."""
        self.is_complete = True
        self._wake()

    def end(self) -> None:
        """Note that the response was sent, or that the connection is lost."""
        self.has_ended = True
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def receive(self) -> Message:
        """Return the part of the body that has arrived, waiting for one if needed, or a disconnect after the exchange has ended."""
        if not (self._parts or self.is_complete or self.has_ended):
            if EXPECTS in self.scope["headers"] and not self._has_continued:
                self._has_continued = True
                self._connection.write(CONTINUE)
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
            self._waiting = None
        if self.has_ended:
            return DISCONNECT
        body = b"".join(self._parts)
        self._parts.clear()
        return {"type": "http.request", "body": body, "more_body": not self.is_complete}

    async def send(self, message: Message) -> None:
        """Send the response; its body is one message."""
        if self.has_ended:
            return
        if self._start is None:
            self._start = message
        else:
            body = b"" if self.scope["method"] == "HEAD" else message.get("body", b"")
            self._connection.respond(self, self._start["status"], self._start["headers"], body)


class HttpConnection(asyncio.Protocol):
    """An HTTP connection within limits; requests that are pipelined are answered one after the other.

    A request must arrive within `SECONDS_TO_SEND`, the next one begin within `SECONDS_IDLE`, and the client must read
    responses within `SECONDS_TO_READ`. A head has at most `LARGEST_HEAD` bytes, a whole request `LARGEST_REQUEST`. The
    settings limit the number of connections of an address.
    """

    def __init__(
        self,
        config: LimitedConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        **_: object,  # further arguments that uvicorn passes to its protocols
    ) -> None:
        self._config = config
        self._app = config.loaded_app
        self._server_state = server_state
        self._app_state = app_state
        self._loop = asyncio.get_running_loop()
        self._parser = httptools.HttpRequestParser(self)
        self._exchanges: deque[Exchange] = deque()
        """Requests whose head has arrived and that have no response; the application handles the first one."""
        self._arriving: Exchange | None = None
        """The request whose body is arriving."""
        self._is_in_head = False
        self._has_begun = False
        self._has_begun_now = False
        self._has_completed_now = False
        self._received = 0
        """Bytes of the arriving request, without those that came in one piece with the end of the previous request."""
        self._fault: OddsmithError | None = None
        """Why a request is refused whose head has arrived in the data that are being parsed."""
        self._has_upgraded = False
        """Whether a request asked for a socket: nothing after it is a request."""
        self._is_host_checked = False
        """Whether clients say which host they mean: not those that a trusted proxy passes on, and not through a file."""
        self._allowed_host: list[bytes] = []
        """The `Host` of the request before; a connection ends with a request whose host is refused."""
        self._is_answering = False
        self._task: asyncio.Task[None] | None = None
        """A strong reference to the answering task: the event loop has none, and uvicorn waits for connections only."""
        self._is_shutting_down = False
        self._is_write_paused = False
        self._is_read_paused = False
        self._client: str | None = None
        self._unread_timer: asyncio.TimerHandle | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._deadline: float | None = None
        """The deadline of the arriving or next request, in the time of the event loop; None while one is being answered."""
        self._log = structlog.get_logger().bind()

    # --- the connection ----------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, and give its first request a deadline."""
        self._transport = cast("asyncio.Transport", transport)
        self._server_state.connections.add(cast("Any", self))
        peer, local = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        self._peer = (str(peer[0]), int(peer[1])) if isinstance(peer, tuple) else None
        self._scope: Scope = {
            "type": "http",
            "asgi": ASGI,
            "server": (str(local[0]), int(local[1])) if isinstance(local, tuple) else (str(local), None),
            "client": self._peer,
            "scheme": "https" if transport.get_extra_info("sslcontext") else "http",
            "root_path": self._config.root_path,
            "extensions": BOUNDED_TIME,
        }
        client = self._config.client_of(self._peer)
        if client is not None and not self._config.enter(client):
            self._refuse(too_many_connections_error())
            return
        self._client = client
        self._is_host_checked = client is not None
        self._set_deadline(SECONDS_TO_SEND)

    def connection_lost(self, _exc: Exception | None) -> None:
        """End all exchanges, and release the connection's timers and its place in the counts."""
        for exchange in self._exchanges:
            exchange.end()
        self._exchanges.clear()
        self._release()

    def _release(self) -> None:
        """Cancel the timers, and count the connection no longer."""
        self._server_state.connections.discard(cast("Any", self))
        for timer in (self._timer, self._unread_timer):
            if timer is not None:
                timer.cancel()
        self._timer = self._unread_timer = None
        if self._client is not None:
            self._config.leave(self._client)
            self._client = None

    def shutdown(self) -> None:
        """Close the connection after the requests that have arrived; uvicorn calls it when the server stops."""
        self._is_shutting_down = True
        if not self._exchanges:
            self._transport.close()

    def write(self, data: bytes) -> None:
        """Write to the client."""
        self._transport.write(data)

    def pause_writing(self) -> None:
        """Start no further answer, and set a deadline for the client to read."""
        self._is_write_paused = True
        if self._unread_timer is None:
            self._unread_timer = self._loop.call_later(SECONDS_TO_READ, self._transport.abort)

    def resume_writing(self) -> None:
        """Cancel the deadline, and answer the next request."""
        self._is_write_paused = False
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None
        self._answer_next()

    # --- deadlines ---------------------------------------------------------------------------------------------------

    def _update_deadline(self) -> None:
        """Set the deadline for the rest of a request or for the next request; none while a request is being answered."""
        if self._is_in_head or self._arriving is not None:
            if self._deadline is None:
                self._set_deadline(SECONDS_TO_SEND)
        elif self._exchanges:
            self._deadline = None
        else:
            self._set_deadline(SECONDS_IDLE)

    def _set_deadline(self, seconds: float) -> None:
        """Set the deadline; an earlier timer is kept, and set again when it fires, because most deadlines are moved."""
        self._deadline = self._loop.time() + seconds
        if self._timer is not None and self._timer.when() > self._deadline:
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            self._timer = self._loop.call_at(self._deadline, self._check_deadline)

    def _check_deadline(self) -> None:
        self._timer = None
        if self._deadline is None or self._transport.is_closing():
            return
        if self._loop.time() < self._deadline:
            self._timer = self._loop.call_at(self._deadline, self._check_deadline)
        elif self._is_in_head or not self._has_begun or (self._arriving and not self._arriving.has_ended):
            self._refuse(slow_request_error())
        else:
            self._transport.close()

    # --- requests ----------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse data, check the limits, and answer the first request whose head is complete."""
        left = LARGEST_HEAD - self._received
        if self._arriving is None and len(data) > left:
            if left > 0:
                self._parse(data[:left])
            if self._is_in_head and not self._transport.is_closing():
                self._refuse(head_too_large_error())
                self._answer_next()
                return
            data = data[left:]
        self._parse(data)

    def _parse(self, data: bytes) -> None:
        if self._has_upgraded or self._transport.is_closing():
            return
        self._has_begun_now, self._has_completed_now, before = False, False, self._arriving
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._fault is None:
                self._upgrade()
                return
        except httptools.HttpParserError:
            self._fault = InputError("bad_request", "this is not valid HTTP")
        if self._fault is None:
            self._check_limits(len(data), is_idle=before is None)
        else:
            self._refuse(self._fault)
        self._answer_next()

    def _check_limits(self, size: int, *, is_idle: bool) -> None:
        """Check the limits after `size` bytes were parsed; `is_idle`: no body was arriving before."""
        if is_idle and not (self._has_begun_now or self._is_in_head or self._exchanges):
            self._is_in_head, self._deadline = True, None  # an empty line before a request
        if self._has_begun_now or self._has_completed_now:
            self._received = 0
        if not self._has_completed_now:
            self._received += size
        if self._is_in_head and self._received > LARGEST_HEAD:
            self._refuse(head_too_large_error())
        elif self._received > LARGEST_REQUEST or len(self._exchanges) > MOST_PIPELINED:
            self._transport.abort()
        else:
            self._update_deadline()
            if len(self._exchanges) > 1:
                self._pause_reading()

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._is_in_head = self._has_begun = self._has_begun_now = True
        self._deadline = None
        self._url = b""
        self._headers: list[Header] = []

    def on_url(self, url: bytes) -> None:
        """Add a part of the URL."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header; trailers are ignored, because proxies check only the head."""
        if self._is_in_head:
            self._headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Queue the request for an answer, unless it asks for a socket."""
        self._is_in_head = False
        version = self._parser.get_http_version()
        if self._is_host_checked and self._fault is None:
            given = [value for name, value in self._headers if name == b"host"]
            if not given or given != self._allowed_host:
                self._fault = self._config.hosts.objection(given, is_required=version != "1.0")
                self._allowed_host = given
        if self._fault is not None:
            return
        is_upgrade = self._parser.should_upgrade()
        if is_upgrade and self._asks_for_socket():
            return
        url, prefix = httptools.parse_url(self._url), self._config.root_path
        path = url.path.decode("ascii")
        scope = {
            **self._scope,
            "http_version": version,
            "headers": self._headers,
            "state": self._app_state.copy(),
            "method": self._parser.get_method().decode("ascii"),
            "path": prefix + (unquote(path) if "%" in path else path),
            "raw_path": prefix.encode("ascii") + url.path,
            "query_string": url.query or b"",
        }
        is_kept_alive = version != "1.0" and not is_upgrade and self._parser.should_keep_alive()
        self._arriving = Exchange(self, scope, is_kept_alive=is_kept_alive)
        self._exchanges.append(self._arriving)

    def on_body(self, body: bytes) -> None:
        """Add a part of the body."""
        if self._arriving is not None:
            self._arriving.add_body(body)

    def on_message_complete(self) -> None:
        """End a request."""
        self._has_completed_now = True
        if self._arriving is not None:
            self._arriving.complete()
            self._arriving = None

    def _asks_for_socket(self) -> bool:
        headers = dict(self._headers)
        tokens = [token.strip() for token in headers.get(b"connection", b"").lower().split(b",")]
        return b"upgrade" in tokens and headers.get(b"upgrade", b"").lower() == b"websocket"

    def _upgrade(self) -> None:
        """Switch the connection to the WebSocket protocol.

        Any other upgrade is answered as a plain request. One that is pipelined after other requests ends the connection.
        """
        self._has_upgraded = True
        if self._exchanges:
            self.on_message_complete()
            self._exchanges[-1].is_kept_alive = False
            self._transport.pause_reading()
            self._answer_next()
            return
        self._release()
        protocol = cast("Any", self._config.ws_protocol_class)(
            config=self._config, server_state=self._server_state, app_state=self._app_state
        )
        head = [b"%b %b HTTP/1.1\r\n" % (self._parser.get_method(), self._url)]
        head += [b"%b: %b\r\n" % pair for pair in self._headers]
        protocol.connection_made(self._transport)
        protocol.data_received(b"%b\r\n" % b"".join(head))
        self._transport.set_protocol(protocol)

    def _pause_reading(self) -> None:
        if not self._is_read_paused:
            self._is_read_paused = True
            self._transport.pause_reading()

    def _resume_reading(self) -> None:
        if self._is_read_paused:
            self._is_read_paused = False
            self._transport.resume_reading()

    # --- responses ---------------------------------------------------------------------------------------------------

    def _answer_next(self) -> None:
        """Start the answer to the first request, unless one is in progress or writing is paused."""
        if self._exchanges and not self._is_answering and not self._is_write_paused:
            self._is_answering = True
            self._task = self._loop.create_task(self._answer(self._exchanges[0]))

    async def _answer(self, exchange: Exchange) -> None:
        try:
            await self._app(
                cast("Any", exchange.scope), cast("Any", exchange.receive), cast("Any", exchange.send)
            )
        except Exception:  # noqa: BLE001  a defect is logged, and answered as an internal error
            self._log.exception("failed")
        if not exchange.has_ended:
            exchange.is_kept_alive = False
            body = error_response(internal_error())
            self.respond(exchange, body.status, body.headers, body.body)

    def respond(self, exchange: Exchange, status: int, headers: Sequence[Header], body: bytes) -> None:
        """Write the response to the first request, then answer the next, or close a connection that is not kept alive."""
        is_closing = self._is_shutting_down or not exchange.is_kept_alive or CLOSE in headers
        sent = [*self._server_state.default_headers, *headers]
        if is_closing and CLOSE not in headers:
            sent.append(CLOSE)
        head = b"\r\n".join([STATUS_LINES[status], *map(b": ".join, sent)])
        if head.count(b"\n") != len(sent):
            raise ValueError("a header of a response contains a line break")
        self._transport.write(b"%b\r\n\r\n%b" % (head, body))
        self._server_state.total_requests += 1
        exchange.end()
        self._exchanges.popleft()
        self._is_answering = False
        if is_closing:
            self._transport.close()
            return
        self._update_deadline()
        if len(self._exchanges) <= 1:
            self._resume_reading()
        self._answer_next()

    def _refuse(self, error: OddsmithError) -> None:
        """Answer an error without the application, and close the connection.

        Requests that have arrived whole before are answered instead, the last of them with the close.
        """
        self._is_in_head, self._arriving, self._deadline = False, None, None
        whole = [exchange for exchange in self._exchanges if exchange.is_complete]
        for exchange in self._exchanges:
            if not exchange.is_complete:
                exchange.end()
        if whole:
            self._exchanges = deque(whole)
            whole[-1].is_kept_alive = False
            self._pause_reading()
        else:
            self._transport.write(encode_error_response(error))
            self._transport.close()

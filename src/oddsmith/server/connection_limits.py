"""Connections within limits: how many an address has, how slowly a head arrives, how slowly a response is read.

Both protocols are uvicorn's with the methods of `asyncio.Protocol` extended; they are given to uvicorn by its settings
`http` and `ws`. Limits of a request whose head has arrived are middleware.
"""

import asyncio
from http import HTTPStatus
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from oddsmith.errors import InputError, OddsmithError
from oddsmith.server.addresses import Network, client_key, networks, true_address
from oddsmith.server.buckets import ConnectionCount, too_many_connections
from oddsmith.server.middleware.error_responses import CLOSE, error_response
from oddsmith.server.middleware.headers import HEADERS
from oddsmith.server.middleware.size_limits import LARGEST_HEAD, head_too_large
from oddsmith.server.request import SECONDS_TO_SEND, too_slow
from oddsmith.server.settings import Settings

SECONDS_TO_READ: Final = 20.0
"""How long a client may read nothing of what is sent."""
SECONDS_IDLE: Final = 30
LARGEST_REQUEST: Final = 600 * 1024
"""How many bytes of one request are read, the part that nobody takes included."""
LARGEST_FRAME: Final = 8 * 1024
MOST_PARTS: Final = 64
"""How many parts a frame may come in."""
MOST_PIPELINED: Final = 32
"""How many requests may be sent before the first is answered."""
SECONDS_TO_STOP: Final = 10


class ServerConfig(uvicorn.Config):
    """How uvicorn serves the application."""

    def __init__(self, app: Any, settings: Settings) -> None:  # noqa: ANN401  an ASGI application
        self.connection_count = ConnectionCount(most=settings.connections_per_address)
        self.trusted_proxies: tuple[Network, ...] = networks(settings.proxies)
        super().__init__(
            app,
            loop="auto",
            http=LimitedHttp,
            ws=LimitedWebSocket,
            ws_max_size=LARGEST_FRAME,
            ws_per_message_deflate=False,
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            workers=1,
            timeout_keep_alive=SECONDS_IDLE,
            timeout_graceful_shutdown=SECONDS_TO_STOP,
        )

    def client_of(self, peer: tuple[str, int] | None) -> str | None:
        """Return the key that a connection is counted by; None for a proxy, which speaks for many."""
        if peer is None:
            return None
        address = peer[0]
        is_proxy = true_address(address, "192.0.2.1", self.trusted_proxies) != address
        return None if is_proxy else client_key(address)


class LimitedHttp(HttpToolsProtocol):
    """An HTTP connection within limits."""

    config: ServerConfig

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn declares it
        """Count the connection, and give its first head a deadline."""
        super().connection_made(transport)
        self._read_deadline: asyncio.TimerHandle | None = None
        self._head_deadline: asyncio.TimerHandle | None = None
        self._received = 0
        self._is_in_head = True
        self._client = self.config.client_of(self.client)
        if self._client is not None and not self.config.connection_count.enter(self._client):
            self._client = None
            self._refuse(too_many_connections())
            return
        self._head_deadline = self.loop.call_later(SECONDS_TO_SEND, self._refuse_slow_head)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection no more."""
        self._release()
        self.pipeline.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; a head that is too long or too slow is refused, and so is what goes on without end."""
        if self.transport.is_closing():
            return
        before = self.cycle
        super().data_received(data)
        if self.transport.get_protocol() is not self:
            self._release()
            return
        if self.transport.is_closing():
            return
        if self.cycle is not before:
            self._received = 0
            self._cancel_head_deadline()
        else:
            self._received += len(data)
        if self._is_between_requests:
            if self._head_deadline is None:
                self._head_deadline = self.loop.call_later(SECONDS_TO_SEND, self._refuse_slow_head)
            if self._received > LARGEST_HEAD:
                self._refuse(head_too_large())
        elif self._received > LARGEST_REQUEST or len(self.pipeline) > MOST_PIPELINED:
            self.transport.abort()

    def on_message_begin(self) -> None:
        """Begin the head of a request."""
        self._is_in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """End the head of a request."""
        self._is_in_head = False
        super().on_headers_complete()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; trailers, which follow a body, are ignored: proxies have checked the head alone."""
        if self._is_in_head:
            super().on_header(name, value)

    @property
    def _is_between_requests(self) -> bool:
        cycle: Any = self.cycle
        return cycle is None or (cycle.response_complete and not cycle.more_body)

    def pause_writing(self) -> None:
        """Give a client that reads too slowly a deadline."""
        super().pause_writing()
        if self._read_deadline is None:
            self._read_deadline = self.loop.call_later(SECONDS_TO_READ, self.transport.abort)

    def resume_writing(self) -> None:
        """Write on."""
        super().resume_writing()
        if self._read_deadline is not None:
            self._read_deadline.cancel()
            self._read_deadline = None

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  uvicorn's words
        """Refuse what is no HTTP."""
        self._refuse(InputError("bad_request", "this is not HTTP as it should be"))

    def _refuse_slow_head(self) -> None:
        self._head_deadline = None
        self._refuse(too_slow())

    def _refuse(self, error: OddsmithError) -> None:
        """Answer without the application where no response is under way, and close the connection."""
        cycle: Any = self.cycle
        if cycle is None or not cycle.response_started or cycle.response_complete:
            self.transport.write(whole_response(error))
        self.transport.close()

    def _cancel_head_deadline(self) -> None:
        if self._head_deadline is not None:
            self._head_deadline.cancel()
            self._head_deadline = None

    def _release(self) -> None:
        self._cancel_head_deadline()
        if self._read_deadline is not None:
            self._read_deadline.cancel()
            self._read_deadline = None
        if self._client is not None:
            self.config.connection_count.leave(self._client)
            self._client = None


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket connection within limits."""

    config: ServerConfig

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the socket; its connection was let in before."""
        super().connection_made(transport)
        self._read_deadline: asyncio.TimerHandle | None = None
        self._client = self.config.client_of(self.client)
        if self._client is not None and not self.config.connection_count.enter(self._client):
            self._client = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the socket no more."""
        if self._read_deadline is not None:
            self._read_deadline.cancel()
        if self._client is not None:
            self.config.connection_count.leave(self._client)
            self._client = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; a handshake that websockets cannot read is refused, and so are parts of a frame without end."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(
                whole_response(
                    InputError("bad_handshake", "a socket is asked for with a short head, and without a body")
                )
            )
            self.transport.close()
        elif len(self.frames) > MOST_PARTS:
            self.transport.abort()

    async def send(self, message: Any) -> None:  # noqa: ANN401  a message of ASGI
        """Send a message; a socket that was refused with a response is complete, which uvicorn does not know."""
        await super().send(message)
        self.handshake_complete = self.handshake_complete or self.close_sent

    def pause_writing(self) -> None:
        """Read nothing from a client that reads nothing, and give it a deadline."""
        super().pause_writing()
        self.transport.pause_reading()
        if self._read_deadline is None:
            self._read_deadline = self.loop.call_later(SECONDS_TO_READ, self.transport.abort)

    def resume_writing(self) -> None:
        """Write and read on."""
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()
        if self._read_deadline is not None:
            self._read_deadline.cancel()
            self._read_deadline = None


def whole_response(error: OddsmithError) -> bytes:
    """Return the bytes of a response to what does not get as far as the application."""
    status, headers, body = error_response(error)
    lines = [pair for pair in (*headers, *HEADERS) if pair != CLOSE]
    head = b"".join([b"%b: %b\r\n" % pair for pair in (*lines, CLOSE)])
    phrase = HTTPStatus(status).phrase.encode()
    return b"HTTP/1.1 %d %b\r\n%b\r\n%b" % (status, phrase, head, body)

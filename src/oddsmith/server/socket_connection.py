"""The WebSocket protocol for uvicorn's setting `ws`: uvicorn's own, with limits added in the methods of `asyncio.Protocol`."""

import asyncio
import logging
import socket
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from oddsmith.errors import InputError, MediaTypeError, OddsmithError, StoppingError
from oddsmith.server.connection_limits import (
    LARGEST_FRAME,
    MOST_PARTS,
    SECONDS_TO_READ,
    SEND_BUFFER,
    LimitedConfig,
    encode_error_response,
)
from oddsmith.server.middleware.error_responses import CLOSE, error_json, error_response, internal_error
from oddsmith.server.middleware.headers import HEADERS

INVALID_TEXT: Final = 1007
POLICY: Final = 1008
MOST_ENCODED: Final = 32
"""Texts whose encoding is cached: a frame for many spectators is encoded once."""


@lru_cache(MOST_ENCODED)
def encode_text(text: str) -> bytes:
    """Return the bytes of a WebSocket message of a server: they are the same for every client."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


class Handshake(ServerProtocol):
    """The protocol of websockets, whose refusals of a handshake are those of every other request."""

    def reject(self, status: int, text: str) -> Response:
        """Return the response that refuses a handshake; `text` says why."""
        if status == HTTPStatus.INTERNAL_SERVER_ERROR:
            error: OddsmithError = internal_error()
        else:
            error = InputError("bad_handshake", " ".join(text.split()) or "this socket is refused")
        _, headers, body = error_response(error)
        lines = [(name.decode(), value.decode()) for name, value in (*headers, *HEADERS, CLOSE)]
        return Response(int(status), HTTPStatus(status).phrase, Headers(lines), body)


class SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket connection within limits."""

    config: LimitedConfig

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401  those of uvicorn's protocol
        super().__init__(*given, **named)
        self.conn = Handshake(max_size=self.config.ws_max_size, logger=logging.getLogger("uvicorn.error"))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the socket, whose limit was checked for its HTTP connection, and bound what waits for the client."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=0)
        line = transport.get_extra_info("socket")
        if line is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._read_deadline: asyncio.TimerHandle | None = None
        self._client = self.config.client_of(self.client)
        if self._client is not None and not self.config.enter(self._client):
            self._client = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadline, and count the socket no longer."""
        if self._read_deadline is not None:
            self._read_deadline.cancel()
        if self._client is not None:
            self.config.leave(self._client)
            self._client = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse data; refuse a handshake that websockets cannot read, and abort at more than `MOST_PARTS` fragments."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(
                encode_error_response(
                    InputError("bad_handshake", "a WebSocket request has a short head and no body")
                )
            )
            self.transport.close()
        elif len(self.frames) > MOST_PARTS and not self.close_sent:
            self.frames = []
            self.conn.send_close(POLICY, "too_many_parts")
            self.handle_parser_exception()

    def handle_parser_exception(self) -> None:
        """Close a socket whose client sends what is no message; the error is sent before."""
        if self.conn.close_sent is not None and not self.close_sent:
            error = _message_error(self.conn.close_sent.code, self.conn.close_sent.reason)
            self.transport.write(encode_text(error_json(error).decode()))
        super().handle_parser_exception()

    def keepalive_timeout(self) -> None:
        """Close the socket of a client that does not answer; what it does not read in time is dropped."""
        super().keepalive_timeout()
        self.loop.call_later(SECONDS_TO_READ, self.transport.abort)

    def shutdown(self) -> None:
        """Close the socket; a handshake that has no answer is refused."""
        if not (self.handshake_complete or self.close_sent or self.initial_response):
            self.initial_response = (HTTPStatus.SERVICE_UNAVAILABLE, [], b"")
            self.transport.write(
                encode_error_response(
                    StoppingError("stopping", "the server is shutting down: try again in a moment")
                )
            )
        super().shutdown()

    def send_receive_event_to_app(self) -> None:
        """Pass a message to the application; close the socket where text is not UTF-8, for which uvicorn logs a traceback."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.send_close(INVALID_TEXT)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    async def send(self, message: Any) -> None:  # noqa: ANN401  as uvicorn's protocol has it
        """Send a message of ASGI; mark the handshake complete after a refusal, which uvicorn does not.

        A text for many clients is encoded once.
        """
        text = message.get("text")
        if text is not None and self.handshake_complete and not self.close_sent:
            await self.writable.wait()
            if self.disconnected or self.conn.state is not State.OPEN:
                raise ClientDisconnected
            self.transport.write(encode_text(text))
            return
        await super().send(message)
        self.handshake_complete = self.handshake_complete or self.close_sent

    def pause_writing(self) -> None:
        """Pause reading too, and set a deadline for the client to read."""
        super().pause_writing()
        self.transport.pause_reading()
        if self._read_deadline is None:
            self._read_deadline = self.loop.call_later(SECONDS_TO_READ, self.transport.abort)

    def resume_writing(self) -> None:
        """Resume writing and reading, and cancel the deadline."""
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()
        if self._read_deadline is not None:
            self._read_deadline.cancel()
            self._read_deadline = None


def _message_error(code: int, reason: str) -> OddsmithError:
    """Return the error of a message that closes its socket with a code."""
    match code:
        case 1009:
            return InputError("frame_too_large", f"a frame has at most {LARGEST_FRAME:,} bytes")
        case 1008:
            return InputError("too_many_parts", f"a frame comes in at most {MOST_PARTS} parts")
        case 1007:
            return MediaTypeError("not_json", "a frame is JSON in UTF-8")
        case _:
            return InputError("bad_frame", f"this is not valid WebSocket: {reason or 'a frame is malformed'}")

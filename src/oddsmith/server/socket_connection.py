"""The WebSocket protocol for uvicorn's setting `ws`: uvicorn's own, with limits added in the methods of `asyncio.Protocol`."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from oddsmith.errors import InputError
from oddsmith.server.connection_limits import (
    MOST_PARTS,
    SECONDS_TO_READ,
    LimitedConfig,
    encode_error_response,
)

INVALID_TEXT: Final = 1007


class SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket connection within limits."""

    config: LimitedConfig

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the socket; the limit was checked for its HTTP connection."""
        super().connection_made(transport)
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
        elif len(self.frames) > MOST_PARTS:
            self.transport.abort()

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
        """Send a message of ASGI; mark the handshake complete after a refusal, which uvicorn does not."""
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

"""Limits of connections: how many an address has, how long a request takes to arrive, how long a response is not read."""

from http import HTTPStatus
from typing import Any, Final

import uvicorn

from oddsmith.errors import OddsmithError
from oddsmith.server.addresses import Network, client_key, networks, true_address
from oddsmith.server.buckets import ConnectionCount
from oddsmith.server.middleware.error_responses import CLOSE, error_response
from oddsmith.server.middleware.headers import HEADERS
from oddsmith.server.settings import Settings

SECONDS_TO_READ: Final = 20.0
"""How long a client may read nothing of what is sent."""
SECONDS_IDLE: Final = 30.0
"""How long a connection may be open without a request."""
LARGEST_REQUEST: Final = 600 * 1024
"""How many bytes of one request are read, the part that no operation takes included."""
LARGEST_FRAME: Final = 8 * 1024
MOST_PARTS: Final = 64
"""How many parts a frame may come in."""
MOST_PIPELINED: Final = 32
"""How many requests may be sent before the first is answered."""


class LimitedConfig(uvicorn.Config):
    """A configuration of uvicorn with the limits of connections; `settings` are passed on to uvicorn."""

    def __init__(self, app: Any, limits: Settings, **settings: Any) -> None:  # noqa: ANN401  uvicorn's
        self._count = ConnectionCount(most=limits.connections_per_address)
        self._proxies: tuple[Network, ...] = networks(limits.proxies)
        super().__init__(app, **settings)

    def client_of(self, peer: tuple[str, int] | None) -> str | None:
        """Return the key that a connection is counted by; None for a proxy, which speaks for many."""
        if peer is None:
            return None
        address = peer[0]
        is_proxy = true_address(address, "192.0.2.1", self._proxies) != address
        return None if is_proxy else client_key(address)

    def enter(self, client: str) -> bool:
        """Count one more connection of a client; return False where it has as many as it may."""
        return self._count.enter(client)

    def leave(self, client: str) -> None:
        """Count one connection of a client less."""
        self._count.leave(client)


def whole_response(error: OddsmithError) -> bytes:
    """Return the bytes of a response to what does not get as far as the application."""
    status, headers, body = error_response(error)
    lines = [pair for pair in (*headers, *HEADERS) if pair != CLOSE]
    head = b"".join([b"%b: %b\r\n" % pair for pair in (*lines, CLOSE)])
    phrase = HTTPStatus(status).phrase.encode()
    return b"HTTP/1.1 %d %b\r\n%b\r\n%b" % (status, phrase, head, body)

"""Limits of connections: their number by address, sizes, and the time to read a response or to begin a request."""

from http import HTTPStatus
from typing import Any, Final

import uvicorn

from oddsmith.errors import OddsmithError
from oddsmith.server.addresses import Network, client_address, client_key, parse_networks
from oddsmith.server.buckets import ConnectionCount
from oddsmith.server.hosts import AllowedHosts
from oddsmith.server.middleware.error_responses import CLOSE, error_response
from oddsmith.server.middleware.headers import HEADERS
from oddsmith.server.settings import Settings

SECONDS_TO_READ: Final = 20.0
"""The time limit for a client to read what is sent."""
SECONDS_IDLE: Final = 30.0
"""The time limit for the next request of an open connection."""
LARGEST_REQUEST: Final = 600 * 1024
"""The bytes of one request after which the connection is aborted; operations refuse bodies below that."""
LARGEST_FRAME: Final = 8 * 1024
SEND_BUFFER: Final = 64 * 1024
"""The bytes of a WebSocket connection that the kernel queues for a client that does not read; Linux takes twice as many."""
MOST_PARTS: Final = 64
"""The number of fragments of a WebSocket frame."""
MOST_PIPELINED: Final = 32
"""The number of requests that may wait for the response to the first."""


class LimitedConfig(uvicorn.Config):
    """A configuration of uvicorn with the limits of connections; `settings` are passed on to uvicorn."""

    def __init__(self, app: Any, limits: Settings, **settings: Any) -> None:  # noqa: ANN401  as `uvicorn.Config` has them
        self._count = ConnectionCount(most=limits.connections_per_address)
        self._proxies: tuple[Network, ...] = parse_networks(limits.proxies)
        self.hosts = AllowedHosts(host=limits.host, origins=limits.origins, names=limits.hosts)
        super().__init__(app, **settings)

    def client_of(self, peer: tuple[str, int] | None) -> str | None:
        """Return the key that a connection is counted by; None for a trusted proxy, which has many clients."""
        if peer is None:
            return None
        address = peer[0]
        is_proxy = client_address(address, "192.0.2.1", self._proxies) != address
        return None if is_proxy else client_key(address)

    def enter(self, client: str) -> bool:
        """Count one more connection of a client; return False where it has as many as it may."""
        return self._count.enter(client)

    def leave(self, client: str) -> None:
        """Count one connection of a client less."""
        self._count.leave(client)


def encode_error_response(error: OddsmithError) -> bytes:
    """Return an error as the bytes of an HTTP/1.1 response, for requests that do not reach the application."""
    status, headers, body = error_response(error)
    lines = [pair for pair in (*headers, *HEADERS) if pair != CLOSE]
    head = b"".join([b"%b: %b\r\n" % pair for pair in (*lines, CLOSE)])
    phrase = HTTPStatus(status).phrase.encode()
    return b"HTTP/1.1 %d %b\r\n%b\r\n%b" % (status, phrase, head, body)

"""Finisher that adds the headers of every response: security policies, the request's id, and those of CORS."""

from collections.abc import Sequence
from typing import Final

from oddsmith.server.asgi import Header
from oddsmith.server.http_request import Request, Response

HEADERS: Final = (
    (
        b"content-security-policy",
        b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"interest-cohort=()"),
    (b"cache-control", b"no-store"),
)
"""Sent with every response that has no header of the same name."""
EXPOSED: Final = (b"access-control-expose-headers", b"retry-after, x-request-id")
_NAMES: Final = frozenset(name for name, _ in HEADERS)


class ResponseHeaders:
    """Adds the headers of every response; `origins` are those whose pages may read it."""

    def __init__(self, origins: Sequence[str]) -> None:
        self._origins = frozenset(origin.encode("latin-1") for origin in origins)

    def __call__(self, request: Request, response: Response) -> None:
        """Add headers to a response."""
        response.headers.extend(self.of(request, response.headers))

    def of(self, request: Request, given: Sequence[Header]) -> list[Header]:
        """Return the headers to add to a response with the headers `given`."""
        names = {name for name, _ in given}
        added = [*HEADERS] if _NAMES.isdisjoint(names) else [pair for pair in HEADERS if pair[0] not in names]
        added.append((b"x-request-id", request.id.encode()))
        if self._origins:
            added.append((b"vary", b"origin"))
            origin = request.headers.get(b"origin")
            if origin in self._origins:
                added += [(b"access-control-allow-origin", origin), EXPOSED]
        return added

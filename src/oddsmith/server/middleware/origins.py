"""Check that refuses changing requests of pages of other origins, and answers preflight requests of CORS."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import parse_qsl

from oddsmith.errors import AccessError, InputError
from oddsmith.server.http_request import Request, Response

SAFE: Final = ("GET", "HEAD", "OPTIONS")
ASKS: Final = b"access-control-request-method"
PREFLIGHT: Final = (
    (b"access-control-allow-methods", b"GET, POST"),
    (b"access-control-allow-headers", b"authorization, content-type"),
    (b"access-control-max-age", b"600"),
    (b"content-length", b"0"),
)


class Origins:
    """Refuses requests of other origins than the allowed ones and the server's own."""

    def __init__(self, allowed: Sequence[str]) -> None:
        self._allowed = frozenset(allowed)

    def __call__(self, request: Request) -> Response | None:
        """Raise `AccessError` for a changing request of another origin; return the response to a preflight request."""
        if request.query_string:
            _require_no_token(request.query_string)
        if b"origin" in request.headers:
            is_preflight = ASKS in request.headers
            if is_preflight or request.method not in SAFE:
                self.require_allowed(request)
            if is_preflight and request.method == "OPTIONS":
                return Response(204, [*PREFLIGHT], b"")
        return None

    def require_allowed(self, request: Request) -> None:
        """Raise `AccessError` for a page of another origin; a request without an origin is not a page's."""
        if not is_allowed_origin(request.header(b"origin"), request.header(b"host"), self._allowed):
            raise AccessError("bad_origin", "pages of this origin may not use this server")


def is_allowed_origin(origin: str | None, host: str | None, allowed: Sequence[str] | frozenset[str]) -> bool:
    """Return whether an origin is missing, allowed, or that of the host itself.

    >>> is_allowed_origin("https://evil.example", "play.example", ["https://friend.example"])
    False
    >>> is_allowed_origin("https://play.example", "play.example", [])
    True
    """
    if origin is None or origin in allowed:
        return True
    return host is not None and origin in (f"http://{host}", f"https://{host}")


def _require_no_token(query: bytes) -> None:
    given = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    if any(name.lower() == "token" for name, _ in given):
        raise InputError("token_in_address", "a token is never part of an address: send it in a header")

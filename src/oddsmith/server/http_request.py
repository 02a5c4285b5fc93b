"""One HTTP request and its response, as middleware and handlers see them, and the declaration of an operation.

The types of JSON bodies are in `api_types`.
"""

import asyncio
import re
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar
from urllib.parse import parse_qs, quote

import msgspec
from structlog.typing import FilteringBoundLogger

from oddsmith import wire
from oddsmith.errors import BodyTooLargeError, InputError, OddsmithError, SlowRequestError, TokenError
from oddsmith.server.asgi import Header, Message, Receive, Scope

T = TypeVar("T")

JSON: Final = b"application/json"
LARGEST_BODY: Final = 64 * 1024
LONGEST_TOKEN: Final = 64
SECONDS_TO_SEND: Final = 15.0
"""The time limit for a whole request to arrive."""
BOUNDED_TIME: Final[dict[str, dict[object, object]]] = {"oddsmith.bounded_time": {}}
"""The extension of ASGI in the scope of a request whose server already limits the time to arrive."""
_QUALITY: Final = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")
NO_PARAMETERS: Final[Mapping[str, str]] = {}
HOW_TO_AUTHORIZE: Final = "send the seat's token as 'Authorization: Bearer …'"


class Response(NamedTuple):
    """An HTTP response with its whole body."""

    status: int
    headers: list[Header]
    body: bytes


Handler: TypeAlias = Callable[["Request"], Coroutine[Any, Any, Response]]
API: Final = "/api/v1"


class Operation(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One method of one path: its handler, types, errors and cost.

    `request` is the type of the JSON body, `query` that of the query parameters, `reply` that of the response;
    `other_replies` are the types of responses with other statuses that are no errors. `media` are the media types of the
    reply, the default first. `errors` are those of this operation beside the ones that every operation has. `cost` is
    what rate limits charge, in requests, beside the time that the handler takes; None is never limited. `route` is the label
    of metrics and logs.
    """

    method: str
    path: str
    name: str
    summary: str
    handler: Handler
    route: str = ""
    request: Any = None
    query: Any = None
    reply: Any = None
    status: int = 200
    media: tuple[str, ...] = ("application/json",)
    other_replies: Mapping[int, Any] = {}
    errors: tuple[type[OddsmithError], ...] = ()
    token: bool | None = None
    """True: a seat's token is required. False: it is optional. None: it is ignored."""
    cost: float | None = 1.0
    largest_body: int = LARGEST_BODY
    is_described: bool = True


class Request:
    """One HTTP request, or the one that opens a socket.

    `path` is without the prefix that the application is mounted under. `client` is the key that rate limits count an
    address by. `operation` and `parameters` are set by the router; `operation` is None where no operation matches.
    """

    __slots__ = (
        "_is_time_bounded",
        "_receive",
        "_root_path",
        "address",
        "began",
        "client",
        "headers",
        "id",
        "is_socket",
        "log",
        "method",
        "operation",
        "parameters",
        "path",
        "query_string",
        "raw_headers",
        "route",
    )

    def __init__(
        self,
        scope: Scope,
        receive: Receive,
        *,
        request_id: str,
        address: str,
        client: str,
        log: FilteringBoundLogger,
    ) -> None:
        self._receive = receive
        self._is_time_bounded = scope.get("extensions") is BOUNDED_TIME
        self.log = log
        self.began = time.perf_counter()
        self.id = request_id
        self.address = address
        self.client = client
        self.raw_headers: Sequence[Header] = scope["headers"]
        self.headers: dict[bytes, bytes] = dict(self.raw_headers)
        self.is_socket: bool = scope["type"] == "websocket"
        self.method: str = "GET" if self.is_socket else scope["method"]
        self.path: str = path_in(scope)
        self._root_path: str = scope.get("root_path", "")
        self.query_string: bytes = scope["query_string"]
        self.operation: Operation | None = None
        self.parameters = NO_PARAMETERS
        self.route = "other"

    @property
    def prefix(self) -> str:
        """The prefix that the application is mounted under, as addresses have it: `/games`; empty at the root."""
        root = self._root_path.strip("/")
        return f"/{quote(root)}" if root else ""

    def bound_log(self) -> FilteringBoundLogger:
        """Return the logger, with the id and the address of the request bound."""
        return self.log.bind(request=self.id, address=self.address)

    def header(self, name: bytes) -> str | None:
        """Return the value of a header as text; None where it is missing."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")

    def preferred_media(self, offered: Iterable[str]) -> str:
        """Return the offered media type with the highest quality in `Accept`; the first of equals, also if none is accepted."""
        accepted = _accepted_media(self.header(b"accept") or "*/*")
        return max(offered, key=lambda media: _quality(media, accepted))

    def token(self) -> str | None:
        """Return the token in the `Authorization` header, None without one; raises `TokenError` for a malformed header."""
        given = self.header(b"authorization")
        if given is None:
            return None
        scheme, _, token = given.partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token or len(token) > LONGEST_TOKEN:
            raise TokenError("bad_authorization", HOW_TO_AUTHORIZE)
        return token

    def require_token(self) -> str:
        """Return the token; raises `TokenError` without one."""
        token = self.token()
        if token is None:
            raise TokenError("no_token", HOW_TO_AUTHORIZE)
        return token

    def query(self, kind: type[T]) -> T:
        """Return the query parameters as a value of a type; raises `InputError` where they do not fit it."""
        return read_query(parse_qs(self.query_string.decode("latin-1"), keep_blank_values=True), kind)

    @property
    def largest_body(self) -> int:
        """The greatest number of bytes of the body."""
        return LARGEST_BODY if self.operation is None else self.operation.largest_body

    async def body(self) -> bytes:
        """Return the whole body.

        Raises `BodyTooLargeError`, `SlowRequestError`, or `InputError` where the client disconnects.
        """
        receive = self._receive if self._is_time_bounded else self._receive_in_time
        parts: list[bytes] = []
        length, is_complete = 0, False
        while not is_complete:
            message = await receive()
            if message["type"] != "http.request":
                raise InputError("request_ended", "the request ended before it was complete")
            parts.append(message.get("body", b""))
            length += len(parts[-1])
            if length > self.largest_body:
                raise body_too_large_error(self.largest_body)
            is_complete = not message.get("more_body", False)
        return b"".join(parts)

    async def _receive_in_time(self) -> Message:
        left = SECONDS_TO_SEND - (time.perf_counter() - self.began)
        try:
            async with asyncio.timeout(left):
                return await self._receive()
        except TimeoutError as error:
            raise slow_request_error() from error


def _accepted_media(header: str) -> dict[str, float]:
    """Return the quality of each media range of an Accept header; 0 for a malformed quality.

    >>> _accepted_media("text/plain;q=0.5, */*; q=0.1, text/html")
    {'text/plain': 0.5, '*/*': 0.1, 'text/html': 1.0}
    """
    found: dict[str, float] = {}
    for part in header.split(","):
        name, *parameters = (word.strip().lower() for word in part.split(";"))
        given = [value for key, _, value in (word.partition("=") for word in parameters) if key == "q"]
        found[name] = float(given[0]) if given and _QUALITY.fullmatch(given[0]) else 0.0 if given else 1.0
    return found


def _quality(media: str, accepted: Mapping[str, float]) -> float:
    """Return the quality of a media type: that of the most specific range that contains it.

    >>> _quality("text/plain", {"text/*": 0.5, "*/*": 1.0})
    0.5
    """
    ranges = (media, f"{media.partition('/')[0]}/*", "*/*")
    return next((accepted[name] for name in ranges if name in accepted), 0.0)


def path_in(scope: Scope) -> str:
    """Return the path of a request below the prefix that the application is mounted under.

    By ASGI, `path` begins with the whole `root_path`. Some hosts leave it out, or its first parts, which a proxy has
    removed.

    >>> path_in({"path": "/games/api/v1/games", "root_path": "/games"})
    '/api/v1/games'
    >>> path_in({"path": "/api/v1/games", "root_path": "/games"})
    '/api/v1/games'
    >>> path_in({"path": "/games/api/v1/games", "root_path": "/proxy/games"})
    '/api/v1/games'
    """
    path: str = scope["path"]
    prefix: str = scope.get("root_path", "").rstrip("/")
    while prefix:
        if path.startswith(f"{prefix}/") or path == prefix:
            return path[len(prefix) :] or "/"
        _, slash, rest = prefix[1:].partition("/")
        prefix = slash + rest
    return path


def json_response(value: object, status: int = 200) -> Response:
    """Return a response with a value as JSON."""
    return bytes_response(wire.to_json(value), status=status)


def bytes_response(body: bytes, *, media: bytes = JSON, status: int = 200) -> Response:
    """Return a response with a body of a media type."""
    return Response(status, [(b"content-type", media), (b"content-length", b"%d" % len(body))], body)


def body_too_large_error(largest: int) -> BodyTooLargeError:
    """Return the error of a body with more than `largest` bytes."""
    return BodyTooLargeError("body_too_large", f"a request has at most {largest:,} bytes here")


def slow_request_error() -> SlowRequestError:
    """Return the error of a request that takes too long to arrive."""
    return SlowRequestError("slow_request", f"a request is sent within {SECONDS_TO_SEND:g} seconds")


def read_query(query: Mapping[str, Sequence[str]], kind: type[T]) -> T:
    """Return query parameters as a value of a type; raises `InputError` for unknown and repeated ones.

    >>> class PageQuery(msgspec.Struct):
    ...     limit: int = 50
    >>> read_query({"limit": ["5"]}, PageQuery).limit
    5
    """
    for name, values in query.items():
        if len(values) > 1:
            raise InputError("bad_query", f"'{name[:40]}' is said {len(values)} times", where=name[:40])
        if values[0].lower() == "null":
            raise InputError("bad_query", f"leave '{name[:40]}' out instead", where=name[:40])
    return wire.from_texts({name: values[0] for name, values in query.items()}, kind, code="bad_query")

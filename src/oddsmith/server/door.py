"""Everything that comes in passes here first, and everything that goes out passes here last."""

import asyncio
import re
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from itertools import count
from math import ceil
from typing import Any, Final, Protocol, Self, TypeAlias
from urllib.parse import parse_qsl

import structlog

from oddsmith.errors import InputError, OddsmithError
from oddsmith.match.proofs import digest
from oddsmith.server.guard import (
    HEADERS,
    Buckets,
    Turnstile,
    is_allowed_origin,
    networks,
    true_address,
    visitor,
    with_usual_headers,
)
from oddsmith.server.metrics import Metrics, is_question, route_of
from oddsmith.server.refusals import BROKEN, CLOSE, JSON, Headers, refusal_answer, whole_answer
from oddsmith.server.settings import Settings

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
AtOnce: TypeAlias = Callable[[Scope, bytes, Headers], tuple[bytes, bool]]
"""Answers a whole request, with headers that are sent anyway: what to send, and whether the connection ends with it."""

LARGEST_BODY: Final = 64 * 1024
LARGEST_RECORD: Final = 512 * 1024
"""As long as what is sent with a record may be: the longest matches have records of some hundred KiB."""
HOUSEHOLD: Final = 4
"""How many seats' worth of requests an address may make: several may live there."""
OPENING: Final = 10
"""What it costs to open a match, in requests: each stays in the store."""
PAGE: Final = 0.25
"""What it costs to look at a page or one of its files, in requests: a browser asks for many at once."""
API: Final = "/api/"
SECONDS_OF_A_REQUEST: Final = 0.001
"""What is answered while everybody waits counts as one more request for each time that it takes so long."""
LONGEST_PACE: Final = 5.0
MATCHES: Final = "/api/v1/matches"
SOCKET: Final = re.compile(r"/api/v1/matches/([^/]{1,100})/socket")
REQUEST_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
UNLIMITED: Final = ("/healthz", "/readyz", "/metrics")
POSTED: Final = ("matches", "join", "act", "leave", "records")
"""What is sent JSON; questions are, too."""
SAFE: Final = ("GET", "HEAD", "OPTIONS")
ASKED: Final = frozenset(
    (
        b"origin",
        b"host",
        b"authorization",
        b"content-type",
        b"content-length",
        b"x-forwarded-for",
        b"x-request-id",
        b"access-control-request-method",
    )
)
PREFLIGHT: Final = (
    (b"access-control-allow-methods", b"GET, POST"),
    (b"access-control-allow-headers", b"authorization, content-type"),
    (b"access-control-max-age", b"600"),
    (b"content-length", b"0"),
)
EXPOSED: Final = (b"access-control-expose-headers", b"retry-after, x-request-id")


class Watching(Protocol):
    """Shows a match to a socket."""

    async def __call__(
        self, scope: Scope, receive: Receive, send: Send, *, match: str, visit: "Visit"
    ) -> None:
        """Show it until the socket closes."""
        ...


class Visit:
    """One request or socket: from where, with which token, under which id, and how often it may still ask."""

    route: str | None = None
    """What it is counted as, where its address does not say so."""

    def __init__(self, door: "Door", scope: Scope) -> None:
        self._door = door
        said: dict[bytes, bytes] = {name: value for name, value in scope["headers"] if name in ASKED}
        self.said = said
        peer = (scope.get("client") or ("unix", 0))[0]
        forwarded = said.get(b"x-forwarded-for")
        heard = None if forwarded is None else forwarded.decode("latin-1")
        self.address = true_address(peer, heard, door.proxies)
        self.key = visitor(self.address)
        given = said.get(b"x-request-id", b"").decode("latin-1") if heard and self.address != peer else ""
        self.id = given if given and REQUEST_ID.fullmatch(given) else door.next_id()
        self.began = time.perf_counter()

    @property
    def log(self) -> Any:  # noqa: ANN401  structlog's
        """Return a log that says which request it is about."""
        return self._door.log.bind(request=self.id, address=self.address)

    @property
    def origin(self) -> str | None:
        """Return the page that asks, if one does."""
        origin = self.said.get(b"origin")
        return None if origin is None else origin.decode("latin-1")

    @property
    def is_from_allowed_origin(self) -> bool:
        """Whether no page asks, or one that may."""
        if b"origin" not in self.said:
            return True
        host = self.said.get(b"host", b"").decode("latin-1")
        return is_allowed_origin(self.origin, host or None, self._door.settings.origins)

    def token(self) -> str | None:
        """Return the token of a request; it comes in a header, never in the address."""
        given = self.said.get(b"authorization")
        if given is None:
            return None
        scheme, _, token = given.decode("latin-1").partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token or len(token) > 64:  # noqa: PLR2004  as long as tokens are
            raise InputError("bad_authorization", "send the seat's token as 'Authorization: Bearer …'")
        return token

    def require_patience(self, token: str | None) -> None:
        """Refuse a token from where too many wrong ones came, and one that is used too often."""
        if token is None:
            return
        wait = self._door.failures.wait(self.key)
        if wait:
            raise TooManyError.until(
                InputError("too_many_failures", "too many wrong tokens came from your address"), wait
            )
        wait = self._door.seats.take(digest(token))
        if wait:
            raise TooManyError.until(InputError("too_many_requests", "this seat asks too often"), wait)

    def fail(self) -> None:
        """Remember that a token was wrong."""
        self._door.failures.take(self.key)

    async def pace(self, token: str | None) -> None:
        """Let who sends too much over a socket wait; what it sends meanwhile stays with it."""
        waits = [self._door.addresses.take(self.key)]
        if token is not None:
            waits.append(self._door.seats.take(digest(token)))
        if max(waits):
            self._door.metrics.limited("socket")
            await asyncio.sleep(min(LONGEST_PACE, max(waits)))


class TooManyError(InputError):
    """Something was asked for too often; it may be asked for again after so many seconds."""

    wait: float

    @classmethod
    def until(cls, error: InputError, wait: float) -> Self:
        """Return a refusal that says when to ask again."""
        sentence = f"{error.refusal.sentence}: ask again in {max(1, ceil(wait))} s"
        late = cls(error.refusal.code, sentence)
        late.wait = wait
        return late


class Door:
    """The application, behind everything that is checked of every request."""

    def __init__(self, app: Application, watching: Watching, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._watching = watching
        self.settings = settings
        self.metrics = metrics
        self.proxies = networks(settings.proxies)
        self.seats = Buckets(rate=settings.requests_per_second, burst=settings.burst)
        self.addresses = Buckets(
            rate=settings.requests_per_second * HOUSEHOLD, burst=settings.burst * HOUSEHOLD
        )
        self.failures = Buckets(rate=settings.failures_per_minute / 60, burst=settings.failures_per_minute)
        self.sockets = Turnstile(most=settings.connections_per_address)
        self.log = structlog.get_logger().bind()
        self._logs_answers = settings.log in ("debug", "info")
        self._name = secrets.token_hex(6)
        self._count = count()

    def next_id(self) -> str:
        """Return an id that no other request has, of whichever process."""
        return f"{self._name}-{next(self._count):x}"

    def answered_at_once(
        self, scope: Scope, body: bytes, usual: Headers, answer: Callable[[bytes], bytes]
    ) -> tuple[bytes, bool]:
        """Answer a whole request by what answers its body; return what to send, and whether it is the last.

        All is checked, counted and logged as of any other request; `usual` headers are sent before others.
        """
        visit, status = Visit(self, scope), 200
        headers: list[tuple[bytes, bytes]]
        try:
            self._require_admitted(scope, visit)
            _require_short(body)
            reply = answer(body)
        except OddsmithError as error:
            status, headers, reply = self._refusal(error)
        except Exception:
            visit.log.exception("failed", method=scope["method"], path=scope["path"])
            status, headers, reply = self._refusal(InputError.of(BROKEN))
        else:
            headers = [(b"content-type", JSON), (b"content-length", b"%d" % len(reply))]
        seconds = self._note(scope, visit, status)
        if seconds >= SECONDS_OF_A_REQUEST:
            self.addresses.charge(visit.key, seconds // SECONDS_OF_A_REQUEST)
        return whole_answer(status, [*usual, *headers, *self._about(visit)], reply), CLOSE in headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hold a socket."""
        visit = scope["visit"] = Visit(self, scope)
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send, visit)
            return
        status, sent = 0, False

        async def sending(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status, sent = message["status"], True
                message["headers"] = [
                    *with_usual_headers(message.get("headers", ())),
                    *self._about(visit),
                ]
            await send(message)

        try:
            await self._answer(scope, receive, sending, visit)
        except OddsmithError as error:
            await self._refuse(error, sending)
        except Exception:
            visit.log.exception("failed", method=scope["method"], path=scope["path"])
            if sent:
                raise
            await self._refuse(InputError.of(BROKEN), sending)
        self._note(scope, visit, status)

    def _note(self, scope: Scope, visit: Visit, status: int) -> float:
        """Count and log a request that was answered, and return how many seconds that took."""
        if status == 403 and b"authorization" in visit.said:  # noqa: PLR2004  forbidden
            visit.fail()
        seconds = time.perf_counter() - visit.began
        route = visit.route or route_of(scope["path"])
        self.metrics.answered(route, scope["method"], status, seconds)
        if self._logs_answers:
            self.log.info(
                "answered",
                request=visit.id,
                address=visit.address,
                method=scope["method"],
                route=route,
                path=scope["path"][:200],
                status=status,
                ms=round(seconds * 1000, 2),
            )
        return seconds

    def _require_admitted(self, scope: Scope, visit: Visit) -> None:
        if scope["path"] not in UNLIMITED:
            self._require_few(scope, visit)
            visit.require_patience(visit.token())
        self._require_decent(scope, visit)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, visit: Visit) -> None:
        self._require_admitted(scope, visit)
        if scope["method"] == "OPTIONS" and b"access-control-request-method" in visit.said:
            await send({"type": "http.response.start", "status": 204, "headers": [*PREFLIGHT]})
            await send({"type": "http.response.body", "body": b""})
        else:
            await self._app(scope, _bounded(receive, _largest(scope["path"])), send)

    def _require_few(self, scope: Scope, visit: Visit) -> None:
        wait = self.addresses.take(visit.key, _cost(scope))
        if wait:
            raise TooManyError.until(InputError("too_many_requests", "your address asks too often"), wait)

    def _require_decent(self, scope: Scope, visit: Visit) -> None:
        """Refuse what comes from a strange page, tells a secret in its address, or is no JSON of bounded length."""
        if scope["query_string"] and _tells_a_token(scope["query_string"]):
            raise InputError("token_in_address", "a token is never part of an address: send it in a header")
        method = scope["method"]
        if (method not in SAFE or b"access-control-request-method" in visit.said) and (
            not visit.is_from_allowed_origin
        ):
            raise InputError("bad_origin", "pages of this origin may not speak to this server")
        if method == "POST" and (route_of(scope["path"]) in POSTED or is_question(scope["path"])):
            kind = visit.said.get(b"content-type", b"")
            if kind != JSON and kind.partition(b";")[0].strip().lower() != JSON:
                raise InputError("not_json", "send JSON, with content-type application/json")
        length = visit.said.get(b"content-length", b"0")
        largest = _largest(scope["path"])
        if not length.isdigit() or int(length[:20]) > largest:
            raise _too_large(largest)

    def _about(self, visit: Visit) -> list[tuple[bytes, bytes]]:
        about = [(b"x-request-id", visit.id.encode())]
        if self.settings.origins:
            about.append((b"vary", b"origin"))
            if visit.origin in self.settings.origins:
                about += [(b"access-control-allow-origin", visit.said[b"origin"]), EXPOSED]
        return about

    async def _refuse(self, error: OddsmithError, send: Send) -> None:
        status, headers, body = self._refusal(error)
        if error.refusal.code == "method_not_allowed":
            headers.append((b"allow", b"POST"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _refusal(self, error: OddsmithError) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        wait = error.wait if isinstance(error, TooManyError) else None
        if wait is not None:
            self.metrics.limited(error.refusal.code)
        return refusal_answer(error, retry_after=wait)

    async def _socket(self, scope: Scope, receive: Receive, send: Send, visit: Visit) -> None:
        """Let a socket in, or say why not before it is one."""
        try:
            match = self._require_socket(scope, visit)
        except OddsmithError as error:
            status, headers, body = self._refusal(error)
            about = [*headers, *HEADERS, *self._about(visit)]
            await send({"type": "websocket.http.response.start", "status": status, "headers": about})
            await send({"type": "websocket.http.response.body", "body": body})
            self.metrics.answered("socket", "GET", status, time.perf_counter() - visit.began)
            return
        self.metrics.answered("socket", "GET", 101, time.perf_counter() - visit.began)
        visit.log.info("socket opened", match=match)
        try:
            await self._watching(scope, receive, send, match=match, visit=visit)
        finally:
            self.sockets.leave(visit.key)
            visit.log.info("socket closed", match=match)

    def _require_socket(self, scope: Scope, visit: Visit) -> str:
        """Return the match that a socket is about; it is inside when this returns."""
        self._require_few(scope, visit)
        found = SOCKET.fullmatch(scope["path"])
        if found is None:
            raise InputError("not_found", "there is no socket at this address")
        if scope["query_string"]:
            raise InputError("bad_query", "a socket's address has no query: the first frame says who looks")
        if not visit.is_from_allowed_origin:
            raise InputError("bad_origin", "pages of this origin may not speak to this server")
        if not self.sockets.enter(visit.key):
            self.metrics.limited("too_many_connections")
            raise InputError("too_many_connections", "too many sockets are open from your address")
        return found[1]


def visit_of(scope: Scope) -> Visit:
    """Return the visit that a request was let in as."""
    visit: Visit = scope["visit"]
    return visit


def _cost(scope: Scope) -> float:
    path: str = scope["path"]
    if path == MATCHES and scope["type"] == "http" and scope["method"] == "POST":
        return OPENING
    return 1 if path.startswith(API) else PAGE


def _tells_a_token(query: bytes) -> bool:
    return any(
        name.lower() == "token" for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    )


def _largest(path: str) -> int:
    return LARGEST_RECORD if route_of(path) == "records" else LARGEST_BODY


def _too_large(largest: int) -> InputError:
    return InputError("body_too_large", f"a request has at most {largest:,} bytes here")


def _require_short(body: bytes) -> None:
    if len(body) > LARGEST_BODY:
        raise _too_large(LARGEST_BODY)


def _bounded(receive: Receive, largest: int) -> Receive:
    """Return what receives a body, and refuses one that is too long or ends early."""
    length = 0

    async def receiving() -> Message:
        nonlocal length
        message = await receive()
        if message["type"] != "http.request":
            raise InputError("request_ended", "the request ended before it was whole")
        length += len(message.get("body", b""))
        if length > largest:
            raise _too_large(largest)
        return message

    return receiving

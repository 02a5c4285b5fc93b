"""The server as an ASGI application: one table of operations within middleware, and a socket for each viewer of a match."""

import asyncio
import re
import time
from collections.abc import Coroutine, Iterable
from functools import lru_cache
from typing import Any, Final, Self

import structlog

from oddsmith import wire
from oddsmith.errors import InputError, NotFoundError, OddsmithError, UnavailableError
from oddsmith.registry import load_mechanics
from oddsmith.server import game_operations
from oddsmith.server.asgi import Receive, Scope, Send
from oddsmith.server.buckets import ConnectionCount, too_many_connections
from oddsmith.server.http_application import HttpApplication
from oddsmith.server.match_operations import MatchOperations
from oddsmith.server.matches import MatchService
from oddsmith.server.metrics import Metrics
from oddsmith.server.middleware.access_log import AccessLog
from oddsmith.server.middleware.error_responses import error_response
from oddsmith.server.middleware.headers import ResponseHeaders
from oddsmith.server.middleware.origins import Origins
from oddsmith.server.middleware.rate_limits import RateLimits
from oddsmith.server.middleware.size_limits import check_size
from oddsmith.server.openapi import description
from oddsmith.server.pages import MOST_PREFIXES, PageFiles, Pages, built_pages
from oddsmith.server.question_operations import question_operations
from oddsmith.server.request import API, Operation, Request, Response, bytes_response, json_response
from oddsmith.server.requests import Said
from oddsmith.server.services import Services
from oddsmith.server.settings import Settings
from oddsmith.server.sockets import SocketSession
from oddsmith.store import open_store
from oddsmith.store.model import Store

SOCKET: Final = re.compile(rf"{API}/matches/([^/]{{1,100}})/socket")
SECONDS_READY: Final = 1.0
"""How long an answer about readiness is cached: asking the store costs a write."""
DENIAL: Final = "websocket.http.response"
"""The extension of ASGI that answers the request for a socket with HTTP."""
POLICY: Final = 1008


class Application:
    """All that a server answers, as an ASGI application; matches are played between `start` and `stop`.

    An ASGI server starts and stops it by the lifespan protocol. A host that mounts it does so as an asynchronous context
    manager, `async with application:`, in its own lifespan: it may be entered again after it was left. Requests before
    that are answered with 503 and the code `not_running`.
    """

    def __init__(self, settings: Settings, store: Store | None = None, pages: Pages | None = None) -> None:
        self._settings = settings
        self._given_store = store
        self._metrics = Metrics()
        self._services = Services()
        self._limits = RateLimits(settings, self._metrics)
        self._origins = Origins(settings.origins)
        self._headers = ResponseHeaders(settings.origins)
        self._access_log = AccessLog(self._metrics, is_logged=settings.log in ("debug", "info"))
        self._sockets = ConnectionCount(most=settings.connections_per_address)
        self._operations = (*api_operations(self._services), *self._status_operations())
        self._http = HttpApplication(
            self._operations,
            checks=(
                self._limits.check,
                self._origins,
                check_size,
                PageFiles(built_pages() if pages is None else pages),
            ),
            finishers=(self._limits.finish, self._headers, self._access_log),
            proxies=settings.proxies,
        )
        self._log = structlog.get_logger().bind()
        self._described: dict[str, Any] | None = None
        self._encoded = lru_cache(maxsize=MOST_PREFIXES)(self._encode_description)
        self._ready = (0.0, False)
        self._asking: asyncio.Task[bool] | None = None
        self._is_running = False
        self.is_stopping = False

    @property
    def matches(self) -> MatchService:
        """The matches, while the server runs."""
        return self._services.matches

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Coroutine[Any, Any, None]:
        """Answer as ASGI has it."""
        kind = scope["type"]
        if kind == "lifespan":
            return self._live(receive, send)
        if not self._is_running:
            return self._refuse(scope, self._http.request(scope, receive), send, not_running())
        return self._http(scope, receive, send) if kind == "http" else self._watch(scope, receive, send)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Open the store, where none was given, and resume its matches."""
        if self._is_running:
            raise InputError(
                "already_running", "this application runs already: stop it before it is started again"
            )
        given = self._given_store
        self._store = await asyncio.to_thread(open_store, self._settings.store) if given is None else given
        matches = MatchService(
            self._store, metrics=self._metrics, days_to_desertion=self._settings.days_to_desertion
        )
        self._services.matches = matches
        try:
            await matches.start()
        except OddsmithError:
            await asyncio.to_thread(self._store.close)
            raise
        await asyncio.to_thread(_load_mechanics)
        self._ready = (0.0, False)
        self.is_stopping = False
        self._is_running = True

    async def rest(self) -> None:
        """Take no more commands, and finish what waits to be written."""
        self.is_stopping = True
        await self.matches.drain()

    async def stop(self) -> None:
        """Finish what waits to be written, and close everything; where nothing runs, do nothing."""
        if not self._is_running:
            return
        self._is_running = False
        await self.matches.stop()
        await asyncio.to_thread(self._store.close)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Start and stop as the ASGI server says."""
        await receive()
        try:
            await self.start()
        except OddsmithError as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})

    # --- sockets -----------------------------------------------------------------------------------------------------

    async def _watch(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a socket."""
        request = self._http.request(scope, receive)
        request.route = "socket"
        try:
            match = self._require_socket(request)
        except OddsmithError as error:
            await self._refuse(scope, request, send, error)
            return
        self._access_log.note(request, 101)
        session = SocketSession(
            request,
            receive,
            send,
            matches=self.matches,
            metrics=self._metrics,
            limits=self._limits,
            match=match,
        )
        request.bound_log().info("socket opened", match=match)
        try:
            await session.serve()
        finally:
            self._sockets.leave(request.client)
            request.bound_log().info("socket closed", match=match)

    async def _refuse(self, scope: Scope, request: Request, send: Send, error: OddsmithError) -> None:
        """Answer a request, or that for a socket, with an error.

        Where the ASGI server cannot answer sockets with HTTP, the socket is closed with the code of the error.
        """
        status, headers, body = error_response(error)
        self._access_log.note(request, status)
        if request.is_socket and DENIAL not in (scope.get("extensions") or {}):
            await send({"type": "websocket.close", "code": POLICY, "reason": error.refusal.code})
            return
        kind = DENIAL if request.is_socket else "http.response"
        headers += self._headers.of(request, headers)
        await send({"type": f"{kind}.start", "status": status, "headers": headers})
        await send({"type": f"{kind}.body", "body": body})

    def _require_socket(self, request: Request) -> str:
        """Return the match of a socket; it is counted when this returns."""
        self._limits.check_address(request)
        found = SOCKET.fullmatch(request.path)
        if found is None:
            raise NotFoundError("not_found", "there is no socket at this address")
        if request.query_string:
            raise InputError("bad_query", "a socket's address has no query: the first frame says who looks")
        self._origins.require_allowed(request)
        if not self._sockets.enter(request.client):
            self._metrics.limited("too_many_connections")
            raise too_many_connections()
        return found[1]

    # --- how the server is -------------------------------------------------------------------------------------------

    def _status_operations(self) -> Iterable[Operation]:
        return (
            Operation(
                method="GET",
                path="/healthz",
                name="health",
                summary="Say that the process answers.",
                handler=self._show_health,
                reply=Said,
                cost=None,
            ),
            Operation(
                method="GET",
                path="/readyz",
                name="readiness",
                summary="Say whether it can play.",
                handler=self._show_readiness,
                reply=Said,
                other_replies={503: Said},
                cost=None,
            ),
            Operation(
                method="GET",
                path="/metrics",
                name="metrics",
                summary="Show what was counted, as Prometheus scrapes it.",
                handler=self._show_metrics,
                cost=None,
                is_described=False,
            ),
            Operation(
                method="GET",
                path=f"{API}/openapi.json",
                name="openapi",
                summary="Describe the interface.",
                handler=self._show_openapi,
                is_described=False,
            ),
        )

    async def _show_health(self, request: Request) -> Response:  # noqa: ARG002  as every handler
        return json_response(Said(status="ok"))

    async def _show_readiness(self, request: Request) -> Response:  # noqa: ARG002  as above
        if self.is_stopping:
            return json_response(Said(status="stopping"), 503)
        ready = await self.is_ready()
        return json_response(Said(status="ready" if ready else "store away"), 200 if ready else 503)

    async def _show_metrics(self, request: Request) -> Response:  # noqa: ARG002  as above
        return bytes_response(self._metrics.page(), media=b"text/plain; version=0.0.4; charset=utf-8")

    async def _show_openapi(self, request: Request) -> Response:
        return bytes_response(await asyncio.to_thread(self.openapi, request.prefix))

    async def is_ready(self) -> bool:
        """Say whether matches can be kept now; many who ask at once are told the same."""
        asked_at, ready = self._ready
        if time.monotonic() < asked_at + SECONDS_READY:
            return ready
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask_store())
        return await asyncio.shield(self._asking)

    async def _ask_store(self) -> bool:
        try:
            ready = await asyncio.to_thread(self._store.is_ready)
        except Exception as error:  # noqa: BLE001  whatever it is, the store cannot be used
            self._log.warning("not ready", exc_info=error)
            ready = False
        self._ready, self._asking = (time.monotonic(), ready), None
        return ready

    def openapi(self, prefix: str = "") -> bytes:
        """Return the description of the interface below a prefix; it is made when it is first asked for."""
        return self._encoded(prefix)

    def _encode_description(self, prefix: str) -> bytes:
        if self._described is None:
            self._described = description(self._operations)
        return wire.to_json(self._described | ({"servers": [{"url": prefix}]} if prefix else {}))


def api_operations(services: Services) -> Iterable[Operation]:
    """Return the operations of games, matches, records and questions."""
    return (
        *game_operations.operations(),
        *MatchOperations(services).operations(),
        *question_operations(services.slow),
    )


def make_app(settings: Settings, store: Store | None = None, pages: Pages | None = None) -> Application:
    """Return the application; a store that is not given is opened where the settings say.

    Pages that are not given are those that the package was built with.
    """
    return Application(settings, store, pages)


def not_running() -> UnavailableError:
    """Return the error of a request that comes before the application is started, or after it is stopped."""
    return UnavailableError(
        "not_running",
        "the server of matches is not started: the application that it is mounted in starts it in its "
        "lifespan, by 'async with' around the mounted application",
    )


def _load_mechanics() -> None:
    """Load every game with its figures, so that no request waits for that."""
    for mechanic in load_mechanics().values():
        _ = mechanic.game, mechanic.figures

"""The server as an ASGI application: operations within middleware, sockets, health, metrics and the OpenAPI description."""

import asyncio
import re
import time
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal, Self

import structlog

from oddsmith import wire
from oddsmith.errors import InputError, NotFoundError, OddsmithError, UnavailableError
from oddsmith.registry import load_mechanics
from oddsmith.server import game_operations
from oddsmith.server.api_types import StatusReply
from oddsmith.server.asgi import Receive, Scope, Send
from oddsmith.server.buckets import ConnectionCount, too_many_connections_error
from oddsmith.server.charging import metered
from oddsmith.server.docs_site import DocsSite, built_site
from oddsmith.server.http_application import HttpApplication
from oddsmith.server.http_request import API, Operation, Request, Response, bytes_response, json_response
from oddsmith.server.loop_watch import LongCallback, WatchedLoop
from oddsmith.server.match_operations import MatchOperations
from oddsmith.server.matches import MatchService
from oddsmith.server.matches.clock import SteadyClock
from oddsmith.server.matches.retention import RetentionPolicy
from oddsmith.server.mechanic_check import leave_out_broken
from oddsmith.server.metrics import Metrics
from oddsmith.server.middleware.access_log import AccessLog
from oddsmith.server.middleware.error_responses import error_response
from oddsmith.server.middleware.headers import ResponseHeaders
from oddsmith.server.middleware.origins import Origins
from oddsmith.server.middleware.rate_limits import RateLimits
from oddsmith.server.middleware.size_limits import check_size
from oddsmith.server.openapi import description
from oddsmith.server.pages import Pages, built_pages
from oddsmith.server.question_operations import question_operations
from oddsmith.server.reload_operations import ReloadState, mark_generation, reload_operations
from oddsmith.server.rule_calls import RuleCalls
from oddsmith.server.services import Services
from oddsmith.server.settings import Settings
from oddsmith.server.sockets import POLICY, TRY_LATER, SocketSession
from oddsmith.server.static_files import MOST_PREFIXES, StaticFiles
from oddsmith.store import open_store
from oddsmith.store.model import Store

SOCKET: Final = re.compile(rf"{API}/matches/([^/]{{1,100}})/socket")
SECONDS_READY: Final = 1.0
"""The time for which readiness is cached: checking the store costs a write."""
SECONDS_TO_CHECK: Final = 0.8
"""The time after which a store that has not answered a check is not ready."""
DENIAL: Final = "websocket.http.response"
"""The extension of ASGI for an HTTP response to a WebSocket handshake."""


class Application:
    """The ASGI application of a server; it serves matches between `start` and `stop`.

    An ASGI server starts and stops it by the lifespan protocol. A host that mounts it uses it as an asynchronous context
    manager in its own lifespan, `async with application:`, which may be entered again after its exit. Requests outside of
    that are answered with 503 and the code `not_running`.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store | None = None,
        pages: Pages | None = None,
        docs: DocsSite | None = None,
        reload: ReloadState | None = None,
        *,
        clock: SteadyClock | None = None,
    ) -> None:
        leave_out_broken()
        self._settings = settings
        self._given_store = store
        self._clock = clock
        self._metrics = Metrics()
        self._services = Services(RuleCalls(settings.rule_seconds))
        self._limits = RateLimits(settings, self._metrics)
        self._origins = Origins(settings.origins)
        self._headers = ResponseHeaders(settings.origins)
        self._access_log = AccessLog(self._metrics, is_logged=settings.log in ("debug", "info"))
        self._sockets = ConnectionCount(most=settings.connections_per_address)
        self._operations = (*api_operations(self._services), *self._status_operations())
        shown_pages = built_pages() if pages is None else pages
        if reload is not None:
            self._operations += (*reload_operations(reload, self._services.rules),)
            shown_pages = mark_generation(shown_pages, reload.generation)
        self._http = HttpApplication(
            self._operations,
            checks=(
                self._limits.check,
                self._origins,
                check_size,
                StaticFiles(built_site() if docs is None else docs, "docs"),
                StaticFiles(shown_pages, "pages"),
            ),
            finishers=(self._limits.finish, self._headers, self._access_log),
            proxies=settings.proxies,
        )
        self._log = structlog.get_logger().bind()
        self._description: dict[str, Any] | None = None
        self._encoded_description = lru_cache(maxsize=MOST_PREFIXES)(self._encode_description)
        self._ready = (0.0, False)
        self._readiness_check: asyncio.Task[bool] | None = None
        self._is_running = False
        self.is_stopping = False

    @property
    def matches(self) -> MatchService:
        """The matches, while the server runs."""
        return self._services.matches

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Coroutine[Any, Any, None]:
        """Handle a scope of ASGI: lifespan, HTTP or WebSocket."""
        kind = scope["type"]
        if kind == "lifespan":
            return self._run_lifespan(receive, send)
        if not self._is_running:
            return self._refuse(scope, self._http.request(scope, receive), send, not_running_error())
        return (
            self._http(scope, receive, send) if kind == "http" else self._serve_socket(scope, receive, send)
        )

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Open the store, if none was given, and start the matches.

        Raises `InputError` where the application runs already, `StoreError` where the store cannot be used.
        """
        if self._is_running:
            raise InputError(
                "already_running", "this application runs already: stop it before it is started again"
            )
        self._watch_loop()
        given = self._given_store
        self._store = await asyncio.to_thread(open_store, self._settings.store) if given is None else given
        matches = MatchService(
            self._store,
            metrics=self._metrics,
            clock=self._clock,
            rules=self._services.rules,
            days_to_desertion=self._settings.days_to_desertion,
            most_driven=self._settings.bot_matches_per_address,
            matches_per_address=self._settings.matches_per_address,
            most_live_bytes=self._settings.live_megabytes * 10**6,
            retention=_retention(self._settings),
        )
        self._services.matches = matches
        try:
            await matches.start()
        except OddsmithError:
            await asyncio.to_thread(self._store.close)
            raise
        await asyncio.to_thread(_load_figures)
        self._ready = (0.0, False)
        self.is_stopping = False
        self._is_running = True

    def _watch_loop(self) -> None:
        """Report long callbacks of the event loop, where the settings ask for that."""
        loop, longest = asyncio.get_running_loop(), self._settings.longest_callback
        if longest and isinstance(loop, WatchedLoop):
            loop.watch(longest / 1000, self._report_callback)

    def _report_callback(self, callback: LongCallback) -> None:
        """Count and log a callback of the event loop that took too long."""
        self._metrics.count_long_callback(callback.route)
        self._log.warning(
            "long callback",
            route=callback.route,
            what=callback.what,
            function=callback.function,
            ms=round(callback.seconds * 1000, 2),
        )

    async def drain(self) -> None:
        """Refuse new commands, and wait until those in progress are written."""
        self.is_stopping = True
        await self.matches.drain()

    async def stop(self) -> None:
        """Finish commands in progress, then close the store; does nothing if the application is not running."""
        if not self._is_running:
            return
        self._is_running = False
        await self.matches.stop()
        await asyncio.to_thread(self._store.close)

    async def _run_lifespan(self, receive: Receive, send: Send) -> None:
        """Start and stop by the lifespan protocol."""
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

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the handshake of a socket, and run its session."""
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
            rules=self._services.rules,
            match=match,
        )
        request.bound_log().info("socket opened", match=match)
        try:
            await metered(session.serve())
        finally:
            self._sockets.leave(request.client)
            request.bound_log().info("socket closed", match=match)

    async def _refuse(self, scope: Scope, request: Request, send: Send, error: OddsmithError) -> None:
        """Answer a request or a handshake with an error.

        Without the extension `DENIAL` the socket is accepted, gets the error as a message, and is closed.
        """
        status, headers, body = error_response(error)
        self._access_log.note(request, status)
        if request.is_socket and DENIAL not in (scope.get("extensions") or {}):
            code = POLICY if error.retry_after is None else TRY_LATER
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.send", "text": body.decode()})
            await send({"type": "websocket.close", "code": code, "reason": error.refusal.code})
            return
        kind = DENIAL if request.is_socket else "http.response"
        headers += self._headers.of(request, headers)
        await send({"type": f"{kind}.start", "status": status, "headers": headers})
        await send({"type": f"{kind}.body", "body": body})

    def _require_socket(self, request: Request) -> str:
        """Return the match id of a handshake that is allowed, and count its connection; raises an `OddsmithError` otherwise."""
        self._limits.check_address(request)
        found = SOCKET.fullmatch(request.path)
        if found is None:
            raise NotFoundError("not_found", "there is no socket at this address")
        if request.query_string:
            raise InputError("bad_query", "a socket's address has no query: the first frame names the viewer")
        self._origins.require_allowed(request)
        if not self._sockets.enter(request.client):
            self._metrics.count_limited("too_many_connections")
            raise too_many_connections_error()
        return found[1]

    # --- status ------------------------------------------------------------------------------------------------------

    def _status_operations(self) -> Iterable[Operation]:
        return (
            Operation(
                method="GET",
                path="/healthz",
                name="health",
                summary="Report that the process answers.",
                handler=self._show_health,
                reply=StatusReply,
                cost=None,
            ),
            Operation(
                method="GET",
                path="/readyz",
                name="readiness",
                summary="Report whether the server can play.",
                handler=self._show_readiness,
                reply=StatusReply,
                other_replies={503: StatusReply},
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

    async def _show_health(self, _request: Request) -> Response:
        return json_response(StatusReply(status="ok"))

    async def _show_readiness(self, _request: Request) -> Response:
        if self.is_stopping:
            return json_response(StatusReply(status="stopping"), 503)
        ready = await self.is_ready()
        status: Literal["ready", "store away"] = "ready" if ready else "store away"
        compiling = self.matches.bot_code.compiling
        return json_response(StatusReply(status=status, compiling=compiling), 200 if ready else 503)

    async def _show_metrics(self, _request: Request) -> Response:
        page = await asyncio.to_thread(self._metrics.page)
        return bytes_response(page, media=b"text/plain; version=0.0.4; charset=utf-8")

    async def _show_openapi(self, request: Request) -> Response:
        return bytes_response(await asyncio.to_thread(self.openapi, request.prefix))

    async def is_ready(self) -> bool:
        """Return whether the store can be written; concurrent calls share one check, whose result is cached for a second.

        A check that takes longer than `SECONDS_TO_CHECK` goes on, and the store is not ready until it ends.
        """
        asked_at, ready = self._ready
        if time.monotonic() < asked_at + SECONDS_READY:
            return ready
        if self._readiness_check is None:
            self._readiness_check = asyncio.create_task(self._check_store())
        try:
            async with asyncio.timeout(SECONDS_TO_CHECK):
                return await asyncio.shield(self._readiness_check)
        except TimeoutError:
            self._ready = (time.monotonic(), False)
            return False

    async def _check_store(self) -> bool:
        try:
            ready = await asyncio.to_thread(self._store.is_ready)
        except Exception as error:  # noqa: BLE001  any error means that the store is not ready
            self._log.warning("not ready", exc_info=error)
            ready = False
        self._ready, self._readiness_check = (time.monotonic(), ready), None
        return ready

    def openapi(self, prefix: str = "") -> bytes:
        """Return the OpenAPI description as JSON, for a mount prefix; made on first use and cached."""
        return self._encoded_description(prefix)

    def _encode_description(self, prefix: str) -> bytes:
        if self._description is None:
            self._description = description(self._operations)
        return wire.to_json(self._description | ({"servers": [{"url": prefix}]} if prefix else {}))


def api_operations(services: Services) -> Iterable[Operation]:
    """Return the operations of games, matches, records and questions."""
    return (
        *game_operations.operations(services.rules),
        *MatchOperations(services).operations(),
        *question_operations(services.slow, rules=services.rules),
    )


def make_app(
    settings: Settings,
    store: Store | None = None,
    pages: Pages | None = None,
    docs: DocsSite | None = None,
    *,
    reload: ReloadState | None = None,
    clock: SteadyClock | None = None,
) -> Application:
    """Return the application, by default with the store of the settings, and the pages and documentation of the package.

    With `reload`, its pages show what is wrong with files, and load themselves again after a reload. `clock` is by default
    that of the system.
    """
    return Application(settings, store, pages, docs, reload, clock=clock)


def not_running_error() -> UnavailableError:
    """Return the error of a request while the application is not running."""
    return UnavailableError(
        "not_running",
        "the server of matches is not started: the application that it is mounted in starts it in its "
        "lifespan, by 'async with' around the mounted application",
    )


def _retention(settings: Settings) -> RetentionPolicy:
    return RetentionPolicy(
        days_finished=settings.days_to_keep_finished,
        days_abandoned=settings.days_to_keep_abandoned,
        export=Path(settings.export_folder) if settings.export_folder else None,
    )


def _load_figures() -> None:
    """Load the figures of every mechanic, so that no request has to; those that cannot be loaded are refused when asked for."""
    for mechanic in load_mechanics().values():
        with suppress(Exception):
            _ = mechanic.figures

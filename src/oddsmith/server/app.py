"""The server as an ASGI application."""

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from litestar import Litestar, Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import MethodNotAllowedException, NotFoundException

from oddsmith import wire
from oddsmith.errors import InputError, OddsmithError
from oddsmith.registry import loaded_mechanics
from oddsmith.server.bench import Bench
from oddsmith.server.door import AtOnce, Door, Receive, Scope, Send, Visit, visit_of
from oddsmith.server.hub import Hub
from oddsmith.server.metrics import Metrics
from oddsmith.server.openapi import description
from oddsmith.server.pages import Pages, built_pages, with_pages
from oddsmith.server.question_endpoints import question_paths, quick_answers, with_questions
from oddsmith.server.question_forms import ROUTES as QUESTION_FORMS
from oddsmith.server.refusals import BROKEN, Headers, refusal_answer
from oddsmith.server.requests import Said
from oddsmith.server.routes import API, JSON, ROUTES, offered, reply
from oddsmith.server.rulebooks import ROUTES as RULEBOOKS
from oddsmith.server.settings import Settings
from oddsmith.server.sockets import watch
from oddsmith.store import open_store
from oddsmith.store.model import Store

NOWHERE: Final = f"there is nothing at this address: {API}/openapi.json tells what there is"
SECONDS_READY: Final = 1.0
"""For how long an answer about readiness holds: asking the store costs a write."""


class Application:
    """All that answers requests; matches are played between `start` and `stop`."""

    def __init__(self, settings: Settings, store: Store | None = None, pages: Pages | None = None) -> None:
        self._settings = settings
        self._given = store
        self._metrics = Metrics()
        self._litestar = _litestar(self)
        self._litestar.state.bench = Bench()
        routes = with_pages(self._litestar, built_pages() if pages is None else pages)
        self._door = Door(with_questions(routes), self._watch, settings, self._metrics)
        self.at_once: Mapping[bytes, AtOnce] = {
            path.encode(): self._at_once(path, answer) for path, answer in quick_answers().items()
        }
        self._described: bytes | None = None
        self._ready = (0.0, False)
        self._asking: asyncio.Task[bool] | None = None
        self.is_stopping = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as ASGI has it."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await self._door(scope, receive, send)

    def _at_once(self, path: str, answer: Callable[[bytes], bytes]) -> AtOnce:
        """Return what answers a whole POST to an address."""

        def answered(scope: Scope, body: bytes, usual: Headers) -> tuple[bytes, bool]:
            scope.update(method="POST", path=path, query_string=b"")
            return self._door.answered_at_once(scope, body, usual, answer)

        return answered

    async def start(self) -> None:
        """Open the store, where none was given, and play on with what it holds."""
        given = self._given
        self._store = await asyncio.to_thread(open_store, self._settings.store) if given is None else given
        self.hub = Hub(self._store, metrics=self._metrics, days_to_desertion=self._settings.days_to_desertion)
        self._litestar.state.hub = self.hub
        try:
            await self.hub.start()
        except OddsmithError:
            await asyncio.to_thread(self._store.close)
            raise
        await asyncio.to_thread(_warm_up)

    async def rest(self) -> None:
        """Take no more commands, and finish what waits to be written."""
        self.is_stopping = True
        await self.hub.rest()

    async def stop(self) -> None:
        """Let go of everything."""
        await self.hub.stop()
        await asyncio.to_thread(self._store.close)

    async def is_ready(self) -> bool:
        """Say whether matches can be kept now; many who ask at once are told the same."""
        asked_at, ready = self._ready
        if time.monotonic() < asked_at + SECONDS_READY:
            return ready
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask_whether_ready())
        return await asyncio.shield(self._asking)

    async def _ask_whether_ready(self) -> bool:
        try:
            ready = await asyncio.to_thread(self._store.is_ready)
        except Exception as error:  # whatever it is, the store cannot be used
            self._door.log.warning("not ready", exc_info=error)
            ready = False
        self._ready, self._asking = (time.monotonic(), ready), None
        return ready

    def metrics_page(self) -> bytes:
        """Return what was counted."""
        return self._metrics.page()

    def openapi(self) -> bytes:
        """Return the description of the interface, made when it is first asked for."""
        if self._described is None:
            self._described = wire.to_json(description(question_paths()))
        return self._described

    async def _watch(self, scope: Scope, receive: Receive, send: Send, *, match: str, visit: Visit) -> None:
        await watch(scope, receive, send, hub=self.hub, metrics=self._metrics, match=match, visit=visit)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Start and stop as a server that is not ours says."""
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


def make_app(settings: Settings, store: Store | None = None, pages: Pages | None = None) -> Application:
    """Return the application; a store that is not given is opened where the settings say.

    Pages that are not given are those that the package was built with.
    """
    return Application(settings, store, pages)


def _warm_up() -> None:
    """Load every game, and its odds with its figures, so that nobody waits for it."""
    for mechanic in loaded_mechanics().values():
        _ = mechanic.game, mechanic.figures


def _litestar(application: Application) -> Litestar:
    routes = [*ROUTES, *RULEBOOKS, *QUESTION_FORMS, health, readiness, metrics, openapi]
    return Litestar(
        route_handlers=[*offered(routes, question_paths()), *routes],
        state=State({"application": application}),
        exception_handlers={
            OddsmithError: _refused,
            NotFoundException: _not_found,
            MethodNotAllowedException: _not_allowed,
            Exception: _failed,
        },
        request_max_body_size=None,
        openapi_config=None,
        logging_config=None,
        debug=False,
    )


def _application(request: Request[Any, Any, Any]) -> Application:
    application: Application = request.app.state.application
    return application


@get("/healthz")
async def health() -> Response[bytes]:
    """Say that the process answers."""
    return reply(Said(status="ok"))


@get("/readyz")
async def readiness(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Say whether matches can be kept now."""
    application = _application(request)
    if application.is_stopping:
        return reply(Said(status="stopping"), 503)
    ready = await application.is_ready()
    return reply(Said(status="ready" if ready else "store away"), 200 if ready else 503)


@get("/metrics")
async def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return what was counted, in the form that Prometheus scrapes."""
    page = _application(request).metrics_page()
    return Response(page, media_type="text/plain; version=0.0.4")


@get(f"{API}/openapi.json")
async def openapi(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the description of the interface."""
    return Response(_application(request).openapi(), media_type=JSON)


def _refused(_: Request[Any, Any, Any], error: OddsmithError) -> Response[bytes]:
    status, headers, body = refusal_answer(error)
    kept = {name.decode(): value.decode() for name, value in headers if name not in _OWN}
    return Response(body, media_type=JSON, status_code=status, headers=kept)


_OWN: Final = (b"content-type", b"content-length")
"""What Litestar says by itself."""


def _not_found(request: Request[Any, Any, Any], _: NotFoundException) -> Response[bytes]:
    return _refused(request, InputError("not_found", NOWHERE))


def _not_allowed(request: Request[Any, Any, Any], error: MethodNotAllowedException) -> Response[bytes]:
    """Say in our words what Litestar refuses, and in its own which methods there are."""
    answer = _refused(request, InputError("method_not_allowed", "this address does something else"))
    answer.headers.update(error.headers or {})
    return answer


def _failed(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    visit_of(cast("Scope", request.scope)).log.error(
        "failed", method=request.method, path=request.url.path, exc_info=error
    )
    return _refused(request, InputError.of(BROKEN))

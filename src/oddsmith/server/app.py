"""The server as an ASGI application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from litestar import Litestar, Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from oddsmith import wire
from oddsmith.errors import OddsmithError, Refusal
from oddsmith.server.guard import HEADERS
from oddsmith.server.hub import Hub
from oddsmith.server.questions import with_questions
from oddsmith.server.routes import JSON, ROUTES
from oddsmith.server.settings import Settings
from oddsmith.server.sockets import watch
from oddsmith.store import open_store
from oddsmith.store.model import Store

__all__ = ["make_app"]

LARGEST_BODY: Final = 64 * 1024
STATUSES: Final = {
    "unknown_match": 404,
    "unknown_game": 404,
    "no_token": 401,
    "bad_token": 403,
    "match_running": 409,
    "busy": 503,
    "store_away": 503,
}
"""The status of a refusal; any other is 400."""


def make_app(settings: Settings, store: Store | None = None) -> Any:  # noqa: ANN401  an ASGI application
    """Return the application; a store that is not given is opened where the settings say."""

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        kept = store or open_store(settings.store)
        hub = Hub(kept)
        await hub.start()
        app.state.hub, app.state.store = hub, kept
        try:
            yield
        finally:
            await hub.stop()
            kept.close()

    app = Litestar(
        route_handlers=[*ROUTES, watch, health, readiness],
        lifespan=[running],
        state=State({"settings": settings}),
        exception_handlers={OddsmithError: _refused, HTTPException: _http_refused},
        request_max_body_size=LARGEST_BODY,
        openapi_config=None,
        middleware=[],
    )
    return with_headers(with_questions(app))


def with_headers(app: Any) -> Any:  # noqa: ANN401  ASGI applications
    """Return the application with the security headers on every answer."""

    async def answering(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  as ASGI has it
        async def sending(message: Any) -> None:  # noqa: ANN401  as ASGI has it
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        await app(scope, receive, sending)

    return answering


@get("/healthz")
async def health() -> Response[bytes]:
    """Say that the process answers."""
    return Response(b'{"status":"ok"}', media_type=JSON)


@get("/readyz")
async def readiness(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Say whether matches can be kept now."""
    ready = request.app.state.store.is_ready()
    body = b'{"status":"ready"}' if ready else b'{"status":"store away"}'
    return Response(body, media_type=JSON, status_code=200 if ready else 503)


def _refused(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:  # noqa: ARG001  as Litestar calls it
    refusal = error.refusal if isinstance(error, OddsmithError) else Refusal("error", "something went wrong")
    return Response(
        wire.to_json({"refusal": refusal}), media_type=JSON, status_code=STATUSES.get(refusal.code, 400)
    )


def _http_refused(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:  # noqa: ARG001  as above
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = error.detail if isinstance(error, HTTPException) else "something went wrong"
    codes = {404: "not_found", 405: "method_not_allowed", 413: "body_too_large"}
    refusal = Refusal(codes.get(status, "bad_request"), detail)
    return Response(wire.to_json({"refusal": refusal}), media_type=JSON, status_code=status)

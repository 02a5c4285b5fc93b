"""Middleware: functions around a handler, each with one job.

A middleware takes a request and the next handler, and returns a response; it may raise an error, which the one that makes
responses of errors answers.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from oddsmith.server.request import Handler, Request, Response

Middleware: TypeAlias = Callable[[Request, Handler], Awaitable[Response]]


def compose(middleware: Sequence[Middleware], handler: Handler) -> Handler:
    """Return the handler within all middleware; the first is the outermost."""
    for one in reversed(middleware):
        handler = _within(one, handler)
    return handler


def _within(middleware: Middleware, handler: Handler) -> Handler:
    async def handle(request: Request) -> Response:
        return await middleware(request, handler)

    return handle

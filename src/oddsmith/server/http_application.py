"""The path of an HTTP request: routing, checks, the handler of its operation, finishers, the response."""

import re
import secrets
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Final

import structlog

from oddsmith.errors import OddsmithError
from oddsmith.server.addresses import client_address, client_key, parse_networks
from oddsmith.server.asgi import Receive, Scope, Send
from oddsmith.server.charging import metered
from oddsmith.server.http_request import Operation, Request
from oddsmith.server.middleware import Check, Finisher
from oddsmith.server.middleware.error_responses import error_response, failure_response
from oddsmith.server.routing import Router

REQUEST_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}")


class HttpApplication:
    """An ASGI application that answers HTTP requests by a table of operations.

    A request passes the `checks` in their order, then the handler of its operation. Its response, or that to an error
    which one of them raised, passes the `finishers`. `proxies` are networks whose `X-Forwarded-For` is trusted.
    """

    def __init__(
        self,
        operations: Iterable[Operation],
        *,
        checks: Sequence[Check] = (),
        finishers: Sequence[Finisher] = (),
        proxies: Sequence[str] = (),
    ) -> None:
        self._router = Router(operations)
        self._checks = tuple(checks)
        self._finishers = tuple(finishers)
        self._proxies = parse_networks(proxies)
        self._name = secrets.token_hex(6)
        self._count = count()
        self._log = structlog.get_logger().bind()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        request = self.request(scope, receive)
        self._router.route(request)
        try:
            for check in self._checks:
                response = check(request)
                if response is not None:
                    break
            else:
                operation = request.operation
                if operation is None:
                    response = self._router.answer_unrouted(request)
                else:
                    answer = operation.handler(request)
                    response = await (answer if operation.cost is None else metered(answer))
        except OddsmithError as error:
            response = error_response(error)
        except Exception:  # noqa: BLE001  a defect is logged, and answered like any other error
            response = failure_response(request)
        for finish in self._finishers:
            finish(request, response)
        await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
        await send({"type": "http.response.body", "body": response.body})

    def request(self, scope: Scope, receive: Receive) -> Request:
        """Return the request of a scope, with the address of its client and a unique id."""
        peer = (scope.get("client") or ("unix", 0))[0]
        address, number = peer, f"{self._name}-{next(self._count):x}"
        if self._proxies:
            headers = dict(scope["headers"])
            forwarded = headers.get(b"x-forwarded-for", b"").decode("latin-1")
            address = client_address(peer, forwarded or None, self._proxies)
            given = headers.get(b"x-request-id", b"").decode("latin-1")
            if address != peer and REQUEST_ID.fullmatch(given):
                number = given
        return Request(
            scope, receive, request_id=number, address=address, client=client_key(address), log=self._log
        )

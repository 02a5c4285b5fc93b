"""Routing: finds the operation of a request by its path and method."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from oddsmith.errors import MethodError, NotFoundError
from oddsmith.server.http_request import API, Operation, Request, Response

DOCUMENTED_AT: Final = f"{API}/openapi.json"
PARAMETER: Final = re.compile(r"\{(\w+)\}")


class Router:
    """Finds the operation of a request.

    A parameter of a path matches one segment. A slash at the end of a path is ignored.
    """

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._fixed: dict[str, dict[str, Operation]] = {}
        self._open: list[tuple[re.Pattern[str], dict[str, Operation]]] = []
        open_paths: dict[str, dict[str, Operation]] = {}
        for operation in operations:
            paths = open_paths if PARAMETER.search(operation.path) else self._fixed
            paths.setdefault(operation.path, {})[operation.method] = operation
        for path, methods in open_paths.items():
            self._open.append((re.compile(PARAMETER.sub(r"(?P<\1>[^/]+)", path)), methods))

    def route(self, request: Request) -> None:
        """Set the operation, the route and the parameters of a request, if an operation matches."""
        methods = self._methods(request)
        operation = methods.get(request.method)
        if operation is not None:
            request.operation = operation
            request.route = operation.route or operation.name

    def _methods(self, request: Request) -> Mapping[str, Operation]:
        path = request.path
        found = self._fixed.get(path)
        if found is not None:
            return found
        if len(path) > 1 and path.endswith("/"):
            path = path[:-1]
            if path in self._fixed:
                return self._fixed[path]
        for pattern, methods in self._open:
            match = pattern.fullmatch(path)
            if match is not None:
                request.parameters = match.groupdict()
                return methods
        return {}

    def answer_unrouted(self, request: Request) -> Response:
        """Return the response to OPTIONS; raise `NotFoundError` or `MethodError` for any other request without an operation."""
        allowed = tuple(sorted({*self._methods(request), "OPTIONS"}))
        if allowed == ("OPTIONS",):
            raise NotFoundError(
                "not_found",
                f"there is nothing at this address: {request.prefix}{DOCUMENTED_AT} lists all addresses",
            )
        if request.method == "OPTIONS":
            return Response(204, [(b"allow", ", ".join(allowed).encode())], b"")
        error = MethodError("method_not_allowed", f"this address takes {', '.join(allowed[:-1])}")
        error.allowed = allowed
        raise error

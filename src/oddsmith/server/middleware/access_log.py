"""Finisher that counts and logs every request with its status and duration."""

import time

import structlog

from oddsmith.server.http_request import Request, Response
from oddsmith.server.metrics import Metrics


class AccessLog:
    """Counts requests in the metrics, and logs them if `is_logged`."""

    def __init__(self, metrics: Metrics, *, is_logged: bool) -> None:
        self._metrics = metrics
        self._is_logged = is_logged
        self._log = structlog.get_logger().bind()

    def __call__(self, request: Request, response: Response) -> None:
        """Count and log a request with its response."""
        self.note(request, response.status)

    def note(self, request: Request, status: int) -> None:
        """Count and log a request with the status of its response."""
        seconds = time.perf_counter() - request.began
        self._metrics.count_request(request.route, request.method, status, seconds)
        if self._is_logged:
            self._log.info(
                "answered",
                request=request.id,
                address=request.address,
                method=request.method,
                route=request.route,
                path=request.path[:200],
                status=status,
                ms=round(seconds * 1000, 2),
            )

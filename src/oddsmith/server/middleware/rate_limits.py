"""Check and finisher that limit how often an address and a seat may ask, and how many wrong tokens an address may send."""

import asyncio
import time
from http import HTTPStatus
from math import ceil
from typing import Final

from oddsmith.errors import RateLimitError
from oddsmith.match.proofs import digest
from oddsmith.server.buckets import Buckets
from oddsmith.server.http_request import Request, Response
from oddsmith.server.metrics import Metrics
from oddsmith.server.settings import Settings

ADDRESS_FACTOR: Final = 4
"""How many seats' worth of requests an address may make: several people may share it."""
PAGE_COST: Final = 0.25
"""What an address that is no operation costs, in requests: a browser asks for many files of a page at once."""
SECONDS_OF_A_REQUEST: Final = 0.001
"""Work on the event loop is charged as one more request for each time that it takes as long."""
LONGEST_PAUSE: Final = 5.0


class RateLimits:
    """Token buckets by address, by seat and for wrong tokens."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._metrics = metrics
        rate, burst = settings.requests_per_second, settings.burst
        self._addresses = Buckets(rate=rate * ADDRESS_FACTOR, burst=burst * ADDRESS_FACTOR)
        self._seats = Buckets(rate=rate, burst=burst)
        failures = settings.failures_per_minute
        self._failures = Buckets(rate=failures / 60, burst=failures)

    def check(self, request: Request) -> None:
        """Refuse a request beyond the limits of its address or its seat."""
        operation = request.operation
        cost = PAGE_COST if operation is None else operation.cost
        if cost is not None:
            self.check_address(request, cost)
            self.check_token(request, request.token())

    def finish(self, request: Request, response: Response) -> None:
        """Charge the time that a request took on the event loop; count a forbidden one with a token as a wrong token."""
        operation = request.operation
        if operation is not None and operation.is_on_loop:
            seconds = time.perf_counter() - request.began
            if seconds >= SECONDS_OF_A_REQUEST:
                self._addresses.charge(request.client, seconds // SECONDS_OF_A_REQUEST)
        if response.status == HTTPStatus.FORBIDDEN and b"authorization" in request.headers:
            self.note_failure(request)

    def check_address(self, request: Request, cost: float = 1.0) -> None:
        """Refuse a request of an address that asks too often."""
        wait = self._addresses.take(request.client, cost)
        if wait:
            raise self._until(RateLimitError("too_many_requests", "your address asks too often"), wait)

    def check_token(self, request: Request, token: str | None) -> None:
        """Refuse a token from an address that sent too many wrong ones, and one that is used too often."""
        if token is None:
            return
        wait = self._failures.wait(request.client)
        if wait:
            raise self._until(
                RateLimitError("too_many_failures", "too many wrong tokens came from your address"), wait
            )
        wait = self._seats.take(digest(token))
        if wait:
            raise self._until(RateLimitError("too_many_requests", "this seat asks too often"), wait)

    def note_failure(self, request: Request) -> None:
        """Count a wrong token."""
        self._failures.take(request.client)

    async def pause(self, request: Request, token: str | None) -> None:
        """Wait as long as an address or a seat must, before the next frame of a socket is read."""
        waits = [self._addresses.take(request.client)]
        if token is not None:
            waits.append(self._seats.take(digest(token)))
        if max(waits):
            self._metrics.count_limited("socket")
            await asyncio.sleep(min(LONGEST_PAUSE, max(waits)))

    def _until(self, error: RateLimitError, wait: float) -> RateLimitError:
        """Return the error with the seconds after which a retry may succeed."""
        self._metrics.count_limited(error.refusal.code)
        late = RateLimitError(
            error.refusal.code, f"{error.refusal.sentence}: ask again in {max(1, ceil(wait))} s"
        )
        late.retry_after = wait
        return late

"""Check and finisher that limit the requests and the work of an address and of a seat, and the wrong tokens of an address."""

import asyncio
from http import HTTPStatus
from math import ceil
from typing import Final

from oddsmith.errors import RateLimitError
from oddsmith.match.proofs import digest
from oddsmith.server.buckets import Buckets
from oddsmith.server.charging import Account, open_account
from oddsmith.server.http_request import Request, Response
from oddsmith.server.metrics import Metrics
from oddsmith.server.settings import Settings

ADDRESS_FACTOR: Final = 4
"""The limits of an address as a multiple of those of a seat: several players may share it."""
PAGE_COST: Final = 0.25
"""The cost of a request that is no operation: a browser requests many files of a page at once."""
SECONDS_OF_A_REQUEST: Final = 0.001
"""The time on the event loop that is charged as one more request; `charging` has the price of time in a thread."""
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
        """Raise `RateLimitError` for a request beyond the limits of its address or its seat."""
        operation = request.operation
        cost = PAGE_COST if operation is None else operation.cost
        if cost is not None:
            self.check_address(request, cost)
            self.check_token(request, request.token())

    def finish(self, request: Request, response: Response) -> None:
        """Count a forbidden request with a token as a wrong token."""
        if response.status == HTTPStatus.FORBIDDEN and b"authorization" in request.headers:
            self.note_failure(request)

    def charge(self, account: Account, seconds: float) -> None:
        """Charge the address and the seat of an account for time on the event loop, even if they have fewer tokens."""
        cost = seconds / SECONDS_OF_A_REQUEST
        self._addresses.charge(account.request.client, cost)
        if account.seat is not None:
            self._seats.charge(account.seat, cost)

    def check_address(self, request: Request, cost: float = 1.0) -> None:
        """Charge the work of this context to the request; raise `RateLimitError` beyond the limit of its address."""
        open_account(Account(request, None, self.charge))
        wait = self._addresses.take(request.client, cost)
        if wait:
            raise self._with_retry_after(
                RateLimitError("too_many_requests", "too many requests came from your address"), wait
            )

    def check_token(self, request: Request, token: str | None) -> None:
        """Raise `RateLimitError` for a token of an address with too many wrong ones, or beyond the limit of its seat."""
        if token is None:
            return
        wait = self._failures.wait(request.client)
        if wait:
            raise self._with_retry_after(
                RateLimitError("too_many_failures", "too many wrong tokens came from your address"), wait
            )
        seat = digest(token)
        wait = self._seats.take(seat)
        if wait:
            raise self._with_retry_after(
                RateLimitError("too_many_requests", "too many requests came from this seat"), wait
            )
        open_account(Account(request, seat, self.charge))

    def note_failure(self, request: Request) -> None:
        """Count a wrong token."""
        self._failures.take(request.client)

    async def pause(self, request: Request, token: str | None) -> None:
        """Sleep until the address and the seat may send the next frame of a socket, at most `LONGEST_PAUSE` seconds."""
        waits = [self._addresses.take(request.client)]
        if token is not None:
            waits.append(self._seats.take(digest(token)))
        if max(waits):
            self._metrics.count_limited("socket")
            await asyncio.sleep(min(LONGEST_PAUSE, max(waits)))

    def _with_retry_after(self, error: RateLimitError, wait: float) -> RateLimitError:
        """Return the error with the seconds after which a retry may succeed."""
        self._metrics.count_limited(error.refusal.code)
        late = RateLimitError(
            error.refusal.code, f"{error.refusal.sentence}: ask again in {max(1, ceil(wait))} s"
        )
        late.retry_after = wait
        return late

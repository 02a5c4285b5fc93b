"""Which calls are repeated after a failure, and how long to wait before each repetition."""

import random
import time
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

import httpx
import msgspec

from oddsmith.client.calls import Call, read_reply
from oddsmith.client.replies import unreachable_error
from oddsmith.errors import OddsmithError

T = TypeVar("T")

FIRST_DELAY: Final = 0.05
LONGEST_DELAY: Final = 2.0
LONGEST_RETRY_AFTER: Final = 9999


class Retry(msgspec.Struct, frozen=True):
    """A call that has no answer yet: the error to raise if it is not repeated, and the seconds to wait at least."""

    failure: OddsmithError
    at_least: float = 0.0


class Backoff:
    """Exponential backoff with jitter that ends after a number of seconds.

    >>> backoff = Backoff(1.0, clock=iter([0.0, 0.2, 2.0]).__next__)
    >>> backoff.next_delay() <= 0.05, backoff.next_delay()
    (True, None)
    """

    def __init__(self, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds
        self._longest = FIRST_DELAY

    def next_delay(self, at_least: float = 0.0) -> float | None:
        """Return the seconds to wait before the next try; None if the time is over before that."""
        delay = max(at_least, self._longest * random.uniform(0.5, 1.0))  # noqa: S311  jitter is no secret
        self._longest = min(self._longest * 2, LONGEST_DELAY)
        return delay if self._clock() + delay <= self._end else None


def read_response(call: Call[T], status: int, headers: Mapping[str, str], content: bytes) -> T | Retry:
    """Return the value of a response, or a `Retry` if its error has `retry_after`; any other error is raised."""
    try:
        return read_reply(call, status, content)
    except OddsmithError as error:
        if error.retry_after is None:
            raise
        return Retry(error, _read_retry_after(headers.get("retry-after", "")))


def _read_retry_after(text: str) -> float:
    """Return the seconds of the header; 0 for a date, and for more than `LONGEST_RETRY_AFTER`."""
    return float(text) if text.isdecimal() and len(text) <= len(str(LONGEST_RETRY_AFTER)) else 0.0


def retry_failed(call: Call[T], error: httpx.TransportError, url: str) -> Retry:
    """Return a `Retry` for a call without a response; raise if the call may have been done and must not be done twice."""
    failure = unreachable_error(url, error)
    if call.repeatable or isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return Retry(failure)
    raise failure from error

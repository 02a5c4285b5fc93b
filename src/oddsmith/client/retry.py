"""A call that could not be answered is made again, later and later, until patience ends."""

import random
import time
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

import httpx
import msgspec

from oddsmith.client.answers import refused, unreachable
from oddsmith.client.calls import Call, is_worth_waiting, read_reply
from oddsmith.errors import OddsmithError

T = TypeVar("T")

FIRST_WAIT: Final = 0.05
LONGEST_WAIT: Final = 2.0


class Again(msgspec.Struct, frozen=True):
    """There is no answer yet: why, and how many seconds the server asks to wait."""

    failure: OddsmithError
    asked: float = 0.0


class Patience:
    """How long to wait before the next try; each wait is about twice the last, by chance, so that many do not come at once.

    >>> patience = Patience(1.0, clock=iter([0.0, 0.2, 2.0]).__next__)
    >>> patience.wait() <= 0.05, patience.wait()
    (True, None)
    """

    def __init__(self, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds
        self._next = FIRST_WAIT

    def wait(self, asked: float = 0.0) -> float | None:
        """Return the seconds to wait before another try, at least as long as asked; None where patience ends before."""
        pause = max(asked, self._next * random.uniform(0.5, 1.0))  # noqa: S311  no secret
        self._next = min(self._next * 2, LONGEST_WAIT)
        return pause if self._clock() + pause <= self._end else None


def after_reply(call: Call[T], status: int, headers: Mapping[str, str], content: bytes) -> T | Again:
    """Return what came of a call, or that it is to be made again."""
    if is_worth_waiting(status):
        return Again(refused(content, status), _seconds(headers.get("retry-after", "")))
    return read_reply(call, status, content)


def _seconds(text: str) -> float:
    return float(text) if text.isdecimal() and len(text) <= 4 else 0.0  # noqa: PLR2004  hours at most


def after_failure(call: Call[T], error: httpx.TransportError, url: str) -> Again:
    """Return that a call is to be made again, where that can do no harm; otherwise raise what is wrong."""
    failure = unreachable(url, error)
    if call.repeatable or isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return Again(failure)
    raise failure from error

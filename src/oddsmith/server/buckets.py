"""Counting by key for limits: token buckets limit the rate of requests, `ConnectionCount` the open connections.

Nothing here is reported; what operators see is counted in `metrics`.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from oddsmith.errors import RateLimitError

MOST_KEYS: Final = 50_000


class Buckets:
    """Token buckets by key, with `rate` tokens a second up to `burst`; the least recently used of `MOST_KEYS` are evicted.

    >>> times = iter([0.0, 0.0, 0.0, 1.0])
    >>> buckets = Buckets(rate=1, burst=2, clock=lambda: next(times))
    >>> [buckets.take("ann") for _ in range(4)]
    [0.0, 0.0, 1.0, 0.0]
    """

    def __init__(self, *, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, cost: float = 1.0) -> float:
        """Take `cost` tokens and return 0, or take none and return the seconds until the bucket has them."""
        now = self._clock()
        left, then = self._buckets.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        cost = min(cost, self._burst)
        wait = (cost - left) / self._rate if cost > left else 0.0
        self._buckets[key] = (left if wait else left - cost, now)
        if len(self._buckets) > MOST_KEYS:
            self._buckets.popitem(last=False)
        return wait

    def charge(self, key: str, cost: float) -> None:
        """Take `cost` tokens even if the bucket has fewer; it falls to `-burst` at the lowest."""
        self.take(key, 0.0)
        left, then = self._buckets[key]
        self._buckets[key] = (max(-self._burst, left - cost), then)

    def wait(self, key: str) -> float:
        """Return the seconds until the bucket has a token."""
        bucket = self._buckets.get(key)
        if bucket is None:
            return 0.0
        left, then = bucket
        return max(0.0, (1.0 - left) / self._rate - (self._clock() - then))


class ConnectionCount:
    """Counts the open connections of each key, up to a limit.

    >>> count = ConnectionCount(most=1)
    >>> count.enter("ann"), count.enter("ann"), count.enter("bo")
    (True, False, True)
    """

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._counts: dict[str, int] = {}

    def enter(self, key: str) -> bool:
        """Count one more connection; return False where the key has `most` already."""
        count = self._counts.get(key, 0)
        if count >= self._most:
            return False
        self._counts[key] = count + 1
        return True

    def leave(self, key: str) -> None:
        """Count one connection less."""
        count = self._counts.pop(key) - 1
        if count:
            self._counts[key] = count


def too_many_connections_error() -> RateLimitError:
    """Return the error of an address that has too many connections."""
    error = RateLimitError("too_many_connections", "too many connections are open from your address")
    error.retry_after = 5.0
    return error

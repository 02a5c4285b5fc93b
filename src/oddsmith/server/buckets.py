"""Token buckets by key, and how many connections each key has."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from oddsmith.errors import RateLimitError

MOST_KEYS: Final = 50_000


class Buckets:
    """A bucket of tokens for each key, filled at a steady rate; the keys used longest ago are forgotten first.

    >>> times = iter([0.0, 0.0, 0.0, 1.0])
    >>> buckets = Buckets(rate=1, burst=2, clock=lambda: next(times))
    >>> [buckets.take("ann") for _ in range(4)]
    [0.0, 0.0, 1.0, 0.0]
    """

    def __init__(self, *, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._clock = clock
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, cost: float = 1.0) -> float:
        """Take so much from the bucket of a key if it is there, and return for how many seconds it is not."""
        now = self._clock()
        left, then = self._held.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        cost = min(cost, self._burst)
        wait = max(0.0, (cost - left) / self._rate)
        self._held[key] = (left if wait else left - cost, now)
        if len(self._held) > MOST_KEYS:
            self._held.popitem(last=False)
        return wait

    def charge(self, key: str, cost: float) -> None:
        """Take so much from the bucket of a key whether it is there or not; at most one bucket is owed."""
        self.take(key, 0.0)
        left, then = self._held[key]
        self._held[key] = (max(-self._burst, left - cost), then)

    def wait(self, key: str) -> float:
        """Return for how many seconds there is nothing in the bucket of a key."""
        held = self._held.get(key)
        if held is None:
            return 0.0
        left, then = held
        return max(0.0, (1.0 - left) / self._rate - (self._clock() - then))


class ConnectionCount:
    """How many connections each key has, up to a limit.

    >>> count = ConnectionCount(most=1)
    >>> count.enter("ann"), count.enter("ann"), count.enter("bo")
    (True, False, True)
    """

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._inside: dict[str, int] = {}

    def enter(self, key: str) -> bool:
        """Count one more, unless the key has as many as it may; say whether it was counted."""
        inside = self._inside.get(key, 0)
        if inside >= self._most:
            return False
        self._inside[key] = inside + 1
        return True

    def leave(self, key: str) -> None:
        """Count one less."""
        inside = self._inside.pop(key) - 1
        if inside:
            self._inside[key] = inside


def too_many_connections() -> RateLimitError:
    """Return the error of an address that has too many connections."""
    error = RateLimitError("too_many_connections", "too many connections are open from your address")
    error.retry_after = 5.0
    return error

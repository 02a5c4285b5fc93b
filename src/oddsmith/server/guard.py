"""What comes in is bounded: how often, how much, from where; what goes out tells a browser to trust nothing else."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

__all__ = ["HEADERS", "Buckets", "is_allowed_origin"]

MOST_KEYS: Final = 50_000

HEADERS: Final = (
    (
        b"content-security-policy",
        b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"interest-cohort=()"),
    (b"cache-control", b"no-store"),
)
"""Sent with every answer; pages of their own may say more."""


class Buckets:
    """A bucket of tokens for each key, filled at a steady rate; the keys used longest ago are forgotten first.

    >>> times = iter([0.0, 0.0, 0.0, 1.0])
    >>> buckets = Buckets(rate=1, burst=2, clock=lambda: next(times))
    >>> [buckets.take("ann") for _ in range(4)]
    [True, True, False, True]
    """

    def __init__(self, *, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> bool:
        """Take one from the bucket of a key, and say whether there was one."""
        now = self._clock()
        left, then = self._held.pop(key, (float(self._burst), now))
        left = min(float(self._burst), left + (now - then) * self._rate)
        taken = left >= 1
        self._held[key] = (left - taken, now)
        if len(self._held) > MOST_KEYS:
            self._held.popitem(last=False)
        return taken


def is_allowed_origin(origin: str | None, host: str | None, allowed: tuple[str, ...]) -> bool:
    """Say whether a page of this origin may speak to us: none at all, our own, or one of the list.

    >>> is_allowed_origin("https://evil.example", "play.example", ("https://friend.example",))
    False
    >>> is_allowed_origin("https://play.example", "play.example", ())
    True
    """
    if origin is None or origin in allowed:
        return True
    return host is not None and origin in (f"http://{host}", f"https://{host}")

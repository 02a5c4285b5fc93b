"""The clock of a server: wall time when it starts, and from then on a clock that nobody can set."""

import time
from collections.abc import Callable
from typing import Final, TypeAlias

from oddsmith.match.model import Milliseconds

Now: TypeAlias = Callable[[], Milliseconds]

SHORTEST_JUMP: Final = 10_000
"""The change of the difference between wall time and the clock that is a jump, in milliseconds."""


def read_wall_time() -> Milliseconds:
    """Return the time of the operating system in milliseconds since 1970; it may be set, also backwards."""
    return time.time_ns() // 1_000_000


def read_steady_time() -> Milliseconds:
    """Return the milliseconds since an arbitrary time; setting the time does not change them.

    On Linux they include the time in which the machine was suspended.
    """
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    return time.monotonic_ns() // 1_000_000


class SteadyClock:
    """Returns milliseconds since 1970 when it is called; it never goes back.

    It begins with the time that `wall` returns, and advances with `steady`.
    """

    def __init__(self, wall: Now = read_wall_time, steady: Now = read_steady_time) -> None:
        self._wall = wall
        self._steady = steady
        self._offset = wall() - steady()
        self._known_lead = 0

    def __call__(self) -> Milliseconds:
        """Return the time."""
        return self._steady() + self._offset

    def advance_to(self, time: Milliseconds) -> Milliseconds:
        """Set the clock to a time if that is later, and return the milliseconds by which it was set."""
        missing = max(0, time - self())
        self._offset += missing
        self._known_lead -= missing
        return missing

    def find_jump(self) -> Milliseconds:
        """Return the milliseconds by which wall time has jumped since the last call, below 0 for a jump back; else 0."""
        lead = self._wall() - self()
        jump = lead - self._known_lead
        if abs(jump) < SHORTEST_JUMP:
            return 0
        self._known_lead = lead
        return jump

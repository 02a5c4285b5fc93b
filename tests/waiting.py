"""Waiting for what happens in another thread or process, as long as a loaded machine may need."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")
SECONDS: Final = 30.0
PAUSE: Final = 0.01


def wait_until(read: Callable[[], T], expected: str) -> T:
    """Return the first true value that `read` returns; fail with what was expected if there is none in `SECONDS`."""
    until = time.monotonic() + SECONDS
    while not (value := read()):
        assert time.monotonic() < until, f"expected {expected} in {SECONDS:g} seconds, not {value!r}"
        time.sleep(PAUSE)
    return value

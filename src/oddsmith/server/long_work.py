"""Runs work on the event loop where it is short, and in a thread where it is long or where nobody knows yet.

Work takes about as long as it took the last time for the same match. Whatever was long then, and the first piece, runs in
a thread: what grows from one move to the next leaves the event loop before it delays other clients. It comes back only after
it was short many times, so that nobody can have every other piece of long work run on the event loop.
"""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from math import isinf
from typing import Final, TypeVar

from oddsmith.server.charging import charged, current_account
from oddsmith.server.fair_threads import FairThreads

T = TypeVar("T")

SECONDS_ON_LOOP: Final = 0.002
"""Work that took longer the last time runs in a thread."""
SHARE_LEFT: Final = 0.9
"""The share of a long time that is left after one more piece of work."""
LARGEST_ON_LOOP: Final = 1024
"""The bytes of a request that may hold rules above which it is read in a thread."""
THREADS: Final = 2
"""Of these one client has one at most."""


class WorkTime:
    """The processor time that a kind of work may take; unknown at first, unless it is given.

    It is that of the last piece, or of a longer one before, of which each piece since takes off a tenth.
    """

    def __init__(self, seconds: float = float("inf")) -> None:
        self.seconds = seconds

    @property
    def is_long(self) -> bool:
        """Whether the work runs in a thread the next time."""
        return self.seconds > SECONDS_ON_LOOP

    def measure(self, work: Callable[[], T]) -> T:
        """Return the result of work, and note the processor time that this thread needed for it."""
        began = time.thread_time()
        try:
            return work()
        finally:
            seconds = time.thread_time() - began
            self.seconds = seconds if isinf(self.seconds) else max(seconds, self.seconds * SHARE_LEFT)


class LongWork:
    """Threads for long work, for which clients take turns (`FairThreads`), and the decision which work needs them."""

    def __init__(self) -> None:
        self._threads = FairThreads(THREADS, name="oddsmith-long")

    async def run(self, work: Callable[[], T], took: WorkTime | None = None) -> T:
        """Return the result of work; without `took` it is long.

        Work that has begun in a thread is finished there, also if the caller is cancelled.
        """
        if took is not None and not took.is_long:
            return took.measure(work)
        account = current_account()
        client = "" if account is None else account.request.client
        timed = work if took is None else partial(took.measure, work)
        return await asyncio.wrap_future(self._threads.submit(charged(timed), owner=client).future)

"""A bounded thread pool for work that may take long, with a time limit."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Semaphore
from typing import Final

from oddsmith.errors import UnavailableError, WorkLimitError
from oddsmith.server.charging import charged

SECONDS_TO_ANSWER: Final = 20
MOST_AT_ONCE: Final = 2
MOST_WAITING: Final = 32


class SlowQuestions:
    """A thread pool with a bounded queue and a time limit for each piece of work."""

    def __init__(self, seconds: float = SECONDS_TO_ANSWER, waiting: int = MOST_WAITING) -> None:
        self._threads = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="questions")
        self._seconds = seconds
        self._free = Semaphore(waiting)

    async def run(self, work: Callable[[], bytes]) -> bytes:
        """Return the result of work, run in a thread of the pool.

        Raises `UnavailableError` where the queue is full, and `WorkLimitError` after the time limit. Work that has begun
        continues in its thread, and occupies a place of the queue until it is done.
        """
        if not self._free.acquire(blocking=False):
            raise UnavailableError("busy", "too many questions wait for an answer: try again in a moment")
        future = self._threads.submit(charged(work))
        future.add_done_callback(lambda _: self._free.release())
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._seconds)
        except TimeoutError as error:
            raise WorkLimitError(
                "too_slow", f"no answer after {self._seconds:g} seconds: ask for less"
            ) from error

"""Work that may take long waits its turn on a bench for one of a few threads, and is given up after a while."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Semaphore
from typing import Final

from oddsmith.errors import InputError, WorkLimitError

SECONDS_TO_ANSWER: Final = 20
MOST_AT_ONCE: Final = 2
MOST_WAITING: Final = 32


class Bench:
    """Where questions that may take long wait for one of a few threads."""

    def __init__(self, seconds: float = SECONDS_TO_ANSWER, waiting: int = MOST_WAITING) -> None:
        self._threads = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="questions")
        self._seconds = seconds
        self._places = Semaphore(waiting)

    async def run(self, work: Callable[[], bytes]) -> bytes:
        """Return what the work returns; refused where too many wait, and where it takes too long.

        Work that has begun goes on in its thread until it is done, and has its place on the bench until then.
        """
        if not self._places.acquire(blocking=False):
            raise InputError("busy", "too many questions wait for an answer: ask again in a moment")
        future = self._threads.submit(work)
        future.add_done_callback(lambda _: self._places.release())
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._seconds)
        except TimeoutError as error:
            raise WorkLimitError(
                "too_slow", f"no answer after {self._seconds:g} seconds: ask for less"
            ) from error

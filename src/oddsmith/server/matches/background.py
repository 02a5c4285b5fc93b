"""Work beside requests: tasks that are cancelled when the server stops, and a thread pool that reads the store."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

import structlog

from oddsmith.errors import OddsmithError, StoreBusyError
from oddsmith.server.charging import charged, start_metered

T = TypeVar("T")

READER_THREADS: Final = 4
SECONDS_TO_READ: Final = 10.0
"""How long a call of the store may take, its wait for a thread included."""


class Background:
    """Tasks of a server, and threads for calls of the store that block."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._readers = ThreadPoolExecutor(READER_THREADS, thread_name_prefix="oddsmith-read")
        self._last_failure: str | None = None
        self._log = structlog.get_logger().bind()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a task, whose work is charged to whoever caused it; an exception that is no `OddsmithError` is logged."""
        task = start_metered(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)
        return task

    def _finish(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, OddsmithError):
            self._log.error("failed", exc_info=error)

    async def read(self, work: Callable[[], T]) -> T:
        """Return the result of a blocking call, made in a thread of the pool.

        Raises `StoreBusyError` after `SECONDS_TO_READ`; a call that has not begun by then is dropped.
        """
        try:
            async with asyncio.timeout(SECONDS_TO_READ):
                return await asyncio.get_running_loop().run_in_executor(self._readers, charged(work))
        except TimeoutError as error:
            raise slow_store_error(SECONDS_TO_READ) from error

    async def attempt(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Return the result of work that is repeated periodically; None where it raised an exception.

        The exception is logged; an `OddsmithError` only if the attempt before did not fail with the same code.
        """
        try:
            result = await work
        except OddsmithError as error:
            if error.refusal.code != self._last_failure:
                self._last_failure = error.refusal.code
                self._log.warning("put off", code=error.refusal.code, sentence=error.refusal.sentence)
            return None
        except Exception:  # noqa: BLE001  one failure must not end periodic work
            self._log.exception("failed")
            return None
        self._last_failure = None
        return result

    async def cancel(self) -> None:
        """Cancel all tasks, and wait until they have ended."""
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def close(self) -> None:
        """Shut the thread pool down without waiting for it."""
        self._readers.shutdown(wait=False)


def slow_store_error(seconds: float) -> StoreBusyError:
    """Return the error of a call of the store that took too long."""
    return StoreBusyError("store_busy", f"the store did not answer within {seconds:g} seconds")

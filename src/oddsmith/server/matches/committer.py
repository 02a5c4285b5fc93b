"""Group commit: a thread writes all queued appends in one transaction of the store."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final, TypeAlias

from oddsmith.errors import StoreOutageError, UnavailableError
from oddsmith.server.matches.background import slow_store_error
from oddsmith.server.metrics import Metrics
from oddsmith.store.model import Append, Store

LARGEST_GROUP: Final = 256
LARGEST_PART: Final = LARGEST_GROUP // 2
"""Appends that the thread gets at once; a group is made of whole parts."""
MOST_WAITING: Final = 10_000
SECONDS_TO_APPEND: Final = 9.0
"""How long an append may wait to be durable; afterwards it is unknown whether it will be written."""
SECONDS_BETWEEN_CHECKS: Final = 1.0
"""How much later than that the append is failed, at most."""

Waiting: TypeAlias = tuple[Append, "asyncio.Future[bool]"]
AppendResult: TypeAlias = bool | Exception
"""True: written. False: the log was at another version. An exception: it failed."""


class Committer:
    """Writes appends to a store from one thread, in groups; the future of an append is resolved when it is durable.

    The appends of one iteration of the event loop reach the thread together, so that they share a transaction. The thread
    takes the next group from the queue without waiting for the event loop.
    """

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics
        self._queue: SimpleQueue[list[Waiting] | None] = SimpleQueue()
        self._gathered: list[Waiting] = []
        self._thread: Thread | None = None
        self._waiting = 0
        self._queued: deque[tuple[float, asyncio.Future[bool]]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._is_drained = asyncio.Event()
        self._is_drained.set()

    def append(self, append: Append) -> "asyncio.Future[bool]":
        """Queue an append; its future is True once it is on disk, False where the log was at another version.

        The append is written even if the caller is cancelled. The future raises `StoreBusyError` some time after
        `SECONDS_TO_APPEND`; the append may be written later. Raises `UnavailableError` where the queue is full.
        """
        if self._waiting >= MOST_WAITING:
            raise UnavailableError("busy", "too many writes are queued: try again")
        loop = asyncio.get_running_loop()
        if self._thread is None:
            self._thread = Thread(
                target=self._write_groups, args=(loop,), name="oddsmith-commit", daemon=True
            )
            self._thread.start()
        done: asyncio.Future[bool] = loop.create_future()
        self._waiting += 1
        self._queued.append((loop.time(), done))
        if self._timer is None:
            self._timer = loop.call_later(SECONDS_BETWEEN_CHECKS, self._fail_late, loop)
        self._is_drained.clear()
        if not self._gathered:
            loop.call_soon(self._pass_gathered)
        self._gathered.append((append, done))
        return done

    def _pass_gathered(self) -> None:
        """Pass the appends that were made since the last call to the thread."""
        gathered, self._gathered = self._gathered, []
        for start in range(0, len(gathered), LARGEST_PART):
            self._queue.put(gathered[start : start + LARGEST_PART])

    async def drain(self) -> None:
        """Wait until no append waits to be written."""
        await self._is_drained.wait()

    def close(self) -> None:
        """Let the thread end after it has written the queue."""
        if self._timer is not None:
            self._timer.cancel()
        if self._thread is not None:
            self._pass_gathered()
            self._queue.put(None)
            self._thread.join()

    def _fail_late(self, loop: asyncio.AbstractEventLoop) -> None:
        """Fail the futures of appends that have waited too long, while a store hangs; repeat while appends wait."""
        latest = loop.time() - SECONDS_TO_APPEND
        for queued_at, done in self._queued:
            if queued_at > latest:
                break
            if not done.done():
                done.set_exception(slow_store_error(SECONDS_TO_APPEND))
        again = loop.call_later(SECONDS_BETWEEN_CHECKS, self._fail_late, loop) if self._queued else None
        self._timer = again

    def _write_groups(self, loop: asyncio.AbstractEventLoop) -> None:
        """Write groups until the queue is closed."""
        while group := self._next_group():
            began = time.perf_counter()
            results = self._write_group([append for append, _ in group])
            loop.call_soon_threadsafe(self._resolve, group, results, time.perf_counter() - began)

    def _next_group(self) -> list[Waiting]:
        """Wait for appends, and return them with others in the queue, up to `LARGEST_GROUP`; an empty list at the end."""
        group: list[Waiting] = []
        part = self._queue.get()
        with suppress(Empty):
            while part is not None:
                group += part
                if len(group) > LARGEST_GROUP - LARGEST_PART:
                    return group
                part = self._queue.get_nowait()
            self._queue.put(None)
        return group

    def _write_group(self, appends: Sequence[Append]) -> list[AppendResult]:
        """Write a group in one transaction; after an error of one append, write each append alone."""
        try:
            return [*self._store.append(appends)]
        except Exception as error:  # noqa: BLE001  every error is passed to the caller
            if len(appends) == 1 or _is_shared(error):
                return [error] * len(appends)
        return [result for append in appends for result in self._write_group([append])]

    def _resolve(self, group: Sequence[Waiting], results: Sequence[AppendResult], seconds: float) -> None:
        """Count a group, and resolve the futures of its appends."""
        failures = {id(result): result for result in results if isinstance(result, Exception)}
        for failure in failures.values():
            self._metrics.count_failed_group(failure)
        if len(failures) < len(group):
            self._metrics.count_group(written=results.count(True), lost=results.count(False), seconds=seconds)
        for (_, done), result in zip(group, results, strict=True):
            self._queued.popleft()
            if done.done():
                continue
            if isinstance(result, Exception):
                done.set_exception(result)
            else:
                done.set_result(result)
        self._waiting -= len(group)
        if not self._waiting:
            self._is_drained.set()


def _is_shared(error: Exception) -> bool:
    """Return whether an error fails the whole group; after any other, each append is tried alone."""
    return isinstance(error, StoreOutageError)

"""Appends of many matches go to disk together: what waits while one group is written is the next group."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeAlias

from oddsmith.errors import InputError, StoreError
from oddsmith.server.metrics import Metrics
from oddsmith.store.model import Append, Store

__all__ = ["Committer"]

LARGEST_GROUP: Final = 256
MOST_WAITING: Final = 10_000
SHARED_TROUBLE: Final = ("store_away", "store_full", "store_busy", "store_read_only", "store_closed")
"""What befalls a group whatever is in it; anything else may be the fault of one append."""

Waiting: TypeAlias = tuple[Append, "asyncio.Future[bool]"]


class Committer:
    """Writes to a store from one thread, a group at a time; an append is answered when it is durable."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="oddsmith-commit")
        self._waiting: list[Waiting] = []
        self._written: asyncio.Event = asyncio.Event()
        self._written.set()

    def append(self, append: Append) -> "asyncio.Future[bool]":
        """Add entries to a log; the future says whether that was done once it is on disk. False: somebody was first.

        Whoever waits may go away: what was begun is finished.
        """
        if len(self._waiting) >= MOST_WAITING:
            raise InputError("busy", "more is waiting to be written than can be: try again")
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, done))
        if self._written.is_set():
            self._written.clear()
            self._write_next()
        return done

    async def drained(self) -> None:
        """Wait until nothing waits to be written."""
        await self._written.wait()

    def close(self) -> None:
        """Let go of the thread; what is being written is finished."""
        self._thread.shutdown(wait=True)

    def _write_next(self) -> None:
        """Write what waits, and then what has come to wait meanwhile."""
        if not self._waiting:
            self._written.set()
            return
        group, self._waiting = self._waiting[:LARGEST_GROUP], self._waiting[LARGEST_GROUP:]
        self._write(group, self._write_next)

    def _write(self, group: Sequence[Waiting], then: Callable[[], None]) -> None:
        """Write a group in one transaction, tell who waits for it, and go on."""
        began = time.perf_counter()

        def wrote(writing: "asyncio.Future[list[bool]]") -> None:
            error = writing.exception()
            if error is None:
                self._tell(group, writing.result(), time.perf_counter() - began)
                then()
            elif len(group) > 1 and not _is_shared(error):
                self._write_alone(group, then)
            else:
                self._refuse(group, error)
                then()

        loop = asyncio.get_running_loop()
        appends = [append for append, _ in group]
        loop.run_in_executor(self._thread, self._store.append, appends).add_done_callback(wrote)

    def _write_alone(self, group: Sequence[Waiting], then: Callable[[], None]) -> None:
        """Write one after the other: one that cannot be written does not take the others with it."""
        if group:
            self._write(group[:1], lambda: self._write_alone(group[1:], then))
        else:
            then()

    def _tell(self, group: Sequence[Waiting], stored: Sequence[bool], seconds: float) -> None:
        self._metrics.wrote(group=len(group), lost=stored.count(False), seconds=seconds)
        for (_, done), was_stored in zip(group, stored, strict=True):
            if not done.done():
                done.set_result(was_stored)

    def _refuse(self, group: Sequence[Waiting], error: BaseException) -> None:
        self._metrics.failed_to_write(error)
        for _, done in group:
            if not done.done():
                done.set_exception(error)


def _is_shared(error: BaseException) -> bool:
    return isinstance(error, StoreError) and error.refusal.code in SHARED_TROUBLE

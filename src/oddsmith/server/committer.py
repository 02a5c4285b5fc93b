"""Appends of many matches go to disk together: what waits while one group is written is the next group."""

import asyncio
import time
from collections.abc import Sequence
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
        self._writing: asyncio.Task[None] | None = None

    def append(self, append: Append) -> "asyncio.Future[bool]":
        """Add entries to a log; the future says whether that was done once it is on disk. False: somebody was first.

        Whoever waits may go away: what was begun is finished.
        """
        if len(self._waiting) >= MOST_WAITING:
            raise InputError("busy", "more is waiting to be written than can be: try again")
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, done))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        return done

    async def drained(self) -> None:
        """Wait until nothing waits to be written."""
        while self._writing is not None:
            await asyncio.shield(self._writing)

    def close(self) -> None:
        """Let go of the thread; what is being written is finished."""
        self._thread.shutdown(wait=True)

    async def _write(self) -> None:
        try:
            while self._waiting:
                group, self._waiting = self._waiting[:LARGEST_GROUP], self._waiting[LARGEST_GROUP:]
                await self._write_group(group)
        finally:
            self._writing = None

    async def _write_group(self, group: Sequence[Waiting]) -> None:
        """Write a group in one transaction; one that cannot be written does not take the others with it."""
        began = time.perf_counter()
        loop = asyncio.get_running_loop()
        try:
            stored = await loop.run_in_executor(
                self._thread, self._store.append, [append for append, _ in group]
            )
        except Exception as error:  # noqa: BLE001  whoever waits is told, whatever it is
            if len(group) > 1 and not _is_shared(error):
                for one in group:
                    await self._write_group([one])
                return
            self._metrics.failed_to_write(error)
            for _, done in group:
                if not done.done():
                    done.set_exception(error)
            return
        self._metrics.wrote(group=len(group), lost=stored.count(False), seconds=time.perf_counter() - began)
        for (_, done), was_stored in zip(group, stored, strict=True):
            if not done.done():
                done.set_result(was_stored)


def _is_shared(error: Exception) -> bool:
    return isinstance(error, StoreError) and error.refusal.code in SHARED_TROUBLE

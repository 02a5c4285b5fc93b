"""Appends of many matches go to disk together: what waits while one group is written is the next group."""

import asyncio
from collections.abc import Sequence
from typing import Final

from oddsmith.store.model import Append, Store

__all__ = ["Committer"]

LARGEST_GROUP: Final = 256


class Committer:
    """Writes to a store from one thread, a group at a time; an append is answered when it is durable."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[tuple[Append, asyncio.Future[bool]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def append(self, append: Append) -> bool:
        """Add entries to a log, and return whether that was done once it is on disk; False: somebody was first."""
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, done))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        return await done

    async def drained(self) -> None:
        """Wait until nothing waits to be written."""
        while self._writing is not None:
            await asyncio.shield(self._writing)

    async def _write(self) -> None:
        try:
            while self._waiting:
                group, self._waiting = self._waiting[:LARGEST_GROUP], self._waiting[LARGEST_GROUP:]
                await self._write_group(group)
        finally:
            self._writing = None

    async def _write_group(self, group: Sequence[tuple[Append, asyncio.Future[bool]]]) -> None:
        try:
            stored = await asyncio.to_thread(self._store.append, [append for append, _ in group])
        except Exception as error:  # noqa: BLE001  whoever waits is told, whatever it is
            for _, done in group:
                if not done.done():
                    done.set_exception(error)
            return
        for (_, done), was_stored in zip(group, stored, strict=True):
            if not done.done():
                done.set_result(was_stored)

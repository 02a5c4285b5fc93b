"""A queue whose items have owners: owners take turns, so that one with many items delays the others by one at most."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Final, Generic, TypeVar

T = TypeVar("T")

MOST_REMEMBERED: Final = 10_000
"""Owners without items whose used time is remembered."""


class _Owner(Generic[T]):
    """The items of an owner: those that wait, quick ones separately, the number of those in progress, and the used time."""

    __slots__ = ("others", "quick", "running", "used")

    def __init__(self, used: float) -> None:
        self.quick: deque[T] = deque()
        self.others: deque[T] = deque()
        self.running = 0
        self.used = used

    @property
    def count(self) -> int:
        """The number of items that wait or are in progress."""
        return len(self.quick) + len(self.others) + self.running


class FairQueue(Generic[T]):
    """Items by owner. The next one is of the owner with the fewest in progress; among these, of the one that used least time.

    The quick items of an owner come first, else the order is that of `put`. An owner that had nothing in the queue begins
    with the used time of the owner served last, or its own if that is more: idle time is not saved up. It is not thread-safe.

    >>> queue = FairQueue()
    >>> for owner, item in [("ann", 1), ("ann", 2), ("ann", 3), ("bo", 4)]:
    ...     queue.put(item, owner)
    >>> [queue.take() for _ in range(4)]
    [('ann', 1), ('bo', 4), ('ann', 2), ('ann', 3)]
    """

    def __init__(self) -> None:
        self._owners: dict[str, _Owner[T]] = {}
        self._remembered: dict[str, float] = {}
        self._used_by_last = 0.0
        self._waiting = 0
        self._quick_waiting = 0

    def __len__(self) -> int:
        """Return the number of items that wait."""
        return self._waiting

    @property
    def quick_waiting(self) -> int:
        """The number of quick items that wait."""
        return self._quick_waiting

    def put(self, item: T, owner: str, *, is_quick: bool = False) -> None:
        """Add an item of an owner."""
        found = self._owners.get(owner)
        if found is None:
            used = max(self._used_by_last, self._remembered.pop(owner, 0.0))
            found = self._owners[owner] = _Owner(used)
        (found.quick if is_quick else found.others).append(item)
        self._waiting += 1
        self._quick_waiting += is_quick

    def take(self, *, only_quick: bool = False, only_idle: bool = False) -> tuple[str, T] | None:
        """Remove and return the next item with its owner, which has it in progress until `finish`; None if there is none.

        With `only_idle` it is of an owner that has none in progress.
        """
        waiting = self._quick_waiting if only_quick else self._waiting
        owners = (
            (name, owner)
            for name, owner in self._owners.items()
            if (owner.quick or (owner.others and not only_quick)) and not (only_idle and owner.running)
        )
        next_owner = (
            min(owners, key=lambda found: (found[1].running, found[1].used), default=None)
            if waiting
            else None
        )
        if next_owner is None:
            return None
        name, owner = next_owner
        self._used_by_last = max(self._used_by_last, owner.used)
        self._waiting -= 1
        self._quick_waiting -= bool(owner.quick)
        owner.running += 1
        self._owners[name] = self._owners.pop(name)
        return name, (owner.quick or owner.others).popleft()

    def finish(self, owner: str, seconds: float) -> None:
        """Count an item in progress as done, and the time that it took as used by its owner."""
        found = self._owners[owner]
        found.running -= 1
        found.used += seconds
        self._forget_if_idle(owner)

    def discard(self, item: T, owner: str) -> bool:
        """Remove an item that waits; return whether it did."""
        found = self._owners.get(owner)
        for items in () if found is None else (found.quick, found.others):
            if item in items:
                items.remove(item)
                self._waiting -= 1
                self._quick_waiting -= found is not None and items is found.quick
                self._forget_if_idle(owner)
                return True
        return False

    def count(self, owner: str) -> int:
        """Return the number of items of an owner that wait or are in progress."""
        found = self._owners.get(owner)
        return 0 if found is None else found.count

    def last_of_largest(self) -> tuple[str, T] | None:
        """Return the newest item that waits of the owner with the most items, with its owner; None if none of its items wait."""
        if not self._owners:
            return None
        name, owner = max(self._owners.items(), key=lambda found: found[1].count)
        items = owner.others or owner.quick
        return (name, items[-1]) if items else None

    def clear(self) -> Iterator[T]:
        """Remove and yield all items that wait."""
        for name, owner in [*self._owners.items()]:
            for items in (owner.quick, owner.others):
                yield from items
                items.clear()
            self._forget_if_idle(name)
        self._waiting = self._quick_waiting = 0

    def _forget_if_idle(self, name: str) -> None:
        """Forget an owner without items; its used time is remembered while other owners have items and used less."""
        owner = self._owners[name]
        if owner.count:
            return
        del self._owners[name]
        if not self._owners:
            self._remembered.clear()
            self._used_by_last = 0.0
        elif owner.used > self._used_by_last:
            self._remembered[name] = owner.used
            if len(self._remembered) > MOST_REMEMBERED:
                del self._remembered[next(iter(self._remembered))]


class FairLock:
    """An asyncio lock that owners take in turns, as a `FairQueue` orders them."""

    def __init__(self) -> None:
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue()
        self._is_locked = False

    @asynccontextmanager
    async def hold(self, owner: str) -> AsyncIterator[None]:
        """Wait for the turn of an owner, and hold the lock."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._queue.put(turn, owner)
        self._pass_on()
        try:
            await turn
        except BaseException:
            if not self._queue.discard(turn, owner):
                self._release(owner, 0.0)
            raise
        began = loop.time()
        try:
            yield
        finally:
            self._release(owner, loop.time() - began)

    def _release(self, owner: str, seconds: float) -> None:
        self._is_locked = False
        self._queue.finish(owner, seconds)
        self._pass_on()

    def _pass_on(self) -> None:
        if self._is_locked:
            return
        found = self._queue.take()
        if found is not None:
            self._is_locked = True
            if not found[1].done():
                found[1].set_result(None)

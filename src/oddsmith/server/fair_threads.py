"""A thread pool whose work waits in a `FairQueue` by owner; some of its threads can be reserved for quick work."""

import time
from collections.abc import Callable
from concurrent.futures import Future
from threading import Condition, Lock, Thread
from typing import Any, Final, Generic, TypeVar

from oddsmith.server.fair_queue import FairQueue

T = TypeVar("T")

SECONDS_IDLE: Final = 30.0
"""The time after which a thread without work ends."""
MOST_LOST: Final = 4
"""Threads of a pool that may be given up at the same time."""


class QueueFullError(Exception):
    """There is no place for a piece of work; `is_own` is whether the owner has as many places as any other, or more."""

    def __init__(self, *, is_own: bool) -> None:
        super().__init__("no place is free")
        self.is_own = is_own


class Piece(Generic[T]):
    """A piece of work: its owner, the future of its result, and, once it runs, the group of its thread."""

    def __init__(self, work: Callable[[], T], owner: str, future: "Future[T]") -> None:
        self.work = work
        self.owner = owner
        self.future = future
        self.group: _Group | None = None
        self.is_given_up = False

    def run(self) -> None:
        """Do the work, and set the result or the exception of the future."""
        try:
            result = self.work()
        except BaseException as error:  # noqa: BLE001  every error is passed to the caller
            self.future.set_exception(error)
        else:
            self.future.set_result(result)


class _Group:
    """Threads that take the same work: how many there may be, how many there are, and how many of these wait or run."""

    def __init__(self, most: int, lock: Lock, *, only_quick: bool) -> None:
        self.most = most
        self.only_quick = only_quick
        self.wake = Condition(lock)
        self.threads = 0
        self.idle = 0
        self.running = 0

    @property
    def has_one_left(self) -> bool:
        """Whether all threads of several but one have work."""
        return not self.only_quick and self.running == self.most - 1 > 0


class FairThreads:
    """At most `threads` daemon threads for any work, and `reserved` ones for quick work alone.

    The last free one of several is for owners that have nothing in progress: nobody can occupy all with long work.
    At most `places` pieces wait or run; with None, any number. Where all places are taken, the owner with the most pieces
    loses the one that it submitted last, if the owner of the new piece has fewer; else the new piece is refused.
    """

    def __init__(
        self,
        threads: int,
        *,
        name: str,
        reserved: int = 0,
        places: int | None = None,
        idle: float = SECONDS_IDLE,
    ) -> None:
        self._name = name
        self._places = places
        self._seconds_idle = idle
        self._lock = Lock()
        self._queue: FairQueue[Piece[Any]] = FairQueue()
        self._any = _Group(threads, self._lock, only_quick=False)
        self._reserved = _Group(reserved, self._lock, only_quick=True)
        self._lost = 0
        self._is_closed = False

    @property
    def running(self) -> int:
        """The number of pieces in progress, without those whose threads were given up."""
        return self._any.running + self._reserved.running

    def submit(self, work: Callable[[], T], *, owner: str, is_quick: bool = False) -> Piece[T]:
        """Queue work of an owner; a piece whose future is cancelled before its turn is not run, and leaves its place.

        Raises `QueueFullError` where the work has no place; so does the result of a piece that loses its place.
        """
        piece: Piece[T] = Piece(work, owner, Future())
        with self._lock:
            replaced = self._find_replaced(owner)
            self._queue.put(piece, owner, is_quick=is_quick)
            self._wake_threads()
        if replaced is not None and replaced.future.set_running_or_notify_cancel():
            replaced.future.set_exception(QueueFullError(is_own=True))
        piece.future.add_done_callback(lambda _: self._leave(piece))
        return piece

    def give_up(self, piece: Piece[Any]) -> bool:
        """Have another thread in place of the one that runs a piece, which ends with the piece; return whether it was done.

        It is not done where the piece does not run, or too many threads were given up and have not ended yet.
        """
        with self._lock:
            if piece.group is None or piece.is_given_up or self._lost >= MOST_LOST:
                return False
            piece.is_given_up = True
            self._lost += 1
            piece.group.running -= 1
            piece.group.threads -= 1
            self._queue.finish(piece.owner, 0.0)
            self._wake_threads()
            return True

    def close(self) -> None:
        """Drop the work that waits; threads end with the piece that they run."""
        with self._lock:
            self._is_closed = True
            dropped = [*self._queue.clear()]
            self._any.wake.notify_all()
            self._reserved.wake.notify_all()
        for piece in dropped:
            piece.future.cancel()

    def _find_replaced(self, owner: str) -> Piece[Any] | None:
        """Take the place of another owner's piece where none is free, and return that piece."""
        if self._places is None or len(self._queue) + self.running < self._places:
            return None
        last, own = self._queue.last_of_largest(), self._queue.count(owner)
        if last is None or self._queue.count(last[0]) <= own + 1:
            raise QueueFullError(is_own=own > 0)
        self._queue.discard(last[1], last[0])
        return last[1]

    def _leave(self, piece: Piece[Any]) -> None:
        """Remove a piece that was cancelled while it waited."""
        if piece.future.cancelled():
            with self._lock:
                self._queue.discard(piece, piece.owner)

    def _wake_threads(self) -> None:
        """Wake or start threads for waiting work: quick work is left to idle reserved threads."""
        quick = self._queue.quick_waiting
        left = len(self._queue) - min(quick, self._reserved.idle)
        for group, waiting in ((self._reserved, quick), (self._any, left)):
            if waiting and group.idle:
                group.wake.notify()
            if waiting > group.idle and group.threads < group.most:
                Thread(target=self._run, args=(group,), name=self._name, daemon=True).start()
                group.threads += 1

    def _run(self, group: _Group) -> None:
        """Run pieces until there is none for some time."""
        while (piece := self._next_piece(group)) is not None:
            began = time.perf_counter()
            piece.run()
            with self._lock:
                piece.group = None
                if piece.is_given_up:
                    self._lost -= 1
                    return
                group.running -= 1
                self._queue.finish(piece.owner, time.perf_counter() - began)
                self._wake_threads()

    def _next_piece(self, group: _Group) -> Piece[Any] | None:
        """Wait for the next piece, and begin it; None where the thread is to end."""
        with self._lock:
            while not self._is_closed:
                found = self._queue.take(only_quick=group.only_quick, only_idle=group.has_one_left)
                if found is None:
                    group.idle += 1
                    is_woken = group.wake.wait(self._seconds_idle)
                    group.idle -= 1
                    if not is_woken and not len(self._queue):
                        break
                elif found[1].future.set_running_or_notify_cancel():
                    group.running += 1
                    found[1].group = group
                    return found[1]
                else:
                    self._queue.finish(found[0], 0.0)
            group.threads -= 1
            return None

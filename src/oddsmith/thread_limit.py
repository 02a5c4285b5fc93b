"""A time limit for Python code of others: an exception is raised in the thread that runs it.

It ends any code that executes Python bytecode. A call that does not return to the interpreter, such as `time.sleep` or a
power of huge numbers, is ended only when it returns.
"""

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread, get_ident
from typing import Final, TypeVar

T = TypeVar("T")

LONGEST_SLEEP: Final = 3600.0
SECONDS_TO_REPEAT: Final = 1.0
"""Code that catches the exception gets it again after this time."""
SECONDS_WHILE_HELD: Final = 0.1
"""The time between two checks of work whose limit is held."""


class _LimitReached(BaseException):
    """Raised in a thread whose time is up; `except Exception` does not catch it."""


class _TakenBack(BaseException):
    """Raised in a thread whose work has ended, in place of a `_LimitReached` that may be pending."""


class LimitError(Exception):
    """Work took longer than its `seconds`; the traceback of the cause ends where it was interrupted."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no result after {seconds:g} seconds")
        self.seconds = seconds


class _Watch:
    """A piece of work in a thread, and when its time is up."""

    def __init__(self, seconds: float) -> None:
        self.thread = get_ident()
        self.due_at = time.monotonic() + seconds
        self.is_expired = False
        self.holds = 0


class _Watchdog:
    """Raises `_LimitReached` in threads whose work takes too long, from one thread of its own.

    The exception may come at any instruction of a watched thread, also here. What a watched thread uses here is therefore
    written in C: a lock in a `with`, which is always released, and a queue. A `Condition` could be left locked.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._watches: set[_Watch] = set()
        self._wakes_at = 0.0
        self._wake: SimpleQueue[None] = SimpleQueue()
        self._process: int | None = None

    def add(self, watch: _Watch) -> None:
        with self._lock:
            self._watches.add(watch)
            is_first, self._process = self._process != os.getpid(), os.getpid()
        if is_first:
            Thread(target=self._run, name="oddsmith-watchdog", daemon=True).start()
        elif watch.due_at < self._wakes_at:
            self._wake.put(None)

    def remove(self, watch: _Watch) -> None:
        """Forget a watch: from now on nothing is raised for it, not even what is pending."""
        with self._lock:
            self._watches.discard(watch)
            if watch.is_expired:
                _take_back()

    def hold(self, change: int) -> None:
        """Add to the holds of the watches of this thread; nothing is raised in it while they have any."""
        thread = get_ident()
        with self._lock:
            for watch in self._watches:
                if watch.thread == thread:
                    watch.holds += change

    def _run(self) -> None:
        sys.settrace(
            None
        )  # in Python 3.11 a traced function does not begin while an error is pending in another thread
        while True:
            with self._lock:
                now = time.monotonic()
                for watch in self._watches:
                    if watch.due_at <= now and watch.holds:
                        watch.due_at = now + SECONDS_WHILE_HELD
                    elif watch.due_at <= now:
                        watch.is_expired, watch.due_at = True, now + SECONDS_TO_REPEAT
                        _raise_in(watch.thread, _LimitReached)
                self._wakes_at = min((watch.due_at for watch in self._watches), default=now + LONGEST_SLEEP)
            with suppress(Empty):
                self._wake.get(timeout=max(0.0, self._wakes_at - time.monotonic()))


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Raise an error in a thread at its next instruction, in place of one that is not raised yet."""
    import ctypes  # noqa: PLC0415  slow to load, and needed only where time is up

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _take_back() -> None:
    """Take back what is pending in this thread: another error takes its place, and is caught here.

    To set no error at all would leave Python's request to look for one: then it looks at each instruction, and a traced
    function never begins.
    """
    with suppress(_TakenBack):
        _raise_in(get_ident(), _TakenBack)
        while True:
            pass


_WATCHDOG: Final = _Watchdog()


def hold_limit() -> None:
    """Let the work of this thread go on beyond its limit until `release_limit`, which must follow; both can be nested.

    It is for code that would leave a lock of the process locked if it were interrupted.
    """
    _WATCHDOG.hold(1)


def release_limit() -> None:
    """End a hold of `hold_limit`."""
    _WATCHDOG.hold(-1)


def run_with_limit(work: Callable[[], T], seconds: float) -> T:
    """Return the result of work, which runs in this thread; raise `LimitError` where it takes longer.

    >>> run_with_limit(lambda: 7, seconds=1)
    7
    """
    watch = _Watch(seconds)
    try:
        _WATCHDOG.add(watch)
        try:
            result = work()
        finally:
            _WATCHDOG.remove(watch)
    except _LimitReached as reached:
        _WATCHDOG.remove(watch)
        if not watch.is_expired:
            raise
        raise LimitError(seconds) from reached
    if watch.is_expired:
        raise LimitError(seconds)
    return result

"""A time limit for Python code of others: an exception is raised in the thread that runs it.

It ends any code that executes Python bytecode. A call that does not return to the interpreter, such as `time.sleep` or a
power of huge numbers, is ended only when it returns.
"""

import ctypes
import sys
import time
from collections.abc import Callable
from threading import Condition, Thread, get_ident
from typing import Final, TypeVar

T = TypeVar("T")

SECONDS_TO_REPEAT: Final = 1.0
"""Code that catches the exception gets it again after this time."""


class _LimitReached(BaseException):
    """Raised in a thread whose time is up; `except Exception` does not catch it."""


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


class _Watchdog:
    """Raises `_LimitReached` in threads whose work takes too long, from one thread of its own."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._watches: set[_Watch] = set()
        self._wakes_at = 0.0
        self._thread: Thread | None = None

    def add(self, watch: _Watch) -> None:
        with self._changed:
            self._watches.add(watch)
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="oddsmith-watchdog", daemon=True)
                self._thread.start()
            elif watch.due_at < self._wakes_at:
                self._changed.notify()

    def remove(self, watch: _Watch) -> None:
        """Forget a watch: from now on nothing is raised for it, not even what is pending."""
        with self._changed:
            self._watches.discard(watch)
            if watch.is_expired:
                _raise_in(watch.thread, None)

    def _run(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                for watch in self._watches:
                    if watch.due_at <= now:
                        watch.is_expired, watch.due_at = True, now + SECONDS_TO_REPEAT
                        _raise_in(watch.thread, _LimitReached)
                self._wakes_at = min((watch.due_at for watch in self._watches), default=sys.maxsize)
                self._changed.wait(min(self._wakes_at - now, 3600.0))


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise an error in a thread at its next instruction; None takes back one that is not raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), None if error is None else ctypes.py_object(error)
    )


_WATCHDOG: Final = _Watchdog()


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

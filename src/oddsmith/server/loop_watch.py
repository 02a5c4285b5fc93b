"""Reports callbacks of the event loop that take long, for debugging: everything else waits while one runs.

Time is processor time of the loop's thread, so that a busy machine does not make a callback longer.
"""

import asyncio
import gc
import time
from collections.abc import Callable
from contextvars import Context
from threading import get_ident
from typing import Any, Final, NamedTuple, TypeVarTuple

from oddsmith.server.charging import current_account

try:
    from uvloop import Loop as FastestLoop
except ImportError:  # pragma: no cover  uvloop does not exist for Windows
    from asyncio import SelectorEventLoop as FastestLoop  # type: ignore[assignment]

Ts = TypeVarTuple("Ts")

FACTORY: Final = f"{__name__}:WatchedLoop"
"""The name of the event loop for uvicorn's setting `loop`."""
COLLECTION: Final = "garbage collection"


class LongCallback(NamedTuple):
    """A callback that took long: what it worked on, the function or coroutine, and its processor time.

    `what` is the method and the path of the request, with its match, and `route` the route; both are the name of the function
    where the server itself caused the work.
    """

    route: str
    what: str
    function: str
    seconds: float


class WatchedLoop(FastestLoop):
    """An event loop that reports callbacks which take long; without `watch` it reports nothing.

    Steps of tasks, callbacks of futures and timers are watched; the parsing of received bytes, which is bounded, is not.
    """

    _longest = float("inf")
    _report: Callable[[LongCallback], None] | None = None
    _collected = 0.0
    _collection_began = 0.0

    def watch(self, seconds: float, report: Callable[[LongCallback], None]) -> None:
        """From now on call `report` after each callback that took as many seconds or more; called in the loop's thread.

        Garbage collections are reported by themselves, whichever callback they interrupt.
        """
        self._longest, self._report, self._watched_thread = seconds, report, get_ident()
        gc.callbacks.append(self._note_collection)

    def close(self) -> None:
        """Close the loop, and report nothing more."""
        if self._report is not None:
            gc.callbacks.remove(self._note_collection)
            self._report = None
        super().close()

    def _note_collection(self, phase: str, _about: dict[str, int]) -> None:
        """Add the time of a garbage collection in the loop's thread."""
        if get_ident() != self._watched_thread:
            return
        if phase == "start":
            self._collection_began = time.thread_time()
        else:
            self._collected += time.thread_time() - self._collection_began

    def call_soon(
        self,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.Handle:
        """Schedule a callback, and watch it."""
        return super().call_soon(self._run_watched, callback, *args, context=context)

    def call_soon_threadsafe(
        self,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.Handle:
        """Schedule a callback from another thread, and watch it."""
        return super().call_soon_threadsafe(self._run_watched, callback, *args, context=context)

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Schedule a callback after a delay, and watch it."""
        return super().call_later(delay, self._run_watched, callback, *args, context=context)

    def _run_watched(self, callback: Callable[[*Ts], object], *args: *Ts) -> None:
        began, self._collected = time.thread_time(), 0.0
        try:
            callback(*args)
        finally:
            seconds = time.thread_time() - began - self._collected
            if self._report is not None:
                if seconds >= self._longest:
                    self._report(_describe(callback, seconds))
                if self._collected >= self._longest:
                    self._report(LongCallback(COLLECTION, COLLECTION, COLLECTION, self._collected))


def _describe(callback: Callable[..., Any], seconds: float) -> LongCallback:
    """Return what a callback worked on; called in its context."""
    owner = getattr(callback, "__self__", None)
    function = getattr(callback, "__qualname__", "callback")
    if isinstance(owner, asyncio.Task):
        name = owner.get_name()
        function = getattr(owner.get_coro(), "__qualname__", name) if name.startswith("Task-") else name
    account = current_account()
    if account is None:
        return LongCallback(function, function, function, seconds)
    request = account.request
    return LongCallback(request.route, f"{request.method} {request.path[:200]}", function, seconds)

"""Runs work on the event loop where it is short, and in a thread where it is long or where nobody knows yet.

Work takes about as long as it took the last time for the same match. Whatever was long then, and the first piece, runs in
a thread: what grows from one move to the next leaves the event loop before it delays other clients.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar

from oddsmith.server.charging import charged, current_account

T = TypeVar("T")

SECONDS_ON_LOOP: Final = 0.002
"""Work that took longer the last time runs in a thread."""
LARGEST_ON_LOOP: Final = 1024
"""The bytes of a request that may hold rules above which it is read in a thread."""
THREADS: Final = 2


class WorkTime:
    """The processor time that a kind of work took the last time; unknown at first, unless it is given."""

    def __init__(self, seconds: float = float("inf")) -> None:
        self.seconds = seconds

    @property
    def is_long(self) -> bool:
        """Whether the work runs in a thread the next time."""
        return self.seconds > SECONDS_ON_LOOP

    def measure(self, work: Callable[[], T]) -> T:
        """Return the result of work, and note the processor time that this thread needed for it."""
        began = time.thread_time()
        try:
            return work()
        finally:
            self.seconds = time.thread_time() - began


class LongWork:
    """A thread pool whose clients take turns, and the decision which work needs it."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="oddsmith-long")
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._running = 0

    async def run(self, work: Callable[[], T], took: WorkTime | None = None) -> T:
        """Return the result of work; without `took` it is long.

        Work that has begun in a thread is finished there, also if the caller is cancelled.
        """
        if took is None:
            return await self._run_in_thread(work)
        if took.is_long:
            return await self._run_in_thread(lambda: took.measure(work))
        return took.measure(work)

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        await self._take_turn()
        running = self._threads.submit(charged(work))
        loop = asyncio.get_running_loop()

        def end_turn(_: Future[T]) -> None:
            try:
                loop.call_soon_threadsafe(self._end_turn)
            except RuntimeError:  # the event loop is closed, with everything that waited
                self._running -= 1

        running.add_done_callback(end_turn)
        return await asyncio.wrap_future(running)

    async def _take_turn(self) -> None:
        """Wait for a thread; clients with waiting work get one in turn, whoever has how much of it."""
        if self._running < THREADS:
            self._running += 1
            return
        account = current_account()
        client = "" if account is None else account.request.client
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._end_turn()
            raise

    def _end_turn(self) -> None:
        """Give the thread to the next client."""
        while self._waiting:
            client, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[client] = turns
            if not turn.done():
                turn.set_result(None)
                return
        self._running -= 1

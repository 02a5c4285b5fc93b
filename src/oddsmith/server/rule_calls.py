"""Calls of the rules of mechanics: those that were named by files in a thread for each of them, with a time limit.

The rules of an installed mechanic are called on the event loop, or in a thread where that takes long. A rule that raises an
exception, or does not return in time, gives a `MechanicError`, and the log has its line once.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Collection
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

import structlog

from oddsmith.errors import MechanicError, OddsmithError
from oddsmith.mechanic_source import describe_error, find_place, source_name
from oddsmith.registry import find_source, source_names
from oddsmith.server.charging import charged
from oddsmith.server.long_work import LongWork, WorkTime
from oddsmith.thread_limit import LimitError, run_with_limit

T = TypeVar("T")

SECONDS: Final = 5.0
SECONDS_TO_REPLAY: Final = 20.0
"""The time limit of a whole log, a record or a question: as long as a slow question may take."""
SECONDS_TO_END: Final = 1.0
"""After this time beyond its limit, a thread is given up: it runs a call that does not return to the interpreter."""
MOST_FAILURES: Final = 5
MOST_LOGGED: Final = 1_000
"""Different failures that are logged: their messages may differ each time."""
MOST_LOST: Final = 3
"""Threads of one mechanic that may be given up; then its rules are no longer called."""


class RuleCalls:
    """Calls the rules of mechanics; those of `games` in a thread for each of them, with a time limit.

    By default `games` are the mechanics of this process that were named by a file, or by `module:NAME`. `failures` are the
    last ones that differ.
    """

    def __init__(self, seconds: float = SECONDS, games: Collection[str] | None = None) -> None:
        self._seconds = seconds
        self._games = frozenset(source_names() if games is None else games)
        self._threads: dict[str, _RuleThread] = {}
        self._long_work = LongWork()
        self._lost: Counter[str] = Counter()
        self._logged: set[str] = set()
        self.failures: deque[MechanicError] = deque(maxlen=MOST_FAILURES)

    def is_limited(self, game: str) -> bool:
        """Return whether the rules of a game are called in a thread, with a time limit."""
        return game in self._games

    async def run(
        self,
        game: str,
        work: Callable[[], T],
        seconds: float | None = None,
        *,
        took: WorkTime | None = None,
    ) -> T:
        """Return the result of work that calls the rules of a game; raise `MechanicError` where they fail.

        `took` is the time of the same work before: where that was short, installed rules are called on the event loop.
        """
        if game not in self._games:
            return await self._long_work.run(work, took)
        limit = self._seconds if seconds is None else seconds
        if self._lost[game] >= MOST_LOST:
            raise self._stuck_error(game, limit, None)
        thread = self._threads.get(game)
        if thread is None:
            thread = self._threads[game] = _RuleThread(game)
        running = thread.submit(charged(lambda: self.run_here(game, work, limit)))
        try:
            return await asyncio.wait_for(asyncio.wrap_future(running), limit + SECONDS_TO_END)
        except TimeoutError:
            if running.running() and self._threads.get(game) is thread:
                del self._threads[game]
                self._lost[game] += 1
            raise self._stuck_error(game, limit, None) from None

    def run_here(self, game: str, work: Callable[[], T], seconds: float | None = None) -> T:
        """Return the result of work in this thread, as `run` does."""
        if game not in self._games:
            return work()
        limit = self._seconds if seconds is None else seconds
        try:
            return run_with_limit(work, limit)
        except LimitError as error:
            raise self._stuck_error(game, limit, error.__cause__) from error
        except OddsmithError:
            raise
        except Exception as error:
            place, where = self._find_place(game, error)
            sentence = f"{place}the rules of '{game}' failed: {describe_error(error)}"
            raise self._log_once(game, MechanicError("mechanic_failed", sentence, where=where)) from error

    def _stuck_error(self, game: str, seconds: float, error: BaseException | None) -> MechanicError:
        place, where = self._find_place(game, error)
        sentence = f"{place}the rules of '{game}' did not return within {seconds:g} seconds"
        return self._log_once(game, MechanicError("mechanic_stuck", sentence, where=where))

    @staticmethod
    def _find_place(game: str, error: BaseException | None) -> tuple[str, str]:
        """Return the beginning of a sentence about an error, which names its line, and the `where` of its refusal."""
        source = find_source(game)
        name = game if source is None else source_name(source)
        place = None if error is None or source is None else find_place(error, source)
        if place is None:
            return "", name
        return f"'{name}', line {place.line}, in {place.function}: ", f"{name}:{place.line}"

    def _log_once(self, game: str, error: MechanicError) -> MechanicError:
        code, sentence = error.refusal.code, error.refusal.sentence
        if sentence not in self._logged and len(self._logged) < MOST_LOGGED:
            self._logged.add(sentence)
            self.failures.append(error)
            structlog.get_logger().error("mechanic failed", code=code, game=game, sentence=sentence)
        return error


class _RuleThread:
    """A daemon thread that runs work in the order in which it was submitted."""

    def __init__(self, game: str) -> None:
        self._queue: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        Thread(target=self._run, name=f"oddsmith-rules-{game}", daemon=True).start()

    def submit(self, work: Callable[[], T]) -> "Future[T]":
        """Queue work; what is cancelled before its turn is not run."""
        future: Future[T] = Future()
        self._queue.put((future, work))
        return future

    def _run(self) -> None:
        while True:
            future, work = self._queue.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = work()
            except BaseException as error:  # noqa: BLE001  every error is passed to the caller
                future.set_exception(error)
            else:
                future.set_result(result)

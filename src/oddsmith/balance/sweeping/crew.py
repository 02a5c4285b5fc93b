"""Chunks are read by processes of this machine; one that dies costs only the chunk that it was reading."""

import signal
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import product
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import current_thread, main_thread
from typing import Any, Final, NamedTuple

import msgspec

from oddsmith.balance.sweeping.plan import Sweep
from oddsmith.balance.sweeping.points import read_chunk
from oddsmith.errors import InputError, WorkLimitError

MOST_DEATHS: Final = 3
"""A chunk on which so many workers died is not tried again."""
MOST_WORKERS: Final = 256
AHEAD: Final = 2
"""So many chunks a worker is asked for at once, so that it never waits for the next."""
PATIENCE: Final = 5.0
"""So many seconds a worker that has nothing left to do is waited for."""


class Part(NamedTuple):
    """A chunk that was read."""

    number: int
    part: bytes


class _Worker(msgspec.Struct, eq=False):
    """A process, and the chunks that it was asked for: it reads the first, and the others are at hand when it is done."""

    process: BaseProcess
    connection: "Connection[int, bytes | Exception]"
    asked: deque[int] = msgspec.field(default_factory=deque)

    def ask(self, left: deque[int], most: int = AHEAD) -> None:
        """Ask for so many chunks; where the worker has died meanwhile, that is heard like any other death."""
        while left and len(self.asked) < most:
            self.asked.append(left.popleft())
            with suppress(OSError):
                self.connection.send(self.asked[-1])

    def answer(self) -> bytes | None:
        """Return what it has read; None where it died."""
        try:
            answer = self.connection.recv()
        except (EOFError, OSError):
            return None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def dismiss(self) -> None:
        """Let it end."""
        self.connection.close()
        self.process.join(PATIENCE)


def by_one(sweep: Sweep, chunks: Iterable[int]) -> Generator[Part]:
    """Read chunks in this process, one after the other."""
    for number in chunks:
        yield Part(number, read_chunk(sweep, number))


def by_many(sweep: Sweep, chunks: Iterable[int], workers: int) -> Generator[Part]:
    """Read chunks in so many processes of their own, and yield each as soon as it is read.

    The processes end with the generator. They load the calling program anew: it must keep its own work under
    `if __name__ == "__main__"`.
    """
    if not 1 <= workers <= MOST_WORKERS:
        raise InputError("bad_workers", f"from 1 to {MOST_WORKERS} workers can be had: {workers} were given")
    return _by_many(sweep, deque(chunks), workers)


def _by_many(sweep: Sweep, left: deque[int], workers: int) -> Generator[Part]:
    deaths: Counter[int] = Counter()
    team: list[_Worker] = []
    try:
        while left or team:
            team += [_started(sweep) for _ in range(min(workers - len(team), len(left)))]
            for most, worker in product(range(1, AHEAD + 1), team):
                worker.ask(left, most)
            for worker in _heard(team):
                answer, number = worker.answer(), worker.asked.popleft()
                if answer is None:
                    deaths[number] += 1
                    _require_life(sweep, number, deaths)
                    left.extendleft((*reversed(worker.asked), number))
                else:
                    worker.ask(left)
                if answer is None or not worker.asked:
                    team.remove(worker)
                    worker.dismiss()
                if answer is not None:
                    yield Part(number, answer)
    finally:
        for worker in team:
            worker.process.kill()
            worker.dismiss()


def _started(sweep: Sweep) -> _Worker:
    fresh = get_context("spawn")
    here, there = fresh.Pipe()
    process = fresh.Process(target=_work, args=(sweep, there), daemon=True)
    with _deaf():
        process.start()
    there.close()
    return _Worker(process, here)


@contextmanager
def _deaf() -> Iterator[None]:
    """Do not hear Ctrl-C meanwhile: a process that is started now never will, not even while it loads."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _heard(team: list[_Worker]) -> list[_Worker]:
    """Wait until some have read their chunks, or died."""
    ready = set(map(id, wait([worker.connection for worker in team])))
    return [worker for worker in team if id(worker.connection) in ready]


def _require_life(sweep: Sweep, number: int, deaths: Counter[int]) -> None:
    if deaths[number] == MOST_DEATHS:
        rows = sweep.chunk_rows(number)
        raise WorkLimitError(
            "workers_died",
            f"{MOST_DEATHS} workers died reading rows {rows.start:,} to {rows.stop - 1:,}, perhaps for want of memory: "
            "other chunks are kept; a smaller `chunk`, or fewer workers, may help",
        )


def _work(sweep: Sweep, connection: "Connection[Any, Any]") -> None:
    """Read chunks until nobody asks for more; Ctrl-C is for whoever asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            number = connection.recv()
            try:
                answer: bytes | Exception = read_chunk(sweep, number)
            except Exception as error:  # noqa: BLE001  whoever asked raises it again
                answer = error
            connection.send(answer)

"""Chunks are read by processes of this machine; one that dies costs only the chunk that it was reading."""

import signal
from collections import Counter, deque
from collections.abc import Generator, Iterable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, NamedTuple

from oddsmith.balance.sweeping.plan import Sweep
from oddsmith.balance.sweeping.reading import read_chunk
from oddsmith.errors import InputError, WorkLimitError

__all__ = ["MOST_DEATHS", "MOST_WORKERS", "Part", "by_many", "by_one"]

MOST_DEATHS: Final = 3
"""A chunk on which so many workers died is not tried again."""
MOST_WORKERS: Final = 256
PATIENCE: Final = 5.0
"""So many seconds a worker that has nothing left to do is waited for."""


class Part(NamedTuple):
    """A chunk that was read."""

    number: int
    part: bytes


class _Worker(NamedTuple):
    process: BaseProcess
    connection: "Connection[int | None, bytes | Exception]"


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
    busy: dict[_Worker, int] = {}
    try:
        while left or busy:
            while left and len(busy) < workers:
                _give(_started(sweep), left, busy)
            for worker in _heard(busy):
                number = busy.pop(worker)
                answer = _answer(worker)
                if answer is None:
                    deaths[number] += 1
                    _require_life(sweep, number, deaths)
                    left.appendleft(number)
                    _dismiss(worker)
                elif left:
                    _give(worker, left, busy)
                else:
                    _dismiss(worker)
                if answer is not None:
                    yield Part(number, answer)
    finally:
        for worker in busy:
            worker.process.kill()
            _dismiss(worker)


def _started(sweep: Sweep) -> _Worker:
    fresh = get_context("spawn")
    here, there = fresh.Pipe()
    process = fresh.Process(target=_work, args=(sweep, there), daemon=True)
    process.start()
    there.close()
    return _Worker(process, here)


def _give(worker: _Worker, left: deque[int], busy: dict[_Worker, int]) -> None:
    """Let a worker read the next chunk; where it has died meanwhile, that is heard like any other death."""
    number = left.popleft()
    busy[worker] = number
    with suppress(OSError):
        worker.connection.send(number)


def _heard(busy: dict[_Worker, int]) -> list[_Worker]:
    """Wait until some have read their chunks, or died."""
    ready = set(map(id, wait([worker.connection for worker in busy])))
    return [worker for worker in busy if id(worker.connection) in ready]


def _answer(worker: _Worker) -> bytes | None:
    """Return what a worker has read; None where it died."""
    try:
        answer = worker.connection.recv()
    except (EOFError, OSError):
        return None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _dismiss(worker: _Worker) -> None:
    worker.connection.close()
    worker.process.join(PATIENCE)


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

"""A pool of worker processes that replaces a process that dies; results are yielded as they are finished."""

import signal
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import product
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import current_thread, main_thread
from traceback import format_exception
from typing import Any, Final, Generic, NamedTuple, TypeVar

from oddsmith.chance import Draw
from oddsmith.errors import InputError, OddsmithError, WorkLimitError

__all__ = ["MOST_DEATHS", "ReplaceableDraw", "run_batches", "run_pieces"]

P = TypeVar("P")
T = TypeVar("T")

MOST_DEATHS: Final = 3
"""The number of workers that may die on one piece of work before it is refused."""
MOST_SENT: Final = 2
"""The number of pieces that a worker has at most: the one that it works on, and the next, so that it never waits."""
JOIN_SECONDS: Final = 5.0
"""The timeout of the join of a worker that was ended or killed."""


class ReplaceableDraw:
    """A draw that passes calls on to `source`, which may be replaced between two games.

    >>> from oddsmith.chance import Scripted
    >>> draw = ReplaceableDraw(Scripted([2]))
    >>> draw.below(6)
    2
    """

    def __init__(self, source: Draw) -> None:
        self.source = source

    def below(self, bound: int) -> int:
        """Draw from `source`."""
        return self.source.below(bound)


def run_batches(work: Callable[[range], T], count: int, size: int, workers: int) -> Generator[T]:
    """Yield the results of `work` on the numbers from 1 to `count`, in ranges of `size`.

    One worker is this process. More are processes of their own, as in `run_pieces`: results come in any order.

    >>> list(run_batches(sum, 5, 2, workers=1))
    [3, 7, 5]
    """
    _require_workers(workers)
    return _run_ranges(
        work, [range(first, min(first + size, count + 1)) for first in range(1, count + 1, size)], workers
    )


def _run_ranges(work: Callable[[range], T], batches: Sequence[range], workers: int) -> Generator[T]:
    if workers == 1 or len(batches) == 1:
        yield from map(work, batches)
        return
    with closing(run_pieces(work, batches, workers, refusal=_batch_refusal)) as finished:
        for _, result in finished:
            yield result


def _batch_refusal(batch: range) -> OddsmithError:
    return WorkLimitError(
        "workers_died",
        f"{MOST_DEATHS} workers died on numbers {batch.start:,} to {batch.stop - 1:,}, perhaps for lack of memory: "
        "fewer workers may help",
    )


def _require_workers(workers: int) -> None:
    if workers < 1:
        raise InputError("bad_workers", f"at least 1 worker is needed: {workers} were given")


def run_pieces(
    work: Callable[[P], T], pieces: Iterable[P], workers: int, *, refusal: Callable[[P], OddsmithError]
) -> Generator[tuple[P, T]]:
    """Yield each piece with the result of `work` on it, as soon as it is finished, in any order.

    Work, pieces and results are pickled. An error of the work is raised here, with the worker's traceback as its cause.
    A worker that dies is replaced, and its piece is run again. After `MOST_DEATHS` deaths on one piece, the error that
    `refusal` returns for it is raised.

    The processes end with the generator. They ignore Ctrl-C, inherit the environment, and import the calling program,
    whose own work must be under `if __name__ == "__main__"`.
    """
    _require_workers(workers)
    return _run_pieces(work, deque(enumerate(pieces)), workers, refusal)


def _run_pieces(
    work: Callable[[P], T],
    queue: deque[tuple[int, P]],
    workers: int,
    refusal: Callable[[P], OddsmithError],
) -> Generator[tuple[P, T]]:
    deaths: Counter[int] = Counter()
    pool: list[_Worker[P, T]] = []
    try:
        while queue or pool:
            pool.extend(_start_worker(work) for _ in range(min(workers - len(pool), len(queue))))
            for most, worker in product(range(1, MOST_SENT + 1), pool):
                worker.send(queue, most)
            for worker in _wait_for_results(pool):
                result = worker.receive()
                if result is None:
                    pool.remove(worker)
                    worker.end()
                    _requeue(worker.sent, queue, deaths, refusal)
                    continue
                _, piece = worker.sent.popleft()
                worker.send(queue)
                if not worker.sent:
                    pool.remove(worker)
                    worker.end()
                yield piece, result.get()
    finally:
        for worker in pool:
            worker.process.kill()
        for worker in pool:
            worker.end()


def _requeue(
    sent: deque[tuple[int, P]],
    queue: deque[tuple[int, P]],
    deaths: Counter[int],
    refusal: Callable[[P], OddsmithError],
) -> None:
    """Put the pieces of a dead worker back in front of the queue; raise `refusal` after too many deaths on its first."""
    number, piece = sent[0]
    deaths[number] += 1
    if deaths[number] == MOST_DEATHS:
        raise refusal(piece)
    queue.extendleft(reversed(sent))


class WorkerTraceback(Exception):  # noqa: N818  never raised: the cause that shows where an error was raised
    """The traceback of an error in a worker, as text."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class _Result(NamedTuple, Generic[T]):
    """The value of a piece of work, or the error that was raised and its traceback."""

    value: T | None
    error: BaseException | None = None
    traceback: str = ""

    def get(self) -> T:
        """Return the value, or raise the error."""
        if self.error is not None:
            raise self.error from WorkerTraceback(self.traceback)
        return self.value  # type: ignore[return-value]  # without an error there is a value


class _Worker(Generic[P, T]):
    """A process, and the numbered pieces that were sent to it and have no result yet: it works on the first."""

    def __init__(self, process: BaseProcess, connection: "Connection[P, _Result[T]]") -> None:
        self.process = process
        self.connection = connection
        self.sent: deque[tuple[int, P]] = deque()

    def send(self, queue: deque[tuple[int, P]], most: int = MOST_SENT) -> None:
        """Send pieces until the worker has `most` of them; errors of a dead worker are left to `receive`."""
        while queue and len(self.sent) < most:
            self.sent.append(queue.popleft())
            with suppress(OSError):
                self.connection.send(self.sent[-1][1])

    def receive(self) -> _Result[T] | None:
        """Return the result of the first piece; None if the worker died."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        """Close the connection, which ends an idle worker, and join it."""
        self.connection.close()
        self.process.join(JOIN_SECONDS)


def _start_worker(work: Callable[[P], T]) -> _Worker[P, T]:
    spawn = get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=_run_worker, args=(work, there), daemon=True)
    with _ignore_interrupts():
        process.start()
    there.close()
    return _Worker(process, here)


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C; a process that is started inside ignores it from its start."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _wait_for_results(pool: Sequence[_Worker[P, T]]) -> list[_Worker[P, T]]:
    """Wait until some workers have a result or have died, and return them."""
    ready = set(map(id, wait([worker.connection for worker in pool])))
    return [worker for worker in pool if id(worker.connection) in ready]


def _run_worker(work: Callable[[Any], object], connection: "Connection[_Result[object], Any]") -> None:
    """Run a worker process: send results of pieces until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            _send_result(_run_piece(work, connection.recv()), connection)


def _run_piece(work: Callable[[Any], object], piece: object) -> _Result[object]:
    try:
        return _Result(work(piece))
    except BaseException as error:  # noqa: BLE001  raised again in the calling process
        return _Result(None, error, "".join(format_exception(error)))


def _send_result(result: _Result[object], connection: "Connection[_Result[object], Any]") -> None:
    """Send a result; if it cannot be pickled, the error instead."""
    try:
        connection.send(result)
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001  whatever pickling raises, it is raised again in the calling process
        connection.send(_Result(None, error, result.traceback + "".join(format_exception(error))))

"""Work in several processes, which survives the death of a process; results are yielded as they are finished."""

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
AHEAD: Final = 2
"""The number of pieces that a worker has at most: the one that it works on, and the next, so that it never waits."""
SECONDS_TO_END: Final = 5.0
"""How long a worker that has nothing left to do, or was killed, is waited for."""


class ReplaceableDraw:
    """A source of draws that can be changed for another between two games.

    >>> from oddsmith.chance import Scripted
    >>> luck = ChangingLuck(Scripted([2]))
    >>> luck.below(6)
    2
    """

    def __init__(self, source: Draw) -> None:
        self.source = source

    def below(self, bound: int) -> int:
        """Draw from the present source."""
        return self.source.below(bound)


def run_batches(work: Callable[[range], T], count: int, size: int, workers: int) -> Generator[T]:
    """Yield what `work` makes of the numbers from 1 to `count`, `size` of them at a time.

    More than one worker means processes of their own, as `run_pieces` has them.

    >>> list(in_batches(sum, 5, 2, workers=1))
    [3, 7, 5]
    """
    _require_workers(workers)
    return _batched(
        work, [range(first, min(first + size, count + 1)) for first in range(1, count + 1, size)], workers
    )


def _batched(work: Callable[[range], T], batches: Sequence[range], workers: int) -> Generator[T]:
    if workers == 1 or len(batches) == 1:
        yield from map(work, batches)
        return
    with closing(run_pieces(work, batches, workers, refusal=_batch_refusal)) as finished:
        for _, result in finished:
            yield result


def _batch_refusal(batch: range) -> OddsmithError:
    return WorkLimitError(
        "workers_died",
        f"{MOST_DEATHS} workers died on numbers {batch.start:,} to {batch.stop - 1:,}, perhaps for want of memory: "
        "fewer workers may help",
    )


def _require_workers(workers: int) -> None:
    if workers < 1:
        raise InputError("bad_workers", f"at least 1 worker is needed: {workers} were given")


def run_pieces(
    work: Callable[[P], T], pieces: Iterable[P], workers: int, *, refusal: Callable[[P], OddsmithError]
) -> Generator[tuple[P, T]]:
    """Yield each piece with what `work` makes of it, as soon as it is finished, in any order.

    Work, pieces and results are pickled. What the work raises is raised here, with the worker's traceback as its cause.
    A worker that dies is replaced, and its piece is run again; after `MOST_DEATHS` deaths on one piece, what `refusal`
    returns for it is raised.

    The processes end with the generator. They ignore Ctrl-C, inherit the environment, and load the calling program
    again: it must keep its own work under `if __name__ == "__main__"`.
    """
    _require_workers(workers)
    return _run_pieces(work, deque(enumerate(pieces)), workers, refusal)


def _run_pieces(
    work: Callable[[P], T],
    left: deque[tuple[int, P]],
    workers: int,
    refusal: Callable[[P], OddsmithError],
) -> Generator[tuple[P, T]]:
    deaths: Counter[int] = Counter()
    team: list[_Worker[P, T]] = []
    try:
        while left or team:
            team.extend(_start_worker(work) for _ in range(min(workers - len(team), len(left))))
            for most, worker in product(range(1, AHEAD + 1), team):
                worker.send(left, most)
            for worker in _wait_for_answers(team):
                answer = worker.receive()
                if answer is None:
                    team.remove(worker)
                    worker.end()
                    _take_back(worker.sent, left, deaths, refusal)
                    continue
                _, piece = worker.sent.popleft()
                worker.send(left)
                if not worker.sent:
                    team.remove(worker)
                    worker.end()
                yield piece, answer.result()
    finally:
        for worker in team:
            worker.process.kill()
        for worker in team:
            worker.end()


def _take_back(
    sent: deque[tuple[int, P]],
    left: deque[tuple[int, P]],
    deaths: Counter[int],
    refusal: Callable[[P], OddsmithError],
) -> None:
    """Put the pieces of a worker that died first in the queue, unless too many died on the one that it worked on."""
    number, piece = sent[0]
    deaths[number] += 1
    if deaths[number] == MOST_DEATHS:
        raise refusal(piece)
    left.extendleft(reversed(sent))


class WorkerTraceback(Exception):  # noqa: N818  it is raised by nobody, and only shows where an error was raised
    """The traceback of an error in a worker, as text."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class _Answer(NamedTuple, Generic[T]):
    """The result of a piece of work, or the error that was raised instead and its traceback."""

    value: T | None
    error: BaseException | None = None
    traceback: str = ""

    def result(self) -> T:
        """Return the result, or raise the error."""
        if self.error is not None:
            raise self.error from WorkerTraceback(self.traceback)
        return self.value  # type: ignore[return-value]  # without an error there is a value


class _Worker(Generic[P, T]):
    """A process, and the numbered pieces that were sent to it and are not answered: it works on the first."""

    def __init__(self, process: BaseProcess, connection: "Connection[P, _Answer[T]]") -> None:
        self.process = process
        self.connection = connection
        self.sent: deque[tuple[int, P]] = deque()

    def send(self, left: deque[tuple[int, P]], most: int = AHEAD) -> None:
        """Send pieces until the worker has `most` of them; if it has died, `receive` tells."""
        while left and len(self.sent) < most:
            self.sent.append(left.popleft())
            with suppress(OSError):
                self.connection.send(self.sent[-1][1])

    def receive(self) -> _Answer[T] | None:
        """Return the answer to the first piece; None if the worker died."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        """Close the connection, which ends the worker when it has nothing to do, and wait for it."""
        self.connection.close()
        self.process.join(SECONDS_TO_END)


def _start_worker(work: Callable[[P], T]) -> _Worker[P, T]:
    spawn = get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=_answer_pieces, args=(work, there), daemon=True)
    with _interrupts_ignored():
        process.start()
    there.close()
    return _Worker(process, here)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl-C: a process that is started meanwhile ignores it from the start, also while it loads."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _wait_for_answers(team: Sequence[_Worker[P, T]]) -> list[_Worker[P, T]]:
    """Wait until some workers have answered or died, and return these."""
    ready = set(map(id, wait([worker.connection for worker in team])))
    return [worker for worker in team if id(worker.connection) in ready]


def _answer_pieces(work: Callable[[Any], object], connection: "Connection[_Answer[object], Any]") -> None:
    """Do the work of a worker: answer pieces until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            _send_answer(_answer(work, connection.recv()), connection)


def _answer(work: Callable[[Any], object], piece: object) -> _Answer[object]:
    try:
        return _Answer(work(piece))
    except BaseException as error:  # noqa: BLE001  it is raised where the piece came from
        return _Answer(None, error, "".join(format_exception(error)))


def _send_answer(answer: _Answer[object], connection: "Connection[_Answer[object], Any]") -> None:
    """Send an answer; if it cannot be pickled, the reason instead."""
    try:
        connection.send(answer)
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001  as above
        connection.send(_Answer(None, error, answer.traceback + "".join(format_exception(error))))

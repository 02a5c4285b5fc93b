"""Work that comes in numbers is done in batches, by this process or by several, and what is finished is yielded at once."""

import signal
from collections.abc import Callable, Generator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Final, TypeVar

from oddsmith.chance import Draw
from oddsmith.errors import InputError

__all__ = ["ChangingLuck", "in_batches"]

T = TypeVar("T")

_DEAF: Final = signal.SIGINT, signal.SIG_IGN
"""Workers do not hear Ctrl-C: whoever started them does, and lets them finish their batch."""


class ChangingLuck:
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


def in_batches(work: Callable[[range], T], count: int, size: int, workers: int) -> Generator[T]:
    """Yield what `work` makes of the numbers from 1 to `count`, `size` of them at a time.

    More than one worker means processes of their own, to which the work is pickled; they end with the generator.

    >>> list(in_batches(sum, 5, 2, workers=1))
    [3, 7, 5]
    """
    if workers < 1:
        raise InputError("bad_workers", f"at least 1 worker is needed: {workers} were given")
    return _batched(
        work, [range(first, min(first + size, count + 1)) for first in range(1, count + 1, size)], workers
    )


def _batched(work: Callable[[range], T], batches: list[range], workers: int) -> Generator[T]:
    if workers == 1 or len(batches) == 1:
        yield from map(work, batches)
        return
    pool = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=signal.signal, initargs=_DEAF
    )
    try:
        for done in as_completed([pool.submit(work, batch) for batch in batches]):
            yield done.result()
    finally:
        pool.shutdown(cancel_futures=True)

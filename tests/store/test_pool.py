"""A pool lends each connection to one thread at a time, and reuses it."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier, BrokenBarrierError

import pytest

from oddsmith.errors import StoreAwayError
from oddsmith.store.pool import Pool


class Line:
    """A connection that knows only whether it lives."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.lives = True

    def close(self) -> None:
        self.lives = False


def pool(size: int = 2) -> Pool[Line]:
    """Return a pool that numbers its connections."""
    numbers = count(1)
    return Pool(lambda: Line(next(numbers)), size=size)


def test_a_connection_is_lent_again() -> None:
    """One that was given back is taken before another is made."""
    kept = pool()
    with kept.connection() as first:
        pass
    with kept.connection() as again, kept.connection() as other:
        pass

    assert [1, 1, 2] == [first.number, again.number, other.number]


def test_a_connection_that_failed_is_closed() -> None:
    """One that an exception passed through is not used again."""
    kept = pool()
    with pytest.raises(KeyError), kept.connection() as first:
        raise KeyError
    with kept.connection() as other:
        assert (False, 2) == (first.lives, other.number)


def test_no_more_are_lent_than_allowed() -> None:
    """A third waits until one of two comes back."""
    kept, meeting = pool(size=2), Barrier(3)

    def meet(_: int) -> bool:
        with kept.connection():
            try:
                meeting.wait(0.05)
            except BrokenBarrierError:
                return False
            return True

    with ThreadPoolExecutor(3) as threads:
        assert [False] * 3 == list(threads.map(meet, range(3)))


def test_after_the_end_nothing_is_lent() -> None:
    """Those that wait are closed at once, those that are lent when they come back."""
    kept = pool()
    with kept.connection() as lent:
        with kept.connection() as waiting:
            pass
        kept.close()

        assert (True, False) == (lent.lives, waiting.lives)

    assert not lent.lives
    with pytest.raises(StoreAwayError, match="the store was closed"), kept.connection():
        pass

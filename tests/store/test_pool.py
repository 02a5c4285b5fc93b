"""A connection is used by one thread at a time, and waits for the next one afterwards."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier, BrokenBarrierError

import pytest

from oddsmith.errors import StoreError
from oddsmith.store.pool import Spares


class Line:
    """A connection that knows only whether it lives."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.lives = True

    def close(self) -> None:
        self.lives = False


def spares(most: int = 2) -> Spares[Line]:
    """Return spares that number their connections."""
    numbers = count(1)
    return Spares(lambda: Line(next(numbers)), answers=lambda line: line.lives, most=most)


def test_a_connection_is_lent_again() -> None:
    """One that was given back is taken before another is made."""
    kept = spares()
    with kept.one() as first:
        pass
    with kept.one() as again, kept.one() as other:
        pass

    assert [1, 1, 2] == [first.number, again.number, other.number]


def test_a_connection_that_does_not_answer_is_replaced() -> None:
    """One that has died while it waited is not lent."""
    kept = spares()
    with kept.one() as first:
        pass
    first.close()
    with kept.one() as other:
        assert 2 == other.number


def test_a_connection_that_failed_is_closed() -> None:
    """One that an exception passed through is not used again."""
    kept = spares()
    with pytest.raises(KeyError), kept.one() as first:
        raise KeyError
    with kept.one() as other:
        assert (False, 2) == (first.lives, other.number)


def test_no_more_are_lent_than_allowed() -> None:
    """A third waits until one of two comes back."""
    kept, meeting = spares(most=2), Barrier(3)

    def meet(_: int) -> bool:
        with kept.one():
            try:
                meeting.wait(0.05)
            except BrokenBarrierError:
                return False
            return True

    with ThreadPoolExecutor(3) as threads:
        assert [False] * 3 == list(threads.map(meet, range(3)))


def test_after_the_end_nothing_is_lent() -> None:
    """Those that wait are closed at once, those that are lent when they come back."""
    kept = spares()
    with kept.one() as lent:
        with kept.one() as waiting:
            pass
        kept.close()

        assert (True, False) == (lent.lives, waiting.lives)

    assert not lent.lives
    with pytest.raises(StoreError, match="the store was closed"), kept.one():
        pass

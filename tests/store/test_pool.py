"""A connection pool lends each connection to one thread at a time, and reuses it."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier, BrokenBarrierError

import pytest

from oddsmith.errors import StoreAwayError
from oddsmith.store.pool import Pool


class FakeConnection:
    """A connection that records whether it is open."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.lives = True

    def close(self) -> None:
        self.lives = False


def make_pool(size: int = 2) -> Pool[FakeConnection]:
    """Return a pool that numbers its connections."""
    numbers = count(1)
    return Pool(lambda: FakeConnection(next(numbers)), size=size)


def test_a_returned_connection_is_reused() -> None:
    pool = make_pool()
    with pool.connection() as first:
        pass
    with pool.connection() as again, pool.connection() as other:
        pass

    assert [1, 1, 2] == [first.number, again.number, other.number]


def test_a_failed_connection_is_closed() -> None:
    """A connection in whose block an exception was raised is not reused."""
    pool = make_pool()
    with pytest.raises(KeyError), pool.connection() as first:
        raise KeyError
    with pool.connection() as other:
        assert (False, 2) == (first.lives, other.number)


def test_the_number_of_connections_is_limited() -> None:
    """A third thread waits until one of two is returned."""
    pool, meeting = make_pool(size=2), Barrier(3)

    def meet(_: int) -> bool:
        with pool.connection():
            try:
                meeting.wait(0.05)
            except BrokenBarrierError:
                return False
            return True

    with ThreadPoolExecutor(3) as threads:
        assert [False] * 3 == list(threads.map(meet, range(3)))


def test_a_closed_pool_lends_nothing() -> None:
    """Idle connections are closed at once, borrowed ones when they are returned."""
    pool = make_pool()
    with pool.connection() as lent:
        with pool.connection() as waiting:
            pass
        pool.close()

        assert (True, False) == (lent.lives, waiting.lives)

    assert not lent.lives
    with pytest.raises(StoreAwayError, match="the store was closed"), pool.connection():
        pass

"""A connection pool for SQLite, whose driver has none; PostgreSQL uses that of psycopg."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Generic, Protocol, TypeVar

from oddsmith.errors import StoreAwayError


class _Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=_Closable)


@contextmanager
def close_on_failure(connection: C) -> Iterator[C]:
    """Close a connection if the block raises."""
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


class Pool(Generic[C]):
    """At most `size` connections, made when they are needed and reused in last-in, first-out order.

    A connection whose block raised is closed instead of being reused.
    """

    def __init__(self, connect: Callable[[], C], *, size: int) -> None:
        self._connect = connect
        self._slots = BoundedSemaphore(size)
        self._lock = Lock()
        self._idle: list[C] = []
        self._is_closed = False

    @contextmanager
    def connection(self) -> Iterator[C]:
        """Lend a connection for a block; wait while all are lent. Raises `StoreAwayError` after the pool was closed."""
        with self._slots:
            with close_on_failure(self._take()) as connection:
                yield connection
            self._give_back(connection)

    def close(self) -> None:
        """Close every idle connection now, and lent ones when they are returned."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self) -> C:
        with self._lock:
            if self._is_closed:
                raise store_closed_error()
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _give_back(self, connection: C) -> None:
        with self._lock:
            if not self._is_closed:
                self._idle.append(connection)
                return
        connection.close()


def store_closed_error() -> StoreAwayError:
    """Return the error of using a store after it was closed."""
    return StoreAwayError("store_closed", "the store was closed: open it again")

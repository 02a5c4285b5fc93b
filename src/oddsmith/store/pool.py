"""A pool of connections for a driver that has none of its own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Generic, Protocol, TypeVar

from oddsmith.errors import StoreAwayError


class _Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=_Closable)


@contextmanager
def closed_on_failure(connection: C) -> Iterator[C]:
    """Close a connection that an exception passes through."""
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


class Pool(Generic[C]):
    """At most `size` connections, made when they are needed and reused in last-in, first-out order.

    A connection that an exception passed through is closed.
    """

    def __init__(self, connect: Callable[[], C], *, size: int) -> None:
        self._connect = connect
        self._places = BoundedSemaphore(size)
        self._lock = Lock()
        self._idle: list[C] = []
        self._is_closed = False

    @contextmanager
    def connection(self) -> Iterator[C]:
        """Lend a connection, wait for one where all are lent; raise `StoreAwayError` where the pool was closed."""
        with self._places:
            with closed_on_failure(self._take()) as connection:
                yield connection
            self._give_back(connection)

    def close(self) -> None:
        """Close every connection, those that are lent as soon as they come back."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self) -> C:
        with self._lock:
            if self._is_closed:
                raise closed_store()
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _give_back(self, connection: C) -> None:
        with self._lock:
            if not self._is_closed:
                self._idle.append(connection)
                return
        connection.close()


def closed_store() -> StoreAwayError:
    """Return the error of whatever is asked of a store after it was closed."""
    return StoreAwayError("store_closed", "the store was closed: open it again")

"""A connection is used by one thread at a time, and waits for the next one afterwards."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Generic, Protocol, TypeVar

from oddsmith.errors import StoreError


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


class Spares(Generic[C]):
    """At most so many connections at once, made when they are needed and kept when they are not.

    A connection that does not answer when its turn comes is replaced; one that an exception passed through is not
    used again.
    """

    def __init__(self, connect: Callable[[], C], *, answers: Callable[[C], bool], most: int) -> None:
        self._connect = connect
        self._answers = answers
        self._places = BoundedSemaphore(most)
        self._lock = Lock()
        self._idle: list[C] | None = []

    @contextmanager
    def one(self) -> Iterator[C]:
        """Lend a connection; wait for one where all are lent."""
        with self._places:
            with closed_on_failure(self._take()) as connection:
                yield connection
            self._give_back(connection)

    def _take(self) -> C:
        while (idle := self._next_idle()) is not None:
            if self._answers(idle):
                return idle
            idle.close()
        return self._connect()

    def _next_idle(self) -> C | None:
        with self._lock:
            if self._idle is None:
                raise StoreError("store_closed", "the store was closed: open it again")
            return self._idle.pop() if self._idle else None

    def _give_back(self, connection: C) -> None:
        with self._lock:
            if self._idle is not None:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Close every connection, those that are lent as soon as they come back."""
        with self._lock:
            idle, self._idle = self._idle or [], None
        for connection in idle:
            connection.close()

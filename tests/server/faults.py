"""A store that fails or stalls when it is told to."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, cast

from oddsmith.errors import StoreAwayError
from oddsmith.store import Append, Store


class FaultyStore:
    """A store whose appends can fail before or after they were made, or wait; everything else is the store's own."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.fails_before: Callable[[], Exception] | None = None
        self.fails_after: Callable[[], Exception] | None = None
        self.is_away = False
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.is_waiting = threading.Event()
        self.groups: list[int] = []

    def as_store(self) -> Store:
        """Return it as what it stands for."""
        return cast("Store", self)

    def append(self, appends: Sequence[Append]) -> list[bool]:
        """Append, or not."""
        self.is_waiting.set()
        assert self.goes_on.wait(20)
        self.is_waiting.clear()
        if self.fails_before is not None:
            raise self.fails_before()
        done = self._store.append(appends)
        self.groups.append(len(appends))
        if self.fails_after is not None:
            raise self.fails_after()
        return done

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  of a store
        found = getattr(self._store, name)
        return self._refuse if self.is_away and name in ("entries", "snapshot", "matches", "due") else found

    def _refuse(self, *_: object, **__: object) -> Any:  # noqa: ANN401  never returns
        raise away()


def away() -> StoreAwayError:
    """Return what a store says that cannot be reached."""
    return StoreAwayError("store_away", "the store cannot be reached")

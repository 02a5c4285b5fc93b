"""A store whose operations can be made to fail or to block."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, cast

from oddsmith.errors import StoreAwayError
from oddsmith.store import Append, Store


class FaultyStore:
    """A store whose appends can fail before or after they are done, or block; everything else is delegated."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.fails_before: Callable[[], Exception | None] | None = None
        self.fails_after: Callable[[], Exception] | None = None
        self.is_away = False
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.is_waiting = threading.Event()
        self.groups: list[int] = []

    def as_store(self) -> Store:
        """Return this object, typed as a store."""
        return cast("Store", self)

    def append(self, appends: Sequence[Append]) -> list[bool]:
        """Append after `goes_on` is set, unless a failure is configured."""
        self.is_waiting.set()
        assert self.goes_on.wait(20)
        self.is_waiting.clear()
        if self.fails_before is not None and (error := self.fails_before()) is not None:
            raise error
        done = self._store.append(appends)
        self.groups.append(len(appends))
        if self.fails_after is not None:
            raise self.fails_after()
        return done

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  any attribute of a store
        found = getattr(self._store, name)
        return self._refuse if self.is_away and name in ("entries", "snapshot", "matches", "due") else found

    def _refuse(self, *_: object, **__: object) -> Any:  # noqa: ANN401  never returns
        raise away_error()


def away_error() -> StoreAwayError:
    """Return the error of a store that cannot be reached."""
    return StoreAwayError("store_away", "the store cannot be reached")

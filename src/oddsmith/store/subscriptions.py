"""Whoever watches a store is told of every change, as long as they watch."""

import logging
from collections.abc import Callable
from threading import Event, Lock, Thread, current_thread
from typing import Final, TypeAlias

Changed: TypeAlias = Callable[[str, int], None]
"""What is called with a match and its version."""

_LOG: Final = logging.getLogger(__name__)


class Listening:
    """A thread that hears of the changes of other processes until it is stopped."""

    def __init__(self, listen: Callable[[Event], None]) -> None:
        self._stopped = Event()
        self._thread = Thread(target=listen, args=(self._stopped,), name="oddsmith-store", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread, and wait for its end unless this is the thread itself."""
        self._stopped.set()
        if current_thread() is not self._thread:
            self._thread.join()


class Subscription:
    """One who is told, until it is closed."""

    def __init__(self, watchers: "Watchers", changed: Changed) -> None:
        self._watchers = watchers
        self.changed = changed

    def close(self) -> None:
        """Hear no more."""
        self._watchers.remove(self)


class Watchers:
    """All who are told; other processes are listened to only while there is somebody to tell."""

    def __init__(self, start: Callable[[], Listening]) -> None:
        self._start = start
        self._lock = Lock()
        self._subscriptions: tuple[Subscription, ...] = ()
        self._listening: Listening | None = None

    def add(self, changed: Changed) -> Subscription:
        """Tell one more; every change after this is told."""
        subscription = Subscription(self, changed)
        with self._lock:
            if self._listening is None:
                self._listening = self._start()
            self._subscriptions = (*self._subscriptions, subscription)
        return subscription

    def remove(self, *ended: Subscription) -> None:
        """Tell these no more."""
        with self._lock:
            self._subscriptions = tuple(one for one in self._subscriptions if one not in ended)
            idle, self._listening = (
                (None, self._listening) if self._subscriptions else (self._listening, None)
            )
        if idle is not None:
            idle.stop()

    def tell(self, match: str, version: int) -> None:
        """Tell everyone that a match has come to a version."""
        for subscription in self._subscriptions:
            try:
                subscription.changed(match, version)
            except Exception:  # noqa: BLE001  whatever it is, the append was made
                _LOG.exception("whoever watches the store failed to hear of match %s", match)

    def close(self) -> None:
        """Tell nobody any more."""
        self.remove(*self._subscriptions)

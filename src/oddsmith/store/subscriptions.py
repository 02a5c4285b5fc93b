"""Callbacks for changes of a store, and the thread that receives changes of other processes."""

import logging
from collections.abc import Callable
from threading import Event, Lock, Thread, current_thread
from typing import Final, TypeAlias

OnChange: TypeAlias = Callable[[str, int], None]
"""Called with a match and its version."""

_LOG: Final = logging.getLogger(__name__)


class ListenerThread:
    """A daemon thread that runs `listen` with an event which is set when the thread shall end."""

    def __init__(self, listen: Callable[[Event], None]) -> None:
        self._stopped = Event()
        self._thread = Thread(target=listen, args=(self._stopped,), name="oddsmith-store", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Set the event and join the thread, unless called from that thread."""
        self._stopped.set()
        if current_thread() is not self._thread:
            self._thread.join()


class CallbackSubscription:
    """One callback, called until it is closed."""

    def __init__(self, subscriptions: "Subscriptions", on_change: OnChange) -> None:
        self._subscriptions = subscriptions
        self.on_change = on_change

    def close(self) -> None:
        """Remove the callback."""
        self._subscriptions.remove(self)


class Subscriptions:
    """All callbacks of a store; the listener thread that `start` returns runs only while there is at least one."""

    def __init__(self, start: Callable[[], ListenerThread]) -> None:
        self._start = start
        self._lock = Lock()
        self._subscriptions: tuple[CallbackSubscription, ...] = ()
        self._listener: ListenerThread | None = None

    def add(self, on_change: OnChange) -> CallbackSubscription:
        """Add a callback for every change from now on."""
        subscription = CallbackSubscription(self, on_change)
        with self._lock:
            if self._listener is None:
                self._listener = self._start()
            self._subscriptions = (*self._subscriptions, subscription)
        return subscription

    def remove(self, *ended: CallbackSubscription) -> None:
        """Remove callbacks, and stop the listener thread after the last one."""
        with self._lock:
            self._subscriptions = tuple(one for one in self._subscriptions if one not in ended)
            idle, self._listener = (None, self._listener) if self._subscriptions else (self._listener, None)
        if idle is not None:
            idle.stop()

    def notify(self, match: str, version: int) -> None:
        """Call every callback; exceptions that they raise are logged."""
        for subscription in self._subscriptions:
            try:
                subscription.on_change(match, version)
            except Exception:  # noqa: BLE001  a callback must not fail the append, which is written
                _LOG.exception("a callback for match %s failed", match)

    def close(self) -> None:
        """Remove all callbacks."""
        self.remove(*self._subscriptions)

"""The order in which subscribers of matches are woken: seats at once, spectators later and a few at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final, Protocol

SLICE: Final = 24
"""Subscribers that are woken in one turn of the event loop; each sends a frame in the next turn."""
TURNS_TO_ANSWER: Final = 4
"""Turns of the event loop before spectators are woken: the answer to the command that changed the match is sent by then."""


class Wakeable(Protocol):
    """A viewer of a match, who is a spectator or has a seat."""

    @property
    def is_spectator(self) -> bool:
        """Whether it may wait for others."""
        ...

    def wake(self) -> None:
        """Note that the match has changed."""
        ...


class WakeQueue:
    """Wakes subscribers of all matches, at most `SLICE` in each turn of the event loop, so that requests are answered between.

    Seats come before spectators, of whichever match. Who waits already keeps the place, so each is woken after at most as many
    as were before it.
    """

    def __init__(self) -> None:
        self._seats: OrderedDict[Wakeable, None] = OrderedDict()
        self._spectators: OrderedDict[Wakeable, None] = OrderedDict()
        self._turns_left = 0
        self._is_running = False

    def __len__(self) -> int:
        return len(self._seats) + len(self._spectators)

    def wake(self, subscribers: Iterable[Wakeable]) -> None:
        """Wake up to `SLICE` seats at once, and queue all others."""
        woken = 0
        for subscriber in subscribers:
            if subscriber.is_spectator:
                self._spectators[subscriber] = None
            elif woken < SLICE:
                woken += 1
                subscriber.wake()
            else:
                self._seats[subscriber] = None
        if len(self) and not self._is_running:
            self._is_running = True
            self._turns_left = TURNS_TO_ANSWER
            asyncio.get_running_loop().call_soon(self._wake_slice)

    def forget(self, subscriber: Wakeable) -> None:
        """Remove a subscriber that has left."""
        self._seats.pop(subscriber, None)
        self._spectators.pop(subscriber, None)

    def _wake_slice(self) -> None:
        if self._turns_left:
            self._turns_left -= 1
        else:
            for _ in range(min(SLICE, len(self))):
                subscriber, _ = (self._seats or self._spectators).popitem(last=False)
                subscriber.wake()
        self._is_running = bool(len(self))
        if self._is_running:
            asyncio.get_running_loop().call_soon(self._wake_slice)

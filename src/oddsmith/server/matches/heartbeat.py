"""Heartbeats of a server in its store, from which outages are known: time in which no player could move."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

import structlog

from oddsmith.match.fold import pause_clocks
from oddsmith.match.model import Match, Milliseconds
from oddsmith.server.matches.background import Background
from oddsmith.server.matches.clock import SteadyClock
from oddsmith.store.model import Outage, Store

INTERVAL: Final = 5_000
"""Milliseconds between heartbeats of a store, of all its servers together."""
LONGEST_GAP: Final = 15_000
"""Milliseconds without a heartbeat after which there was an outage."""

SECONDS_BETWEEN_CHECKS: Final = 0.5


class Heartbeat:
    """Records in the store that this server runs, and knows all outages of the store.

    An outage is a time of more than `LONGEST_GAP` without a heartbeat of any server: no server ran, the machine was
    suspended, the store could not be written, or wall time was set between two servers. No clock is charged for it.
    `on_outage` is called when this server learns of one.
    """

    def __init__(
        self, store: Store, clock: SteadyClock, background: Background, on_outage: Callable[[], None]
    ) -> None:
        self._store = store
        self._on_outage = on_outage
        self._clock = clock
        self._background = background
        self._beating = asyncio.Lock()
        self._checked_at: Milliseconds | None = None
        self._outages: tuple[Outage, ...] = ()
        self._disturbed_at = clock()
        self._logged_until = self._disturbed_at - 1
        self._log = structlog.get_logger().bind()

    @property
    def is_due(self) -> bool:
        """Whether a heartbeat is due."""
        return self._checked_at is None or self._clock() - self._checked_at >= INTERVAL

    @property
    def undisturbed(self) -> Milliseconds:
        """The milliseconds since the start of this server, the last outage or the last jump of wall time."""
        return self._clock() - self._disturbed_at

    async def run(self) -> None:
        """Beat, and look for jumps of wall time, until cancelled."""
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_CHECKS)
            self.check_wall_time()
            await self._background.attempt(self.beat())

    async def beat(self) -> None:
        """Record that the server runs if that is due, and learn of outages; raise `StoreError` where that fails."""
        async with self._beating:
            if not self.is_due:
                return
            now = self._clock()
            work = partial(self._store.beat, now, interval=INTERVAL, longest_gap=LONGEST_GAP)
            pulse = await self._background.read(work)
            behind = self._clock.advance_to(pulse.at)
            self._disturbed_at += behind
            if behind > LONGEST_GAP:
                self._log.warning("wall time is behind that of the store", seconds=behind // 1000)
            self._learn(pulse.outages)
            self._checked_at = max(now, pulse.at)

    def check_wall_time(self) -> None:
        """Log a jump of wall time once; it changes no clock of a match."""
        jump = self._clock.find_jump()
        if jump:
            self._disturbed_at = self._clock()
            self._log.warning("wall time jumped: no clock is charged for it", seconds=jump // 1000)

    async def catch_up(self) -> None:
        """Learn of an outage that may have ended just now, before a clock is judged."""
        if self._checked_at is None or self._clock() - self._checked_at > LONGEST_GAP:
            await self.beat()

    def pause(self, match: Match) -> Match:
        """Return a match whose running clocks are moved on by the outages after its last entry."""
        outages = self._outages
        if not outages or match.clock is None or outages[-1].ended <= match.at or not match.deciding:
            return match
        paused = sum(
            outage.ended - max(outage.began, match.at) for outage in outages if outage.ended > match.at
        )
        return pause_clocks(match, paused, until=outages[-1].ended)

    def count_back(self, milliseconds: Milliseconds) -> Milliseconds:
        """Return the time since which servers have run for a number of milliseconds, without outages."""
        found = self._clock() - milliseconds
        for outage in reversed(self._outages):
            if outage.ended <= found:
                break
            found -= outage.ended - outage.began
        return found

    def _learn(self, outages: tuple[Outage, ...]) -> None:
        """Replace the outages, and log those that ended since this server started, each once."""
        has_new, self._outages = len(outages) > len(self._outages), outages
        if has_new:
            self._on_outage()
        for outage in outages:
            if outage.ended > self._logged_until:
                self._logged_until = outage.ended
                self._disturbed_at = self._clock()
                seconds = (outage.ended - outage.began) // 1000
                self._log.warning("outage: no clock is charged for it", seconds=seconds)

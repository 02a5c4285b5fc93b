"""Periodic work on all matches of the store: expired time limits, and matches without a change for many days."""

import asyncio
import time
from collections.abc import AsyncIterator
from functools import partial
from itertools import product
from typing import Final

from oddsmith.match.model import Applied, Stale, Tick
from oddsmith.server.matches.background import Background
from oddsmith.server.matches.clock import Now
from oddsmith.server.matches.commands import CommandRunner
from oddsmith.server.matches.heartbeat import Heartbeat
from oddsmith.server.matches.quarantine import Quarantine, is_transient
from oddsmith.store.model import Status, Store, Summary

MOST_DUE: Final = 100
"""The greatest number of matches that one round handles."""
SECONDS_BETWEEN_TICKS: Final = 0.5
SECONDS_BETWEEN_SWEEPS: Final = 600
SECONDS_TO_WAIT: Final = 60.0
"""How long a match is left alone, at most, that the store has as due, and whose time is not up by its log."""
UNDISTURBED_TO_DESERT: Final = 3600 * 1000
"""Milliseconds that a server has run, and wall time has not jumped, before any match counts as deserted."""
MILLISECONDS_OF_A_DAY: Final = 24 * 3600 * 1000


class Clocks:
    """Sends `Tick` to matches whose time limit has passed, and to those unchanged for `days_to_desertion` days.

    With 0 days no match is abandoned. Time in which no server ran is not counted. A match that fails is in quarantine.
    """

    def __init__(
        self,
        store: Store,
        commands: CommandRunner,
        background: Background,
        now: Now,
        *,
        heartbeat: Heartbeat,
        quarantine: Quarantine,
        days_to_desertion: int,
    ) -> None:
        self._store = store
        self._commands = commands
        self._background = background
        self._now = now
        self._heartbeat = heartbeat
        self._quarantine = quarantine
        self._early: dict[str, float] = {}
        self._longest_absence = days_to_desertion * MILLISECONDS_OF_A_DAY

    def start(self) -> None:
        """Start both periodic tasks."""
        self._background.start(self._run_time_limits())
        if self._longest_absence:
            self._background.start(self._abandon_deserted())

    async def _run_time_limits(self) -> None:
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_TICKS)
            await self._background.attempt(self._expire_due())

    async def _expire_due(self) -> None:
        """Send `Tick` to the matches that are due, once all outages are known."""
        await self._heartbeat.beat()
        now = time.monotonic()
        self._early = {match: until for match, until in self._early.items() if until > now}
        most = MOST_DUE + len(self._quarantine) + len(self._early)
        due = await self._background.read(partial(self._store.due_matches, self._now(), limit=most))
        waiting = [match for match in due if match not in self._early and not self._quarantine.is_held(match)]
        await asyncio.gather(*(self._background.attempt(self._expire(match)) for match in waiting[:MOST_DUE]))

    async def _expire(self, match: str) -> None:
        """Send `Tick` to a match until no seat is late; if it fails, not again for a while."""
        tries = 0
        try:
            while isinstance(answer := await self._commands.run(match, Tick()), Applied):
                tries += 1
        except Exception as error:
            if is_transient(error):
                raise
            self._quarantine.hold(match, error, what="time limit")
            return
        self._quarantine.release(match)
        if not tries and isinstance(answer, Stale):
            due = await self._commands.find_due(match)
            left = SECONDS_TO_WAIT if due is None else (due - self._now()) / 1000
            self._early[match] = time.monotonic() + min(left, SECONDS_TO_WAIT)

    async def _abandon_deserted(self) -> None:
        while True:
            if self._heartbeat.undisturbed >= UNDISTURBED_TO_DESERT:
                await self._background.attempt(self._sweep())
            await asyncio.sleep(SECONDS_BETWEEN_SWEEPS)

    async def _sweep(self) -> None:
        """End every match that has not changed for too long."""
        for status, private in product((Status.OPEN, Status.PLAYING), (False, True)):
            async for summary in self._find_deserted(status, private=private):
                if not self._quarantine.is_held(summary.match):
                    await self._background.attempt(self._abandon(summary.match))

    async def _abandon(self, match: str) -> None:
        try:
            await self._commands.run(match, Tick(is_deserted=True))
        except Exception as error:
            if is_transient(error):
                raise
            self._quarantine.hold(match, error, what="desertion")

    async def _find_deserted(self, status: Status, *, private: bool) -> AsyncIterator[Summary]:
        """Yield the matches of a status that have not changed for too long, page by page."""
        before: tuple[int, str] | None = self._heartbeat.count_back(self._longest_absence), ""
        while before is not None:
            read = partial(self._store.matches, status=status, private=private, before=before, limit=MOST_DUE)
            found = await self._background.read(read)
            for summary in found:
                yield summary
            before = (found[-1].changed_at, found[-1].match) if len(found) == MOST_DUE else None

"""Periodic work on all matches of the store: expired time limits, and matches without a change for many days."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Final

from oddsmith.errors import DamagedStoreError, MechanicError, RecordError
from oddsmith.match.model import Applied, Tick
from oddsmith.server.matches.background import Background
from oddsmith.server.matches.commands import CommandRunner
from oddsmith.store.model import Status, Store

MOST_DUE: Final = 100
"""The greatest number of matches that one round handles."""
SECONDS_BETWEEN_TICKS: Final = 0.5
SECONDS_BETWEEN_SWEEPS: Final = 600
MATCH_ERRORS: Final = (DamagedStoreError, MechanicError, RecordError)
"""Errors of one match, which a retry does not end."""
SECONDS_AFTER_FAILURE: Final = 60.0
"""How long a match whose rules have failed is left alone."""
MILLISECONDS_OF_A_DAY: Final = 24 * 3600 * 1000


class Clocks:
    """Sends `Tick` to matches whose time limit has passed, and to those unchanged for `days_to_desertion` days.

    With 0 days no match is abandoned.
    """

    def __init__(
        self,
        store: Store,
        commands: CommandRunner,
        background: Background,
        now: Callable[[], int],
        *,
        days_to_desertion: int,
    ) -> None:
        self._store = store
        self._commands = commands
        self._background = background
        self._now = now
        self._retry_at: dict[str, float] = {}
        self._longest_absence = days_to_desertion * MILLISECONDS_OF_A_DAY

    def start(self) -> None:
        """Start both periodic tasks."""
        self._background.start(self._run_time_limits())
        if self._longest_absence:
            self._background.start(self._abandon_deserted())

    async def _run_time_limits(self) -> None:
        attempt, read = self._background.attempt, self._background.read
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_TICKS)
            most = MOST_DUE + len(self._retry_at)
            due = await attempt(read(partial(self._store.due_matches, self._now(), limit=most)))
            await asyncio.gather(*(attempt(self._expire(match)) for match in due or ()))

    async def _expire(self, match: str) -> None:
        """Send `Tick` to a match until no seat is late; if its rules fail, or are not here, not again for a while."""
        if time.monotonic() < self._retry_at.get(match, 0.0):
            return
        try:
            while isinstance(await self._commands.run(match, Tick()), Applied):
                pass
            self._retry_at.pop(match, None)
        except MATCH_ERRORS:
            self._retry_at[match] = time.monotonic() + SECONDS_AFTER_FAILURE
            raise

    async def _abandon_deserted(self) -> None:
        attempt, read = self._background.attempt, self._background.read
        while True:
            for status, private in product((Status.OPEN, Status.PLAYING), (False, True)):
                found = await attempt(read(partial(self._find_deserted, status, private=private)))
                for match in found or ():
                    await attempt(self._commands.run(match, Tick(is_deserted=True)))
            await asyncio.sleep(SECONDS_BETWEEN_SWEEPS)

    def _find_deserted(self, status: Status, *, private: bool) -> list[str]:
        """Return the ids of up to `MOST_DUE` matches that have not changed for too long."""
        before = (self._now() - self._longest_absence, "")
        found = self._store.matches(status=status, private=private, before=before, limit=MOST_DUE)
        return [summary.match for summary in found]

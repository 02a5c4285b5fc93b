"""Periodic work on the store: removes matches that ended long ago, after their export, and measures what the store holds."""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Final

import msgspec
import structlog

from oddsmith.errors import OddsmithError
from oddsmith.match.model import Match
from oddsmith.match.recording import record_of
from oddsmith.server.matches.background import Background
from oddsmith.server.matches.live_matches import LiveMatches
from oddsmith.server.metrics import Metrics
from oddsmith.store.model import Status, Store, Summary

SECONDS_BEFORE_REMOVAL: Final = 3600.0
"""How long after a start nothing is removed: a wrong wall clock is noticed until then."""
SECONDS_BETWEEN_REMOVALS: Final = 3600.0
SECONDS_BETWEEN_MEASUREMENTS: Final = 60.0
PAGE: Final = 100
"""The greatest number of matches that one transaction removes."""
MILLISECONDS_OF_A_DAY: Final = 24 * 3600 * 1000


class RetentionPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """The days without a change, in which a server ran, after which matches that are over, or abandoned, are removed; 0: never.

    With a folder `export`, the record of a match is written there first, as `GAME-MATCH.toml`. A match that cannot be
    exported is not removed.
    """

    days_finished: int = 0
    days_abandoned: int = 0
    export: Path | None = None


class Retention:
    """Removes matches by a policy, and reports the size of the store in metrics.

    `count_back` returns the time since which servers have run for a number of milliseconds, as `Heartbeat.count_back` does.
    """

    def __init__(
        self,
        store: Store,
        live_matches: LiveMatches,
        background: Background,
        metrics: Metrics,
        *,
        count_back: Callable[[int], int],
        policy: RetentionPolicy,
    ) -> None:
        self._store = store
        self._live_matches = live_matches
        self._background = background
        self._metrics = metrics
        self._count_back = count_back
        self._policy = policy
        self._log = structlog.get_logger().bind()

    def start(self) -> None:
        """Start the periodic tasks."""
        self._background.start(self._measure())
        if self._policy.days_finished or self._policy.days_abandoned:
            self._background.start(self._remove_periodically())

    async def _measure(self) -> None:
        while True:
            usage = await self._background.attempt(self._background.read(self._store.usage))
            if usage is not None:
                self._metrics.set_store_usage(usage)
            await asyncio.sleep(SECONDS_BETWEEN_MEASUREMENTS)

    async def _remove_periodically(self) -> None:
        await asyncio.sleep(SECONDS_BEFORE_REMOVAL)
        while True:
            await self._background.attempt(self.remove_ended())
            await asyncio.sleep(SECONDS_BETWEEN_REMOVALS)

    async def remove_ended(self) -> int:
        """Remove every match that the policy does not keep, page by page, and return their number."""
        days = {Status.OVER: self._policy.days_finished, Status.ABANDONED: self._policy.days_abandoned}
        count = 0
        for (status, kept), private in product(days.items(), (False, True)):
            before = (self._count_back(kept * MILLISECONDS_OF_A_DAY), "")
            while kept:
                find = partial(self._store.matches, status=status, private=private, before=before, limit=PAGE)
                found = await self._background.read(find)
                count += await self._remove(found)
                if len(found) < PAGE:
                    break
                before = (found[-1].changed_at, found[-1].match)
        return count

    async def _remove(self, found: tuple[Summary, ...]) -> int:
        """Export and remove matches, except those that somebody watches; return the number of those removed."""
        unused = [summary for summary in found if self._live_matches.evict_idle(summary.match)]
        if not unused:
            return 0
        ended = [(summary.match, summary.version) for summary in unused if await self._export(summary)]
        removed = await self._background.read(lambda: self._store.remove(ended)) if ended else ()
        if removed:
            self._metrics.count_removed(len(removed))
            self._log.info("matches removed", count=len(removed))
        return len(removed)

    async def _export(self, summary: Summary) -> bool:
        """Write the record of a match, if records are exported and it has begun; return whether it may be removed."""
        folder = self._policy.export
        if folder is None:
            return True
        try:
            match = await self._live_matches.read_whole(summary.match)
            if match.state is not None:
                place = folder / f"{summary.game}-{summary.match}.toml"
                await self._background.read(partial(write_record, match, place))
        except (OddsmithError, OSError) as error:
            self._log.warning("not exported, so not removed", match=summary.match, reason=str(error))
            return False
        return True


def write_record(match: Match, place: Path) -> None:
    """Write the record of a match to a file that is complete and on disk when this returns."""
    draft = place.with_suffix(f".{os.getpid()}.part")
    with draft.open("w", encoding="utf-8") as file:
        file.write(record_of(match).to_toml())
        file.flush()
        os.fsync(file.fileno())
    draft.replace(place)

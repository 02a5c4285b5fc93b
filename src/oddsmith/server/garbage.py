"""The garbage collector of a server process: what lives long is set aside, so that no collection walks all matches.

A full collection of Python takes time in proportion to all objects. Here those that have survived one are frozen: a later
collection walks only what was made since then. What is frozen is freed as before when its last reference goes; cycles among
frozen objects are found by a rare collection of everything, in a quiet moment.
"""

import asyncio
import gc
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

OLDEST: Final = 2
THRESHOLDS: Final = (2_000, 5, 1)
"""Those of `gc.set_threshold`: the oldest generation, without what is frozen, is collected after some 20,000 new objects."""
SECONDS_BETWEEN_CHECKS: Final = 60.0
SECONDS_OF_QUIET: Final = 1.0
SECONDS_BETWEEN_WHOLE: Final = 6 * 3600.0
"""How often everything is collected, in the next quiet moment."""
MOST_SECONDS_BETWEEN_WHOLE: Final = 24 * 3600.0
"""After this time everything is collected in any moment."""


class GarbageCollection:
    """Freezes what survives; between `start` and `stop`, which restores the settings of the process.

    `count_requests` returns how many requests were answered so far: a moment without any is quiet.
    """

    def __init__(self, count_requests: Callable[[], int]) -> None:
        self._count_requests = count_requests
        self._before = gc.get_threshold()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Collect everything, freeze what is left, and go on so."""
        self._before = gc.get_threshold()
        gc.set_threshold(*THRESHOLDS)
        collect_whole()
        gc.callbacks.append(self._freeze)
        self._task = asyncio.create_task(self._collect_in_quiet_moments())

    def stop(self) -> None:
        """Thaw everything."""
        if self._task is not None:
            self._task.cancel()
        with suppress(ValueError):
            gc.callbacks.remove(self._freeze)
        gc.set_threshold(*self._before)
        gc.unfreeze()

    @staticmethod
    def _freeze(phase: str, info: dict[str, Any]) -> None:
        """Freeze what has survived a collection of the oldest generation."""
        if phase == "stop" and info["generation"] == OLDEST:
            gc.freeze()

    async def _collect_in_quiet_moments(self) -> None:
        collected_at = time.monotonic()
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_CHECKS)
            age = time.monotonic() - collected_at
            if age < SECONDS_BETWEEN_WHOLE:
                continue
            if age >= MOST_SECONDS_BETWEEN_WHOLE or await self._is_quiet():
                collect_whole()
                collected_at = time.monotonic()

    async def _is_quiet(self) -> bool:
        before = self._count_requests()
        await asyncio.sleep(SECONDS_OF_QUIET)
        return self._count_requests() == before


def collect_whole() -> None:
    """Collect all garbage, also cycles among frozen objects, and freeze what is left."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()

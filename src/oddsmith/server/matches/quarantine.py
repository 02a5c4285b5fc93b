"""Quarantine of matches that cannot be continued: they are left alone for a while, so that all others go on."""

import time
from collections.abc import Callable
from typing import Final

import structlog

from oddsmith.errors import DamagedStoreError, NotAStoreError, OddsmithError, UnavailableError
from oddsmith.server.metrics import Metrics

FIRST_SECONDS: Final = 60.0
"""How long a match is left alone after its first failure; after each further one twice as long."""
MOST_SECONDS: Final = 3600.0
MOST_LOGGED: Final = 10_000
"""Different matches that are logged, so that a store with more damaged ones does not fill the log."""


class Quarantine:
    """Matches of this process that failed, each with the time until which it is left alone.

    A match stays in quarantine, and is counted, until it has succeeded again.
    """

    def __init__(self, metrics: Metrics, now: Callable[[], float] = time.monotonic) -> None:
        self._metrics = metrics
        self._now = now
        self._until: dict[str, tuple[float, float]] = {}
        self._logged: set[str] = set()
        self._log = structlog.get_logger().bind()

    def __len__(self) -> int:
        return len(self._until)

    def is_held(self, match: str) -> bool:
        """Return whether a match is to be left alone now."""
        until, _ = self._until.get(match, (0.0, 0.0))
        return self._now() < until

    def hold(self, match: str, error: Exception, *, what: str) -> None:
        """Leave a match alone for a while, for longer than the last time; log it once, `what` says what was tried."""
        _, before = self._until.get(match, (0.0, 0.0))
        seconds = min(2 * before or FIRST_SECONDS, MOST_SECONDS)
        self._until[match] = self._now() + seconds, seconds
        self._metrics.set_quarantined(len(self._until))
        self._log_once(match, error, what)

    def release(self, match: str) -> None:
        """Take a match that has succeeded out of quarantine."""
        if self._until.pop(match, None) is not None:
            self._metrics.set_quarantined(len(self._until))

    def waiting(self) -> tuple[str, ...]:
        """Return the matches in quarantine that may be tried again now."""
        now = self._now()
        return tuple([match for match, (until, _) in self._until.items() if until <= now])

    def note_row(self, match: str, error: Exception) -> None:
        """Count a row that was left out of a list, and log its match once."""
        self._metrics.count_row_left_out()
        self._log_once(match, error, "list")

    def _log_once(self, match: str, error: Exception, what: str) -> None:
        if match in self._logged or len(self._logged) >= MOST_LOGGED:
            return
        self._logged.add(match)
        log = self._log.bind(match=match, what=what)
        if isinstance(error, OddsmithError):
            log.warning("match set aside", code=error.refusal.code, sentence=error.refusal.sentence)
        else:
            log.error("match set aside", exc_info=error)


def is_transient(error: Exception) -> bool:
    """Return whether an error says nothing of a match: the server or its store is busy, away, or stopping."""
    return isinstance(error, UnavailableError) and not isinstance(error, DamagedStoreError | NotAStoreError)

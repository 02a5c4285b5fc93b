"""A match that is over is measured aside, one at a time, so that nobody who plays waits for it."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import TYPE_CHECKING, Final

import structlog

from oddsmith.match.model import Match
from oddsmith.match.recording import record_of
from oddsmith.records import replay
from oddsmith.registry import find_game, find_mechanic
from oddsmith.server.matches.stored_matches import read_whole_match
from oddsmith.server.metrics import Measured, Metrics
from oddsmith.store.model import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oddsmith.metric import Observation

MOST_WAITING: Final = 1_000
"""How many matches wait to be measured; those that come after are left out, and counted."""
PAUSE: Final = 0.001
"""For how long whoever plays goes first, in seconds, after each thing that was measured."""


class Measuring:
    """Measures matches that are over, in a thread of its own; that one could not be measured is logged, and no more."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="oddsmith-measure")
        self._lock = Lock()
        self._waiting = 0
        self._is_closing = Event()
        self._log = structlog.get_logger().bind()

    def over(self, match: Match) -> None:
        """Measure a match soon, unless its luck was chosen by somebody, or it never began."""
        if match.practice is not None or match.state is None:
            return
        with self._lock:
            if self._waiting >= MOST_WAITING:
                self._metrics.left_unmeasured()
                return
            self._waiting += 1
        self._worker.submit(self._measure, match)

    def close(self) -> None:
        """Measure no more; what waits, and what is half measured, is forgotten."""
        self._is_closing.set()
        self._worker.shutdown(wait=False, cancel_futures=True)

    def drained(self) -> None:
        """Wait until all that waited is measured."""
        self._worker.submit(lambda: None).result()

    def _measure(self, match: Match) -> None:
        try:
            whole = read_whole_match(self._store, match.id) if match.log_start else match
            sums = _summed(match.game, self._observed(whole))
            if not self._is_closing.is_set():
                self._metrics.measured(match.game, sums)
        except Exception:  # noqa: BLE001  whatever it is, the next match is measured all the same
            self._metrics.left_unmeasured()
            self._log.warning("not measured", match=match.id, game=match.game, exc_info=True)
        finally:
            with self._lock:
                self._waiting -= 1

    def _observed(self, match: Match) -> "Iterator[Observation]":
        metrics, record = find_mechanic(match.game).metrics, record_of(match)
        if metrics is None:
            return
        for resolution in metrics.resolutions(replay(find_game(match.game), record)):
            if self._is_closing.wait(PAUSE):
                return
            yield from resolution.observed(record.rules)


def _summed(game: str, observations: "Iterator[Observation]") -> dict[tuple[str, str], Measured]:
    """Add up what was observed in each cell, and what the rules say of those that they say something of."""
    from oddsmith.balance.observing.observer import metric_kinds  # noqa: PLC0415  as above

    kinds = metric_kinds(game)
    sums: dict[tuple[str, str], Measured] = {}
    for one in observations:
        value = one.value / kinds[one.metric].scale
        added = Measured(1, value)
        if one.law is not None:
            added = Measured(1, value, 1, value, float(one.law.mean) / kinds[one.metric].scale)
        sums[one.metric, one.cell] = sums.get((one.metric, one.cell), Measured()) + added
    return sums

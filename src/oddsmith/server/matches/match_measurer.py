"""Computes the balance metrics of matches that are over, in a background thread; `metrics` publishes the sums."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import TYPE_CHECKING, Final

import structlog

from oddsmith.match.model import Match
from oddsmith.match.recording import record_of
from oddsmith.records import replay
from oddsmith.registry import find_game, find_mechanic
from oddsmith.server.matches.stored_matches import read_whole_match
from oddsmith.server.metrics import CellSums, Metrics
from oddsmith.server.rule_calls import SECONDS_TO_REPLAY, RuleCalls
from oddsmith.store.model import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oddsmith.metric import Observation

MOST_WAITING: Final = 1_000
"""The greatest number of matches in the queue; further ones are counted as not measured."""
PAUSE: Final = 0.001
"""Seconds that the thread sleeps after each resolution, so that requests are not delayed."""


class MatchMeasurer:
    """Measures matches that are over, in one thread; a failure is logged and counted."""

    def __init__(self, store: Store, metrics: Metrics, rules: RuleCalls | None = None) -> None:
        self._store = store
        self._rules = rules or RuleCalls()
        self._metrics = metrics
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="oddsmith-measure")
        self._lock = Lock()
        self._waiting = 0
        self._is_closing = Event()
        self._log = structlog.get_logger().bind()

    def submit(self, match: Match) -> None:
        """Queue a match to be measured, unless it is a practice, never began, or its mechanic has no metrics."""
        if match.practice is not None or match.state is None or find_mechanic(match.game).metrics is None:
            return
        with self._lock:
            if self._waiting >= MOST_WAITING:
                self._metrics.count_unmeasured()
                return
            self._waiting += 1
        self._worker.submit(self._measure, match)

    def close(self) -> None:
        """Stop; matches in the queue and the one in progress are not measured."""
        self._is_closing.set()
        self._worker.shutdown(wait=False, cancel_futures=True)

    def drain(self) -> None:
        """Wait until the queue is empty."""
        self._worker.submit(lambda: None).result()

    def _measure(self, match: Match) -> None:
        try:
            sums = self._rules.run_here(match.game, lambda: self._sum(match), SECONDS_TO_REPLAY)
            if not self._is_closing.is_set():
                self._metrics.add_cells(match.game, sums)
        except Exception:  # noqa: BLE001  a failure must not keep the next match from being measured
            self._metrics.count_unmeasured()
            self._log.warning("not measured", match=match.id, game=match.game, exc_info=True)
        finally:
            with self._lock:
                self._waiting -= 1

    def _sum(self, match: Match) -> dict[tuple[str, str], CellSums]:
        whole = read_whole_match(self._store, match.id) if match.log_start else match
        return _sum_by_cell(match.game, self._observations(whole))

    def _observations(self, match: Match) -> "Iterator[Observation]":
        from oddsmith.balance.metrics.observer import metrics_of  # noqa: PLC0415  slow to import, and not needed to start

        metrics, record = metrics_of(match.game), record_of(match)
        for resolution in metrics.resolutions(replay(find_game(match.game), record)):
            if self._is_closing.wait(PAUSE):
                return
            yield from resolution.observations(record.rules)


def _sum_by_cell(game: str, observations: "Iterator[Observation]") -> dict[tuple[str, str], CellSums]:
    """Return the sums of observations by metric and cell, with exact expectations where the rules give them."""
    from oddsmith.balance.metrics.observer import metric_kinds  # noqa: PLC0415  slow to import, and not needed to start

    kinds = metric_kinds(game)
    sums: dict[tuple[str, str], CellSums] = {}
    for one in observations:
        value = one.value / kinds[one.metric].scale
        added = CellSums(1, value)
        if one.distribution is not None:
            added = CellSums(1, value, 1, value, float(one.distribution.mean) / kinds[one.metric].scale)
        sums[one.metric, one.cell] = sums.get((one.metric, one.cell), CellSums()) + added
    return sums

"""The Prometheus metrics of a server, summed over all worker processes.

`matches.match_measurer` computes the balance metrics of finished matches that are counted here; `buckets` counts for limits.
"""

import os
from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Final

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from oddsmith.errors import OddsmithError
from oddsmith.match.model import Answer, Applied, BadToken, Duplicate, Illegal, Stale
from oddsmith.store.model import StoreUsage

SHARED_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable with the folder where worker processes store their counts."""
SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
METHODS: Final = ("GET", "POST", "HEAD", "OPTIONS")
MOST_CELLS: Final = 100
"""The number of cells of a balance metric that a process distinguishes; any further cell is `other`."""
OTHER: Final = "other"
CELL: Final = ("game", "metric", "cell")
BALANCE: Final = "oddsmith_balance_"


class CellSums(msgspec.Struct, frozen=True):
    """Sums over the observations of a cell: their number and the sum of the observed values.

    The rules give an exact expectation for `tested` of them: `observed_of_tested` and `exact` are the sums of the observed
    values and of the expectations of these.
    """

    count: float = 0.0
    observed: float = 0.0
    tested: float = 0.0
    observed_of_tested: float = 0.0
    exact: float = 0.0

    def __add__(self, other: "CellSums") -> "CellSums":
        parts = zip(msgspec.structs.astuple(self), msgspec.structs.astuple(other), strict=True)
        return CellSums(*(left + right for left, right in parts))


class _CellMeans(Collector):
    """Collects the means of balance metrics from the sums of all processes."""

    def __init__(self, sums: CollectorRegistry) -> None:
        self._sums = sums

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the observed and the exact mean of each cell; where some observations are tested, of those alone."""
        found: dict[str, dict[tuple[str, ...], float]] = {}
        for family in self._sums.collect():
            if family.name.startswith(BALANCE):
                part = found.setdefault(family.name.removeprefix(BALANCE), {})
                part.update(
                    (tuple(sample.labels[name] for name in CELL), sample.value) for sample in family.samples
                )
        observed = GaugeMetricFamily(f"{BALANCE}observed", "Mean of what was observed in a cell", labels=CELL)
        exact = GaugeMetricFamily(f"{BALANCE}exact", "Mean of what the rules say of the same", labels=CELL)
        for cell, count in found.get("count", {}).items():
            tested = found["tested"].get(cell)
            if tested:
                observed.add_metric(cell, found["observed_of_tested_sum"][cell] / tested)
                exact.add_metric(cell, found["exact_sum"][cell] / tested)
            else:
                observed.add_metric(cell, found["observed_sum"][cell] / count)
        yield from (observed, exact)


class Metrics:
    """The metrics of one server process."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._requests = Counter(
            "oddsmith_requests", "Requests answered", ("route", "method", "status"), registry=registry
        )
        self._seconds = Histogram(
            "oddsmith_request_seconds",
            "How long answers took",
            ("route",),
            buckets=SECONDS,
            registry=registry,
        )
        self._answers = Counter("oddsmith_answers", "Answers to commands", ("answer",), registry=registry)
        self._limited = Counter("oddsmith_rate_limited", "Refused as too many", ("code",), registry=registry)
        self._frames = Counter("oddsmith_frames", "Frames sent to sockets", registry=registry)
        self._appends = Counter("oddsmith_appends", "Appends made durable", registry=registry)
        self._conflicts = Counter(
            "oddsmith_append_conflicts", "Appends that came too late", registry=registry
        )
        self._failures = Counter(
            "oddsmith_store_failures", "Groups that could not be written", ("code",), registry=registry
        )
        self._groups = Histogram(
            "oddsmith_group_size", "Appends written together", buckets=SIZES, registry=registry
        )
        self._commits = Histogram(
            "oddsmith_commit_seconds",
            "How long a group took to be durable",
            buckets=SECONDS,
            registry=registry,
        )
        self._long_callbacks = Counter(
            "oddsmith_long_callbacks",
            "Callbacks of the event loop that took too long",
            ("route",),
            registry=registry,
        )
        self._sockets = Gauge(
            "oddsmith_sockets", "Sockets that are open", registry=registry, multiprocess_mode="livesum"
        )
        self._live_matches = Gauge(
            "oddsmith_live_matches", "Matches in memory", registry=registry, multiprocess_mode="livesum"
        )
        self._quarantined = Gauge(
            "oddsmith_quarantined_matches",
            "Matches that cannot be continued",
            registry=registry,
            multiprocess_mode="livemax",
        )
        self._rows_left_out = Counter(
            "oddsmith_rows_left_out", "Damaged rows that were left out of a list", registry=registry
        )
        self._store_bytes = Gauge(
            "oddsmith_store_bytes",
            "Bytes on disk of the store's tables and indexes",
            registry=registry,
            multiprocess_mode="livemostrecent",
        )
        self._oldest_match = Gauge(
            "oddsmith_oldest_match_timestamp_seconds",
            "When the match that has not changed for longest was changed; 0: there is none",
            registry=registry,
            multiprocess_mode="livemostrecent",
        )
        self._removed = Counter(
            "oddsmith_removed_matches", "Matches that were removed from the store", registry=registry
        )
        self._live_bytes = Gauge(
            "oddsmith_live_match_bytes",
            "Estimated bytes of the matches in memory",
            registry=registry,
            multiprocess_mode="livesum",
        )
        self._balance = {
            part: Gauge(f"{BALANCE}{name}", about, CELL, registry=registry, multiprocess_mode="sum")
            for part, name, about in (
                ("exact", "exact_sum", "Sum of what the rules say of those cases"),
                ("observed_of_tested", "observed_of_tested_sum", "Sum of what was observed in those cases"),
                ("tested", "tested", "How often the rules say something of a cell"),
                ("observed", "observed_sum", "Sum of what was observed in a cell"),
                ("count", "count", "How often a cell was met in matches that are over"),
            )
        }
        self._balance_lock = Lock()
        self._unmeasured = Counter(
            "oddsmith_unmeasured_matches", "Matches that were over and not measured", registry=registry
        )
        self._cells: dict[tuple[str, str], set[str]] = {}
        self._answer_counters = {
            kind: self._answers.labels(str(kind.__struct_config__.tag))
            for kind in (Applied, Duplicate, Stale, Illegal, BadToken)
        }
        self._counters: dict[tuple[str, str, int], Counter] = {}
        self._timers: dict[str, Histogram] = {}

    def count_request(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request by route, method and status, and its time by route."""
        key = (route, method if method in METHODS else "other", status)
        count = self._counters.get(key)
        if count is None:
            count = self._counters[key] = self._requests.labels(key[0], key[1], str(status))
        timed = self._timers.get(route)
        if timed is None:
            timed = self._timers[route] = self._seconds.labels(route)
        count.inc()
        timed.observe(seconds)

    def count_answer(self, answer: Answer) -> None:
        """Count the answer to a command."""
        self._answer_counters[type(answer)].inc()

    def count_limited(self, code: str) -> None:
        """Count a request or frame that a limit refused or delayed."""
        self._limited.labels(code).inc()

    def count_group(self, *, written: int, lost: int, seconds: float) -> None:
        """Count a group of appends that was committed: `written` to logs, `lost` to appends of other processes."""
        self._appends.inc(written)
        self._conflicts.inc(lost)
        self._groups.observe(written + lost)
        self._commits.observe(seconds)

    def count_failed_group(self, error: Exception) -> None:
        """Count a group of appends that could not be written."""
        self._failures.labels(error.refusal.code if isinstance(error, OddsmithError) else "other").inc()

    def count_long_callback(self, route: str) -> None:
        """Count a callback of the event loop that took too long, by its route or function."""
        self._long_callbacks.labels(route).inc()

    def add_socket(self) -> None:
        """Count an open socket."""
        self._sockets.inc()

    def remove_socket(self) -> None:
        """Count a socket that was closed."""
        self._sockets.dec()

    def count_frame(self) -> None:
        """Count a frame that was sent."""
        self._frames.inc()

    def set_live_matches(self, count: int, size: int) -> None:
        """Set the number of matches in memory, and their estimated bytes."""
        self._live_matches.set(count)
        self._live_bytes.set(size)

    def set_store_usage(self, usage: StoreUsage) -> None:
        """Set what the store holds."""
        self._store_bytes.set(usage.bytes)
        self._oldest_match.set((usage.oldest_at or 0) / 1000)

    def count_removed(self, count: int) -> None:
        """Count matches that were removed from the store."""
        self._removed.inc(count)

    def set_quarantined(self, count: int) -> None:
        """Set the number of matches in quarantine."""
        self._quarantined.set(count)

    def count_row_left_out(self) -> None:
        """Count a damaged row that was left out of a list."""
        self._rows_left_out.inc()

    def add_cells(self, game: str, cells: Mapping[tuple[str, str], CellSums]) -> None:
        """Add the sums of a match that is over, by metric and cell.

        A page of this process has all cells of a match or none. Another process may read the parts of a cell while they
        are written: the count is written last, so that a cell with a count has all parts.
        """
        with self._balance_lock:
            for (metric, cell), sums in cells.items():
                known = self._cells.setdefault((game, metric), set())
                if len(known) < MOST_CELLS:
                    known.add(cell)
                labels = game, metric, cell if cell in known else OTHER
                for part, gauge in self._balance.items():
                    gauge.labels(*labels).inc(getattr(sums, part))

    def count_unmeasured(self) -> None:
        """Count a match that is over and was not measured."""
        self._unmeasured.inc()

    def page(self) -> bytes:
        """Return the metrics of all worker processes in the text format of Prometheus."""
        with self._balance_lock:
            return self._page()

    def _page(self) -> bytes:
        registry = self._registry
        if SHARED_FOLDER in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the package has no types here
        means = CollectorRegistry()
        means.register(_CellMeans(registry))
        return generate_latest(registry) + generate_latest(means)

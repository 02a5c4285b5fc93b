"""What a server counts, in the form that Prometheus scrapes; many processes are counted as one."""

import os
from functools import lru_cache
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from oddsmith.errors import OddsmithError
from oddsmith.table.model import Answer, Applied, Duplicate, Illegal, Stale

__all__ = ["SHARED_FOLDER", "Metrics", "route_of"]

SHARED_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Where processes that serve together keep what they count."""
SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
OF_A_MATCH: Final = ("join", "act", "leave", "rules", "record", "replay", "socket")
OF_A_RECORD: Final = ("replay", "verify")
OF_A_GAME: Final = ("resolve", "odds")
PLAIN: Final = {"/healthz": "health", "/readyz": "readiness", "/metrics": "metrics"}
METHODS: Final = ("GET", "POST", "HEAD", "OPTIONS")
MOST_ROUTES: Final = 4_096
"""How many addresses are known without looking."""
DEPTH: Final = 4
"""How many parts of an address come before the name of a game or a match: `/api/v1/matches/…`."""


@lru_cache(maxsize=MOST_ROUTES)
def route_of(path: str) -> str:  # noqa: PLR0911  one answer for each kind of address
    """Return what an address is about, in one of few words.

    >>> route_of("/api/v1/matches/4af0/act"), route_of("/api/v1/duel/odds"), route_of("/wp-admin")
    ('act', 'odds', 'other')
    """
    parts = path.split("/")
    if len(parts) < DEPTH or parts[1:3] != ["api", "v1"]:
        return PLAIN.get(path, "other")
    place, *rest = parts[3:]
    match place, rest:
        case "matches", []:
            return "matches"
        case "matches", [_]:
            return "match"
        case "matches", [_, verb] if verb in OF_A_MATCH:
            return verb
        case "records", [verb] if verb in OF_A_RECORD:
            return "records"
        case "games", _:
            return "games"
        case "openapi.json", []:
            return "openapi"
        case _, [verb] | [verb, "batch"] if verb in OF_A_GAME:
            return verb
        case _:
            return "other"


class Metrics:
    """All that one server process counts."""

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
        self._lost = Counter("oddsmith_append_conflicts", "Appends that came too late", registry=registry)
        self._trouble = Counter(
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
        self._sockets = Gauge(
            "oddsmith_sockets", "Sockets that are open", registry=registry, multiprocess_mode="livesum"
        )
        self._rooms = Gauge(
            "oddsmith_rooms", "Matches in memory", registry=registry, multiprocess_mode="livesum"
        )
        self._decided = {
            kind: self._answers.labels(kind.__name__.lower()) for kind in (Applied, Duplicate, Stale, Illegal)
        }
        self._counters: dict[tuple[str, str, int], Counter] = {}
        self._timers: dict[str, Histogram] = {}

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request; what counts it is looked up once."""
        key = (route, method if method in METHODS else "other", status)
        count = self._counters.get(key)
        if count is None:
            count = self._counters[key] = self._requests.labels(key[0], key[1], str(status))
        timed = self._timers.get(route)
        if timed is None:
            timed = self._timers[route] = self._seconds.labels(route)
        count.inc()
        timed.observe(seconds)

    def decided(self, answer: Answer) -> None:
        """Count the answer to a command."""
        self._decided[type(answer)].inc()

    def limited(self, code: str) -> None:
        """Count somebody who asked too often."""
        self._limited.labels(code).inc()

    def wrote(self, *, kept: int, lost: int, seconds: float) -> None:
        """Count a group that was written."""
        self._appends.inc(kept)
        self._lost.inc(lost)
        self._groups.observe(kept + lost)
        self._commits.observe(seconds)

    def failed_to_write(self, error: Exception) -> None:
        """Count a group that was not."""
        self._trouble.labels(error.refusal.code if isinstance(error, OddsmithError) else "other").inc()

    def socket_opened(self) -> None:
        """Count a socket."""
        self._sockets.inc()

    def socket_closed(self) -> None:
        """Count a socket no more."""
        self._sockets.dec()

    def sent_frame(self) -> None:
        """Count a frame."""
        self._frames.inc()

    def has_rooms(self, count: int) -> None:
        """Say how many matches are in memory."""
        self._rooms.set(count)

    def page(self) -> bytes:
        """Return everything, of all processes that serve together."""
        if SHARED_FOLDER not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]  # the package has no types here
        return generate_latest(together)

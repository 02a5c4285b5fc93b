"""Metrics of finished matches, as Prometheus scrapes them."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

from oddsmith.server.matches.match_measurer import MatchMeasurer
from oddsmith.server.metrics import MOST_CELLS, SHARED_FOLDER, CellSums, Metrics
from tests.server.servers import RunningServer
from tests.waiting import wait_until

SECONDS: Final = 20.0


def gauges(page: str, part: str) -> dict[tuple[str, str, str], float]:
    """Return the values of a gauge by game, metric and cell."""
    line = re.compile(
        rf'^oddsmith_balance_{part}\{{cell="(.*)",game="(.*)",metric="(.*)"\}} (\S+)$', re.MULTILINE
    )
    return {(game, metric, cell): float(value) for cell, game, metric, value in line.findall(page)}


def page_with(server: RunningServer, text: str) -> str:
    """Return the metrics page once it contains a text: matches are measured in the background."""

    def read_page() -> str:
        page = server.http.get("/metrics").text
        return page if text in page else ""

    return wait_until(read_page, f"'{text}' on the page")


def test_a_finished_match_is_measured(server: RunningServer) -> None:
    """A contest adds one to its cells, with observed and exact values."""
    match = server.open_match("destiny", [None, None])
    while match.move():
        pass
    page = page_with(server, 'metric="contest.win_by_skill"')

    assert 1.0 == gauges(page, "observed")["destiny", "resolved.as_ruled", "contests"]
    assert 1.0 == gauges(page, "exact")["destiny", "resolved.as_ruled", "contests"]


def test_means_are_computed_from_all_sums() -> None:
    """The observed mean has the cases with an exact value, or all of them if none has."""
    metrics = Metrics()
    metrics.add_cells("fate", {("draw.value", "1 card"): CellSums(2, 5.0, 2, 5.0, 3.0)})
    metrics.add_cells("fate", {("draw.value", "1 card"): CellSums(2, 3.0, 2, 3.0, 3.0)})
    metrics.add_cells("duel", {("split.defending", "0 cards"): CellSums(4, 1.0)})
    page = metrics.page().decode()

    assert [4.0, 4.0] == [*gauges(page, "count").values()]
    assert [2.0, 0.25] == sorted(gauges(page, "observed").values(), reverse=True)
    assert [1.5] == [*gauges(page, "exact").values()]


def test_a_scrape_during_measuring_has_all_of_a_match_or_nothing() -> None:
    """Both cells of a match are on a page, with all of their parts, or neither is."""
    metrics = Metrics()
    sums = CellSums(1, 1.0, 1, 1.0, 1.0)

    def measure() -> None:
        for number in range(MOST_CELLS):
            metrics.add_cells(
                "fate", {("draw.value", f"{number}"): sums, ("draw.success", f"{number}"): sums}
            )

    with ThreadPoolExecutor() as pool:
        measuring = pool.submit(measure)
        pages = [metrics.page().decode()]
        while not measuring.done():
            pages.append(metrics.page().decode())
        measuring.result()
    pages.append(metrics.page().decode())

    for page in pages:
        exact = gauges(page, "exact")
        assert {("fate", "draw.value", cell) for _, _, cell in exact} <= exact.keys()
        assert {("fate", "draw.success", cell) for _, _, cell in exact} <= exact.keys()
        assert exact.keys() == gauges(page, "count").keys()
    assert 2 * MOST_CELLS == len(gauges(pages[-1], "exact"))


def test_the_number_of_labels_is_bounded() -> None:
    """A process distinguishes a hundred cells of a metric; all others are one."""
    metrics = Metrics()
    for number in range(MOST_CELLS + 50):
        metrics.add_cells("fate", {("draw.success", f"check {number}"): CellSums(1, 1.0)})
    counts = gauges(metrics.page().decode(), "count")

    assert MOST_CELLS + 1 == len(counts)
    assert 50.0 == max(counts.values())


TWO_PROCESSES: Final = """
import os
from oddsmith.server.metrics import CellSums, Metrics

metrics = Metrics()
for value in (1.0, 4.0):
    if not os.fork():
        metrics.add_cells("fate", {("draw.value", "1 card"): CellSums(1, value, 1, value, 1.5)})
        os._exit(0)
    os.wait()
print(metrics.page().decode())
"""


def test_several_processes_are_measured_as_one(tmp_path: Path) -> None:
    """Means are computed from the sums of all processes, including ended ones."""
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", TWO_PROCESSES],
        env=os.environ | {SHARED_FOLDER: str(tmp_path)},
        capture_output=True,
        check=True,
        text=True,
    )
    cell = ("fate", "draw.value", "1 card")

    assert (2.0, 2.5, 1.5) == tuple(
        gauges(result.stdout, part)[cell] for part in ("count", "observed", "exact")
    )


class _Match:
    """The attributes of a match that the measurer reads."""

    id, game, practice, forgotten = "0" * 20, "destiny", None, 0
    state: object = object()


def test_practice_and_matches_without_a_move_are_not_measured() -> None:
    metrics = Metrics()
    measurer = MatchMeasurer(store=None, metrics=metrics)  # type: ignore[arg-type]  # the attributes are not read
    practice, unbegun = _Match(), _Match()
    practice.practice, unbegun.state = "seed", None  # type: ignore[assignment]  # a fake match
    for match in (practice, unbegun):
        measurer.submit(match)  # type: ignore[arg-type]  # a fake match
    measurer.drain()
    measurer.close()

    assert {} == gauges(metrics.page().decode(), "count")


def test_a_match_that_cannot_be_measured_is_counted_and_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """So is a match beyond the limit of the queue."""
    metrics = Metrics()
    measurer = MatchMeasurer(store=None, metrics=metrics)  # type: ignore[arg-type]  # a fake match
    measurer.submit(_Match())  # type: ignore[arg-type]  # it has no log
    measurer.drain()
    monkeypatch.setattr("oddsmith.server.matches.match_measurer.MOST_WAITING", 0)
    measurer.submit(_Match())  # type: ignore[arg-type]  # a fake match
    measurer.close()

    assert "oddsmith_unmeasured_matches_total 2.0" in metrics.page().decode()

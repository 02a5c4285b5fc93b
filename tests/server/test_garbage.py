"""The garbage collector of a server walks what is new, however many matches are in memory."""

import asyncio
import gc
import time
import weakref
from collections.abc import Callable

import pytest

from oddsmith.server import garbage
from oddsmith.server.garbage import THRESHOLDS, GarbageCollection, collect_whole
from tests.server.servers import run_server


class Node:
    """An object that may refer to itself."""

    me: object = None


def run_collected(work: Callable[[], object]) -> None:
    """Run work while the collection is started; the settings of the process are restored afterwards."""

    async def run() -> None:
        collection = GarbageCollection(lambda: 0)
        collection.start()
        try:
            work()
        finally:
            collection.stop()

    asyncio.run(run())


def collection_seconds(*, is_whole: bool = False) -> float:
    """Return the processor time of a collection of the oldest generation, or of everything."""
    if is_whole:
        gc.unfreeze()
    start = time.thread_time()
    gc.collect()
    return time.thread_time() - start


def test_a_running_server_freezes_what_survives() -> None:
    with run_server() as server:
        assert 200 == server.http.get("/healthz").status_code
        assert THRESHOLDS == gc.get_threshold()
        assert gc.get_freeze_count() > 10_000


def test_a_collection_does_not_walk_what_was_collected_before() -> None:
    """With 500,000 live objects it takes less than a fifth of the time of one that does."""
    live = [[number] for number in range(500_000)]
    whole = min(collection_seconds(is_whole=True) for _ in range(3))
    later: list[float] = []
    run_collected(lambda: later.extend(collection_seconds() for _ in range(3)))

    assert len(live) == 500_000
    assert 5 * min(later) < whole


def test_what_is_made_while_the_server_runs_is_frozen_once_it_has_survived() -> None:
    def work() -> None:
        node = Node()
        walked.append(any(one is node for one in gc.get_objects()))
        gc.collect()
        walked.append(any(one is node for one in gc.get_objects()))

    walked: list[bool] = []
    run_collected(work)

    assert [True, False] == walked


def test_a_frozen_cycle_is_found_by_a_collection_of_everything() -> None:
    def work() -> None:
        node = Node()
        node.me = node
        known = weakref.ref(node)
        gc.collect()
        del node
        gc.collect()
        found.append(known() is not None)
        collect_whole()
        found.append(known() is not None)

    found: list[bool] = []
    run_collected(work)

    assert [True, False] == found


@pytest.mark.parametrize(
    ("requests", "wholes"), [(lambda: 0, 1), (iter(range(1_000)).__next__, 0)], ids=["quiet", "busy"]
)
def test_everything_is_collected_in_a_quiet_moment(
    monkeypatch: pytest.MonkeyPatch, requests: Callable[[], int], wholes: int
) -> None:
    """A moment with requests is none; the first collection is that of the start."""
    counted: list[int] = []
    monkeypatch.setattr(garbage, "SECONDS_BETWEEN_CHECKS", 0.0)
    monkeypatch.setattr(garbage, "SECONDS_BETWEEN_WHOLE", 0.0)
    monkeypatch.setattr(garbage, "SECONDS_OF_QUIET", 0.0)
    monkeypatch.setattr(garbage, "collect_whole", lambda: counted.append(1))

    async def run() -> None:
        collection = GarbageCollection(requests)
        collection.start()
        for _ in range(10):
            await asyncio.sleep(0)
        collection.stop()

    asyncio.run(run())

    assert wholes == min(1, len(counted) - 1)


def test_the_settings_of_the_process_are_restored() -> None:
    before, callbacks = gc.get_threshold(), len(gc.callbacks)
    run_collected(lambda: None)

    assert (before, callbacks) == (gc.get_threshold(), len(gc.callbacks))

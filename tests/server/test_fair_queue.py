"""Owners of waiting work take turns, whoever came first and however much each has."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from oddsmith.server.fair_queue import FairLock, FairQueue
from oddsmith.server.fair_threads import MOST_LOST, FairThreads, QueueFullError
from tests.waiting import SECONDS, wait_until


def queue_of(*items: tuple[str, int]) -> FairQueue[int]:
    queue: FairQueue[int] = FairQueue()
    for owner, item in items:
        queue.put(item, owner)
    return queue


def serve_all(queue: FairQueue[int], cost: Callable[[str], float]) -> list[str]:
    """Return the owners in the order in which all items are served, one at a time, each with the time that it takes."""
    served = []
    while (found := queue.take()) is not None:
        queue.finish(found[0], cost(found[0]))
        served.append(found[0])
    return served


def test_owners_take_turns() -> None:
    queue = queue_of(*[("ann", number) for number in range(4)], ("bo", 4), ("bo", 5), ("cy", 6))

    assert ["ann", "bo", "cy", "ann", "bo", "ann", "ann"] == serve_all(queue, lambda _: 1.0)


def test_time_counts_not_the_number_of_items() -> None:
    """Ten items of a second are served for one of ten seconds."""
    queue = queue_of(*[("slow", number) for number in range(3)], *[("quick", number) for number in range(20)])
    served = serve_all(queue, lambda owner: 10.0 if owner == "slow" else 1.0)

    assert ["slow", *["quick"] * 10] == served[:11]
    assert 2 == served[:22].count("slow")


def test_time_without_items_is_not_saved_up() -> None:
    """An owner that comes late takes turns from then on, and does not catch up."""
    queue = queue_of(*[("ann", number) for number in range(10)])
    for _ in range(5):
        queue.take()
        queue.finish("ann", 1.0)
    for number in range(10):
        queue.put(number, "bo")
    served = serve_all(queue, lambda _: 1.0)

    assert 3 >= abs(served[:8].count("ann") - served[:8].count("bo"))


def test_leaving_and_coming_back_does_not_clear_the_used_time() -> None:
    """An owner that always has one item at most is served in turn with one that has many."""
    queue = queue_of(*[("many", number) for number in range(20)], ("one", 0))
    served = []
    for _ in range(20):
        found = queue.take()
        assert found is not None
        queue.finish(found[0], 1.0)
        served.append(found[0])
        if found[0] == "one":
            queue.put(0, "one")

    assert 10 == served.count("many")


def test_an_owner_with_an_item_in_progress_waits_for_others() -> None:
    queue = queue_of(("ann", 0), ("ann", 1), ("bo", 2))
    first = queue.take()
    queue.put(3, "cy")

    assert [("ann", 0), ("bo", 2), ("cy", 3), ("ann", 1)] == [first, queue.take(), queue.take(), queue.take()]


def test_quick_items_can_be_taken_alone() -> None:
    queue = queue_of(("ann", 0))
    queue.put(1, "ann", is_quick=True)
    queue.put(2, "bo", is_quick=True)

    assert [("ann", 1), ("bo", 2), None] == [queue.take(only_quick=True) for _ in range(3)]
    assert ("ann", 0) == queue.take()


def test_nothing_is_remembered_of_an_empty_queue() -> None:
    queue = queue_of(("ann", 0), ("bo", 1), ("bo", 2))
    assert queue.discard(1, "bo")
    assert not queue.discard(1, "bo")
    serve_all(queue, lambda _: 1.0)

    assert (0, 0, 0) == (len(queue), queue.count("ann"), queue.count("bo"))
    assert not queue._owners
    assert not queue._remembered


def test_a_lock_is_taken_in_turns() -> None:
    """Also where one of those that wait is cancelled."""
    order: list[str] = []

    async def run() -> None:
        lock, begun = FairLock(), asyncio.Event()

        async def work(name: str) -> None:
            async with lock.hold(name[0]):
                order.append(name)
                await begun.wait()

        tasks = [asyncio.create_task(work(name)) for name in ("a1", "a2", "a3", "a4", "b1")]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.sleep(0)
        begun.set()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())

    assert ["a1", "b1", "a3", "a4"] == order


# --- threads ---------------------------------------------------------------------------------------------------------


class Gate:
    """Work that waits until the gate is open, and notes in which order it ran."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.order: list[str] = []

    def work(self, name: str) -> Callable[[], str]:
        """Return work with a name."""

        def pass_gate() -> str:
            assert self.opened.wait(SECONDS)
            self.order.append(name)
            return name

        return pass_gate


def test_one_owner_delays_another_by_the_piece_that_runs() -> None:
    threads, gate = FairThreads(1, name="test"), Gate()
    pieces = [threads.submit(gate.work(f"a{number}"), owner="ann") for number in range(50)]
    wait_until(pieces[0].future.running, "the first piece in its thread")
    late = threads.submit(gate.work("bo"), owner="bo")
    gate.opened.set()

    assert "bo" == late.future.result(SECONDS)
    assert "a49" == pieces[-1].future.result(SECONDS)
    assert 1 == gate.order.index("bo")


def test_quick_work_does_not_wait_for_threads_of_other_work() -> None:
    threads, gate = FairThreads(3, name="test", reserved=1), Gate()
    slow = [threads.submit(gate.work("slow"), owner="ann") for _ in range(5)]
    wait_until(slow[1].future.running, "two pieces in their threads")
    quick = [threads.submit(lambda: "quick", owner="ann", is_quick=True) for _ in range(5)]
    done = [piece.future.result(SECONDS) for piece in quick]

    assert ["quick"] * 5 == done
    assert [] == gate.order
    gate.opened.set()
    assert ["slow"] * 5 == [piece.future.result(SECONDS) for piece in slow]


def test_nobody_has_all_threads() -> None:
    """The last free one is for an owner with nothing in progress, which leaves none to spare for the others."""
    threads, gate = FairThreads(3, name="test"), Gate()
    many = [threads.submit(gate.work("many"), owner="ann") for _ in range(5)]
    wait_until(many[1].future.running, "two pieces in their threads")
    for _ in range(10):
        assert "bo" == threads.submit(lambda: "bo", owner="bo").future.result(SECONDS)
    blocked = threads.submit(gate.work("bo"), owner="bo")
    wait_until(blocked.future.running, "the piece in the last thread")
    running = [piece.future.running() for piece in many]
    gate.opened.set()

    assert [True, True, False, False, False] == running
    assert ["many"] * 5 == [piece.future.result(SECONDS) for piece in many]
    assert "bo" == blocked.future.result(SECONDS)


def test_a_full_queue_drops_the_last_piece_of_the_owner_with_the_most() -> None:
    threads, gate = FairThreads(1, name="test", places=4), Gate()
    first = [threads.submit(gate.work(f"a{number}"), owner="ann") for number in range(4)]
    wait_until(first[0].future.running, "the first piece in its thread")
    with pytest.raises(QueueFullError) as own:
        threads.submit(gate.work("a4"), owner="ann")
    others = [threads.submit(gate.work(f"b{number}"), owner="bo") for number in range(2)]
    with pytest.raises(QueueFullError):
        threads.submit(gate.work("b2"), owner="bo")
    dropped = [piece.future.exception(0) for piece in first[2:]]
    gate.opened.set()

    assert own.value.is_own
    assert [QueueFullError, QueueFullError] == [type(error) for error in dropped]
    assert ["b0", "b1"] == [piece.future.result(SECONDS) for piece in others]
    assert {"a0", "a1", "b0", "b1"} == {*gate.order}


def test_an_owner_without_a_place_learns_that_others_have_them() -> None:
    threads, gate = FairThreads(1, name="test", places=2), Gate()
    for owner in ("ann", "bo"):
        threads.submit(gate.work(owner), owner=owner)
    with pytest.raises(QueueFullError) as error:
        threads.submit(gate.work("cy"), owner="cy")
    gate.opened.set()

    assert not error.value.is_own


def test_cancelled_work_leaves_its_place() -> None:
    threads, gate = FairThreads(1, name="test", places=2), Gate()
    running = threads.submit(gate.work("a0"), owner="ann")
    wait_until(running.future.running, "the first piece in its thread")
    assert threads.submit(gate.work("a1"), owner="ann").future.cancel()
    last = threads.submit(gate.work("a2"), owner="ann")
    gate.opened.set()

    assert "a2" == last.future.result(SECONDS)
    assert ["a0", "a2"] == gate.order


def test_a_thread_that_is_given_up_is_replaced_a_few_times() -> None:
    """Further ones keep their place until their work ends; threads that end free places again."""
    threads, gate = FairThreads(1, name="test"), Gate()
    stuck = []
    for _ in range(MOST_LOST):
        stuck.append(threads.submit(gate.work("stuck"), owner="ann"))
        wait_until(stuck[-1].future.running, "the piece in its thread")
        assert threads.give_up(stuck[-1])
    assert "done" == threads.submit(lambda: "done", owner="bo").future.result(SECONDS)
    last = threads.submit(gate.work("last"), owner="ann")
    wait_until(last.future.running, "the piece in its thread")
    assert not threads.give_up(last)
    gate.opened.set()

    assert ["stuck"] * MOST_LOST == [piece.future.result(SECONDS) for piece in stuck]
    assert "last" == last.future.result(SECONDS)
    wait_until(lambda: threads._lost == 0, "no lost thread")
    assert not threads.give_up(last)


def test_idle_threads_end_and_new_ones_begin() -> None:
    threads = FairThreads(1, name="test-idle", idle=0.01)
    for _ in range(2):
        assert 7 == threads.submit(lambda: 7, owner="ann").future.result(SECONDS)
        wait_until(
            lambda: not any(thread.name == "test-idle" for thread in threading.enumerate()), "no thread"
        )


def test_closed_threads_drop_what_waits() -> None:
    threads, gate = FairThreads(1, name="test-closed"), Gate()
    pieces = [threads.submit(gate.work("a"), owner="ann") for _ in range(3)]
    wait_until(pieces[0].future.running, "the first piece in its thread")
    threads.close()
    gate.opened.set()

    assert "a" == pieces[0].future.result(SECONDS)
    assert [True, True] == [piece.future.cancelled() for piece in pieces[1:]]

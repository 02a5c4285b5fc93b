"""Work in this thread is ended when its time is up."""

import itertools
import threading
import time
from contextlib import suppress
from functools import partial

import pytest

from oddsmith.thread_limit import LimitError, hold_limit, release_limit, run_with_limit


def loop_forever() -> None:
    for _ in itertools.count():
        pass


def swallow_everything() -> str:
    """Loop until something is raised, and return as if nothing had been."""
    with suppress(BaseException):
        loop_forever()
    return "done"


def test_work_that_returns_in_time_gives_its_result() -> None:
    assert run_with_limit(lambda: 3 * 4, seconds=10) == 12


def test_an_error_of_the_work_is_raised_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        run_with_limit(lambda: 1 // 0, seconds=10)


def test_an_endless_loop_is_ended_and_the_cause_says_where() -> None:
    with pytest.raises(LimitError, match=r"no result after 0\.05 seconds") as caught:
        run_with_limit(loop_forever, seconds=0.05)

    cause = caught.value.__cause__
    assert cause is not None
    frames = cause.__traceback__
    names = []
    while frames is not None:
        names.append(frames.tb_frame.f_code.co_name)
        frames = frames.tb_next
    assert "loop_forever" in names


def test_a_loop_that_swallows_the_exception_is_late_all_the_same() -> None:
    with pytest.raises(LimitError):
        run_with_limit(swallow_everything, seconds=0.05)


def test_limits_that_expire_as_work_ends_leave_nothing_behind() -> None:
    """Nothing is raised afterwards, and later limits hold: no lock is left locked, wherever the exception comes."""

    def work(until: float) -> None:
        while time.perf_counter() < until:
            pass

    late = 0
    for step in range(2_000):
        seconds = (step % 20) / 50_000
        try:
            run_with_limit(partial(work, time.perf_counter() + 0.0002), seconds=seconds)
        except LimitError:
            late += 1

    assert 0 < late < 2_000
    assert run_with_limit(lambda: "done", seconds=60) == "done"
    with pytest.raises(LimitError):
        run_with_limit(loop_forever, seconds=0.05)


def test_an_outer_limit_ends_work_within_an_inner_one() -> None:
    with pytest.raises(LimitError, match=r"0\.05 seconds"):
        run_with_limit(lambda: run_with_limit(loop_forever, seconds=60), seconds=0.05)


def test_each_thread_has_its_own_limit() -> None:
    results: list[str] = []

    def work(seconds: float) -> None:
        try:
            run_with_limit(lambda: [sum(range(1_000)) for _ in range(3_000)], seconds)
            results.append("done")
        except LimitError:
            results.append("late")

    threads = [threading.Thread(target=work, args=(seconds,)) for seconds in (0.001, 60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(results) == ["done", "late"]


def test_work_that_holds_its_limit_is_ended_afterwards() -> None:
    """Also where holds are nested."""
    done = []

    def work() -> None:
        hold_limit()
        hold_limit()
        until = time.perf_counter() + 0.2
        while time.perf_counter() < until:
            pass
        release_limit()
        done.append("held")
        release_limit()
        loop_forever()

    with pytest.raises(LimitError):
        run_with_limit(work, seconds=0.02)

    assert done == ["held"]


def test_a_hold_without_a_limit_does_nothing() -> None:
    hold_limit()
    release_limit()

    with pytest.raises(LimitError):
        run_with_limit(loop_forever, seconds=0.02)

"""The pool of worker processes: workers may die, and the results are those of one process."""

import math
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from oddsmith import worker_pool
from oddsmith.errors import InputError, OddsmithError, WorkLimitError
from oddsmith.registry import VARIABLE, require_mechanic
from oddsmith.worker_pool import run_batches, run_pieces


def make_refusal(piece: object) -> OddsmithError:
    """Return the error for a piece on which too many workers died."""
    return WorkLimitError("workers_died", f"no more workers for {piece}")


def kill_a_worker() -> None:
    """Kill one of the child processes."""
    child = multiprocessing.active_children()[0]
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)


def test_each_piece_has_one_result() -> None:
    """Also with fewer pieces than workers, equal pieces, or none."""
    assert [(-2, 2), (-2, 2), (1, 1)] == sorted(run_pieces(abs, [1, -2, -2], 5, refusal=make_refusal))
    assert [] == list(run_pieces(abs, [], 2, refusal=make_refusal))


def test_workers_that_die_are_replaced_and_their_batches_run_again() -> None:
    """Two are killed; no batch is lost or repeated."""
    sums = []
    with closing(run_batches(sum, 400, 2, workers=2)) as batches:
        for result in batches:
            sums.append(result)
            if len(sums) in {1, 100}:
                kill_a_worker()

    assert list(run_batches(sum, 400, 2, workers=1)) == sorted(sums)


def test_a_piece_on_which_three_workers_die_is_refused() -> None:
    """The piece kills its worker; other pieces are not refused."""
    with pytest.raises(WorkLimitError, match="no more workers for 9"):
        list(run_pieces(signal.raise_signal, [0, signal.SIGKILL.value, 0], 2, refusal=make_refusal))

    assert [] == multiprocessing.active_children()


def test_a_batch_on_which_three_workers_die_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal has the numbers of the batch."""
    start = worker_pool._start_worker

    def start_dead_worker(work: Callable[[range], int]) -> worker_pool._Worker[range, int]:
        worker = start(work)
        worker.process.kill()
        return worker

    monkeypatch.setattr(worker_pool, "_start_worker", start_dead_worker)
    with pytest.raises(
        WorkLimitError, match=r"3 workers died on numbers (1 to 2|3 to 4), perhaps for lack"
    ) as caught:
        list(run_batches(sum, 4, 2, workers=2))

    assert "workers_died" == caught.value.refusal.code


def test_an_error_of_the_work_is_raised_with_the_traceback_of_the_worker() -> None:
    """A refusal keeps its code; any other error is raised as it was."""
    with pytest.raises(ValueError, match="math domain error") as domain:
        list(run_pieces(math.sqrt, [-1], 1, refusal=make_refusal))
    with pytest.raises(InputError) as unknown:
        list(run_pieces(require_mechanic, ["chess"], 1, refusal=make_refusal))
    with pytest.raises(SystemExit) as ended:
        list(run_pieces(sys.exit, [3], 1, refusal=make_refusal))

    assert "Traceback (most recent call last)" in str(domain.value.__cause__)
    assert "in require_mechanic" in str(unknown.value.__cause__)
    assert ("unknown_game", 3) == (unknown.value.refusal.code, ended.value.code)
    assert [] == multiprocessing.active_children()


def test_a_result_that_cannot_be_pickled_is_an_error_of_the_work() -> None:
    """The worker is not treated as dead."""
    with pytest.raises(TypeError, match="cannot pickle"):
        list(run_pieces(os.scandir, ["."], 1, refusal=make_refusal))


def test_closing_the_iterator_ends_the_workers() -> None:
    """Further results are not computed."""
    with closing(run_batches(sum, 10_000, 1, workers=2)) as batches:
        next(batches)

    assert [] == multiprocessing.active_children()


def test_workers_have_the_sources_of_mechanics(monkeypatch: pytest.MonkeyPatch) -> None:
    """They inherit the environment variable at their start."""
    monkeypatch.setenv(VARIABLE, "/games/pig.py")

    assert [(VARIABLE, "/games/pig.py")] == list(run_pieces(os.getenv, [VARIABLE], 1, refusal=make_refusal))


def test_zero_workers_are_refused() -> None:
    """At once, not with the first result."""
    with pytest.raises(InputError, match="at least 1 worker is needed: 0 were given"):
        run_pieces(abs, [1], 0, refusal=make_refusal)
    with pytest.raises(InputError, match="at least 1 worker is needed: -1 were given"):
        run_batches(sum, 1, 1, workers=-1)


INTERRUPTED = """
import multiprocessing, signal

from oddsmith.worker_pool import run_batches


def work(batch):
    if batch[0] > 1:
        signal.pause()
    return batch[0]


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start the tests with it ignored
    try:
        for result in run_batches(work, 100, 1, workers=2):
            print("finished", result, flush=True)
    except KeyboardInterrupt:
        print("interrupted;", len(multiprocessing.active_children()), "processes are left")
"""


def test_ctrl_c_ends_the_program_and_its_workers_silently(tmp_path: Path) -> None:
    """A terminal sends it to all of them: the program handles it, and the workers print nothing."""
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        assert run.stdout is not None
        first = run.stdout.readline()
        os.killpg(run.pid, signal.SIGINT)
        rest, errors = run.communicate()

    assert "finished 1\n" == first
    assert "interrupted; 0 processes are left\n" == rest
    assert "" == errors
    assert 0 == run.returncode

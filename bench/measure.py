"""Wall times of repeated runs: the least of several, with what is compared run alternately.

The least time of several runs is the one that other work on the machine has disturbed least. Two sides are run
alternately, so that a load or a change of the clock frequency affects both. Whoever calls these functions gives both
sides a new question for every run, or clears the caches of both.
"""

import gc
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

Run = Callable[[], object]


def alternate(*runs: Run, repeats: int, warm_up: bool = True) -> tuple[float, ...]:
    """Return the least wall time of each run in seconds; all are run in turn, `repeats` times after one warm-up."""
    if warm_up:
        for run in runs:
            run()
    least = [float("inf")] * len(runs)
    with _without_garbage_collection():
        for _ in range(repeats):
            for index, run in enumerate(runs):
                least[index] = min(least[index], seconds(run))
    return tuple(least)


def best(run: Run, *, repeats: int) -> float:
    """Return the least wall time of a run in seconds, after one run that compiles and warms up."""
    return alternate(run, repeats=repeats)[0]


def seconds(run: Run) -> float:
    """Return the wall time of a single run."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Collect garbage once and then not, as `timeit` does."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def process(arguments: Sequence[str]) -> Run:
    """Return a function that runs a new Python process, and raises `CalledProcessError` if it fails."""
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def command(arguments: Sequence[str]) -> Run:
    """Return a function that runs an `oddsmith` command in a new process."""
    return process(["-c", "from oddsmith.cli import main; main()", *arguments])


def clear_caches(*modules: ModuleType) -> None:
    """Empty the caches of all functions that the modules define or import, so that the next question is answered from nothing."""
    for module in modules:
        for value in vars(module).values():
            clear = getattr(value, "cache_clear", None)
            if clear is not None:
                clear()


def require_equal(ours: object, theirs: object, what: str) -> None:
    """Raise `RuntimeError` if two answers differ: a comparison of different questions means nothing."""
    if ours != theirs:
        raise RuntimeError(f"{what}: the answers differ: {ours!r} and {theirs!r}")

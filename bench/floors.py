"""Floors: bare work of a stated amount, measured in the same run as what is held against it."""

from functools import partial
from typing import NamedTuple

import numpy as np

from bench.measure import Run, alternate, process
from bench.rows import Row, against_floor


class Floor(NamedTuple):
    """Bare work and its name, which states the amount."""

    name: str
    run: Run


def python_loop(steps: int) -> Floor:
    """Return a bare loop of Python that adds up numbers: the floor of what is written in plain Python."""
    return Floor(f"a bare Python loop, {steps:,} steps", partial(_count, steps))


def _count(steps: int) -> int:
    total = 0
    for number in range(steps):
        total += number
    return total


def numpy_sort(numbers: int, *, arrays: int = 1) -> Floor:
    """Return stable sorts of as many arrays of random integers: the floor of what is written with numpy.

    The stable sort is a merge sort on every processor; the default sort is several times as fast where numpy has vector
    instructions for it, which would make the ratio depend on the processor.
    """
    unsorted = np.random.default_rng(1).integers(0, 1 << 40, (arrays, numbers))
    name = f"numpy's stable sort, {numbers:,} integers"
    return Floor(
        f"{name}, {arrays:,} times" if arrays > 1 else name,
        lambda: [np.sort(row, kind="stable") for row in unsorted],
    )


def numpy_copy(numbers: int) -> Floor:
    """Return a copy of an array of floats: the floor of what reads and writes memory."""
    array = np.random.default_rng(1).random(numbers)
    return Floor(f"numpy's copy, {numbers:,} floats", array.copy)


def bare_process() -> Floor:
    """Return `python -c pass`: the floor of every command."""
    return Floor("python -c pass", process(["-c", "pass"]))


def hold(
    name: str,
    run: Run,
    floor: Floor,
    *,
    most: float | None,
    reason: str,
    repeats: int = 7,
    warm_up: bool = True,
) -> Row:
    """Measure a run and its floor alternately, and return the row; with `most` None it has no bound.

    Without `warm_up` nothing is run before it is measured: for long runs whose code is compiled already.
    """
    if not warm_up:
        floor.run()
    ours, bare = alternate(run, floor.run, repeats=repeats, warm_up=warm_up)
    return against_floor(name, ours, (floor.name, bare), most=most, reason=reason)

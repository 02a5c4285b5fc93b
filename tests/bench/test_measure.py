"""Measuring: how often and in which order the sides of a comparison are run."""

from functools import cache, partial
from types import ModuleType

import pytest
from bench.floors import python_loop
from bench.measure import alternate, clear_caches, require_equal


def test_sides_are_run_in_turn_after_one_warm_up() -> None:
    runs: list[str] = []
    alternate(partial(runs.append, "ours"), partial(runs.append, "peer"), repeats=2)

    assert runs == ["ours", "peer"] * 3


def test_without_warm_up_each_side_is_run_as_often_as_asked() -> None:
    runs: list[str] = []
    alternate(partial(runs.append, "ours"), partial(runs.append, "peer"), repeats=1, warm_up=False)

    assert runs == ["ours", "peer"]


def test_every_run_gets_the_next_question() -> None:
    questions = iter(range(10))
    asked: list[int] = []
    alternate(lambda: asked.append(next(questions)), repeats=3)

    assert asked == [0, 1, 2, 3]


def test_a_cleared_cache_has_no_answer() -> None:
    module = ModuleType("answers")
    asked: list[int] = []
    module.ask = cache(asked.append)  # type: ignore[attr-defined]  # a function of the module
    for _ in range(2):
        module.ask(1)
    clear_caches(module)
    module.ask(1)

    assert asked == [1, 1]


def test_different_answers_stop_a_comparison() -> None:
    with pytest.raises(RuntimeError, match="contest: the answers differ: 1 and 2"):
        require_equal(1, 2, "contest")


def test_the_name_of_a_floor_states_its_amount() -> None:
    assert python_loop(10_000).name == "a bare Python loop, 10,000 steps"

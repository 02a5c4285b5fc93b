"""Default output of replies whose mechanic has no lines for them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.core.flips import FlipsRequest, Rules, prove_flips

from oddsmith.question import Context
from oddsmith.terminal import PROGRESS, reply_lines, show_progress


def test_a_reply_is_shown_field_by_field() -> None:
    request = FlipsRequest(flips=1, full=True)
    lines = [*reply_lines(request, prove_flips(request, Context(rules=Rules())), Rules())]

    assert lines == [
        "flips: 1",
        "reach:",
        "  count: 1",
        "  total: 2",
        "  chance: 0.5",
        "reach_exact: 1/2",
        "mean: 1/2",
        "sides:",
        "  heads: 1",
        "  tails: 2",
        "quantiles:",
        "  0.5: 0",
        "likely: heads",
        "least: none",
        "counts: 1, 1",
    ]


def test_progress_is_shown_by_the_interface() -> None:
    reported: list[object] = []

    @contextmanager
    def record_progress(what: str) -> Iterator[Callable[[float], None]]:
        reported.append(what)
        yield reported.append

    token = PROGRESS.set(record_progress)
    with show_progress("solving") as report:
        report(0.5)
    PROGRESS.reset(token)

    assert reported == ["solving", 0.5]

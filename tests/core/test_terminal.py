"""Default output of games and replies whose mechanic has no terminal part."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.core.flips import FlipsRequest, Rules, prove_flips
from tests.laws.toy import Play, Received, Vie

from oddsmith.cards import card
from oddsmith.game import EVERYONE
from oddsmith.question import Context
from oddsmith.terminal import PROGRESS, DefaultPlay, Reply, reply_lines, show_progress

GAME = Vie()
VIEW = GAME.view(GAME.setup(Rules(), 2), 0)


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


def test_a_view_is_shown_without_the_rules() -> None:
    lines = [*DefaultPlay().state_lines(VIEW)]

    assert "played: 0" in lines
    assert "hand: none" in lines
    assert not any(line.startswith("rules") for line in lines)


def test_an_event_is_written_as_its_name_and_fields() -> None:
    event = Received(audience=EVERYONE, cards=())

    assert [*DefaultPlay().event_lines([event], VIEW)] == ["event received, cards none"]


def test_actions_are_chosen_by_number() -> None:
    actions = [Play(card("3♠")), Play(card("4♠"))]

    assert [*DefaultPlay().choice_lines(VIEW, actions)] == [
        "  [bold] 1[/]  card 3♠",
        "  [bold] 2[/]  card 4♠",
    ]
    assert DefaultPlay().read_answer("2", VIEW, actions) == actions[1]
    assert isinstance(DefaultPlay().read_answer("x", VIEW, actions), Reply)


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

"""Views of the Destiny Deck: a choice is hidden until both are made (§8.6)."""

import pytest

from oddsmith import wire
from oddsmith.chance import Scripted
from oddsmith.game import audible_events
from oddsmith.games.destiny import DEFAULT, GAME
from oddsmith.games.destiny.model import Attempt, Choose, Chosen, Committed, ContestState, Faced, RunState
from oddsmith.games.destiny.views import ContestView, RunView
from tests.games.destiny.builders import ROYAL_FLUSH, act, draw, run

BEGUN = act(GAME.setup(DEFAULT, 2), Choose("doc_silas"))


@pytest.mark.parametrize(
    ("viewer", "choices"), [(0, ("doc_silas", None)), (1, (None, None)), (None, (None, None))]
)
def test_8_6_a_choice_is_in_the_view_of_its_own_seat(
    viewer: int | None, choices: tuple[str | None, str | None]
) -> None:
    """The other seat and the spectator see that seat 0 has chosen, but not whom."""
    seen = GAME.view(BEGUN.state, viewer)

    assert isinstance(seen, ContestView)
    assert ((True, False), choices, viewer) == (seen.committed, seen.choices, seen.viewer)


@pytest.mark.parametrize(("chooser", "viewer"), [(0, 1), (0, None), (1, 0), (1, None)])
def test_8_6_a_hidden_choice_is_in_no_other_view_or_event(chooser: int, viewer: int | None) -> None:
    """Whichever seat chooses first, two different choices give others the same bytes."""
    one, other = (act(GAME.setup(DEFAULT, 2), Choose(name), chooser) for name in ("doc_silas", "iron_jack"))
    views = {wire.to_json(GAME.view(step.state, viewer)) for step in (one, other)}
    received = {wire.to_json(audible_events(step.events, viewer)) for step in (one, other)}

    assert 1 == len(views)
    assert 1 == len(received)
    assert b"doc_silas" not in received.pop()
    assert GAME.actions(one.state, 1 - chooser) == GAME.actions(other.state, 1 - chooser)


def test_8_6_the_defenders_choice_is_in_its_own_view() -> None:
    """Seat 1 may choose first."""
    seen = GAME.view(act(GAME.setup(DEFAULT, 2), Choose("doc_silas"), 1).state, 1)

    assert isinstance(seen, ContestView)
    assert ((False, True), (None, "doc_silas")) == (seen.committed, seen.choices)


def test_8_6_the_event_of_a_choice_goes_to_its_own_seat() -> None:
    """All receive that a choice was made; its own seat receives which."""
    assert [Committed, Chosen] == [type(event) for event in audible_events(BEGUN.events, 0)]
    assert [Committed] == [type(event) for event in audible_events(BEGUN.events, 1)]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_8_6_both_choices_are_open_at_once(viewer: int | None) -> None:
    """After the second choice, all views and events have both."""
    step = act(BEGUN.state, Choose("greenhorn"), seat=1)
    seen = GAME.view(draw(step.state, ROYAL_FLUSH).state, viewer)

    assert isinstance(seen, ContestView)
    assert (("doc_silas", "greenhorn"), (True, True)) == (seen.choices, seen.committed)
    assert (ROYAL_FLUSH,) == seen.hands
    assert Faced in [type(event) for event in audible_events(step.events, viewer)]


@pytest.mark.parametrize("viewer", [0, None])
def test_11_a_run_has_no_secrets(viewer: int | None) -> None:
    """A view of a run has every field of its state, and the viewer."""
    state = act(run("doc_silas"), Attempt("burglary")).state
    seen = GAME.view(state, viewer)

    assert isinstance(seen, RunView)
    assert viewer == seen.viewer
    assert {"viewer", *RunState.__struct_fields__} == set(RunView.__struct_fields__)
    assert all(getattr(state, name) == getattr(seen, name) for name in RunState.__struct_fields__)
    assert state == GAME.imagine(seen, Scripted([]))


def test_8_6_a_hidden_choice_may_be_any_outlaw() -> None:
    """Imagined from seat 1's view, seat 0 has chosen one of the five; from its own view, the one it chose."""
    hidden, own = GAME.view(BEGUN.state, 1), GAME.view(BEGUN.state, 0)
    roster = tuple(DEFAULT.outlaws)
    imagined = [GAME.imagine(hidden, Scripted([index])) for index in range(5)]

    assert [ContestState(rules=DEFAULT, choices=(name, None), hands=()) for name in roster] == imagined
    assert BEGUN.state == GAME.imagine(own, Scripted([]))

"""Events go to their audience only."""

import pytest

from oddsmith.game import EVERYONE, Audience, Decide, Event, Outcome, Over, audible_events
from oddsmith.points import Points


class Dealt(Event, frozen=True, kw_only=True):
    text: str


def make_event(text: str, audience: Audience) -> Dealt:
    return Dealt(audience=audience, text=text)


EVENTS = (
    make_event("open", EVERYONE),
    make_event("mine", (0,)),
    make_event("ours", (0, 1)),
    make_event("nobody's", ()),
)


@pytest.mark.parametrize(
    ("viewer", "received"),
    [(0, ["open", "mine", "ours"]), (1, ["open", "ours"]), (2, ["open"]), (None, ["open"])],
)
def test_a_viewer_receives_only_its_own_events(viewer: int | None, received: list[str]) -> None:
    """A seat receives those for everyone and for it, a spectator those for everyone."""
    assert received == [event.text for event in audible_events(EVENTS, viewer) if isinstance(event, Dealt)]


def test_turns_and_outcomes_are_hashable_values() -> None:
    """Equal turns are equal and can be keys."""
    first, again = (
        Over(Outcome(why="counted", winners=(0,), scores=(Points(3), Points("2.5")))) for _ in range(2)
    )

    assert {first: "over", Decide((0, 1)): "both"} == {again: "over", Decide((0, 1)): "both"}

"""An event has an audience, and nobody else hears of it."""

import pytest

from oddsmith.game import EVERYONE, Audience, Decide, Event, Outcome, Over, audible_events
from oddsmith.points import Points


class Dealt(Event, frozen=True, kw_only=True):
    text: str


def dealt(text: str, audience: Audience) -> Dealt:
    return Dealt(audience=audience, text=text)


EVENTS = (dealt("open", EVERYONE), dealt("mine", (0,)), dealt("ours", (0, 1)), dealt("nobody's", ()))


@pytest.mark.parametrize(
    ("viewer", "heard"),
    [(0, ["open", "mine", "ours"]), (1, ["open", "ours"]), (2, ["open"]), (None, ["open"])],
)
def test_a_viewer_hears_what_it_may_and_nothing_else(viewer: int | None, heard: list[str]) -> None:
    """A seat hears what is for everyone and for it, a spectator what is for everyone."""
    assert heard == [event.text for event in audible_events(EVENTS, viewer) if isinstance(event, Dealt)]


def test_turns_and_outcomes_are_values() -> None:
    """Equal turns are equal and can be keys."""
    first, again = (
        Over(Outcome(why="counted", winners=(0,), scores=(Points(3), Points("2.5")))) for _ in range(2)
    )

    assert {first: "over", Decide((0, 1)): "both"} == {again: "over", Decide((0, 1)): "both"}

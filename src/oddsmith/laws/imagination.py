"""The law of imagined states: they can be reached, and played on."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from oddsmith.game import Seat
from oddsmith.laws.fault import Fault
from oddsmith.laws.playout import Playout
from oddsmith.records import play

POSITIONS: Final = 12
"""The number of positions of a playout whose imagined states are looked up."""
PLIES: Final = 100
"""The most plies that are played from an imagined state."""


def imagination(playout: Playout) -> Iterator[Fault | None]:
    """Look up what each viewer imagines among all reachable states, if these are few, and play on from one imagined state."""
    reachable = playout.shared.reachable_states(playout.game, playout.rules, playout.seats)
    if reachable is not None:
        for position in playout.each_position(POSITIONS):
            for viewer in playout.viewers:
                imagined = _imagine(playout, position.state, viewer)
                yield None if imagined in reachable else _describe_unreachable(imagined, viewer)
    [position] = playout.each_position(1)
    start = _imagine(playout, position.state, playout.pick(playout.viewers))
    choosers = [playout.choose] * playout.seats
    for _ in islice(play(playout.game, start, choosers, playout.draw, who=playout.pick), PLIES):
        pass
    yield None


def _imagine(playout: Playout, state: object, viewer: Seat | None) -> Any:  # noqa: ANN401  a state of the game
    return playout.game.imagine(playout.game.view(state, viewer), playout.draw)


def _describe_unreachable(imagined: object, viewer: Seat | None) -> Fault:
    who = "a spectator" if viewer is None else f"seat {viewer}"
    return Fault(
        f"{who} imagines a state that no moves lead to: {imagined!r}",
        "possible",
        "keep piles sorted, as deal, plus and less do; let `possible` refuse what cannot be, where an open field "
        "tells of a hidden one; or write `imagine`",
    )

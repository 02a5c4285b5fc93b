"""Laws of knowledge: a seat learns from views and events what it may know, and nothing else.

A law yields once for each thing it has checked: None where the law holds, else what is wrong.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from oddsmith.game import Act, Await, Luck, Seat, Step, audible
from oddsmith.laws.playout import Moment, Playout, written

COMPARED: Final = 4
"""How many moves by one seat, or by luck, are compared with each other in one position."""


def non_interference(playout: Playout) -> Iterator[str | None]:
    """Imagine the position from every view, and listen to moves that look the same."""
    for moment in playout.each():
        for viewer in playout.viewers:
            yield _wrong_imagination(playout, moment, viewer)
        for mover, steps in _alternatives(playout, moment):
            for viewer in playout.viewers:
                if viewer != mover or mover is None:
                    yield from _told_apart(playout, steps, viewer)


def _wrong_imagination(playout: Playout, moment: Moment, viewer: Seat | None) -> str | None:
    game, who = playout.game, _name(viewer)
    view = game.view(moment.state, viewer)
    imagined = game.imagine(view, playout.draw)
    if game.view(imagined, viewer) != view:
        return f"{who} would see that the imagined state is another one"
    if viewer is not None and tuple(game.actions(imagined, viewer)) != moment.actions[viewer]:
        return f"the actions of {who} depend on what it cannot see"
    if type(game.turn(imagined)) is not type(moment.turn):
        return f"whether it is time to decide, for luck or to stop depends on what {who} cannot see"
    if Counter(game.cards(imagined)) != Counter(game.cards(moment.state)):
        return f"{who} imagines other cards than the game has"
    return None


def _alternatives(playout: Playout, moment: Moment) -> Iterator[tuple[Seat | None, list[Step[Any]]]]:
    """Yield who moves, seat by seat or luck, with the steps of some moves that could be made."""
    if isinstance(moment.turn, Await):
        outcomes = [moment.turn.chance.sample(playout.draw) for _ in range(COMPARED)]
        yield None, [playout.game.step(moment.state, Luck(outcome)) for outcome in outcomes]
    for seat, listed in moment.actions.items():
        actions = playout.some_of(listed, COMPARED)
        yield seat, [playout.game.step(moment.state, Act(seat, action)) for action in actions]


def _told_apart(playout: Playout, steps: list[Step[Any]], viewer: Seat | None) -> Iterator[str | None]:
    """Compare what is heard of moves that lead to different states which look the same.

    Where the states are the same, what was told is a secret no more: a card that was shown and shuffled away.
    """
    looks: dict[bytes, Step[Any]] = {}
    for step in steps:
        first = looks.setdefault(written(playout.game.view(step.state, viewer)), step)
        if first.state != step.state:
            told, again = audible(first.events, viewer), audible(step.events, viewer)
            yield (
                None if told == again else f"{_name(viewer)} hears what it cannot see: {told!r} or {again!r}"
            )


def _name(viewer: Seat | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"

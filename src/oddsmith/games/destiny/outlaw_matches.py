"""What matches have in common in which each seat has one outlaw: the unseen choice, the order of turns, the leaders."""

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from oddsmith.game import EVERYONE, Event, Seat, Step
from oddsmith.games.destiny.model import (
    CheckState,
    Chosen,
    Committed,
    ContestState,
    Entered,
    Faced,
    GauntletState,
)
from oddsmith.points import Points

OutlawMatch: TypeAlias = ContestState | CheckState | GauntletState


def choose_outlaw(state: OutlawMatch, seat: Seat, outlaw: str) -> Step[OutlawMatch]:
    """Return the state after a seat chose its outlaw unseen; when all have chosen, the choices are open (§8.6, §8.11)."""
    choices = tuple(outlaw if place == seat else choice for place, choice in enumerate(state.choices))
    events: list[Event] = [
        Committed(audience=EVERYONE, seat=seat),
        Chosen(audience=(seat,), seat=seat, outlaw=outlaw),
    ]
    outlaws = [choice for choice in choices if choice is not None]
    if len(outlaws) == len(choices):
        if isinstance(state, GauntletState):
            events.append(Entered(audience=EVERYONE, outlaws=tuple(outlaws)))
        else:
            attacker, defender = outlaws
            events.append(Faced(audience=EVERYONE, attacker=attacker, defender=defender))
    return Step(msgspec.structs.replace(state, choices=choices), tuple(events))


def undecided_seats(choices: Sequence[str | None]) -> tuple[Seat, ...]:
    """Return the seats that have not chosen their outlaw."""
    return tuple(seat for seat, choice in enumerate(choices) if choice is None)


def round_order(played: int, seats: int) -> tuple[Seat, ...]:
    """Return the order of turns in a round, by its number from 0; who was second in one is first in the next (§8.10).

    >>> [round_order(played, 2) for played in range(3)], round_order(1, 3)
    ([(0, 1), (1, 0), (0, 1)], (1, 2, 0))
    """
    first = played % seats
    return (*range(first, seats), *range(first))


def leading_seats(points: Sequence[Points]) -> tuple[Seat, ...]:
    """Return the seats with the most points.

    >>> leading_seats((Points(30), Points(65), Points(65)))
    (1, 2)
    """
    most = max(points)
    return tuple(seat for seat, own in enumerate(points) if own == most)

"""Short functions for the methods of a position: turns, and changed tuples."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

from oddsmith.chance import Chance
from oddsmith.errors import InputError
from oddsmith.game import Await, Decide, Outcome, Over, Seat
from oddsmith.points import Points

T = TypeVar("T")
L = TypeVar("L")

TURNS_CACHED: Final = 1_024
LONGEST_SHOWN: Final = 80


class PerSeat(tuple[T, ...]):
    """The default of a field with an entry for each seat: `setup` repeats it for the seats that play."""

    __slots__ = ()


def each(value: T, /) -> tuple[T, ...]:
    """Return the default of a field with an entry for each seat: this value for each.

    >>> each(0)
    (0,)
    """
    return PerSeat((value,))


@lru_cache(maxsize=TURNS_CACHED)
def asks(*seats: Seat) -> Decide:
    """Return the turn in which these seats choose; where there are several, their actions are hidden until the last.

    >>> asks(1)
    Decide(seats=(1,))
    """
    return Decide(seats)


def awaits(chance: Chance[L], /) -> Await[L]:
    """Return the turn in which luck decides."""
    return Await(chance)


def ends(why: str, scores: Sequence[Points | int], /, *, winners: Sequence[Seat] | None = None) -> Over:
    """Return the end of the game, with the score of each seat.

    Without `winners`, the seats with the highest score win; a single seat wins with a score above 0.

    >>> ends("the goal is reached", (3, 10)).outcome.winners
    (1,)
    """
    points = tuple(score if isinstance(score, Points) else Points(score) for score in scores)
    best = max(points)
    if winners is None:
        winners = [seat for seat, score in enumerate(points) if score == best]
        winners = winners if len(points) > 1 or best > Points(0) else ()
    return Over(Outcome(why=why, winners=tuple(winners), scores=points))


def put(values: tuple[T, ...], place: int, value: T, /) -> tuple[T, ...]:
    """Return the tuple with another value at a place.

    >>> put((1, 2, 3), 1, 7)
    (1, 7, 3)
    """
    if not 0 <= place < len(values):
        raise InputError("bad_place", f"there is no place {place}: the places are 0 to {len(values) - 1}")
    return (*values[:place], value, *values[place + 1 :])


def plus(values: tuple[T, ...], place: int, more: T, /) -> tuple[T, ...]:
    """Return the tuple with more at a place: a number is added, cards join a pile, which stays sorted.

    >>> plus((10, 20), 1, 5), plus(((), (4,)), 1, (2,))
    ((10, 25), ((), (2, 4)))
    """
    before: Any = values[place]
    together = before + more
    after: Any = tuple(sorted(together)) if isinstance(together, tuple) else together
    return put(values, place, after)


def less(pile: tuple[T, ...], gone: Sequence[T], /) -> tuple[T, ...]:
    """Return the pile without some of its cards, sorted; raise `InputError` for a card that is not in it.

    >>> less((1, 2, 2, 3), (2,))
    (1, 2, 3)
    """
    left = Counter(pile)
    left.subtract(gone)
    missing = [card for card, count in left.items() if count < 0]
    if missing:
        shown = ", ".join(map(str, missing))[:LONGEST_SHOWN]
        raise InputError("card_not_held", f"not in the pile: {shown}")
    cards: Any = left.elements()
    return tuple(sorted(cards))

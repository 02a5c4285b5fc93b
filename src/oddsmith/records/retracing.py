"""A record is retraced by drawing its luck anew, until the source stands where it stood after the last move."""

from collections.abc import Mapping
from typing import Any, TypeVar

from oddsmith.bot import Chooser
from oddsmith.chance import Draw
from oddsmith.driver import Ply, Replayed
from oddsmith.errors import RecordError
from oddsmith.game import Act, Await, Game, Luck, Seat
from oddsmith.records.record import Record
from oddsmith.records.replaying import verify

S = TypeVar("S")
A = TypeVar("A")
O = TypeVar("O")  # noqa: E741  the outcome of luck, as in the Game protocol
V = TypeVar("V")


def retrace(
    game: Game[Any, S, A, O, V], record: Record, draw: Draw, choosers: Mapping[Seat, Chooser[V, A]]
) -> Replayed[S, A, O]:
    """Verify a record while `draw` decides its luck again, and `choosers` decide again for their seats.

    Other seats do as recorded. Afterwards the source and the choosers are as they were when the last move had been
    made, so that `play` goes on as if it had never stopped. Luck or a choice that comes out differently raises a
    `RecordError` that says at which ply.

    >>> from oddsmith.chance import Seeded
    >>> from oddsmith.games import destiny
    >>> from oddsmith.records import play
    >>> start, first = destiny.GAME.setup(destiny.DEFAULT, 2), lambda view, actions: actions[0]
    >>> moves = [ply.move for ply in play(destiny.GAME, start, [first, first], Seeded("yuma"))]
    >>> begun = Record.of(destiny.GAME, destiny.DEFAULT, ["Ann", "Bo"], moves[:3])
    >>> luck = Seeded("yuma")
    >>> state = retrace(destiny.GAME, begun, luck, {1: first}).state
    >>> [ply.move for ply in play(destiny.GAME, state, [first, first], luck)] == moves[3:]
    True
    """
    verified = verify(game, record)
    for ply, line in zip(verified.plies, record.moves, strict=True):
        again = _made_again(game, ply, draw, choosers)
        if again != ply.move:
            raise RecordError(
                "other_luck",
                f"ply {ply.number}: the record says '{line}', but the luck it names gives"
                f" '{game.write(ply.before, again)}'",
                where=f"ply {ply.number}",
            )
    return verified


def _made_again(
    game: Game[Any, S, A, O, V], ply: Ply[S, A, O], draw: Draw, choosers: Mapping[Seat, Chooser[V, A]]
) -> Act[A] | Luck[O]:
    """Return the move that is made now where the recorded one was made."""
    match game.turn(ply.before), ply.move:
        case Await(chance), Luck():
            return Luck(chance.sample(draw))
        case _, Act(seat) if seat in choosers:
            return Act(seat, choosers[seat](game.view(ply.before, seat), game.actions(ply.before, seat)))
    return ply.move

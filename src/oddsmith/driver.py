"""The driver of local games: plays moves from choosers and luck from a draw."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, assert_never

import msgspec

from oddsmith.bot import Chooser
from oddsmith.chance import Draw
from oddsmith.game import Act, Await, Decide, Event, Game, Luck, Over, Seat

__all__ = ["PlayedGame", "Ply", "play"]

S = TypeVar("S")
A = TypeVar("A")
L = TypeVar("L")
V = TypeVar("V")


class Ply(msgspec.Struct, Generic[S, A, L], frozen=True):
    """One move of a game: its number from 1, the states before and after it, and its events."""

    number: int
    before: S
    move: Act[A] | Luck[L]
    after: S
    events: tuple[Event, ...]


class PlayedGame(msgspec.Struct, Generic[S, A, L], frozen=True):
    """A played game: its first state and its plies; `labels` are those of its record."""

    start: S
    plies: tuple[Ply[S, A, L], ...]
    labels: Mapping[str, str] = {}

    @property
    def states(self) -> tuple[S, ...]:
        """The state at every ply: `states[n]` is the one after n moves."""
        return (self.start, *(ply.after for ply in self.plies))

    @property
    def state(self) -> S:
        """The state after the last ply."""
        return self.plies[-1].after if self.plies else self.start


def _first(seats: Sequence[Seat]) -> Seat:
    return seats[0]


def play(
    game: Game[Any, S, A, L, V],
    start: S,
    choosers: Sequence[Chooser[V, A]],
    draw: Draw,
    *,
    who: Callable[[Sequence[Seat]], Seat] = _first,
) -> Iterator[Ply[S, A, L]]:
    """Yield the plies from `start` to the end of the game, each as soon as it is made.

    `choosers[seat]` chooses for a seat. Where several seats must choose, `who` returns the next one. To continue after an
    error or an interruption, call it again with the last state.
    """
    state, number = start, 0
    while (move := _next_move(game, state, choosers, draw, who)) is not None:
        step = game.step(state, move)
        number += 1
        yield Ply(number, state, move, step.state, step.events)
        state = step.state


def _next_move(
    game: Game[Any, S, A, L, V],
    state: S,
    choosers: Sequence[Chooser[V, A]],
    draw: Draw,
    who: Callable[[Sequence[Seat]], Seat],
) -> Act[A] | Luck[L] | None:
    """Return the next move; None where the game is over."""
    turn = game.turn(state)
    match turn:
        case Over():
            return None
        case Await():
            return Luck(turn.chance.sample(draw))
        case Decide():
            seat = who(turn.seats)
            return Act(seat, choosers[seat](game.view(state, seat), game.actions(state, seat)))
    assert_never(turn)

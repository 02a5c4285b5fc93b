"""Playing a game out from a state to its end."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

import msgspec

from oddsmith.bot import Chooser
from oddsmith.chance import Draw
from oddsmith.game import Act, Await, Game, Luck, Outcome, Over, Seat, find_advance

Player: TypeAlias = Callable[[Any, Seat, Sequence[Any]], Any]
"""Returns one of the listed actions of a seat in a state; it uses nothing but what the seat knows."""

MOST_PLIES: Final = 10_000
"""The most plies of one game; a longer one is left unfinished."""


class PlayedOut(msgspec.Struct, frozen=True):
    """The end of a game that was played out, None where it had none after `MOST_PLIES`, and its number of plies."""

    outcome: Outcome | None
    plies: int


def make_random_player(draw: Draw) -> Player:
    """Return a player that chooses uniformly, as the bot `random` does, without looking at a view."""
    return lambda state, seat, actions: actions[draw.below(len(actions))]  # noqa: ARG005  the choice is random


def make_player(game: Game[Any, Any, Any, Any, Any], choosers: Sequence[Chooser[Any, Any]]) -> Player:
    """Return the player that chooses for each seat as its bot does, by the view of the seat."""
    return lambda state, seat, actions: choosers[seat](game.view(state, seat), actions)


def play_out(
    game: Game[Any, Any, Any, Any, Any],
    state: Any,  # noqa: ANN401  a state of the game
    player: Player,
    luck: Draw,
) -> PlayedOut:
    """Play a game from a state to its end; the player chooses for all seats."""
    advance = find_advance(game)
    for plies in range(MOST_PLIES):
        turn = game.turn(state)
        if isinstance(turn, Over):
            return PlayedOut(turn.outcome, plies)
        if isinstance(turn, Await):
            state = advance(state, Luck(turn.chance.sample(luck)))
        else:
            seat = turn.seats[0]
            state = advance(state, Act(seat, player(state, seat, game.actions(state, seat))))
    return PlayedOut(None, MOST_PLIES)


def win_share(outcome: Outcome, seat: Seat) -> Fraction:
    """Return 1 for a seat that wins alone, its share where several win, and 0 for one that does not win.

    >>> from oddsmith.points import Points
    >>> win_share(Outcome(why="", winners=(0, 2), scores=(Points(1),) * 3), 2)
    Fraction(1, 2)
    """
    return Fraction(1, len(outcome.winners)) if seat in outcome.winners else Fraction(0)

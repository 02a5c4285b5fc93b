"""All states of a small game, by enumeration of all moves."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from oddsmith.game import Act, Await, Decide, Game, Luck, Move, find_advance


def find_reachable_states(
    game: Game[Any, Any, Any, Any, Any],
    start: Any,  # noqa: ANN401  a state of the game
    limit: int,
) -> frozenset[Any] | None:
    """Return all states that moves lead to from a state; None where there are more than `limit`."""
    advance = find_advance(game)
    known, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        moves = list(islice(_moves(game, state), limit + 1))
        if len(moves) > limit:
            return None
        for move in moves:
            following = advance(state, move)
            if following not in known:
                known.add(following)
                waiting.append(following)
        if len(known) > limit:
            return None
    return frozenset(known)


def _moves(game: Game[Any, Any, Any, Any, Any], state: object) -> Iterable[Move[Any, Any]]:
    turn = game.turn(state)
    if isinstance(turn, Await):
        return (Luck(outcome) for outcome, _ in turn.chance.outcomes())
    seats = turn.seats if isinstance(turn, Decide) else ()
    return (Act(seat, action) for seat in seats for action in game.actions(state, seat))

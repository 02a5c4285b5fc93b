"""All states of a small game, by enumeration of all moves."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from oddsmith.game import Act, Await, Decide, Game, Luck, Move, find_advance

MOST_WAYS: Final = 1_000_000
"""The greatest total of a chance node whose outcomes are listed."""


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
        moves = _list_moves(game, state, limit)
        if moves is None:
            return None
        for move in moves:
            following = advance(state, move)
            if following not in known:
                known.add(following)
                waiting.append(following)
        if len(known) > limit:
            return None
    return frozenset(known)


def _list_moves(
    game: Game[Any, Any, Any, Any, Any], state: object, limit: int
) -> Sequence[Move[Any, Any]] | None:
    """Return all moves of a state; None where there are more than `limit`, or too many ways of luck to list outcomes."""
    turn = game.turn(state)
    if not isinstance(turn, Await):
        seats = turn.seats if isinstance(turn, Decide) else ()
        return [Act(seat, action) for seat in seats for action in game.actions(state, seat)]
    if turn.chance.total > MOST_WAYS:
        return None
    outcomes = [Luck(outcome) for outcome, _ in islice(turn.chance.outcomes(), limit + 1)]
    return None if len(outcomes) > limit else outcomes

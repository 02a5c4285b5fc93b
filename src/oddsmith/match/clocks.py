"""What a clock does where a seat's time is up: the same for whoever plays a match, and for whoever proves one."""

from typing import Any

from oddsmith.chance import Draw
from oddsmith.game import Act, Game, Hurried, Seat


def clock_choice(
    game: Game[Any, Any, Any, Any, Any],
    state: Any,  # noqa: ANN401  of the game
    seat: Seat,
    draw: Draw,
) -> Act[Any]:
    """Return what a clock chooses for a seat that must choose: one of what the game lets it, each as likely as the others.

    >>> from oddsmith.chance import Seeded
    >>> from oddsmith.games.destiny import Rules
    >>> from oddsmith.registry import find_game
    >>> game = find_game(Rules.game)
    >>> clock_choice(game, game.setup(Rules(), 2), 0, Seeded("late"))
    Act(seat=0, action=Choose(outlaw='copper_mae'))
    """
    listed = game.overdue(state, seat) if isinstance(game, Hurried) else game.actions(state, seat)
    return Act(seat, listed[draw.below(len(listed))])

"""Bots are choosers: they meet views and listed actions, never a state."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from oddsmith.bot import Chooser
from oddsmith.chance import Draw
from oddsmith.errors import InputError, nearest
from oddsmith.game import Seat
from oddsmith.games import require_game
from oddsmith.rules import Ruleset

__all__ = ["NAMES", "bot_names", "find_bot"]

NAMES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "destiny": ("random",),
        "duel": ("random", "all_attack", "all_defense", "best_trade", "optimal"),
        "dice": ("random", "greedy", "optimal"),
        "fate": ("random",),
        "casino": ("random", "greedy", "search"),
    }
)
"""Every bot by its name, for each game."""


def bot_names(game: str) -> tuple[str, ...]:
    """Return the names of a game's bots.

    >>> bot_names("duel")
    ('random', 'all_attack', 'all_defense', 'best_trade', 'optimal')
    """
    require_game(game)
    return NAMES[game]


def find_bot(
    game: str,
    name: str,
    rules: Ruleset,
    *,
    draw: Draw,
    seat: Seat = 0,
    objective: str = "win",
    iterations: int | None = None,
    seconds: float | None = None,
    progress: Callable[[float], None] | None = None,
) -> Chooser[Any, Any]:
    """Return a bot of a game for one seat; whatever it leaves to luck, `draw` decides.

    `objective` is what a bot that plays perfectly wants most: "win", "gold", "experience" or "score". It solves
    the game when it is asked for the first time; `progress` hears which share of that is done. A bot that searches
    plays so many games before each move (`iterations`), or for so many `seconds`.

    >>> from oddsmith.chance import Scripted
    >>> from oddsmith.games.destiny import Rules
    >>> bot = find_bot("destiny", "random", Rules(), draw=Scripted([1]))
    >>> bot(None, ["stay", "go"])
    'go'
    """
    known = bot_names(game)
    if name not in known:
        raise InputError("unknown_bot", f"unknown bot '{name[:40]}' of {game}{nearest(name[:40], known)}")
    if game == "duel":
        from oddsmith.bots.duel import duelist  # noqa: PLC0415  it loads numpy: only who fights waits

        return duelist(name, rules, draw=draw, seat=seat, objective=objective, progress=progress)
    if game == "dice":
        from oddsmith.bots.dice import roller  # noqa: PLC0415  as above

        return roller(name, rules, draw=draw)
    if game == "casino" and name != "random":
        from oddsmith.bots.casino import fisher  # noqa: PLC0415  as above

        return fisher(name, rules, draw=draw, iterations=iterations, seconds=seconds)
    from oddsmith.bot import RandomBot  # noqa: PLC0415  as above

    return RandomBot(draw)

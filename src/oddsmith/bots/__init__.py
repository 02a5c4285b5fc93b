"""Bots of any mechanic by name."""

from collections.abc import Callable
from typing import Any, Required, TypedDict, Unpack

from oddsmith.bot import BotSettings, Chooser
from oddsmith.chance import Draw
from oddsmith.errors import InputError
from oddsmith.game import Seat
from oddsmith.registry import find_mechanic
from oddsmith.rules import Ruleset

__all__ = ["bot_names", "find_bot"]


def bot_names(game: str) -> tuple[str, ...]:
    """Return the names of a game's bots.

    >>> from oddsmith.games.duel import Rules
    >>> bot_names(Rules.game)
    ('random', 'all_attack', 'all_defense', 'best_trade', 'optimal', 'four_one', 'balanced', 'defensive')
    """
    return tuple(find_mechanic(game).bots)


class SettingFields(TypedDict, total=False):
    """The fields of `BotSettings`."""

    draw: Required[Draw]
    seat: Seat
    objective: str
    iterations: int | None
    seconds: float | None
    progress: Callable[[float], None] | None


def find_bot(game: str, name: str, rules: Ruleset, **settings: Unpack[SettingFields]) -> Chooser[Any, Any]:
    """Return a bot of a game for one seat; the settings are the fields of `BotSettings`, of which `draw` is required.

    Raise `InputError` for an unknown bot, and for the rules of another game.

    >>> from oddsmith.chance import Scripted
    >>> from oddsmith.games.destiny import Rules
    >>> bot = find_bot(Rules.game, "random", Rules(), draw=Scripted([1]))
    >>> bot(None, ["stay", "go"])
    'go'
    """
    mechanic = find_mechanic(game)
    bot = mechanic.find_bot(name)
    if not isinstance(rules, mechanic.game.rules_type):
        raise InputError("wrong_rules", f"a bot of {game} needs its rules, not those of {rules.game}")
    return bot.make(rules, BotSettings(**settings))

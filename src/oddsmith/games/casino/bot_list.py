"""The bots of Casino by name; what they think with is loaded when one is made."""

from functools import partial
from typing import Final

from oddsmith.bot import RANDOM, Bot, BotSettings, Chooser, pick_bot
from oddsmith.games.casino.model import Move
from oddsmith.games.casino.rules import Rules
from oddsmith.games.casino.views import View


def _make(name: str, rules: Rules, settings: BotSettings) -> Chooser[View, Move]:
    from oddsmith.games.casino.bots import make_bot  # noqa: PLC0415  it loads the search

    return make_bot(name, rules, settings)


BOTS: Final = (
    RANDOM,
    Bot(name="greedy", make=partial(_make, "greedy")),
    Bot(name="search", make=partial(_make, "search"), is_compiled=True),
)


def find_bot(name: str) -> Bot:
    """Return the bot of that name; an unknown one is refused."""
    return pick_bot(BOTS, name, game=Rules.game)

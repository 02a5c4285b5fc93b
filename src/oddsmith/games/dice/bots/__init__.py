"""The bots of Dice Hands; numpy is loaded when one is made."""

from functools import partial
from typing import Final

from oddsmith.bot import RANDOM, Bot, BotSettings, Chooser
from oddsmith.games.dice.model import Action
from oddsmith.games.dice.rules import Rules
from oddsmith.games.dice.views import View


def _make(name: str, rules: Rules, settings: BotSettings) -> Chooser[View, Action]:
    from oddsmith.games.dice.bots.players import make_bot  # noqa: PLC0415  it loads numpy

    return make_bot(name, rules, settings)


BOTS: Final = (
    RANDOM,
    Bot(name="greedy", make=partial(_make, "greedy")),
    Bot(name="optimal", make=partial(_make, "optimal"), is_slow=True),
)

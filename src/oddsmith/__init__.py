"""The workbench for games of chance: play them, prove their odds, from one implementation of each rule.

Every name is loaded when it is first used, so that `import oddsmith` stays light.

>>> from oddsmith import destiny
>>> from oddsmith.cards import cards
>>> destiny.score(cards("K♠ K♦ A♣ 7♥ 3♠"), destiny.Character()).total
Points('44')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from oddsmith.cards import Rank, Suit, card
    from oddsmith.chance import Scripted, Seeded, System
    from oddsmith.errors import OddsmithError, Refusal
    from oddsmith.games import casino, destiny, duel, fate, find_game
    from oddsmith.laws import check_game
    from oddsmith.odds.distribution import Distribution
    from oddsmith.points import Points
    from oddsmith.records import Record, read_record, replay, verify

__all__ = [
    "Distribution",
    "OddsmithError",
    "Points",
    "Rank",
    "Record",
    "Refusal",
    "Scripted",
    "Seeded",
    "Suit",
    "System",
    "card",
    "casino",
    "check_game",
    "destiny",
    "duel",
    "fate",
    "find_game",
    "read_record",
    "replay",
    "verify",
]

_HOMES: Final = {
    "Distribution": "oddsmith.odds.distribution",
    "OddsmithError": "oddsmith.errors",
    "Points": "oddsmith.points",
    "Rank": "oddsmith.cards",
    "Record": "oddsmith.records",
    "Refusal": "oddsmith.errors",
    "Scripted": "oddsmith.chance",
    "Seeded": "oddsmith.chance",
    "Suit": "oddsmith.cards",
    "System": "oddsmith.chance",
    "card": "oddsmith.cards",
    "casino": "oddsmith.games",
    "check_game": "oddsmith.laws",
    "destiny": "oddsmith.games",
    "duel": "oddsmith.games",
    "fate": "oddsmith.games",
    "find_game": "oddsmith.games",
    "read_record": "oddsmith.records",
    "replay": "oddsmith.records",
    "verify": "oddsmith.records",
}

_GAMES: Final = ("casino", "destiny", "duel", "fate")


def __getattr__(name: str) -> Any:  # noqa: ANN401  whatever the name stands for
    if name == "dice":  # the former name of a module
        return import_module("oddsmith.die")
    if name not in _HOMES:
        raise AttributeError(f"module 'oddsmith' has no attribute {name!r}")
    if name in _GAMES:
        return import_module(f"oddsmith.games.{name}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__

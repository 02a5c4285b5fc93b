"""Oddsmith: games of chance that are played, and whose odds are computed, from one implementation of each rule.

Every name is imported on first use, so that `import oddsmith` stays fast.

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
    from oddsmith.games import casino as casino
    from oddsmith.games import destiny as destiny
    from oddsmith.games import dice as dice
    from oddsmith.games import duel as duel
    from oddsmith.games import fate as fate
    from oddsmith.laws import check_game
    from oddsmith.odds.distribution import Distribution
    from oddsmith.points import Points
    from oddsmith.records import Record, read_record, replay, verify
    from oddsmith.registry import find_game

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
    "check_game",
    "find_game",
    "read_record",
    "replay",
    "verify",
]

_MODULES: Final = {
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
    "check_game": "oddsmith.laws",
    "find_game": "oddsmith.registry",
    "read_record": "oddsmith.records",
    "replay": "oddsmith.records",
    "verify": "oddsmith.records",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401  a value of any type
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    if not name.startswith("_"):
        from importlib.util import find_spec  # noqa: PLC0415  only for names of mechanics

        if find_spec(f"oddsmith.games.{name}"):
            return import_module(f"oddsmith.games.{name}")
    raise AttributeError(f"module 'oddsmith' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__

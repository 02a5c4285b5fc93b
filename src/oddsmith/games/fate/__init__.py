"""The Fate Deck: a small deck that remembers, checks with triggers, a game master and players.

Exact odds from what a seat knows are in `oddsmith.games.fate.odds`, values of abilities in `oddsmith.games.fate.values`.
"""

from typing import TYPE_CHECKING

from oddsmith.lazy_names import load_names_from

if TYPE_CHECKING:
    from oddsmith.games.fate.names import *

__getattr__, __dir__ = load_names_from("oddsmith.games.fate.names")

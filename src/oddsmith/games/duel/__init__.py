"""The Combat Duel: five cards a round, split between attack and defense, against the house or another player.

Exact odds and perfect play are in `oddsmith.games.duel.odds`, which loads numpy.
"""

from typing import TYPE_CHECKING

from oddsmith.lazy_names import load_names_from

if TYPE_CHECKING:
    from oddsmith.games.duel.names import *

__getattr__, __dir__ = load_names_from("oddsmith.games.duel.names")

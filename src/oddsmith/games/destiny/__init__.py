"""The Destiny Deck: five cards, poker rank and skills, against a threshold or another player.

Exact odds are in `oddsmith.games.destiny.odds`, which loads numpy.
"""

from typing import TYPE_CHECKING

from oddsmith.lazy_names import load_names_from

if TYPE_CHECKING:
    from oddsmith.games.destiny.names import *

__getattr__, __dir__ = load_names_from("oddsmith.games.destiny.names")

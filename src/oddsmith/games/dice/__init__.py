"""Dice Hands: roll a pool of dice, keep some, reroll the rest, score the hand it makes, and buy better dice.

Exact odds and best play are in `oddsmith.games.dice.odds`, which loads numpy.
"""

from typing import TYPE_CHECKING

from oddsmith.lazy_names import load_names_from

if TYPE_CHECKING:
    from oddsmith.games.dice.names import *

__getattr__, __dir__ = load_names_from("oddsmith.games.dice.names")

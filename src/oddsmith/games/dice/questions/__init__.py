"""The questions of Dice Hands."""

from typing import Final

from oddsmith.games.dice.questions.advice import ADVISE
from oddsmith.games.dice.questions.prices import BUILD
from oddsmith.games.dice.questions.rolls import ODDS, ROLL, SCORE, TABLE
from oddsmith.games.dice.questions.runs import RUNS
from oddsmith.games.dice.questions.shop import OFFERS, SHOP

QUESTIONS: Final = (SCORE, ODDS, ADVISE, TABLE, SHOP, RUNS, ROLL, OFFERS, BUILD)
"""Every question; those with a command first, in the order of its help."""

"""The questions of the Fate Deck."""

from typing import Final

from oddsmith.games.fate.questions.abilities import ABILITIES
from oddsmith.games.fate.questions.answers import ANSWERS
from oddsmith.games.fate.questions.checks import CHECK, CHECKS, ODDS, TRIGGER
from oddsmith.games.fate.questions.talents import TALENTS

QUESTIONS: Final = (ODDS, ABILITIES, TALENTS, TRIGGER, CHECK, CHECKS, ANSWERS)
"""All questions; those with a command come first, in the order of the help text."""

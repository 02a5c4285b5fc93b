"""Samples of a game in which the first answer may end the game."""

from typing import Final

ANSWERS: Final = ()

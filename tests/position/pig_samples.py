"""Samples of a game that is long by default."""

from typing import Final

SETTINGS: Final = ("goal=12",)

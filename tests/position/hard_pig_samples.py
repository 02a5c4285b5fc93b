"""Samples of a game with short matches."""

from typing import Final

SETTINGS: Final = ("goal=20",)

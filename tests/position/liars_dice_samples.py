"""Samples of a game with short matches."""

from typing import Final

SETTINGS: Final = ("dice=1",)

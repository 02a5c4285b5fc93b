"""The terminal view of each game, by the name of the game."""

from importlib import import_module
from typing import cast

from oddsmith.terminal import GameTable

__all__ = ["find_table"]


def find_table(game: str) -> GameTable:
    """Return the table of a game that `find_game` knows."""
    return cast("GameTable", import_module(f"oddsmith.cli.{game}.table"))

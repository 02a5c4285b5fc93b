"""The terminal view of each game, by the name of the game."""

from importlib import import_module
from typing import cast

from oddsmith.registry import find_mechanic
from oddsmith.terminal import DefaultPlay, TerminalPlay

__all__ = ["find_table"]


def find_table(game: str) -> TerminalPlay:
    """Return how a game is played in a terminal."""
    if game == "casino":
        return cast("TerminalPlay", import_module(f"oddsmith.cli.{game}.table"))
    terminal = find_mechanic(game).terminal
    return DefaultPlay() if terminal is None or terminal.play is None else terminal.play

"""The terminal view of each game, by the name of the game."""

from oddsmith.registry import find_mechanic
from oddsmith.terminal import DefaultPlay, TerminalPlay


def find_table(game: str) -> TerminalPlay:
    """Return how a game is played in a terminal."""
    terminal = find_mechanic(game).terminal
    return DefaultPlay() if terminal is None or terminal.play is None else terminal.play

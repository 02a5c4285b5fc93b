"""The games, each in a house of its own with the same rooms."""

from importlib import import_module
from typing import Any, Final, cast

from oddsmith.errors import InputError, nearest
from oddsmith.game import Game

__all__ = ["NAMES", "find_game"]

NAMES: Final = ("destiny", "duel", "dice", "fate", "casino")


def find_game(name: str) -> Game[Any, Any, Any, Any, Any]:
    """Return the game of that name; its house is opened only now.

    >>> find_game("destiny").name
    'destiny'
    """
    if name not in NAMES:
        raise InputError("unknown_game", f"unknown game '{name[:40]}'{nearest(name[:40], NAMES)}")
    return cast("Game[Any, Any, Any, Any, Any]", import_module(f"oddsmith.games.{name}.engine").GAME)

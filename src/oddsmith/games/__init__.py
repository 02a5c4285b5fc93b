"""The games, each in a house of its own with the same rooms."""

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NamedTuple, cast

from oddsmith.errors import InputError, nearest
from oddsmith.game import Game
from oddsmith.questions import Questions

__all__ = ["NAMES", "Described", "describe", "find_game", "find_questions", "require_game"]

NAMES: Final = ("destiny", "duel", "dice", "fate", "casino")


class Described(NamedTuple):
    """How a game is listed: `roles` names the first seats, those that are no rivals of the others."""

    title: str
    summary: str
    default_bot: str
    roles: tuple[str, ...] = ()


_DESCRIBED: Final = {
    "destiny": Described("Destiny Deck", "Draw five cards, and rob a bank with them.", "random"),
    "duel": Described("Combat Duel", "Split a hand between attack and defence.", "best_trade"),
    "dice": Described("Dice Hands", "Roll, lock, reroll, and buy better dice.", "greedy"),
    "fate": Described(
        "Fate Deck", "A shared deck that remembers what was drawn.", "random", ("game master",)
    ),
    "casino": Described("Casino", "Capture, build and sweep the table.", "greedy"),
}


def describe(name: str) -> Described:
    """Return the title, the summary, the default bot and the roles of a game, without loading it.

    >>> describe("fate").roles
    ('game master',)
    """
    require_game(name)
    return _DESCRIBED[name]


def find_game(name: str) -> Game[Any, Any, Any, Any, Any]:
    """Return the game of that name; its house is opened only now.

    >>> find_game("destiny").name
    'destiny'
    """
    return cast("Game[Any, Any, Any, Any, Any]", _room(name, "engine").GAME)


def find_questions(name: str) -> Questions:
    """Return what the game of that name answers without a match; its house is opened only now.

    >>> find_questions("duel").batch.request.__name__
    'Batch'
    """
    return cast("Questions", _room(name, "questions").QUESTIONS)


def require_game(name: str) -> None:
    """Refuse a name that no game has, without opening any house.

    >>> require_game("destiny")
    """
    if name not in NAMES:
        raise InputError("unknown_game", f"unknown game '{name[:40]}'{nearest(name[:40], NAMES)}")


@cache
def _room(name: str, room: str) -> ModuleType:
    require_game(name)
    return import_module(f"oddsmith.games.{name}.{room}")

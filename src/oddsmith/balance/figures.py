"""Figures of a game by name: parsing from plain data, and reading in bulk."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from oddsmith.balance.play.figures import FIGURES
from oddsmith.errors import InputError, nearest
from oddsmith.figure import TAG, Figure, Reading
from oddsmith.registry import find_mechanic
from oddsmith.reply_figures import path_figure
from oddsmith.rules import Ruleset

PLAY_FIGURES: Final[Mapping[str, type[Figure]]] = {kind.figure_name(): kind for kind in FIGURES}
"""The figures of play, which every game has."""


def figures_of(game: str) -> Mapping[str, type[Figure]]:
    """Return the figures of a game by their names: its own, or those of play where it has none.

    >>> from oddsmith.games.fate import Rules
    >>> figures_of(Rules.game)["draw.mean"].unit
    <Unit.NUMBER: 'number'>
    """
    return find_mechanic(game).figures or PLAY_FIGURES


def find_figure(game: str, name: str, where: str = "") -> type[Figure]:
    """Return the class of a figure: one of the game's own, one of play, or a number of a reply by its question and path.

    An unknown name is refused with `unknown_figure`.

    >>> from oddsmith.games.destiny import Rules
    >>> find_figure(Rules.game, "odds.quantiles.0.5").unit
    <Unit.NUMBER: 'number'>
    """
    known = figures_of(game)
    if name in known or name in PLAY_FIGURES:
        return known.get(name) or PLAY_FIGURES[name]
    question, _, path = name.partition(".")
    found = find_mechanic(game).questions.get(question)
    if found is None or not path or not found.has_figures:
        sentence = f"unknown figure '{name[:40]}' of {game}{nearest(name[:40], known)}"
        raise InputError("unknown_figure", sentence, where=where or TAG)
    try:
        return path_figure(found, path)
    except InputError as error:
        raise InputError("unknown_figure", f"{name[:60]}: {error}", where=where or TAG) from error


def parse_figure(game: str, given: Mapping[str, Any], where: str = "") -> Figure:
    """Return the figure that plain data describe: its name under `figure`, and its arguments.

    Unknown names and arguments, missing arguments and bad values are refused with an `InputError` whose `where`
    begins with the given one.

    >>> from oddsmith.games.fate import Rules
    >>> parse_figure(Rules.game, {"figure": "draw.mean", "cards": 1}).cards
    1
    """
    name = given.get(TAG)
    if name is None:
        known = nearest("None", figures_of(game))
        raise InputError("unknown_figure", f"a figure has a name{known}", where=where or TAG)
    kind = find_figure(game, str(name), where)
    arguments = {key: value for key, value in given.items() if key != TAG}
    for key in arguments:
        if key not in kind.__struct_fields__:
            sentence = f"{name} has no argument '{key[:40]}'{nearest(key[:40], kind.__struct_fields__)}"
            raise InputError("unknown_key", sentence, where=_join_path(where, key))
    for key in _required_arguments(kind):
        if key not in arguments:
            raise InputError("missing_key", f"{name} needs '{key}'", where=_join_path(where, key))
    try:
        return kind(**arguments)
    except InputError as error:
        place = _join_path(where, error.refusal.where or name)
        raise InputError(error.refusal.code, error.refusal.sentence, where=place) from error


def read_figures(figures: Sequence[Figure], rules: Ruleset) -> list[Reading]:
    """Return the values of figures under one ruleset; figures of the same class are read in bulk."""
    readings: dict[int, Reading] = {}
    kinds = dict.fromkeys(type(figure) for figure in figures)
    for kind in kinds:
        places = [place for place, figure in enumerate(figures) if type(figure) is kind]
        answers = kind.read_all([figures[place] for place in places], rules)
        readings.update(zip(places, answers, strict=True))
    return [readings[place] for place in range(len(figures))]


@cache
def _required_arguments(kind: type[Figure]) -> tuple[str, ...]:
    return tuple(field.name for field in msgspec.structs.fields(kind) if field.required)


def _join_path(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key

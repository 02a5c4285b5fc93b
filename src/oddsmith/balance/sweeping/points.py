"""A point of a sweep is one ruleset and one figure under each name; equal coordinates make equal ones."""

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import islice
from typing import Final

import msgspec

from oddsmith.balance.figures import figure_of
from oddsmith.balance.keys import keys_matching, with_numbers
from oddsmith.balance.sweeping.axes import FIGURES, RULES, Axis, put
from oddsmith.balance.sweeping.plan import Sweep
from oddsmith.errors import InputError, OddsmithError, nearest
from oddsmith.figure import Figure
from oddsmith.rules import Ruleset

SEED: Final = "seed"
"""The argument of figures that are estimated in play."""
MOST_TRIED: Final = 1_000
Point = tuple[int, ...]


@lru_cache(maxsize=64)
def rules_at(sweep: Sweep, point: Point) -> Ruleset:
    """Return the rules at a point, of which only the axes of the rules are given."""
    rules, settings = sweep.rules, []
    numbers: dict[str, Decimal] = {}
    for axis, place in zip(sweep.axes, point, strict=False):
        value = axis.values[place]
        if axis.key == RULES:
            rules = sweep.rulesets[str(value)]
        elif isinstance(value, (int, Decimal)) and not isinstance(value, bool):
            numbers.update(dict.fromkeys(_numbers(sweep, axis.key), Decimal(value)))
        else:
            settings.append(f"{axis.key}={json.dumps(value, ensure_ascii=False)}")
    return with_numbers(rules.changed(settings), numbers)


def figures_at(sweep: Sweep, row: int, point: Point) -> tuple[Figure, ...]:
    """Return the figures of a row; one that is estimated in play has a seed of its own in every row."""
    return tuple(_seeded(_figure(sweep, name, point), row) for name in sweep.figures)


def require_points(sweep: Sweep) -> None:
    """Refuse a sweep with a key that nothing has, and one of which no point can be made."""
    for axis in sweep.axes:
        if axis.is_argument:
            _require_figure(sweep, axis)
        elif "=" in axis.key:
            raise InputError("unknown_key", f"'{axis.key[:80]}' is no key", where=axis.key[:80])
    refusals = []
    for point in islice(_tried(sweep), MOST_TRIED):
        try:
            rules_at(sweep, point[: sweep.rule_axes])
            figures_at(sweep, 0, point)
        except OddsmithError as error:
            refusals.append(error)
        else:
            return
    raise refusals[0]


def _tried(sweep: Sweep) -> Iterator[Point]:
    """Yield points of which one can be made, unless an axis has no value that can be taken."""
    sizes = [len(axis.values) for axis in sweep.axes]
    for place in range(max(sizes)):
        yield tuple(min(place, size - 1) for size in sizes)
    for axis, size in enumerate(sizes):
        yield from (tuple(place * (axis == other) for other in range(len(sizes))) for place in range(size))


def _require_figure(sweep: Sweep, axis: Axis) -> None:
    name, path = axis.argument
    if path in {"", "figure"} or not any(_is_of(axis, figure) for figure in sweep.figures):
        raise InputError(
            "unknown_key",
            f"'{axis.key[:80]}' is no argument of a figure: write {FIGURES}.NAME.ARGUMENT{nearest(name[:40], sweep.figures)}",
            where=axis.key[:80],
        )


def _figure(sweep: Sweep, name: str, point: Point) -> Figure:
    """Return a figure at a point; each argument is made once for each of its values, and not for every row."""
    arguments = _arguments(sweep, name)
    own = _with_axes(point, [axis for axes in arguments.values() for axis in axes])
    if len(arguments) < 2:  # noqa: PLR2004  where one argument is varied, the figure is made as seldom
        return _made(sweep, name, own)
    try:
        changes = {
            argument: getattr(_made(sweep, name, _with_axes(point, axes)), argument)
            for argument, axes in arguments.items()
        }
    except OddsmithError:
        return _made(sweep, name, own)
    return msgspec.structs.replace(_made(sweep, name, (0,) * len(point)), **changes)


def _with_axes(point: Point, axes: Sequence[int]) -> Point:
    """Return the point with every other axis at its first value."""
    return tuple(place if axis in axes else 0 for axis, place in enumerate(point))


@lru_cache(maxsize=16_384)
def _made(sweep: Sweep, name: str, point: Point) -> Figure:
    data = deepcopy(dict(sweep.figures[name]))
    for axis, place in zip(sweep.axes, point, strict=True):
        if _is_of(axis, name):
            put(data, axis.argument[1], axis.values[place])
    return figure_of(sweep.game, data, f"{FIGURES}.{name}")


@lru_cache(maxsize=256)
def _arguments(sweep: Sweep, name: str) -> Mapping[str, Sequence[int]]:
    """Return the arguments of a figure that are varied, and by which axes."""
    found: dict[str, list[int]] = {}
    for place, axis in enumerate(sweep.axes):
        if _is_of(axis, name):
            found.setdefault(axis.argument[1].partition(".")[0].partition("[")[0], []).append(place)
    return found


def _is_of(axis: Axis, name: str) -> bool:
    return axis.is_argument and fnmatchcase(name, axis.argument[0])


def _seeded(figure: Figure, row: int) -> Figure:
    if SEED not in figure.__struct_fields__:
        return figure
    return msgspec.structs.replace(figure, **{SEED: f"{getattr(figure, SEED)}/{row}"})


@lru_cache(maxsize=256)
def _numbers(sweep: Sweep, key: str) -> Sequence[str]:
    """Return the keys of all numbers that a key of the rules names: one, or those that fit its stars."""
    return [number.path for number in keys_matching(sweep.rules, key)]

"""The rows of a sweep: rules and figures of each point, read chunk by chunk; every worker returns the same bytes."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from decimal import Decimal
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import lru_cache
from importlib.metadata import version
from itertools import islice
from math import inf, nextafter
from typing import Final

import msgspec

from oddsmith.balance.figures import parse_figure, read_figures
from oddsmith.balance.rule_keys import keys_matching, with_numbers
from oddsmith.balance.sweeping.plan import FIGURES, RULES, Axis, Sweep, set_argument
from oddsmith.errors import InputError, OddsmithError, nearest
from oddsmith.figure import Basis, Figure, Reading
from oddsmith.rules import Ruleset

SEED: Final = "seed"
"""The argument of figures that are estimated in play."""
MOST_POINTS_TRIED: Final = 1_000
Point = tuple[int, ...]
ChunkResult = tuple[int, bytes]
"""The number of a chunk, and its rows as JSON."""


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
            numbers.update(dict.fromkeys(_matching_keys(sweep, axis.key), Decimal(value)))
        else:
            settings.append(f"{axis.key}={json.dumps(value, ensure_ascii=False)}")
    return with_numbers(rules.with_settings(settings), numbers)


def figures_at(sweep: Sweep, row: int, point: Point) -> tuple[Figure, ...]:
    """Return the figures of a row; one that is estimated in play has a different seed in every row."""
    return tuple(_with_row_seed(_figure_at(sweep, name, point), row) for name in sweep.figures)


def require_valid_points(sweep: Sweep) -> None:
    """Refuse a sweep with an unknown key, and one without a valid point among those that are tried."""
    for axis in sweep.axes:
        if axis.is_argument:
            _require_argument(sweep, axis)
        elif "=" in axis.key:
            raise InputError("unknown_key", f"'{axis.key[:80]}' is no key", where=axis.key[:80])
    refusals = []
    for point in islice(_candidate_points(sweep), MOST_POINTS_TRIED):
        try:
            rules_at(sweep, point[: sweep.rule_axes])
            figures_at(sweep, 0, point)
        except OddsmithError as error:
            refusals.append(error)
        else:
            return
    raise refusals[0]


def _candidate_points(sweep: Sweep) -> Iterator[Point]:
    """Yield points of which one is valid, unless an axis has no valid value."""
    sizes = [len(axis.values) for axis in sweep.axes]
    for place in range(max(sizes)):
        yield tuple(min(place, size - 1) for size in sizes)
    for axis, size in enumerate(sizes):
        yield from (tuple(place * (axis == other) for other in range(len(sizes))) for place in range(size))


def _require_argument(sweep: Sweep, axis: Axis) -> None:
    name, path = axis.argument
    if path in {"", "figure"} or not any(_varies(axis, figure) for figure in sweep.figures):
        raise InputError(
            "unknown_key",
            f"'{axis.key[:80]}' is no argument of a figure: write {FIGURES}.NAME.ARGUMENT{nearest(name[:40], sweep.figures)}",
            where=axis.key[:80],
        )


def _figure_at(sweep: Sweep, name: str, point: Point) -> Figure:
    """Return a figure at a point; each argument is converted once for each of its values, and not for every row."""
    arguments = _varied_arguments(sweep, name)
    own = _project(point, [axis for axes in arguments.values() for axis in axes])
    if len(arguments) <= 1:
        return _make_figure(sweep, name, own)
    try:
        varied = {
            argument: _make_figure(sweep, name, _project(point, axes)) for argument, axes in arguments.items()
        }
    except OddsmithError:
        return _make_figure(sweep, name, own)
    return _make_figure(sweep, name, (0,) * len(point)).with_values_of(varied)


def _project(point: Point, axes: Sequence[int]) -> Point:
    """Return the point with every other axis at its first value."""
    return tuple(place if axis in axes else 0 for axis, place in enumerate(point))


@lru_cache(maxsize=16_384)
def _make_figure(sweep: Sweep, name: str, point: Point) -> Figure:
    data = deepcopy(dict(sweep.figures[name]))
    for axis, place in zip(sweep.axes, point, strict=True):
        if _varies(axis, name):
            set_argument(data, axis.argument[1], axis.values[place])
    return parse_figure(sweep.game, data, f"{FIGURES}.{name}")


@lru_cache(maxsize=256)
def _varied_arguments(sweep: Sweep, name: str) -> Mapping[str, Sequence[int]]:
    """Return the arguments of a figure that are varied, with the indexes of their axes."""
    found: dict[str, list[int]] = {}
    for place, axis in enumerate(sweep.axes):
        if _varies(axis, name):
            found.setdefault(axis.argument[1].partition(".")[0].partition("[")[0], []).append(place)
    return found


def _varies(axis: Axis, name: str) -> bool:
    return axis.is_argument and fnmatchcase(name, axis.argument[0])


def _with_row_seed(figure: Figure, row: int) -> Figure:
    if SEED not in figure.__struct_fields__:
        return figure
    return msgspec.structs.replace(figure, **{SEED: f"{getattr(figure, SEED)}/{row}"})


@lru_cache(maxsize=256)
def _matching_keys(sweep: Sweep, key: str) -> Sequence[str]:
    """Return the keys of all numbers that a key of the rules matches."""
    return [number.path for number in keys_matching(sweep.rules, key)]


LONGEST_REFUSAL: Final = 500


class FigureCell(msgspec.Struct, frozen=True, array_like=True):
    """The value of a figure in a row: the nearest float, or a name; and the fraction where it is exact."""

    value: float | str
    exact: str | None
    error: float
    basis: str


class Row(msgspec.Struct, frozen=True, array_like=True):
    """The cells of a row, one for each figure; or the sentence with which the rules or a figure refused the point."""

    cells: tuple[FigureCell, ...] = ()
    refused: str | None = None


_DECODER: Final = msgspec.json.Decoder(list[Row])


def read_chunk(sweep: Sweep, number: int) -> bytes:
    """Return the rows of a chunk as JSON."""
    _require_version(sweep)
    return msgspec.json.encode(read_rows(sweep, sweep.chunk_rows(number)))


def decode_rows(part: bytes) -> list[Row]:
    """Return the rows of a chunk from its JSON."""
    return _DECODER.decode(part)


def read_rows(sweep: Sweep, numbers: Iterable[int]) -> list[Row]:
    """Read rows by their numbers; those of one ruleset are read together.

    >>> from oddsmith.balance.sweeping.sweep_files import parse_sweep
    >>> from oddsmith.games.fate import Rules
    >>> vary = [{"key": "figures.mean.cards", "values": [1, 2]}]
    >>> sweep = parse_sweep({"game": Rules.game, "figures": {"mean": {"figure": "draw.mean"}}, "vary": vary})
    >>> [row.cells[0].exact for row in read_rows(sweep, range(2))]
    ['3/2', '3']
    """
    groups: dict[Point, list[tuple[int, Point]]] = {}
    for number in numbers:
        point = sweep.point(number)
        groups.setdefault(point[: sweep.rule_axes], []).append((number, point))
    rows: dict[int, Row] = {}
    for places, members in groups.items():
        rows.update(_read_group(sweep, places, members))
    return [rows[number] for number in sorted(rows)]


def _read_group(sweep: Sweep, places: Point, members: Sequence[tuple[int, Point]]) -> dict[int, Row]:
    """Read rows of one ruleset."""
    rows: dict[int, Row] = {}
    try:
        rules = rules_at(sweep, places)
    except OddsmithError as error:
        return {number: _refused_row(error) for number, _ in members}
    figures: dict[int, tuple[Figure, ...]] = {}
    for number, point in members:
        try:
            figures[number] = figures_at(sweep, number, point)
        except OddsmithError as error:
            rows[number] = _refused_row(error)
    return rows | dict(zip(figures, _read_all([*figures.values()], rules), strict=True))


def _read_all(rows: Sequence[tuple[Figure, ...]], rules: Ruleset) -> list[Row]:
    """Read figures in bulk; if one is refused, read them row by row, so that only its row is refused."""
    try:
        readings = iter(read_figures([figure for row in rows for figure in row], rules))
        return [Row(tuple(_make_cell(next(readings)) for _ in row)) for row in rows]
    except OddsmithError as error:
        if len(rows) == 1:
            return [_refused_row(error)]
        return [row for one in rows for row in _read_all([one], rules)]


def _refused_row(error: OddsmithError) -> Row:
    return Row(refused=error.refusal.sentence[:LONGEST_REFUSAL])


def _make_cell(reading: Reading) -> FigureCell:
    if reading.name is not None:
        return FigureCell(reading.name, None, 0.0, reading.basis.value)
    return FigureCell(
        float(reading.value),
        str(reading.value) if reading.basis is Basis.EXACT else None,
        _round_up(reading.error),
        reading.basis.value,
    )


def _round_up(error: Fraction) -> float:
    """Return the least float that is not below a bound, so that a bound is never rounded down."""
    nearest = float(error)
    return nearest if Fraction(nearest) >= error else nextafter(nearest, inf)


def _require_version(sweep: Sweep) -> None:
    here = version("oddsmith")
    if here != sweep.version:
        raise InputError(
            "other_version",
            f"a worker has oddsmith {here}, and the sweep is of {sweep.version}: install the same on both",
        )

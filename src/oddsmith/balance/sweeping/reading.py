"""Rows are read chunk by chunk into cells; a chunk has the same bytes whoever reads it."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from importlib.metadata import version
from math import inf, nextafter
from typing import Final

import msgspec

from oddsmith.balance.figures import read_figures
from oddsmith.balance.sweeping.plan import Sweep
from oddsmith.balance.sweeping.points import Point, figures_at, rules_at
from oddsmith.errors import InputError, OddsmithError
from oddsmith.figure import Basis, Figure, Reading
from oddsmith.rules import Ruleset

LONGEST_SENTENCE: Final = 500


class Cell(msgspec.Struct, frozen=True, array_like=True):
    """What a figure is in a row: the nearest float, or a name; and, where it is known, the exact fraction."""

    value: float | str
    exact: str | None
    error: float
    basis: str


class Row(msgspec.Struct, frozen=True, array_like=True):
    """The cells of a row, one for each figure; or why there are none: the rules or a figure refused the point."""

    cells: tuple[Cell, ...] = ()
    refused: str | None = None


_DECODER: Final = msgspec.json.Decoder(list[Row])


def read_chunk(sweep: Sweep, number: int) -> bytes:
    """Return the rows of a chunk as JSON."""
    _require_version(sweep)
    return msgspec.json.encode(read_rows(sweep, sweep.chunk_rows(number)))


def decoded(part: bytes) -> list[Row]:
    """Return the rows of a chunk that was read."""
    return _DECODER.decode(part)


def read_rows(sweep: Sweep, numbers: Iterable[int]) -> list[Row]:
    """Read rows by their numbers; those of one ruleset are read together.

    >>> from oddsmith.balance.sweeping.files import sweep_from
    >>> from oddsmith.games.fate import Rules
    >>> vary = [{"key": "figures.mean.cards", "values": [1, 2]}]
    >>> sweep = sweep_from({"game": Rules.game, "figures": {"mean": {"figure": "draw.mean"}}, "vary": vary})
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
        return {number: _refused(error) for number, _ in members}
    figures: dict[int, tuple[Figure, ...]] = {}
    for number, point in members:
        try:
            figures[number] = figures_at(sweep, number, point)
        except OddsmithError as error:
            rows[number] = _refused(error)
    return rows | dict(zip(figures, _read_all([*figures.values()], rules), strict=True))


def _read_all(rows: Sequence[tuple[Figure, ...]], rules: Ruleset) -> list[Row]:
    """Read figures in bulk; where one is refused, all one by one, so that only its row is."""
    try:
        readings = iter(read_figures([figure for row in rows for figure in row], rules))
        return [Row(tuple(_cell(next(readings)) for _ in row)) for row in rows]
    except OddsmithError as error:
        if len(rows) == 1:
            return [_refused(error)]
        return [row for one in rows for row in _read_all([one], rules)]


def _refused(error: OddsmithError) -> Row:
    return Row(refused=error.refusal.sentence[:LONGEST_SENTENCE])


def _cell(reading: Reading) -> Cell:
    if reading.name is not None:
        return Cell(reading.name, None, 0.0, reading.basis.value)
    return Cell(
        float(reading.value),
        str(reading.value) if reading.basis is Basis.EXACT else None,
        _no_less(reading.error),
        reading.basis.value,
    )


def _no_less(error: Fraction) -> float:
    """Return the least float that is no less than a bound: a bound is never rounded down."""
    nearest = float(error)
    return nearest if Fraction(nearest) >= error else nextafter(nearest, inf)


def _require_version(sweep: Sweep) -> None:
    here = version("oddsmith")
    if here != sweep.version:
        raise InputError(
            "other_version",
            f"a worker has oddsmith {here}, and the sweep is of {sweep.version}: install the same on both",
        )

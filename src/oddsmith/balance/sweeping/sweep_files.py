"""Sweep files in TOML: what is varied and which figures are read, validated before anything is computed."""

from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, Final

from oddsmith import wire
from oddsmith.balance.design_files import file_context, read_toml_file
from oddsmith.balance.figures import find_figure
from oddsmith.balance.sweeping.output import require_columns
from oddsmith.balance.sweeping.plan import FIGURES, RULES, Axis, Sample, Sweep, parse_axis
from oddsmith.balance.sweeping.rows import require_valid_points
from oddsmith.chance import Seeded
from oddsmith.errors import DecodingError, InputError
from oddsmith.figure import Figure
from oddsmith.parsing import require_keys
from oddsmith.registry import find_mechanic, require_mechanic
from oddsmith.rules import Ruleset

MOST_ROWS: Final = 10_000_000
LARGEST_CHUNK: Final = 10_000
KEYS: Final = ("game", "rules", "chunk", "figures", "vary", "sample")
DEFAULT: Final = "default"


def read_sweep(file: str) -> Sweep:
    """Read a sweep from a TOML file; rules files that it names are relative to its folder."""
    if not Path(file).is_file():
        raise InputError("no_sweep", f"no sweep file '{file[:80]}'")
    data = read_toml_file(file)
    with file_context(file):
        return parse_sweep(data, Path(file).parent)


def parse_sweep(data: Mapping[str, Any], folder: Path | None = None) -> Sweep:
    """Parse a sweep from plain data; rules that are no preset are files in the folder. Errors name the key.

    >>> from oddsmith.games.fate import Rules
    >>> given = {
    ...     "game": Rules.game,
    ...     "figures": {"mean": {"figure": "draw.mean"}},
    ...     "vary": [{"key": "figures.mean.cards", "from": 1, "to": 5}],
    ... }
    >>> sweep = parse_sweep(given)
    >>> sweep.rows, sweep.values(4)
    (5, (5,))
    """
    require_keys(data, KEYS)
    game = data.get("game")
    if not isinstance(game, str):
        raise InputError("bad_sweep", 'a sweep names its game: game = "NAME"', where="game")
    figures = _figures(data.get(FIGURES), game)
    axes = _axes(data.get("vary"))
    named = [value for axis in axes if axis.key == RULES for value in axis.values]
    sample = _sample(data.get("sample"))
    rows = sample.count if sample else prod(len(axis.values) for axis in axes)
    if rows > MOST_ROWS:
        raise InputError(
            "sweep_too_large",
            f"a sweep has at most {MOST_ROWS:,} rows, and this grid {rows:,}: draw some with [sample]",
            where="vary",
        )
    sweep = Sweep(
        game=game,
        rules=_rules(game, data.get(RULES, DEFAULT), folder),
        rulesets={str(name): _rules(game, name, folder) for name in named},
        figures=figures,
        axes=axes,
        sample=sample,
        rows=rows,
        chunk=_chunk(data.get("chunk"), rows, in_bulk=_in_bulk(game, figures)),
    )
    require_valid_points(sweep)
    require_columns(sweep)
    return sweep


def _rules(game: str, given: object, folder: Path | None) -> Ruleset:
    if not isinstance(given, str):
        raise InputError("bad_sweep", "rules: expected the name of a preset or of a file", where=RULES)
    kind = find_mechanic(game).rules_type
    place = given if given in kind.presets() or folder is None else str(folder / given)
    rules: Ruleset = kind.read(place)
    return rules


def _figures(given: object, game: str) -> dict[str, dict[str, Any]]:
    require_mechanic(game)
    if not isinstance(given, dict) or not given or not all(isinstance(one, dict) for one in given.values()):
        raise InputError("bad_sweep", "a sweep has figures, each under [figures.NAME]", where=FIGURES)
    for name, one in given.items():
        kind = one.get("figure")
        where = f"{FIGURES}.{name[:40]}"
        try:
            find_figure(game, str(kind))
        except InputError as error:
            raise InputError("unknown_figure", f"{where}: {error}", where=where) from error
        if "." in name:
            raise InputError("bad_sweep", f"{where}: the name of a figure has no dots", where=where)
    return given


def _axes(given: object) -> tuple[Axis, ...]:
    if not isinstance(given, list) or not given or not all(isinstance(one, dict) for one in given):
        raise InputError("bad_sweep", "a sweep varies something: one key under each [[vary]]", where="vary")
    axes = [parse_axis(one, f"vary[{place}]") for place, one in enumerate(given)]
    keys = [axis.key for axis in axes]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise InputError("bad_vary", f"'{twice[:80]}' is varied twice", where="vary")
    return tuple(sorted(axes, key=lambda axis: (axis.is_argument, axis.key != RULES)))


def _sample(given: object) -> Sample | None:
    if given is None:
        return None
    try:
        sample = wire.from_builtins(given, Sample)
    except DecodingError as error:
        raise InputError(
            "bad_sample",
            'sample: expected a count and a seed, such as count = 1000, seed = "yuma"',
            where="sample",
        ) from error
    if not 1 <= sample.count <= MOST_ROWS:
        raise InputError(
            "bad_sample", f"sample: from 1 to {MOST_ROWS:,} points are drawn", where="sample.count"
        )
    Seeded(f"{sample.seed}/{sample.count}")
    return sample


def _in_bulk(game: str, figures: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether a figure is read faster in bulk than one by one."""
    return any(
        find_figure(game, one["figure"]).read_all.__func__ is not Figure.read_all.__func__  # type: ignore[attr-defined]  # a class method has one
        for one in figures.values()
    )


def _chunk(given: object, rows: int, *, in_bulk: bool) -> int:
    if given is None:
        least, most, parts = (20, 1000, 16) if in_bulk else (1, 200, 128)
        return max(least, min(most, rows // parts))
    if not isinstance(given, int) or isinstance(given, bool) or not 1 <= given <= LARGEST_CHUNK:
        raise InputError(
            "bad_sweep", f"chunk: from 1 to {LARGEST_CHUNK:,} rows are read at once", where="chunk"
        )
    return given

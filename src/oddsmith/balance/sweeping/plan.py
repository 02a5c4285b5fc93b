"""The plan of a sweep: axes with their values, and numbered rows with their points."""

import hashlib
from collections.abc import Mapping, MutableMapping
from decimal import Decimal
from functools import cached_property
from importlib.metadata import version
from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.balance.figures import find_figure
from oddsmith.balance.rule_keys import split_key
from oddsmith.chance import Seeded
from oddsmith.errors import InputError
from oddsmith.figure import Figure
from oddsmith.parsing import number_at, require_keys
from oddsmith.points import exact_decimal
from oddsmith.rules import Ruleset

RULES: Final = "rules"
"""The key of an axis over whole rulesets."""
FIGURES: Final = "figures"
MOST_VALUES: Final = 1_000_000
KEYS: Final = ("key", "values", "from", "to", "step")

Value = int | Decimal | str | bool


class Axis(msgspec.Struct, frozen=True):
    """A key of the rules, or `figures.NAME.ARGUMENT`, and its values in order."""

    key: str
    values: tuple[Value, ...]

    @property
    def is_argument(self) -> bool:
        """Whether it varies an argument of a figure, and not the rules."""
        return self.key.startswith(f"{FIGURES}.")

    @property
    def argument(self) -> tuple[str, str]:
        """The figure's name, and the path of the argument inside it.

        >>> Axis("figures.win.attacker.skills.stealth", (1,)).argument
        ('win', 'attacker.skills.stealth')
        """
        name, _, path = self.key.removeprefix(f"{FIGURES}.").partition(".")
        return name, path


def parse_axis(given: Mapping[str, Any], where: str) -> Axis:
    """Parse an axis: a `key` with `values`, or with all numbers from `from` to `to` by `step`.

    >>> parse_axis({"key": "max_level", "from": 10, "to": 100, "step": 40}, "vary[0]")
    Axis(key='max_level', values=(10, 50, 90))
    """
    require_keys(given, KEYS, where)
    key = given.get("key")
    if not isinstance(key, str) or not key:
        raise _bad_axis(where, 'expected the key that is varied, such as key = "crimes.burglary.threshold"')
    if "values" in given:
        if given.keys() != {"key", "values"}:
            raise _bad_axis(where, f"'{key[:80]}' has values, or from, to and step: not both")
        return Axis(key, _parse_values(given["values"], key, where))
    return Axis(key, _parse_interval(given, key, where))


def set_argument(data: MutableMapping[str, Any], path: str, value: Value) -> None:
    """Set an argument inside plain data by its path; missing tables are created.

    >>> data = {"attacker": {"skills": {"stealth": 5}}}
    >>> set_argument(data, "attacker.skills.mining", 7)
    >>> data
    {'attacker': {'skills': {'stealth': 5, 'mining': 7}}}
    """
    inner: Any = data
    try:
        parts = split_key(path)
        for part in parts[:-1]:
            inner = inner.setdefault(part, {}) if isinstance(inner, dict) else inner[part]
        inner[parts[-1]] = value
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise InputError("unknown_key", f"there is no argument '{path[:80]}'", where=path[:80]) from error


def _parse_values(values: object, key: str, where: str) -> tuple[Value, ...]:
    if not isinstance(values, list) or not values:
        raise _bad_axis(where, f"'{key[:80]}': expected a list of values")
    if not all(isinstance(value, (int, Decimal, str)) for value in values):
        raise _bad_axis(where, f"'{key[:80]}': a value is a number, a text, true or false")
    if len({(type(value), value) for value in values}) < len(values):
        raise _bad_axis(where, f"'{key[:80]}': a value is listed twice")
    return tuple(_normalize(value) for value in values)


def _parse_interval(given: Mapping[str, Any], key: str, where: str) -> tuple[Value, ...]:
    missing = next((name for name in ("from", "to") if name not in given), None)
    if missing is not None:
        raise _bad_axis(where, f"'{key[:80]}' needs values, or from and to: there is no '{missing}'")
    first, last, step = (
        _parse_number(given.get(name, 1), f"{where}.{name}") for name in ("from", "to", "step")
    )
    if step <= 0:
        raise _bad_axis(where, f"'{key[:80]}': the step must be more than 0, not {step}")
    if last < first:
        raise _bad_axis(where, f"'{key[:80]}': the bounds are reversed, from {first} to {last}")
    if (last - first) // step >= MOST_VALUES:
        raise _bad_axis(where, f"'{key[:80]}' takes at most {MOST_VALUES:,} values")
    count = int((last - first) // step) + 1
    return tuple(_normalize(first + place * step) for place in range(count))


def _parse_number(given: object, where: str) -> Decimal:
    if isinstance(given, str):
        raise InputError("bad_vary", f"{where}: expected a number, not '{given[:40]}'", where=where)
    return number_at(given, where)


def _normalize(value: Value) -> Value:
    """Return a number without trailing zeros: an integer where it is whole."""
    if not isinstance(value, Decimal):
        return value
    number = exact_decimal(value)
    return int(number) if number == number.to_integral_value() else number


def _bad_axis(where: str, sentence: str) -> InputError:
    return InputError("bad_vary", f"{where}: {sentence}", where=where)


FORMAT: Final = 1
"""The version of the format of finished chunks."""


class Sample(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of points that are drawn instead of the whole grid, each coordinate independently and uniformly."""

    count: int
    seed: str


class Sweep(msgspec.Struct, frozen=True, kw_only=True, dict=True, eq=False):
    """The axes, the figures that are read at every point, and the number of rows of a chunk.

    Rows are numbered from 0. In a grid the last axis varies fastest; axes of the rules come before arguments of
    figures, so that rows of one ruleset are adjacent.
    """

    game: str
    rules: Ruleset
    rulesets: Mapping[str, Ruleset]
    """The rulesets that an axis `rules` takes by name."""
    figures: Mapping[str, Mapping[str, Any]]
    axes: tuple[Axis, ...]
    sample: Sample | None
    rows: int
    chunk: int
    """The number of rows that are read and stored together."""
    version: str = msgspec.field(default_factory=lambda: version("oddsmith"))

    def point(self, row: int) -> tuple[int, ...]:
        """Return the coordinates of a row: for every axis the index of its value."""
        sizes = [len(axis.values) for axis in self.axes]
        if self.sample is not None:
            luck = Seeded(f"{self.sample.seed}/{row}")
            return tuple(luck.below(size) for size in sizes)
        places = []
        for size in reversed(sizes):
            row, place = divmod(row, size)
            places.append(place)
        return tuple(reversed(places))

    def values(self, row: int) -> tuple[Value, ...]:
        """Return the value of every axis at a row."""
        return tuple(axis.values[place] for axis, place in zip(self.axes, self.point(row), strict=True))

    @property
    def rule_axes(self) -> int:
        """The number of axes that vary the rules; they come first."""
        return sum(not axis.is_argument for axis in self.axes)

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return -(-self.rows // self.chunk)

    def chunk_rows(self, number: int) -> range:
        """Return the numbers of the rows of a chunk."""
        return range(number * self.chunk, min((number + 1) * self.chunk, self.rows))

    def kind(self, name: str) -> type[Figure]:
        """Return the class of the figure under a name."""
        return find_figure(self.game, self.figures[name]["figure"])

    def limit_rows(self, rows: int) -> "Sweep":
        """Return the sweep with only its first `rows` rows."""
        return msgspec.structs.replace(self, rows=min(rows, self.rows))

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of everything that the result depends on: equal sweeps have the same on every machine."""
        canonical = {
            "format": FORMAT,
            "version": self.version,
            "game": self.game,
            "rules": self.rules.rules_id,
            "rulesets": {name: rules.rules_id for name, rules in self.rulesets.items()},
            "figures": [[name, self.figures[name]] for name in self.figures],
            "axes": self.axes,
            "sample": self.sample,
            "rows": self.rows,
            "chunk": self.chunk,
        }
        return hashlib.sha256(wire.to_json(canonical, canonical=True)).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sweep) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

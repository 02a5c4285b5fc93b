"""An axis is one key that a sweep varies, with every value that it takes."""

from collections.abc import Mapping, MutableMapping
from decimal import Decimal
from typing import Any, Final

import msgspec

from oddsmith.balance.keys import parts_of
from oddsmith.errors import InputError
from oddsmith.parsing import number_at, require_keys
from oddsmith.points import exact_decimal

RULES: Final = "rules"
"""The key under which whole rulesets are varied."""
FIGURES: Final = "figures"
MOST_VALUES: Final = 1_000_000
KEYS: Final = ("key", "values", "from", "to", "step")

Value = int | Decimal | str | bool


class Axis(msgspec.Struct, frozen=True):
    """A key of the rules, or `figures.NAME.ARGUMENT`, and its values in their order."""

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


def axis_from(given: Mapping[str, Any], where: str) -> Axis:
    """Read an axis: a `key` with `values`, or with all numbers from `from` to `to` by `step`.

    >>> axis_from({"key": "max_level", "from": 10, "to": 100, "step": 40}, "vary[0]")
    Axis(key='max_level', values=(10, 50, 90))
    """
    require_keys(given, KEYS, where)
    key = given.get("key")
    if not isinstance(key, str) or not key:
        raise _bad(where, 'expected the key that is varied, such as key = "crimes.burglary.threshold"')
    if "values" in given:
        if len(given) > 2:  # noqa: PLR2004  the key and the values
            raise _bad(where, f"'{key[:80]}' has values, or from, to and step: not both")
        return Axis(key, _listed(given["values"], key, where))
    return Axis(key, _between(given, key, where))


def put(data: MutableMapping[str, Any], path: str, value: Value) -> None:
    """Set an argument inside plain data by its path; tables that are not there yet are made.

    >>> data = {"attacker": {"skills": {"stealth": 5}}}
    >>> put(data, "attacker.skills.mining", 7)
    >>> data
    {'attacker': {'skills': {'stealth': 5, 'mining': 7}}}
    """
    inner: Any = data
    try:
        parts = parts_of(path)
        for part in parts[:-1]:
            inner = inner.setdefault(part, {}) if isinstance(inner, dict) else inner[part]
        inner[parts[-1]] = value
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise InputError("unknown_key", f"there is no argument '{path[:80]}'", where=path[:80]) from error


def _listed(values: object, key: str, where: str) -> tuple[Value, ...]:
    if not isinstance(values, list) or not values:
        raise _bad(where, f"'{key[:80]}': expected a list of values")
    if not all(isinstance(value, (int, Decimal, str)) for value in values):
        raise _bad(where, f"'{key[:80]}': a value is a number, a text, true or false")
    if len({(type(value), value) for value in values}) < len(values):
        raise _bad(where, f"'{key[:80]}': a value stands there twice")
    return tuple(_exact(value) for value in values)


def _between(given: Mapping[str, Any], key: str, where: str) -> tuple[Value, ...]:
    missing = next((name for name in ("from", "to") if name not in given), None)
    if missing is not None:
        raise _bad(where, f"'{key[:80]}' needs values, or from and to: there is no '{missing}'")
    first, last, step = (_number(given.get(name, 1), f"{where}.{name}") for name in ("from", "to", "step"))
    if step <= 0:
        raise _bad(where, f"'{key[:80]}': the step must be more than 0, not {step}")
    if last < first:
        raise _bad(where, f"'{key[:80]}': the bounds are upside down, from {first} to {last}")
    if (last - first) // step >= MOST_VALUES:
        raise _bad(where, f"'{key[:80]}' takes at most {MOST_VALUES:,} values")
    count = int((last - first) // step) + 1
    return tuple(_exact(first + place * step) for place in range(count))


def _number(given: object, where: str) -> Decimal:
    if isinstance(given, str):
        raise InputError("bad_vary", f"{where}: expected a number, not '{given[:40]}'", where=where)
    return number_at(given, where)


def _exact(value: Value) -> Value:
    """Return a number as it is written: a whole one as a whole number."""
    if not isinstance(value, Decimal):
        return value
    number = exact_decimal(value)
    return int(number) if number == number.to_integral_value() else number


def _bad(where: str, sentence: str) -> InputError:
    return InputError("bad_vary", f"{where}: {sentence}", where=where)

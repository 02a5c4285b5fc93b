"""Keys of the numbers of a ruleset: dotted paths by which numbers are listed, matched and replaced."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Any, Final, TypeVar

import msgspec

from oddsmith import wire
from oddsmith.errors import InputError, nearest
from oddsmith.points import Points
from oddsmith.rules import Ruleset

R = TypeVar("R", bound=Ruleset)

_PART: Final = re.compile(r"[^.\[\]]+|\[[^\]]*\]")
HUNDREDTH: Final = Decimal("0.01")


class Key(msgspec.Struct, frozen=True):
    """The path of a number of the rules, its value, and the smallest step by which it can change."""

    path: str
    value: Decimal
    step: Decimal
    finer: bool = False
    """Whether a smaller step is allowed: for a coefficient, but neither for points nor for a whole number."""


def keys_of(rules: Ruleset) -> dict[str, Key]:
    """Return every number of a ruleset by its key; booleans, names and texts have none.

    >>> from oddsmith.games.destiny import Rules
    >>> keys_of(Rules())["crimes.bank_robbery.threshold"]
    Key(path='crimes.bank_robbery.threshold', value=Decimal('275'), step=Decimal('0.01'), finer=False)
    """
    return {key.path: key for key in _number_keys("", rules)}


def keys_matching(rules: Ruleset, pattern: str) -> list[Key]:
    """Return the numbers whose keys match a pattern such as `crimes.*.threshold`; at least one must match.

    >>> from oddsmith.games.destiny import Rules
    >>> len(keys_matching(Rules(), "crimes.*.threshold"))
    7
    """
    known = keys_of(rules)
    parts = _key_parts(pattern)
    matching = [key for path, key in known.items() if _matches(_key_parts(path), parts)]
    if not matching:
        raise InputError(
            "unknown_key",
            f"no number of the rules has the key '{pattern[:80]}'{_suggest_key(pattern, known)}",
            where=pattern[:80],
        )
    return matching


def names_matching(rules: Ruleset, pattern: str, where: str = "") -> list[str]:
    """Return the names at the `*` of a pattern that ends with it: the crimes, for `crimes.*`.

    >>> from oddsmith.games.destiny import Rules
    >>> names_matching(Rules(), "npcs.*")
    ['rookie', 'competent', 'veteran', 'elite', 'legendary']
    """
    before, star, after = pattern.partition("*")
    names = _names_at(rules, [part for part in before.split(".") if part]) if star else None
    if names is None or not names or after or (before and not before.endswith(".")):
        raise InputError(
            "unknown_names",
            f"the rules have no names at '{pattern[:80]}': write the key of a table and a star, such as crimes.*",
            where=where or pattern[:80],
        )
    return names


def _names_at(value: object, parts: list[str]) -> list[str] | None:
    """Return the names of the mapping at a path of the rules, or None where there is none."""
    for part in parts:
        inside = dict(_children("", value))
        if part not in inside:
            return None
        value = inside[part]
    return [str(name) for name in value] if isinstance(value, Mapping) else None


def split_key(path: str) -> list[str | int]:
    """Return the names and indexes that a key consists of.

    >>> split_key("player.attack_cards[0][1]")
    ['player', 'attack_cards', 0, 1]
    """
    return [int(part[1:]) if part.startswith("[") else part for part in _key_parts(path)]


def with_numbers(rules: R, numbers: Mapping[str, Decimal]) -> R:
    """Return the rules with some numbers replaced; unknown keys and values that the rules refuse raise an error.

    >>> from oddsmith.games.destiny import Rules
    >>> with_numbers(Rules(), {"crimes.bank_robbery.threshold": Decimal(250)}).crimes["bank_robbery"].threshold
    Points('250')
    """
    if not numbers:
        return rules
    data = wire.to_builtins(rules)
    for path, number in numbers.items():
        try:
            data = _replace_number(data, split_key(path), number)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise InputError(
                "unknown_key", f"the rules have no number '{path[:80]}'", where=path[:80]
            ) from error
    return rules.from_data(data)


def _key_parts(path: str) -> list[str]:
    """Return the parts of a key or a pattern; an index begins with a bracket."""
    return [part.rstrip("]") for part in _PART.findall(path)]


def _number_keys(path: str, value: object) -> Iterator[Key]:
    match value:
        case int() if not isinstance(value, bool):
            yield Key(path, Decimal(value), Decimal(1))
        case Points():
            yield Key(path, value.decimal, HUNDREDTH)
        case Decimal():
            yield Key(path, value, HUNDREDTH, finer=True)
    for name, inner in _children(path, value):
        yield from _number_keys(name, inner)


def _children(path: str, value: object) -> Iterator[tuple[str, object]]:
    match value:
        case Mapping():
            yield from ((_join_key(path, str(name)), inner) for name, inner in value.items())
        case tuple():
            yield from ((f"{path}[{place}]", inner) for place, inner in enumerate(value))
        case msgspec.Struct():
            yield from ((_join_key(path, name), getattr(value, name)) for name in value.__struct_fields__)


def _join_key(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _matches(path: list[str], pattern: list[str]) -> bool:
    """Return whether all parts match one by one; only `*` and `?` are wildcards."""
    return len(path) == len(pattern) and all(
        fnmatchcase(part, wanted.replace("[", "[[]")) for part, wanted in zip(path, pattern, strict=True)
    )


def _suggest_key(pattern: str, known: Mapping[str, Key]) -> str:
    """Return a hint with the nearest key, or with the first parts of all keys."""
    hint, _, _ = nearest(pattern[:80], known).partition(" Known:")
    if not hint.startswith(";"):
        return hint
    return f"; keys begin with: {', '.join(dict.fromkeys(_key_parts(path)[0] for path in known))}"


def _replace_number(data: Any, parts: list[str | int], number: Decimal) -> Any:  # noqa: ANN401  plain data of any shape
    """Return the data with one number replaced; the data themselves are not changed."""
    if not parts:
        whole = isinstance(data, int) and number == number.to_integral_value()
        return int(number) if whole else number
    part, *inner = parts
    changed = _replace_number(data[part], inner, number)
    if isinstance(data, dict):
        return {**data, part: changed}
    return [changed if place == part else value for place, value in enumerate(data)]

"""Every number of a ruleset has a key: a dotted path by which it is read, changed and varied."""

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
    """Where a number of the rules stands, what it is now, and the smallest step that it can change by."""

    path: str
    value: Decimal
    step: Decimal
    finer: bool = False
    """Whether a smaller step can be asked for: of a coefficient, but neither of points nor of a whole number."""


def keys_of(rules: Ruleset) -> dict[str, Key]:
    """Return every number of a ruleset by its key; switches, names and texts have none.

    >>> from oddsmith.games.destiny import Rules
    >>> keys_of(Rules())["crimes.bank_robbery.threshold"]
    Key(path='crimes.bank_robbery.threshold', value=Decimal('275'), step=Decimal('0.01'), finer=False)
    """
    return {key.path: key for key in _numbers("", rules)}


def keys_matching(rules: Ruleset, pattern: str) -> list[Key]:
    """Return the numbers whose keys fit a pattern such as `crimes.*.threshold`; a pattern that fits none is refused.

    >>> from oddsmith.games.destiny import Rules
    >>> len(keys_matching(Rules(), "crimes.*.threshold"))
    7
    """
    known = keys_of(rules)
    parts = _split(pattern)
    fitting = [key for path, key in known.items() if _fits(_split(path), parts)]
    if not fitting:
        raise InputError(
            "unknown_key",
            f"no number of the rules has the key '{pattern[:80]}'{_near(pattern, known)}",
            where=pattern[:80],
        )
    return fitting


def names_matching(rules: Ruleset, pattern: str, where: str = "") -> list[str]:
    """Return the names that stand in the rules where a pattern has its one `*`: the crimes, for `crimes.*`.

    >>> from oddsmith.games.destiny import Rules
    >>> names_matching(Rules(), "npcs.*")
    ['rookie', 'competent', 'veteran', 'elite', 'legendary']
    """
    before, star, after = pattern.partition("*")
    table = _table(rules, [part for part in before.split(".") if part]) if star else None
    if table is None or not table or after or (before and not before.endswith(".")):
        raise InputError(
            "unknown_names",
            f"no names of the rules stand at '{pattern[:80]}': write the key of a table and a star, such as crimes.*",
            where=where or pattern[:80],
        )
    return table


def _table(value: object, parts: list[str]) -> list[str] | None:
    """Return the names of a table of the rules, or None where no table of names is."""
    for part in parts:
        inside = dict(_inside("", value))
        if part not in inside:
            return None
        value = inside[part]
    return [str(name) for name in value] if isinstance(value, Mapping) else None


def parts_of(path: str) -> list[str | int]:
    """Return the names and places that a key leads through.

    >>> parts_of("house.attack_cards[0][1]")
    ['house', 'attack_cards', 0, 1]
    """
    return [int(part[1:]) if part.startswith("[") else part for part in _split(path)]


def with_numbers(rules: R, numbers: Mapping[str, Decimal]) -> R:
    """Return the same rules with some numbers changed; what the rules refuse is refused with its key.

    >>> from oddsmith.games.destiny import Rules
    >>> with_numbers(Rules(), {"crimes.bank_robbery.threshold": Decimal(250)}).crimes["bank_robbery"].threshold
    Points('250')
    """
    if not numbers:
        return rules
    data = wire.to_builtins(rules)
    for path, number in numbers.items():
        try:
            data = _put(data, parts_of(path), number)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise InputError(
                "unknown_key", f"the rules have no number '{path[:80]}'", where=path[:80]
            ) from error
    return rules.from_data(data)


def _split(path: str) -> list[str]:
    """Return the parts of a key or a pattern; the opening bracket shows what is a place and not a name."""
    return [part.rstrip("]") for part in _PART.findall(path)]


def _numbers(path: str, value: object) -> Iterator[Key]:
    match value:
        case int() if not isinstance(value, bool):
            yield Key(path, Decimal(value), Decimal(1))
        case Points():
            yield Key(path, value.decimal, HUNDREDTH)
        case Decimal():
            yield Key(path, value, HUNDREDTH, finer=True)
    for name, inner in _inside(path, value):
        yield from _numbers(name, inner)


def _inside(path: str, value: object) -> Iterator[tuple[str, object]]:
    match value:
        case Mapping():
            yield from ((_joined(path, str(name)), inner) for name, inner in value.items())
        case tuple():
            yield from ((f"{path}[{place}]", inner) for place, inner in enumerate(value))
        case msgspec.Struct():
            yield from ((_joined(path, name), getattr(value, name)) for name in value.__struct_fields__)


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _fits(path: list[str], pattern: list[str]) -> bool:
    """Say whether parts fit one by one; only `*` and `?` stand for others, and a bracket for itself."""
    return len(path) == len(pattern) and all(
        fnmatchcase(part, wanted.replace("[", "[[]")) for part, wanted in zip(path, pattern, strict=True)
    )


def _near(pattern: str, known: Mapping[str, Key]) -> str:
    """Name a near key, or how keys begin, and not all of hundreds."""
    hint, _, _ = nearest(pattern[:80], known).partition(" Known:")
    if not hint.startswith(";"):
        return hint
    return f"; keys begin with: {', '.join(dict.fromkeys(_split(path)[0] for path in known))}"


def _put(data: Any, parts: list[str | int], number: Decimal) -> Any:  # noqa: ANN401  plain data of any shape
    """Return data with one number changed; what lies beside it is as it was."""
    if not parts:
        whole = isinstance(data, int) and number == number.to_integral_value()
        return int(number) if whole else number
    part, *inner = parts
    changed = _put(data[part], inner, number)
    if isinstance(data, dict):
        return {**data, part: changed}
    return [changed if place == part else value for place, value in enumerate(data)]

"""Malformed values of every kind, and the words of libraries that no refusal may repeat."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

LIBRARY_WORDS: Final = re.compile(
    r"`|\bExpected\b|msgspec|tomllib|Traceback|codec|recursion|regex|Error\b|\bgot\b"
    r"|\b(?:int|str|float|dict|tuple|bool|NoneType|Decimal|Struct|enum)\b"
)
BODIES: Final[Mapping[str, bytes]] = {
    "not JSON": b"?",
    "not JSON after a value": b"{} {}",
    "truncated": b'{"',
    "empty": b"",
    "not UTF-8": b'{"\xff":1}',
    "half a character": b'{"\\ud800":1}',
    "too deep": b'{"x":' + b"[" * 6_000,
    "a list": b"[]",
    "a number": b"5",
    "unknown field": b'{"no_such_field":1}',
}
"""Bodies that are malformed whatever the request is; some requests ignore fields that they do not know."""

WRONG: Final[Sequence[object]] = (
    None,
    True,
    1.5,
    -(10**9),
    10**30,
    "no such name",
    "",
    "x" * 5_000,
    [],
    [None] * 300,
    {},
    {"no_such_key": None},
    {"type": "no_such_type"},
)
"""Of each of these, most types refuse some: wrong types, lengths, bounds, names, keys and tags."""


def paths_in(data: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of every value inside plain data."""
    pairs: Iterator[tuple[str | int, object]] = iter(())
    if isinstance(data, Mapping):
        pairs = iter(data.items())
    elif isinstance(data, list):
        pairs = iter(enumerate(data[:1]))
    for key, value in pairs:
        yield (*path, key)
        yield from paths_in(value, (*path, key))


def replace_in(data: Any, path: Sequence[str | int], value: object) -> Any:  # noqa: ANN401  any JSON
    """Return plain data with another value at a path."""
    if not path:
        return value
    if isinstance(data, list):
        return [replace_in(inner, path[1:], value) if n == path[0] else inner for n, inner in enumerate(data)]
    return {**data, path[0]: replace_in(data.get(path[0]), path[1:], value)}


def wrong_values_in(data: Any, fields: Sequence[str] = ()) -> Iterator[Any]:  # noqa: ANN401  any JSON
    """Yield copies of an object with one wrong value each; `fields` are set, too."""
    for path in dict.fromkeys([*((field,) for field in fields), *paths_in(data)]):
        for value in WRONG:
            yield replace_in(data, path, value)

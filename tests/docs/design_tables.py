"""Generates the tables of the page about design files: lines of logs, and exhibits.

They are between `<!-- lines of GAME -->`, `<!-- exhibits -->` or `<!-- parts of exhibits -->` and `<!-- end -->`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, get_args

import msgspec

from oddsmith import wire
from oddsmith.balance.metrics.observer import metrics_of
from oddsmith.exhibit import Exhibit
from oddsmith.metric import Resolution
from tests.docs.figure_tables import (
    REQUIRED,
    WORDS,
    describe_type,
    expected_words,
    format_default,
    make_table,
)
from tests.docs.json_page import schemas

PLACE: Final = re.compile(
    r"^<!-- (?P<kind>lines of|exhibits|parts of exhibits)(?: (?P<game>[a-z]+))? -->\n.*?^<!-- end -->$",
    re.DOTALL | re.MULTILINE,
)
SHARED: Final = ("about", "where")
"""The keys that every exhibit has."""
KINDS: Final[tuple[type[msgspec.Struct], ...]] = get_args(Exhibit)


def fill_tables(text: str) -> str:
    """Return the page with every table generated again."""

    def replace_table(found: re.Match[str]) -> str:
        opening = found[0].partition("\n")[0]
        return f"{opening}\n\n{TABLES[found['kind']](found['game'])}\n\n<!-- end -->"

    return PLACE.sub(replace_table, text)


def games_in(text: str) -> list[str]:
    """Return the games whose lines are in the page, in its order."""
    return [found["game"] for found in PLACE.finditer(text) if found["game"]]


def line_tables(game: str) -> str:
    """Return the lines of a game's logs, each with its keys."""
    given: Any = metrics_of(game).RESOLUTIONS
    kinds: tuple[type[Resolution], ...] = get_args(given) or (given,)
    parts = [part for part in _parts(kinds) if part.__name__ not in WORDS]
    return "\n\n".join([*map(_line_table, kinds), *([_part_table(parts)] if parts else [])])


def _line_table(kind: type[Resolution]) -> str:
    rows = [row for row in _key_rows(kind) if row[0].strip("`") not in Resolution.__struct_fields__]
    return f"`{kind.__struct_config__.tag}`: {describe_type(kind)}\n\n{make_table(('key', 'expected', 'default'), rows)}"


def exhibit_table(_: str | None) -> str:
    """Return every type of exhibit with its own keys."""
    rows = ((f"`{kind.__struct_config__.tag}`", _describe_keys(kind), describe_type(kind)) for kind in KINDS)
    return make_table(("exhibit", "keys", "what it is"), rows)


def part_table(_: str | None) -> str:
    """Return the parts of exhibits with their keys."""
    return _part_table(_parts(KINDS))


def _part_table(parts: Iterable[type[msgspec.Struct]]) -> str:
    rows = ((f"`{kind.__name__}`", _describe_keys(kind), describe_type(kind)) for kind in parts)
    return make_table(("part", "keys", "what it is"), rows)


def _parts(kinds: Iterable[type[msgspec.Struct]]) -> list[type[msgspec.Struct]]:
    """Return the structs inside exhibits, in the order of their first use."""
    found: dict[type[msgspec.Struct], None] = {}
    for kind in kinds:
        for field in msgspec.structs.fields(kind):
            inside = [part for part in _structs_in(field.type) if part not in KINDS]
            found |= dict.fromkeys([*inside, *_parts(inside)])
    return list(found)


def _structs_in(kind: Any) -> Iterator[type[msgspec.Struct]]:  # noqa: ANN401  the type of any field
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
    for inner in get_args(kind):
        yield from _structs_in(inner)


def _describe_keys(kind: type[msgspec.Struct]) -> str:
    """Return the keys with what they expect; optional ones are in brackets."""
    return "; ".join(
        f"{key}: {what}" if given == REQUIRED else f"[{key}: {what}]"
        for key, what, given in _key_rows(kind)
        if key.strip("`") not in SHARED or kind not in KINDS
    )


def _key_rows(kind: type[msgspec.Struct]) -> Iterator[tuple[str, str, str]]:
    known = schemas([kind])
    properties = known[kind.__name__]["properties"]
    for field in msgspec.structs.fields(kind):
        given = REQUIRED if field.required else format_default(wire.to_builtins(_default_of(field)))
        yield f"`{field.encode_name}`", expected_words(properties[field.encode_name], known), given


def _default_of(field: msgspec.structs.FieldInfo) -> object:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


TABLES: Final[Mapping[str, Callable[[Any], str]]] = {
    "lines of": line_tables,
    "exhibits": exhibit_table,
    "parts of exhibits": part_table,
}

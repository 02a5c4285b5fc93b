"""Tables of the page about design files are made from what they describe: lines of logs, and exhibits.

They stand between `<!-- lines of GAME -->`, `<!-- exhibits -->` or `<!-- parts of exhibits -->` and `<!-- end -->`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, get_args

import msgspec

from oddsmith import wire
from oddsmith.balance.metrics.observer import metrics_of
from oddsmith.exhibit import Exhibit
from oddsmith.metric import Resolution
from tests.docs.figure_tables import REQUIRED, WORDS, default, expected, said, table
from tests.docs.json_page import schemas

PLACE: Final = re.compile(
    r"^<!-- (?P<kind>lines of|exhibits|parts of exhibits)(?: (?P<game>[a-z]+))? -->\n.*?^<!-- end -->$",
    re.DOTALL | re.MULTILINE,
)
SHARED: Final = ("about", "where")
"""The keys that every exhibit has."""
KINDS: Final[tuple[type[msgspec.Struct], ...]] = get_args(Exhibit)


def filled(text: str) -> str:
    """Return the page with every table made anew."""

    def made(found: re.Match[str]) -> str:
        opening = found[0].partition("\n")[0]
        return f"{opening}\n\n{TABLES[found['kind']](found['game'])}\n\n<!-- end -->"

    return PLACE.sub(made, text)


def games_shown(text: str) -> list[str]:
    """Return the games whose lines a page has a place for, in its order."""
    return [found["game"] for found in PLACE.finditer(text) if found["game"]]


def line_tables(game: str) -> str:
    """Return the lines that a log of a game may have, each with its keys."""
    given: Any = metrics_of(game).RESOLUTIONS
    kinds: tuple[type[Resolution], ...] = get_args(given) or (given,)
    parts = [part for part in _parts(kinds) if part.__name__ not in WORDS]
    return "\n\n".join([*map(_line, kinds), *([_part_table(parts)] if parts else [])])


def _line(kind: type[Resolution]) -> str:
    rows = [row for row in _keys(kind) if row[0].strip("`") not in Resolution.__struct_fields__]
    return f"`{kind.__struct_config__.tag}`: {said(kind)}\n\n{table(('key', 'expected', 'default'), rows)}"


def exhibit_table(_: str | None) -> str:
    """Return every kind of exhibit with the keys that it has besides those of all."""
    rows = ((f"`{kind.__struct_config__.tag}`", _told(kind), said(kind)) for kind in KINDS)
    return table(("exhibit", "keys", "what it is"), rows)


def part_table(_: str | None) -> str:
    """Return the tables that exhibits are made of."""
    return _part_table(_parts(KINDS))


def _part_table(parts: Iterable[type[msgspec.Struct]]) -> str:
    rows = ((f"`{kind.__name__}`", _told(kind), said(kind)) for kind in parts)
    return table(("part", "keys", "what it is"), rows)


def _parts(kinds: Iterable[type[msgspec.Struct]]) -> list[type[msgspec.Struct]]:
    """Return what exhibits are made of, in the order in which it is met."""
    found: dict[type[msgspec.Struct], None] = {}
    for kind in kinds:
        for field in msgspec.structs.fields(kind):
            inside = [part for part in _types(field.type) if part not in KINDS]
            found |= dict.fromkeys([*inside, *_parts(inside)])
    return list(found)


def _types(kind: Any) -> Iterator[type[msgspec.Struct]]:  # noqa: ANN401  whatever a field may hold
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
    for inner in get_args(kind):
        yield from _types(inner)


def _told(kind: type[msgspec.Struct]) -> str:
    """Name keys and what they expect, in brackets those that may be left out."""
    return "; ".join(
        f"{key}: {what}" if given == REQUIRED else f"[{key}: {what}]"
        for key, what, given in _keys(kind)
        if key.strip("`") not in SHARED or kind not in KINDS
    )


def _keys(kind: type[msgspec.Struct]) -> Iterator[tuple[str, str, str]]:
    known = schemas([kind])
    properties = known[kind.__name__]["properties"]
    for field in msgspec.structs.fields(kind):
        given = REQUIRED if field.required else default(wire.to_builtins(_default_of(field)))
        yield f"`{field.encode_name}`", expected(properties[field.encode_name], known), given


def _default_of(field: msgspec.structs.FieldInfo) -> object:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


TABLES: Final[Mapping[str, Callable[[Any], str]]] = {
    "lines of": line_tables,
    "exhibits": exhibit_table,
    "parts of exhibits": part_table,
}

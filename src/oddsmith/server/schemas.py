"""JSON schemas of what is taken and sent: the names of components, and the form of points and cards."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, Final

from oddsmith import wire
from oddsmith.cards import Card
from oddsmith.points import LARGEST, Points
from oddsmith.registry import find_game, load_mechanics, mechanic_names
from oddsmith.server.json_schemas import Schema, describe_types, own_name

REFERENCE: Final = "#/components/schemas/{name}"
DEFINITION: Final = "#/$defs/{name}"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_PLACE: Final = REFERENCE.format(name="")
CARD: Final = "^(([2-9]|10|[TtJjQqKkAa])[♠♥♣♦SsHhCcDd]|[RrBb][Jj])$"
NUMBER: Final = "^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)$"
PARTS_OF_GAMES: Final = frozenset(
    (
        "AnyAction",
        "AnyEvent",
        "AnyView",
        "BotName",
        "Frame",
        "Heard",
        "Opening",
        "PresetName",
        "Replay",
        "ReplayFrame",
        "Rules",
    )
)
"""The names of what every game has; a type of a mechanic that has one of them is described as `Own…`."""
_MECHANIC: Final = re.compile(r"^oddsmith\.games\.(\w+)\.")


def of_types(kinds: Sequence[Any], *, sent: bool = False) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    """Return the schemas of types, and those of their components by name; a game's type has its name before it.

    What is `sent` has all fields, unless it omits defaults, and has points as numbers. In what is taken, fields with a
    default may be left out, and points may be text.

    >>> of_types([Card])[0][0]["pattern"]
    '^(([2-9]|10|[TtJjQqKkAa])[♠♥♣♦SsHhCcDd]|[RrBb][Jj])$'
    """
    custom = _sent if sent else _taken
    return describe_types(kinds, reference=REFERENCE, custom=custom, name=name_of, requires_all=sent)


def standing_alone(kind: type, *, sent: bool = False, game: str = "") -> Schema:
    """Return the schema of a struct for a form: its components are under `$defs`, and points are numbers.

    The name of the `game` is left out of the names there.

    >>> from oddsmith.question import Share
    >>> standing_alone(Share, sent=True)["required"]
    ['count', 'total', 'chance']
    """

    def name(cls: type) -> str:
        return name_of(cls).removeprefix(f"{game}.")

    custom = _sent if sent else _taken_by_form
    [whole], parts = describe_types([kind], reference=DEFINITION, custom=custom, name=name, requires_all=sent)
    struct = parts.pop(whole["$ref"].removeprefix(DEFINITION.format(name="")))
    return {"$schema": DIALECT, **struct, "$defs": parts}


def _sent(kind: type) -> Schema:
    schema = wire.schema_hook(kind)
    return schema | {"pattern": CARD} if kind is Card else schema


def _taken_by_form(kind: type) -> Schema:
    schema = _sent(kind)
    return schema | {"minimum": -LARGEST, "maximum": LARGEST} if kind is Points else schema


def _taken(kind: type) -> Schema:
    schema = _taken_by_form(kind)
    if kind is not Points:
        return schema
    return schema | {"type": ["number", "string"], "pattern": NUMBER, "maxLength": 41}


def together(
    taken: Mapping[str, Schema], sent: Mapping[str, Schema]
) -> tuple[dict[str, Schema], dict[str, str]]:
    """Return all that is taken or sent by name, and how what is sent is named: `…Shown` where it is taken otherwise.

    >>> together({"Fee": {"type": "string"}}, {"Fee": {"type": "number"}})
    ({'Fee': {'type': 'string'}, 'FeeShown': {'type': 'number'}}, {'Fee': 'FeeShown'})
    """
    apart = {name for name, schema in sent.items() if name in taken and schema != taken[name]}
    met: set[str] = set()
    while met != apart:
        met = set(apart)
        apart |= {name for name, schema in sent.items() if name in taken and _refers(schema, met)}
    names = {name: _name_of_shown(name, {*taken, *sent}) if name in apart else name for name in sent}
    return {
        **taken,
        **{names[name]: renamed(schema, names) for name, schema in sent.items()},
    }, names


def _name_of_shown(name: str, names: Collection[str]) -> str:
    shown = f"{name}Shown"
    return _name_of_shown(shown, names) if shown in names else shown


def _refers(schema: Any, names: Collection[str]) -> bool:  # noqa: ANN401  a JSON schema
    """Say whether a schema refers to one of these."""
    match schema:
        case dict():
            return any(_refers(value, names) for value in schema.values())
        case list():
            return any(_refers(value, names) for value in schema)
        case str() if schema.startswith(_PLACE):
            return schema.removeprefix(_PLACE) in names
        case _:
            return False


def renamed(schema: Any, names: Mapping[str, str]) -> Any:  # noqa: ANN401  a JSON schema
    """Return a schema that refers to others by their new names."""
    match schema:
        case dict():
            return {key: renamed(value, names) for key, value in schema.items()}
        case list():
            return [renamed(value, names) for value in schema]
        case str() if schema.startswith(_PLACE):
            return REFERENCE.format(name=names[schema.removeprefix(_PLACE)])
        case _:
            return schema


def name_of(kind: type) -> str:
    """Return the name that a type is described under: with the name of its mechanic before it, where it is of one.

    It is none of `PARTS_OF_GAMES`, unless the type is a mechanic's rules.

    >>> name_of(Card)
    'Card'
    """
    owners = _owners(mechanic_names())
    if kind in owners:
        return f"{owners[kind]}.Rules"
    found = _MECHANIC.match(kind.__module__)
    owner = found[1] if found else owners.get(kind.__module__)
    name = own_name(kind)
    if owner is None:
        return name
    return f"{owner}.Own{name}" if name in PARTS_OF_GAMES else f"{owner}.{name}"


@cache
def _owners(names: tuple[str, ...]) -> Mapping[type | str, str]:
    """Return the mechanic of every type of rules, and of the module that it stands in."""
    found = {name: find_game(name).rules_type for name in load_mechanics() if name in names}
    return {
        **{kind.__module__: name for name, kind in found.items()},
        **{kind: name for name, kind in found.items()},
    }


def without_tag(kind: Any, schema: Schema, components: Mapping[str, Schema]) -> Schema:  # noqa: ANN401  a type
    """Return the schema of what stands alone: no tag needs to tell it apart, though it may be told."""
    tag = getattr(getattr(kind, "__struct_config__", None), "tag_field", None)
    if tag is None:
        return schema
    whole = components[schema["$ref"].removeprefix(REFERENCE.format(name=""))]
    return whole | {"required": [name for name in whole["required"] if name != tag]}

"""JSON schemas of the types of the API: names of components, points and cards, and what differs in requests and replies.

`json_schemas` describes any type; `generator_schemas` rewrites the finished description.
"""

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
        "VersionEvents",
        "OpenMatchRequest",
        "PresetName",
        "Replay",
        "ReplayFrame",
        "Rules",
    )
)
"""Names of components that every game has; a mechanic's type with one of these names is described as `Own…`."""
_MECHANIC: Final = re.compile(r"^oddsmith\.games\.(\w+)\.")


def component_schemas(
    kinds: Sequence[Any], *, is_reply: bool = False
) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    """Return the schemas of types, and those of their components by name; a game's type has the game's name before it.

    In a reply all fields are present, unless the type omits defaults, and points are numbers. In a request fields with a
    default are optional, and points may be text.

    >>> component_schemas([Card])[0][0]["pattern"]
    '^(([2-9]|10|[TtJjQqKkAa])[♠♥♣♦SsHhCcDd]|[RrBb][Jj])$'
    """
    custom = _reply_schema if is_reply else _request_schema
    return describe_types(
        kinds, reference=REFERENCE, custom=custom, name=component_name, requires_all=is_reply
    )


def self_contained_schema(kind: type, *, is_reply: bool = False, game: str = "") -> Schema:
    """Return the schema of a struct for a form: with its components under `$defs`, and points as numbers.

    The names of components there are without that of the `game`.

    >>> from oddsmith.question import Share
    >>> self_contained_schema(Share, is_reply=True)["required"]
    ['count', 'total', 'chance']
    """

    def name(cls: type) -> str:
        return component_name(cls).removeprefix(f"{game}.")

    custom = _reply_schema if is_reply else _form_schema
    [whole], parts = describe_types(
        [kind], reference=DEFINITION, custom=custom, name=name, requires_all=is_reply
    )
    struct = parts.pop(whole["$ref"].removeprefix(DEFINITION.format(name="")))
    return {"$schema": DIALECT, **struct, "$defs": parts}


def schemas_with_parts(kinds: Sequence[Any], *, game: str) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    """Return the schemas of types in replies, and those of their components, which they refer to under `#/$defs/`.

    The names of components there are without that of the `game`.

    >>> schemas_with_parts([Card, bool], game="")[0][1]
    {'type': 'boolean'}
    """

    def name(cls: type) -> str:
        return component_name(cls).removeprefix(f"{game}.")

    return describe_types(kinds, reference=DEFINITION, custom=_reply_schema, name=name, requires_all=True)


def _reply_schema(kind: type) -> Schema:
    schema = wire.schema_hook(kind)
    return schema | {"pattern": CARD} if kind is Card else schema


def _form_schema(kind: type) -> Schema:
    schema = _reply_schema(kind)
    return schema | {"minimum": -LARGEST, "maximum": LARGEST} if kind is Points else schema


def _request_schema(kind: type) -> Schema:
    schema = _form_schema(kind)
    if kind is not Points:
        return schema
    return schema | {"type": ["number", "string"], "pattern": NUMBER, "maxLength": 41}


def merge_components(
    in_requests: Mapping[str, Schema], in_replies: Mapping[str, Schema]
) -> tuple[dict[str, Schema], dict[str, str]]:
    """Return the components of requests and replies by name, and the name of each component of a reply.

    That is `…Shown` where requests have another schema of the same name.

    >>> merge_components({"Fee": {"type": "string"}}, {"Fee": {"type": "number"}})
    ({'Fee': {'type': 'string'}, 'FeeShown': {'type': 'number'}}, {'Fee': 'FeeShown'})
    """
    differing = {
        name for name, schema in in_replies.items() if name in in_requests and schema != in_requests[name]
    }
    known: set[str] = set()
    while known != differing:
        known = set(differing)
        differing |= {
            name for name, schema in in_replies.items() if name in in_requests and _refers(schema, known)
        }
    names = {
        name: _reply_name(name, {*in_requests, *in_replies}) if name in differing else name
        for name in in_replies
    }
    return {
        **in_requests,
        **{names[name]: rename_references(schema, names) for name, schema in in_replies.items()},
    }, names


def _reply_name(name: str, names: Collection[str]) -> str:
    shown = f"{name}Shown"
    return _reply_name(shown, names) if shown in names else shown


def _refers(schema: object, names: Collection[str]) -> bool:
    """Return whether a schema refers to one of the named components."""
    match schema:
        case dict():
            return any(_refers(value, names) for value in schema.values())
        case list():
            return any(_refers(value, names) for value in schema)
        case str() if schema.startswith(_PLACE):
            return schema.removeprefix(_PLACE) in names
        case _:
            return False


def rename_references(schema: Any, names: Mapping[str, str]) -> Any:  # noqa: ANN401  a JSON schema
    """Return a schema with references to components replaced by those to their new names."""
    match schema:
        case dict():
            return {key: rename_references(value, names) for key, value in schema.items()}
        case list():
            return [rename_references(value, names) for value in schema]
        case str() if schema.startswith(_PLACE):
            return REFERENCE.format(name=names[schema.removeprefix(_PLACE)])
        case _:
            return schema


def component_name(kind: type) -> str:
    """Return the name of a type's component; a mechanic's type has the mechanic's name before it.

    A name of `PARTS_OF_GAMES` gets the prefix `Own`, unless the type is the mechanic's rules.

    >>> component_name(Card)
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
    """Return the mechanic of every type of rules, and of the module that defines it."""
    found = {name: find_game(name).rules_type for name in load_mechanics() if name in names}
    return {
        **{kind.__module__: name for name, kind in found.items()},
        **{kind: name for name, kind in found.items()},
    }


def without_tag(kind: object, schema: Schema, components: Mapping[str, Schema]) -> Schema:
    """Return the schema of a request with its tag optional: at its own path no other type is possible."""
    tag = getattr(getattr(kind, "__struct_config__", None), "tag_field", None)
    if tag is None:
        return schema
    whole = components[schema["$ref"].removeprefix(REFERENCE.format(name=""))]
    return whole | {"required": [name for name in whole["required"] if name != tag]}

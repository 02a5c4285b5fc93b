"""A JSON schema says of a type what is true of it in JSON, as far as JSON Schema can."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final

import msgspec
from msgspec import inspect

from oddsmith import wire
from oddsmith.cards import Card
from oddsmith.points import LARGEST, Points
from oddsmith.registry import find_game, loaded_mechanics, mechanic_names

Schema = dict[str, Any]

REFERENCE: Final = "#/components/schemas/{name}"
DEFINITION: Final = "#/$defs/{name}"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_PLACE: Final = REFERENCE.format(name="")
CARD: Final = "^(([2-9]|10|[TtJjQqKkAa])[♠♥♣♦SsHhCcDd]|[RrBb][Jj])$"
NUMBER: Final = "^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)$"
WHOLE: Final = "^-?[0-9]+$"
EXAMPLE: Final = ">>>"
"""Where the example of a docstring begins, which says nothing about JSON."""
_MECHANIC: Final = re.compile(r"^oddsmith\.games\.(\w+)\.")


def of_types(kinds: Sequence[Any], *, sent: bool = False) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    """Return the schemas of types, and those of all that they are made of, by name; a game's type has its name before it.

    What is `sent` leaves nothing out that has a default, and has points as numbers; what is taken may be told in more ways.

    >>> of_types([Card])[0][0]["pattern"]
    '^(([2-9]|10|[TtJjQqKkAa])[♠♥♣♦SsHhCcDd]|[RrBb][Jj])$'
    """
    schemas, components = _of_msgspec(kinds, _sent if sent else _taken)
    inside = [*_named(inspect.multi_type_info(kinds), set())]
    names = {_key(kind.cls, components): name_of(kind.cls) for kind in inside}
    structs = [kind for kind in inside if isinstance(kind, inspect.StructType)]
    _name_keys(structs, components)
    if sent:
        _require_all(structs, components)
    named = {names[name]: renamed(_in_our_words(schema), names) for name, schema in components.items()}
    return tuple(renamed(_in_our_words(schema), names) for schema in schemas), named


def standing_alone(kind: type, *, sent: bool = False, game: str = "") -> Schema:
    """Return the schema of a struct for a form: what it refers to is under `$defs`, and points are numbers.

    The name of the `game` is left out of the names there.

    >>> from oddsmith.question import Share
    >>> standing_alone(Share, sent=True)["required"]
    ['count', 'total', 'chance']
    """
    _, components = of_types([kind], sent=sent)
    names = {name: name.removeprefix(f"{game}.") for name in components}
    parts = {
        names[name]: _for_a_form(renamed(schema, names, place=DEFINITION))
        for name, schema in components.items()
    }
    whole = parts.pop(names[name_of(kind)])
    return {"$schema": DIALECT, **whole, "$defs": parts}


def _for_a_form(schema: Any) -> Any:  # noqa: ANN401  a JSON schema
    """Return a schema in which whatever may be told in several ways is told in one: points are numbers."""
    match schema:
        case {"type": ["number", "string"], "pattern": _, "maxLength": _, **rest}:
            return {"type": "number", **rest}
        case dict():
            return {key: _for_a_form(value) for key, value in schema.items()}
        case list():
            return [_for_a_form(value) for value in schema]
        case _:
            return schema


def _of_msgspec(
    kinds: Sequence[Any], hook: Callable[[type[Any]], Schema]
) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    """Return what msgspec says; it has no hook for defaults, so it is lent ours meanwhile."""
    module = import_module("msgspec._json_schema")
    theirs = module.to_builtins
    module.to_builtins = lambda value, **_: wire.builtins(value)  # type: ignore[attr-defined]  # as they call it
    try:
        return msgspec.json.schema_components(kinds, schema_hook=hook, ref_template=REFERENCE)
    finally:
        module.to_builtins = theirs  # type: ignore[attr-defined]  # as above


def _sent(kind: type[Any]) -> Schema:
    said = wire.schema_hook(kind)
    return said | {"pattern": CARD} if kind is Card else said


def _taken(kind: type[Any]) -> Schema:
    if kind is not Points:
        return _sent(kind)
    return wire.schema_hook(kind) | {
        "type": ["number", "string"],
        "minimum": -LARGEST,
        "maximum": LARGEST,
        "pattern": NUMBER,
        "maxLength": 41,
    }


def _in_our_words(schema: Any) -> Any:  # noqa: ANN401  a JSON schema
    """Return a schema with decimals as numbers, as the house writes them, and with words for those who read it."""
    match schema:
        case {"type": "string", "format": "decimal", **rest}:
            return {"type": "number", **rest}
        case {"description": str(told), **rest} if EXAMPLE in told:
            return {"description": told.partition(EXAMPLE)[0].strip(), **_in_our_words(rest)}
        case dict():
            return {key: _in_our_words(value) for key, value in schema.items()}
        case list():
            return [_in_our_words(value) for value in schema]
        case _:
            return schema


def _name_keys(structs: Sequence[inspect.StructType], components: dict[str, Schema]) -> None:
    """Say which keys a table may have, where that is known: msgspec says it only of keys that are text."""
    for struct in structs:
        schema = components[_key(struct.cls, components)]
        for field in struct.fields:
            _name_keys_of(field.type, schema["properties"][field.encode_name])


def _require_all(structs: Sequence[inspect.StructType], components: dict[str, Schema]) -> None:
    """Say that all fields are there, but where those are left out that have their default."""
    for struct in structs:
        schema = components[_key(struct.cls, components)]
        if not struct.cls.__struct_config__.omit_defaults:
            schema["required"] = [*schema["properties"]]


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
    names = {name: f"{name}Shown" if name in apart else name for name in sent}
    return {
        **taken,
        **{names[name]: renamed(schema, names) for name, schema in sent.items()},
    }, names


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


def renamed(schema: Any, names: Mapping[str, str], *, place: str = REFERENCE) -> Any:  # noqa: ANN401  a JSON schema
    """Return a schema that refers to others by their new names, and at another place where one is given."""
    match schema:
        case dict():
            return {key: renamed(value, names, place=place) for key, value in schema.items()}
        case list():
            return [renamed(value, names, place=place) for value in schema]
        case str() if schema.startswith(_PLACE):
            return place.format(name=names[schema.removeprefix(_PLACE)])
        case _:
            return schema


def _name_keys_of(kind: inspect.Type, schema: Schema) -> None:
    match kind:
        case inspect.DictType(key_type=keys, value_type=values):
            names = _names_of(keys)
            if names is not None:
                schema["propertyNames"] = names
            if isinstance(schema.get("additionalProperties"), dict):
                _name_keys_of(values, schema["additionalProperties"])
        case inspect.Metadata(type=inner):
            _name_keys_of(inner, schema)
        case inspect.VarTupleType(item_type=item):
            _name_keys_of(item, schema.get("items", {}))
        case inspect.UnionType(types=types):
            for option, described in zip(types, schema.get("anyOf", ()), strict=False):
                _name_keys_of(option, described)
        case _:
            return


def _names_of(keys: inspect.Type) -> Schema | None:
    """Return which keys a table may have; None where msgspec says it, or nobody can."""
    match keys:
        case inspect.EnumType(cls=names):
            return {"enum": [str(name.value) for name in names]}
        case inspect.LiteralType(values=values):
            return {"enum": [str(value) for value in values]}
        case inspect.IntType():
            return {"pattern": WHOLE}
        case _:
            return None


def _key(kind: type, components: Mapping[str, Schema]) -> str:
    """Return under which name msgspec knows a type: its own, and with its module where two have the same."""
    return kind.__name__ if kind.__name__ in components else f"{kind.__module__}.{kind.__qualname__}"


def name_of(kind: type) -> str:
    """Return the name that a type is described under: with the name of its mechanic before it, where it is of one.

    >>> name_of(Card)
    'Card'
    """
    owners = _owners(mechanic_names())
    if kind in owners:
        return f"{owners[kind]}.Rules"
    found = _MECHANIC.match(kind.__module__)
    owner = found[1] if found else owners.get(kind.__module__)
    return kind.__name__ if owner is None else f"{owner}.{kind.__name__}"


@cache
def _owners(names: tuple[str, ...]) -> Mapping[type | str, str]:
    """Return the mechanic of every type of rules, and of the module that it stands in."""
    found = {name: find_game(name).rules_type for name in loaded_mechanics() if name in names}
    return {
        **{kind.__module__: name for name, kind in found.items()},
        **{kind: name for name, kind in found.items()},
    }


def _named(kinds: Sequence[Any], met: set[type]) -> Iterator[inspect.StructType | inspect.EnumType]:
    """Yield every type with a name that types are made of, once."""
    for kind in kinds:
        if isinstance(kind, inspect.StructType | inspect.EnumType):
            if kind.cls in met:
                continue
            met.add(kind.cls)
            yield kind
        yield from _named([*_parts(kind)], met)


def _parts(kind: Any) -> Iterator[Any]:  # noqa: ANN401  a type as msgspec shows it
    match kind:
        case inspect.StructType(fields=fields):
            yield from (field.type for field in fields)
        case inspect.UnionType(types=types):
            yield from types
        case inspect.TupleType(item_types=types):
            yield from types
        case inspect.DictType(key_type=key, value_type=value):
            yield from (key, value)
        case inspect.CollectionType(item_type=item):
            yield item
        case inspect.Metadata(type=inner):
            yield inner
        case _:
            return


def without_tag(kind: Any, schema: Schema, components: Mapping[str, Schema]) -> Schema:  # noqa: ANN401  a type
    """Return the schema of what stands alone: no tag needs to tell it apart, though it may be told."""
    tag = getattr(getattr(kind, "__struct_config__", None), "tag_field", None)
    if tag is None:
        return schema
    whole = components[schema["$ref"].removeprefix(REFERENCE.format(name=""))]
    return whole | {"required": [name for name in whole["required"] if name != tag]}

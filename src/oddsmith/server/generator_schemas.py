"""Rewrites a finished OpenAPI description for client generators: same meaning, in the subset of OpenAPI 3.1 that they read.

The last of three steps: `json_schemas` describes types, `schemas` names and merges the components of the API.

A generator makes a class of every object and every enumeration. It names the class by its title, which need not be unique,
else by its component, else by its place: the component or operation, and the properties that lead to it. So titles are
left out, and names differ in more than case and punctuation, because file names must. A name also differs from the names
of the object's own properties, because generated code may have variables of both.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from oddsmith import wire
from oddsmith.server.json_schemas import Schema
from oddsmith.server.schemas import REFERENCE, rename_references

LONGEST_DEFAULT: Final = 60


def rewrite_for_generators(description: Schema) -> Schema:
    """Return a description of the same meaning that client generators read in full.

    Components, and schemas elsewhere that a generator would name as another class, get names of their own; so do
    operations.
    """
    names, operation_names = _Names(), _Names()
    components: Schema = description["components"]["schemas"]
    renames = {name: names.claim(name, schema.get("properties", ())) for name, schema in components.items()}
    document: Schema = rename_references(description, renames)
    rewriter = _Rewriter(names, document["components"]["schemas"])
    for name, schema in document["components"]["schemas"].items():
        rewriter.add_component(renames[name], schema)
    paths = {
        path: {
            method: rewriter.operation(operation, operation_names.claim(operation["operationId"]))
            for method, operation in methods.items()
        }
        for path, methods in document["paths"].items()
    }
    return document | {
        "paths": paths,
        "components": document["components"] | {"schemas": rewriter.components},
    }


def fold_name(text: str) -> str:
    """Return a text without case and punctuation: generators may make the same name of texts for which this is equal.

    >>> fold_name("casino.LastMove") == fold_name("Casino_lastMove")
    True
    """
    return "".join(sign for sign in text if sign.isidentifier() or sign.isdecimal()).replace("_", "").lower()


class _Names:
    """A set of names that differ in more than case and punctuation."""

    def __init__(self) -> None:
        self._folded: set[str] = set()

    def claim(self, name: str, others: Iterable[str] = ()) -> str:
        """Return and reserve the name, with a number appended where it is taken or one of `others`."""
        own = {*map(fold_name, others)}
        free, number = name, 1
        while (folded := fold_name(free)) in self._folded or folded in own:
            number += 1
            free = f"{name}_{number}"
        self._folded.add(folded)
        return free


class _Rewriter:
    """Rewrites schemas by their places; `components` are the given ones and those that it adds."""

    def __init__(self, names: _Names, given: Mapping[str, Schema]) -> None:
        self._names = names
        self._required = {
            REFERENCE.format(name=name): len(schema.get("required", ())) for name, schema in given.items()
        }
        self.components: dict[str, Schema] = {}

    def add_component(self, name: str, schema: Schema) -> None:
        """Rewrite the schema of a component."""
        self.components[name] = self._with_parts(plain_schema(schema), name)

    def operation(self, operation: Mapping[str, Any], name: str) -> Schema:
        """Return an operation, with its name and its schemas rewritten."""
        rewritten = {**operation, "operationId": name}
        if "parameters" in operation:
            rewritten["parameters"] = [
                parameter | {"schema": self._part(parameter["schema"], f"{name}.{parameter['name']}")}
                for parameter in operation["parameters"]
            ]
        if "requestBody" in operation:
            rewritten["requestBody"] = self._with_content(operation["requestBody"], f"{name}.body")
        rewritten["responses"] = {
            status: self._with_content(response, f"{name}.response_{status}")
            for status, response in operation["responses"].items()
        }
        return rewritten

    def _with_content(self, message: Schema, place: str) -> Schema:
        content = {
            media: body | {"schema": self._part(body["schema"], place)}
            for media, body in message["content"].items()
        }
        return message | {"content": content}

    def _part(self, schema: Schema, place: str) -> Schema:
        """Return the schema at a place; it becomes a component where a generator would give it the name of another class."""
        plain = plain_schema(schema)
        if "enum" not in plain and plain.get("type") != "object":
            return self._with_parts(plain, place)
        preferred = re.sub(r"[^\w.-]", "_", place, flags=re.ASCII)
        name = self._names.claim(preferred, plain.get("properties", ()))
        if name == preferred:
            return self._with_parts(plain, place)
        self.components[name] = self._with_parts(plain, name)
        return {"$ref": REFERENCE.format(name=name)}

    def _with_parts(self, schema: Schema, place: str) -> Schema:
        """Return a schema with its parts rewritten; places are named as generators name them."""
        rewritten = dict(schema)
        if "properties" in schema:
            rewritten["properties"] = {
                name: self._part(_property_schema(part), f"{place}.{name}")
                for name, part in schema["properties"].items()
            }
        for keyword, step in (("items", "item"), ("additionalProperties", "additional_property")):
            if isinstance(schema.get(keyword), dict):
                rewritten[keyword] = self._part(schema[keyword], f"{place}.{step}")
        for keyword, step in (("anyOf", "type"), ("prefixItems", "item_type")):
            if keyword in schema:
                parts = schema[keyword] if keyword == "prefixItems" else self._options(schema)
                rewritten[keyword] = [
                    self._part(part, f"{place}.{step}_{index}") for index, part in enumerate(parts)
                ]
        return rewritten

    def _options(self, union: Schema) -> Sequence[Schema]:
        """Return the options of a union; without a discriminator those that require most are first, as clients try them in turn."""
        options: Sequence[Schema] = union["anyOf"]
        if "discriminator" in union or not all("$ref" in option for option in options):
            return options
        return sorted(options, key=lambda option: -self._required.get(option["$ref"], 0))


def plain_schema(schema: Schema) -> Schema:
    """Return a schema of the same meaning without a title, in keywords that generators know.

    An array has `items` or `prefixItems`, an object `properties` or `additionalProperties`. A tuple has `maxItems` instead
    of `items: false`. An enumeration has values of one type.

    >>> plain_schema({"title": "Rows", "type": "array"})
    {'type': 'array', 'items': {}}
    >>> plain_schema({"enum": ["ace", "king", None]})
    {'anyOf': [{'enum': ['ace', 'king']}, {'type': 'null'}]}
    """
    plain = {keyword: value for keyword, value in schema.items() if keyword != "title"}
    match plain:
        case {"enum": [_, *_] as values}:
            return _plain_enumeration(plain, values)
        case {"type": "array", "prefixItems": prefix, "items": False}:
            del plain["items"]
            return plain | {"maxItems": min(plain.get("maxItems", len(prefix)), len(prefix))}
        case {"type": "array"} if not plain.keys() & {"items", "prefixItems"}:
            return plain | {"items": {}}
        case {"type": "object"} if not plain.keys() & {"properties", "additionalProperties"}:
            return plain | {"additionalProperties": {}}
        case _:
            return plain


def _property_schema(schema: Schema) -> Schema:
    """Return the schema of a property, with a constant for an enumeration of one value, and without a default.

    Generators treat a property with a default as always present, but requests and some replies may omit it. A short default
    is in the description instead.

    >>> _property_schema({"type": "integer", "description": "The seat.", "default": 0})
    {'type': 'integer', 'description': 'The seat. Default: `0`.'}
    >>> _property_schema({"enum": ["ace"]})
    {'const': 'ace'}
    """
    rest = {keyword: value for keyword, value in schema.items() if keyword not in {"default", "enum"}}
    match schema:
        case {"enum": [str() | int() as value]}:
            rest["const"] = value
        case {"enum": values}:
            rest["enum"] = values
    if "default" not in schema:
        return rest
    text = wire.to_json(schema["default"]).decode()
    if text == "null" or len(text) > LONGEST_DEFAULT:
        return rest
    return rest | {"description": f"{rest.get('description', '')} Default: `{text}`.".strip()}


def _plain_enumeration(schema: Schema, values: Sequence[Any]) -> Schema:
    rest = {keyword: value for keyword, value in schema.items() if keyword != "enum"}
    by_type: dict[type, list[Any]] = {}
    for value in values:
        by_type.setdefault(type(value), []).append(value)
    options = [option for kind, members in by_type.items() for option in _choices(kind, members)]
    if len(options) == 1:
        return rest | options[0]
    return schema if "anyOf" in rest else rest | {"anyOf": options}


def _choices(kind: type, values: Sequence[Any]) -> Iterator[Schema]:
    """Yield schemas that together allow exactly the values, which are of one type."""
    if kind is type(None):
        yield {"type": "null"}
    elif kind in {str, int}:
        yield {"enum": [*values], **_member_names(values)}
    else:
        yield from ({"const": value} for value in values)


def _member_names(values: Sequence[str | int]) -> Schema:
    """Return names for an enumeration's members if generators would derive equal names from its values.

    >>> _member_names(["K♠", "K♥"])
    {'x-enum-varnames': ['K_0', 'K_1']}
    """
    texts = [fold_name(value) if value[:1].isalpha() else "" for value in map(str, values)]
    named = [text for text in texts if text]
    if len({*named}) == len(named):
        return {}
    return {"x-enum-varnames": [f"{text.upper() or 'VALUE'}_{index}" for index, text in enumerate(texts)]}

"""JSON schemas of Python types, made from msgspec's public introspection.

It knows neither the API nor its games; `schemas` adds their names and custom types, `generator_schemas` rewrites the
finished description. A schema describes the JSON that `oddsmith.wire` reads and writes. Structs and enumerations are components, which other
schemas refer to by name.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import cleandoc
from typing import Any, Final, get_args, get_origin

import msgspec
from msgspec import inspect

from oddsmith import wire

Schema = dict[str, Any]
Component = inspect.StructType | inspect.EnumType

WHOLE: Final = "^-?[0-9]+$"
EXAMPLE: Final = ">>>"
"""The beginning of a doctest; the description of a schema ends before it."""

_NUMBER: Final = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
_TEXT: Final = {"min_length": "minLength", "max_length": "maxLength", "pattern": "pattern"}
_ARRAY: Final = {"min_length": "minItems", "max_length": "maxItems"}
_OBJECT: Final = {"min_length": "minProperties", "max_length": "maxProperties"}
_KEYWORDS: Final[Mapping[type[inspect.Type], tuple[Schema, Mapping[str, str]]]] = {
    inspect.AnyType: ({}, {}),
    inspect.RawType: ({}, {}),
    inspect.NoneType: ({"type": "null"}, {}),
    inspect.BoolType: ({"type": "boolean"}, {}),
    inspect.IntType: ({"type": "integer"}, _NUMBER),
    inspect.FloatType: ({"type": "number"}, _NUMBER),
    inspect.DecimalType: ({"type": "number"}, {}),  # as `wire` writes them
    inspect.StrType: ({"type": "string"}, _TEXT),
    inspect.BytesType: ({"type": "string", "contentEncoding": "base64"}, {}),
    inspect.DateTimeType: ({"type": "string"}, {}),
    inspect.TimeType: ({"type": "string"}, {}),
    inspect.DateType: ({"type": "string", "format": "date"}, {}),
    inspect.TimeDeltaType: ({"type": "string", "format": "duration"}, {}),
    inspect.UUIDType: ({"type": "string", "format": "uuid"}, {}),
    inspect.ListType: ({"type": "array"}, _ARRAY),
    inspect.VarTupleType: ({"type": "array"}, _ARRAY),
    inspect.SetType: ({"type": "array", "uniqueItems": True}, _ARRAY),
    inspect.FrozenSetType: ({"type": "array", "uniqueItems": True}, _ARRAY),
    inspect.DictType: ({"type": "object"}, _OBJECT),
}
"""The keywords of a type apart from those of its parts, and the keyword of each of its bounds."""


def own_name(kind: Any) -> str:  # noqa: ANN401  a class, or a generic one with arguments
    """Return the name of a class, with its arguments where it is generic.

    >>> own_name(int)
    'int'
    """
    arguments = ", ".join(part.__name__ if isinstance(part, type) else repr(part) for part in get_args(kind))
    name: str = kind.__name__
    return f"{name}[{arguments}]" if arguments else name


def describe_types(
    kinds: Iterable[Any],
    *,
    reference: str,
    custom: Callable[[type], Schema] = wire.schema_hook,
    name: Callable[[Any], str] = own_name,
    requires_all: bool = False,
) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    """Return the schemas of types, and the schemas of the structs and enumerations in them by name.

    `reference` is a template of the place of a component, with its `{name}`. `custom` returns the schema of a type that
    msgspec has no kind for. `name` returns the name of a struct or an enumeration; two that have the same name get their
    module and qualified name instead. With `requires_all` fields with a default are required too, except in structs that
    omit defaults when they are encoded.

    Raise TypeError for a type that is not described: a dataclass, a named tuple, a typed dictionary, a struct as an array.

    >>> describe_types([list[int] | None], reference="#/$defs/{name}")[0]
    ({'anyOf': [{'type': 'array', 'items': {'type': 'integer'}}, {'type': 'null'}]},)
    """
    found = inspect.multi_type_info(kinds)
    components = {component.cls: component for component in _components(found, set())}
    names = _unique_names(components, name)
    generator = _Generator(names=names, reference=reference, custom=custom, requires_all=requires_all)
    described = {names[cls]: generator.component(component) for cls, component in components.items()}
    return tuple(map(generator.schema, found)), described


class _Generator(msgspec.Struct, frozen=True, kw_only=True):
    """Makes schemas by the options of `describe_types`; `names` are those of all components."""

    names: Mapping[Any, str]
    reference: str
    custom: Callable[[type], Schema]
    requires_all: bool

    def schema(self, kind: inspect.Type) -> Schema:  # noqa: PLR0911  one return for each kind of type
        """Return the schema of a type, with references to components; annotations override keywords of the type."""
        match kind:
            case inspect.Metadata(type=inner, extra_json_schema=extra):
                return self.schema(inner) | (extra or {})
            case inspect.StructType() | inspect.EnumType():
                return {"$ref": self._place(kind)}
            case inspect.CustomType(cls=cls):
                return self.custom(cls)
            case inspect.LiteralType(values=values):
                return {"enum": [*values]}
            case inspect.UnionType(types=types):
                return self._union(types)
            case inspect.TupleType(item_types=types):
                return self._tuple(types)
            case inspect.DictType(key_type=key, value_type=value):
                names = self._property_names(key)
                return _keywords(kind, names | self._part("additionalProperties", value))
            case inspect.CollectionType(item_type=item):
                return _keywords(kind, self._part("items", item))
            case _:
                return _keywords(kind, {})

    def component(self, kind: Component) -> Schema:
        """Return the whole schema of a struct or an enumeration."""
        about = {"title": own_name(kind.cls)} | _description(kind.cls)
        if isinstance(kind, inspect.EnumType):
            return about | {"enum": sorted(member.value for member in kind.cls)}
        return about | self._struct(kind)

    def _place(self, kind: Component) -> str:
        return self.reference.format(name=self.names[kind.cls])

    def _part(self, keyword: str, kind: inspect.Type) -> Schema:
        """Return the keyword with the schema of a part; nothing where the part may be anything."""
        return {} if isinstance(kind, inspect.AnyType) else {keyword: self.schema(kind)}

    def _tuple(self, kinds: Sequence[inspect.Type]) -> Schema:
        items = {"prefixItems": [*map(self.schema, kinds)], "items": False} if kinds else {}
        return {"type": "array", "minItems": len(kinds), "maxItems": len(kinds), **items}

    def _property_names(self, key: inspect.Type) -> Schema:
        """Return the schema of an object's keys, which are text in JSON."""
        match _bare(key):
            case inspect.EnumType(cls=cls):
                names: Schema = {"enum": [str(member.value) for member in cls]}
            case inspect.LiteralType(values=values):
                names = {"enum": [str(value) for value in values]}
            case inspect.IntType():
                names = {"pattern": WHOLE}
            case inspect.StrType():
                names = {keyword: value for keyword, value in self.schema(key).items() if keyword != "type"}
            case _:
                names = {}
        return {"propertyNames": names} if names else {}

    def _union(self, kinds: Sequence[inspect.Type]) -> Schema:
        """Return a schema of alternatives: structs, with a discriminator, after other types, and null last."""
        structs = [kind for kind in kinds if isinstance(_bare(kind), inspect.StructType)]
        nulls = [kind for kind in kinds if isinstance(_bare(kind), inspect.NoneType)]
        options = [self.schema(kind) for kind in kinds if kind not in structs and kind not in nulls]
        options += [self._tagged_union(structs)] if len(structs) > 1 else map(self.schema, structs)
        options += map(self.schema, nulls)
        return options[0] if len(options) == 1 else {"anyOf": options}

    def _tagged_union(self, kinds: Sequence[inspect.Type]) -> Schema:
        structs = [kind for kind in map(_bare, kinds) if isinstance(kind, inspect.StructType)]
        mapping = {str(struct.tag): self._place(struct) for struct in structs}
        discriminator = {"propertyName": structs[0].tag_field, "mapping": mapping}
        return {"anyOf": [*map(self.schema, kinds)], "discriminator": discriminator}

    def _struct(self, kind: inspect.StructType) -> Schema:
        if kind.array_like:
            raise TypeError(f"no JSON schema for {kind.cls.__name__}: it is encoded as an array")
        tag = {} if kind.tag_field is None else {kind.tag_field: {"enum": [kind.tag]}}
        fields = {field.encode_name: self.schema(field.type) | _default(field) for field in kind.fields}
        if self.requires_all and not _origin(kind.cls).__struct_config__.omit_defaults:
            required = [*tag, *fields]
        else:
            required = [*tag, *(field.encode_name for field in kind.fields if field.required)]
        closed = {"additionalProperties": False} if kind.forbid_unknown_fields else {}
        return {"type": "object", "properties": tag | fields, "required": required, **closed}


def _keywords(kind: inspect.Type, parts: Schema) -> Schema:
    """Return the keywords of a type, those of its parts, and those of its bounds."""
    if type(kind) not in _KEYWORDS:
        raise TypeError(f"no JSON schema for {kind!r}")
    keywords, bounds = _KEYWORDS[type(kind)]
    values = {keyword: getattr(kind, bound) for bound, keyword in bounds.items()}
    return keywords | parts | {keyword: value for keyword, value in values.items() if value is not None}


def _default(field: inspect.Field) -> Schema:
    """Return the default of a field as JSON; nothing where it has none, or a factory makes it."""
    if field.default is not msgspec.NODEFAULT:
        return {"default": wire.to_builtins(field.default)}
    if field.default_factory in {list, dict, set}:
        return {"default": wire.to_builtins(field.default_factory())}
    return {}


def _description(cls: object) -> Schema:
    """Return the docstring of a class up to its example; nothing where it has none."""
    text = cleandoc(_origin(cls).__doc__ or "").partition(EXAMPLE)[0].strip()
    return {"description": text} if text else {}


def _origin(cls: Any) -> Any:  # noqa: ANN401  a class, or a generic one with arguments
    return get_origin(cls) or cls


def _bare(kind: inspect.Type) -> inspect.Type:
    """Return a type without its annotations."""
    return _bare(kind.type) if isinstance(kind, inspect.Metadata) else kind


def _unique_names(classes: Iterable[Any], name: Callable[[Any], str]) -> dict[Any, str]:
    names = {cls: re.sub(r"[^\w.-]", "_", name(cls), flags=re.ASCII) for cls in classes}
    counts = Counter(names.values())
    return {
        cls: known if counts[known] == 1 else f"{cls.__module__}.{cls.__qualname__}"
        for cls, known in names.items()
    }


def _components(kinds: Iterable[inspect.Type], known: set[Any]) -> Iterator[Component]:
    """Yield every struct and enumeration that types are made of, once."""
    for kind in kinds:
        if isinstance(kind, inspect.StructType | inspect.EnumType):
            if kind.cls in known:
                continue
            known.add(kind.cls)
            yield kind
        yield from _components(_parts(kind), known)


def _parts(kind: inspect.Type) -> Iterable[inspect.Type]:
    match kind:
        case inspect.StructType(fields=fields):
            return [field.type for field in fields]
        case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
            return types
        case inspect.DictType(key_type=key, value_type=value):
            return [key, value]
        case inspect.CollectionType(item_type=inner) | inspect.Metadata(type=inner):
            return [inner]
        case _:
            return []

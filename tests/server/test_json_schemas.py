"""JSON schemas of each kind of type, equal to msgspec's where defaults need no hook."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar
from uuid import UUID

import msgspec
import pytest
from msgspec import Meta, Raw

from oddsmith import wire
from oddsmith.points import Points
from oddsmith.server.json_schemas import Schema, describe_types

T = TypeVar("T")
REFERENCE = "#/$defs/{name}"


class Suit(Enum):
    """The suit of a tile."""

    WIND = "wind"
    BAMBOO = "bamboo"


class Size(IntEnum):
    """A number with a name."""

    SMALL = 1
    LARGE = 2


class Walk(msgspec.Struct, tag="walk", tag_field="type"):
    """Steps."""

    steps: int


class Jump(msgspec.Struct, tag="jump", tag_field="type", forbid_unknown_fields=True):
    """A height."""

    height: float = 1.5


class Climb(msgspec.Struct):
    """A way up.

    It has steps.

    >>> Climb()
    Climb()
    """


class Tile(msgspec.Struct, rename="camel"):
    main_suit: Suit
    next_tile: "Tile | None" = None
    old_names: list[str] = []
    made: dict[str, int] = msgspec.field(default_factory=lambda: {"a": 1})


class Brief(msgspec.Struct, frozen=True, omit_defaults=True):
    """Says only what differs."""

    first: int
    second: int = 2


class Prices(msgspec.Struct, frozen=True):
    """Defaults that have no JSON form of their own."""

    fee: Points = Points("2.5")
    odds: Fraction = Fraction(1, 3)
    factor: Decimal = Decimal("0.1")
    counts: Mapping[Size, Points] = wire.frozen_mapping({Size.SMALL: Points(3)})
    brief: Brief = Brief(first=1)


class Pair(msgspec.Struct, Generic[T]):
    """Two of a kind."""

    left: T
    right: T


class Place(NamedTuple):
    row: int


class Row(msgspec.Struct, array_like=True):
    cells: int


MOVES: Schema = {
    "anyOf": [{"$ref": "#/$defs/Walk"}, {"$ref": "#/$defs/Jump"}],
    "discriminator": {
        "propertyName": "type",
        "mapping": {"walk": "#/$defs/Walk", "jump": "#/$defs/Jump"},
    },
}


def schema_of(kind: Any) -> Schema:  # noqa: ANN401  a type
    """Return the schema of one type."""
    [schema], _ = describe_types([kind], reference=REFERENCE)
    return schema


def component_of(kind: Any, *, requires_all: bool = False) -> Schema:  # noqa: ANN401  a type
    """Return the schema of a struct or an enumeration itself."""
    _, components = describe_types([kind], reference=REFERENCE, requires_all=requires_all)
    return components[kind.__name__]


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        (Any, {}),
        (Raw, {}),
        (None, {"type": "null"}),
        (bool, {"type": "boolean"}),
        (int, {"type": "integer"}),
        (Annotated[int, Meta(ge=1, le=6)], {"type": "integer", "minimum": 1, "maximum": 6}),
        (
            Annotated[float, Meta(gt=0, lt=1, multiple_of=0.25)],
            {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "multipleOf": 0.25},
        ),
        (
            Annotated[str, Meta(min_length=1, max_length=3, pattern="^a")],
            {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^a"},
        ),
        (Decimal, {"type": "number"}),
        (bytes, {"type": "string", "contentEncoding": "base64"}),
        (date, {"type": "string", "format": "date"}),
        (datetime, {"type": "string"}),
        (time, {"type": "string"}),
        (timedelta, {"type": "string", "format": "duration"}),
        (UUID, {"type": "string", "format": "uuid"}),
        (Points, {"type": "number", "description": "exact points with at most two decimals"}),
        (
            Annotated[Points, Meta(description="a fee", extra_json_schema={"x-unit": "coin"})],
            {"type": "number", "description": "a fee", "x-unit": "coin"},
        ),
        (
            Annotated[int, Meta(title="Count", extra_json_schema={"type": ["integer", "null"]})],
            {"type": ["integer", "null"], "title": "Count"},
        ),
        (Annotated[int, Meta(extra={"unit": "coin"})], {"type": "integer"}),
        (Literal["b", "a"], {"enum": ["a", "b"]}),
        (list, {"type": "array"}),
        (
            Annotated[list[int], Meta(min_length=1, max_length=2)],
            {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2},
        ),
        (set[int], {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
        (frozenset[int], {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (tuple[()], {"type": "array", "minItems": 0, "maxItems": 0}),
        (
            tuple[int, str],
            {
                "type": "array",
                "prefixItems": [{"type": "integer"}, {"type": "string"}],
                "items": False,
                "minItems": 2,
                "maxItems": 2,
            },
        ),
        (dict, {"type": "object"}),
        (
            Annotated[dict[str, int], Meta(min_length=1, max_length=2)],
            {
                "type": "object",
                "additionalProperties": {"type": "integer"},
                "minProperties": 1,
                "maxProperties": 2,
            },
        ),
        (
            dict[Annotated[str, Meta(max_length=3)], Any],
            {"type": "object", "propertyNames": {"maxLength": 3}},
        ),
        (dict[int, Any], {"type": "object", "propertyNames": {"pattern": "^-?[0-9]+$"}}),
        (dict[Size, Any], {"type": "object", "propertyNames": {"enum": ["1", "2"]}}),
        (dict[Literal[2, 1], Any], {"type": "object", "propertyNames": {"enum": ["1", "2"]}}),
        (dict[UUID, Any], {"type": "object"}),
        (Suit, {"$ref": "#/$defs/Suit"}),
        (Annotated[Suit, Meta(description="its suit")], {"$ref": "#/$defs/Suit", "description": "its suit"}),
        (Walk | None, {"anyOf": [{"$ref": "#/$defs/Walk"}, {"type": "null"}]}),
        (None | Walk | int, {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/Walk"}, {"type": "null"}]}),
        (Walk | Jump, MOVES),
        (Walk | Jump | None | str, {"anyOf": [{"type": "string"}, MOVES, {"type": "null"}]}),
    ],
    ids=str,
)
def test_each_kind_of_type_has_its_schema(kind: object, schema: Schema) -> None:
    """With bounds, and with references to structs and enumerations."""
    assert schema == schema_of(kind)


def test_an_enumeration_lists_its_values_in_order() -> None:
    """Its values are sorted; its name and docstring describe it."""
    assert {
        "title": "Suit",
        "description": "The suit of a tile.",
        "enum": ["bamboo", "wind"],
    } == component_of(Suit)


def test_a_struct_is_an_object_with_its_fields() -> None:
    """Fields have their JSON names; a default is in the schema unless a function makes it."""
    assert {
        "title": "Tile",
        "type": "object",
        "properties": {
            "mainSuit": {"$ref": "#/$defs/Suit"},
            "nextTile": {"anyOf": [{"$ref": "#/$defs/Tile"}, {"type": "null"}], "default": None},
            "oldNames": {"type": "array", "items": {"type": "string"}, "default": []},
            "made": {"type": "object", "additionalProperties": {"type": "integer"}},
        },
        "required": ["mainSuit"],
    } == component_of(Tile)


def test_a_tagged_struct_requires_its_tag() -> None:
    """Unknown fields are forbidden if the struct forbids them."""
    assert {
        "title": "Jump",
        "description": "A height.",
        "type": "object",
        "properties": {"type": {"enum": ["jump"]}, "height": {"type": "number", "default": 1.5}},
        "required": ["type"],
        "additionalProperties": False,
    } == component_of(Jump)


def test_the_example_of_a_docstring_is_no_description() -> None:
    """The text before it is, without indentation."""
    assert "A way up.\n\nIt has steps." == component_of(Climb)["description"]


def test_all_fields_are_required_unless_defaults_are_omitted() -> None:
    """With `requires_all`, except where a struct is encoded without its defaults."""
    assert ["type", "height"] == component_of(Jump, requires_all=True)["required"]
    assert ["first"] == component_of(Brief, requires_all=True)["required"]


def test_defaults_have_their_json_form() -> None:
    """Points, fractions, decimals, frozen mappings and structs."""
    properties = component_of(Prices)["properties"]

    assert {
        "fee": Decimal("2.5"),
        "odds": "1/3",
        "factor": Decimal("0.1"),
        "counts": {"1": 3},
        "brief": {"first": 1},
    } == {name: schema["default"] for name, schema in properties.items()}


def test_components_of_one_name_are_prefixed_with_their_module() -> None:
    """Others keep their name; references follow."""
    other = msgspec.defstruct("Walk", [("miles", int)], module="elsewhere")
    schemas, components = describe_types(
        [Walk, other, Brief], reference="{name}", name=lambda cls: cls.__name__
    )

    assert [f"{__name__}.Walk", "elsewhere.Walk", "Brief"] == [*components]
    assert [{"$ref": name} for name in components] == [*schemas]


@pytest.mark.parametrize("kind", [Place, Row, list[Place]], ids=str)
def test_a_type_without_a_schema_is_refused(kind: object) -> None:
    """Named tuples and structs that are encoded as arrays are refused."""
    with pytest.raises(TypeError, match="no JSON schema for"):
        schema_of(kind)


@pytest.mark.parametrize(
    "kind",
    [
        Annotated[int, Meta(ge=0, description="a count", examples=[1])],
        Annotated[dict[Annotated[str, Meta(pattern="^x")], list[Walk]], Meta(max_length=3)],
        Literal[1, "a", True],
        tuple[Suit, Size, Walk | Jump | None],
        Tile,
        Brief | list[Brief] | None,
        tuple[Pair[int], Pair[str], Pair[list[int]]],
        frozenset[date | int],
    ],
    ids=str,
)
def test_schemas_equal_those_of_msgspec(kind: object) -> None:
    """For types without special defaults, decimals, and object keys that are no text."""
    theirs = msgspec.json.schema_components([kind], schema_hook=wire.schema_hook, ref_template=REFERENCE)

    assert theirs == describe_types([kind], reference=REFERENCE)

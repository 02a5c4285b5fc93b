"""Schemas that are rewritten for generators keep their meaning, and get names that stay distinct in any generator."""

import re
from typing import Annotated, Any, Final, Literal

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from oddsmith.server.generator_schemas import fold_name, plain_schema, rewrite_for_generators
from oddsmith.server.json_schemas import Schema
from oddsmith.server.schemas import component_schemas

TEXTS: Final = st.sampled_from(["", "a", "b", "none", "K♠", "K♥"])
VALUES: Final = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 4) | st.floats(0, 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


class Part(msgspec.Struct, frozen=True):
    """A part of a score."""

    points: int


class ScoreParts(msgspec.Struct, frozen=True):
    """A name that a generator gives to the parts of a score."""

    first: Part


class ScoreKind(msgspec.Struct, frozen=True):
    """A generator gives its property the same name as one of a score."""

    a: Literal["p", "q"]


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """A score whose fields have every kind of schema that is rewritten."""

    parts: dict[str, ScoreParts]
    kind_a: Literal["x", "y"]
    kind: ScoreKind
    card: Literal["K♠", "K♥"]
    case: Literal["a", "A", "1"]
    mixed: Literal[1, 2, "a"] | None
    target: Literal["none"] | int
    nothing: tuple[()]
    pair: tuple[int, str]
    anything: list[Any]
    table: dict[str, Any]
    notes: Annotated[dict[str, int], Meta(title="Notes")]
    remarks: Annotated[dict[str, int], Meta(title="Notes")]
    character: str | Part = Part(points=1)
    size: int = 3


class Total(msgspec.Struct, frozen=True):
    """It has the same name as its property."""

    total: Score


SCORE: Final = msgspec.defstruct("SCORE", [("sum", int)])
"""A type whose name differs from another's by case alone."""
SAMPLE: Final[dict[str, Any]] = {
    "parts": {"a": {"first": {"points": 1}}},
    "kind_a": "y",
    "kind": {"a": "q"},
    "card": "K♥",
    "case": "A",
    "mixed": "a",
    "target": 2,
    "nothing": [],
    "pair": [1, "one"],
    "anything": [None, {}],
    "table": {"b": [1]},
    "notes": {"c": 1},
    "remarks": {"d": 2},
    "character": {"points": 2},
    "size": 4,
}


def describe(*kinds: Any) -> Schema:  # noqa: ANN401  types
    """Return a description of operations that take and send types, before it is rewritten."""
    schemas, components = component_schemas(kinds)
    return {
        "openapi": "3.1.0",
        "info": {"title": "scores", "version": "1"},
        "paths": {
            f"/{index}": {
                "post": {
                    "operationId": "score" if index else "Score",
                    "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
                    "responses": {
                        "200": {"description": "Done.", "content": {"application/json": {"schema": schema}}}
                    },
                }
            }
            for index, schema in enumerate(schemas)
        },
        "components": {"schemas": components},
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"title": "Rows", "type": "array"},
        {"title": "Table", "type": "object", "minProperties": 1},
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False},
        {"type": "array", "prefixItems": [{"type": "integer"}], "items": False, "minItems": 1, "maxItems": 1},
        {"type": "array", "prefixItems": [{"type": "null"}, {"type": "null"}], "items": False, "maxItems": 1},
        {"enum": ["a"]},
        {"enum": ["a", 1, 2, None, True]},
        {"enum": [None, "K♠", "K♥"]},
        {"enum": ["a", None], "anyOf": [{"type": "string"}]},
        {"enum": [None]},
        {"enum": []},
        {"type": "string", "enum": ["a", "b"]},
    ],
    ids=str,
)
@given(value=VALUES)
def test_a_plain_schema_accepts_the_same_values(schema: Schema, value: object) -> None:
    before, after = map(jsonschema_rs.Draft202012Validator, (schema, plain_schema(schema)))

    assert before.is_valid(value) == after.is_valid(value)


@given(
    value=VALUES
    | st.just(SAMPLE)
    | st.builds(lambda key, value: SAMPLE | {key: value}, st.sampled_from([*SAMPLE]), VALUES)
)
def test_a_rewritten_component_accepts_the_same_values(value: object) -> None:
    before = describe(Score)
    after = rewrite_for_generators(before)
    renamed = after["paths"]["/0"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    [old, new] = [
        jsonschema_rs.Draft202012Validator({**schema, "components": described["components"]})
        for schema, described in (
            ({"$ref": "#/components/schemas/Score"}, before),
            (renamed, after),
        )
    ]

    assert old.is_valid(SAMPLE)
    assert old.is_valid(value) == new.is_valid(value)


def test_no_two_names_differ_by_case_and_punctuation_alone() -> None:
    """No component has the name of one of its properties."""
    rewritten = rewrite_for_generators(describe(Total, SCORE))
    schemas = rewritten["components"]["schemas"]
    operations = [methods["post"]["operationId"] for methods in rewritten["paths"].values()]

    assert len(schemas) == len({*map(fold_name, schemas)})
    assert ["Score", "score_2"] == operations
    assert all(
        fold_name(property_name) != fold_name(name)
        for name, schema in schemas.items()
        for property_name in schema.get("properties", ())
    )


def test_a_schema_whose_class_name_would_clash_becomes_a_component() -> None:
    """The mapping of the parts of a score is not named `ScoreParts`, and its kind is not that of a `ScoreKind`."""
    schemas = rewrite_for_generators(describe(Score))["components"]["schemas"]
    score = schemas["Score"]["properties"]

    assert {"$ref": "#/components/schemas/Score.parts_2"} == score["parts"]
    assert {"$ref": "#/components/schemas/ScoreParts"} == schemas["Score.parts_2"]["additionalProperties"]
    assert ["x", "y"] == score["kind_a"]["enum"]
    assert {"$ref": "#/components/schemas/ScoreKind.a_2"} == schemas["ScoreKind"]["properties"]["a"]


def test_members_of_an_enumeration_get_names_where_values_give_none() -> None:
    """Values that differ by signs or case get different names."""
    score = rewrite_for_generators(describe(Score))["components"]["schemas"]["Score"]["properties"]

    assert ["K_0", "K_1"] == score["card"]["x-enum-varnames"]
    assert ["VALUE_0", "A_1", "A_2"] == score["case"]["x-enum-varnames"]
    assert "x-enum-varnames" not in score["kind_a"]


def test_of_a_union_what_requires_most_comes_first() -> None:
    """A generated client takes the first type that can be read; a score can be read as a part of one."""
    union = {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Part", "Score")]}
    described = describe(Score)
    described["paths"]["/0"]["post"]["requestBody"]["content"]["application/json"]["schema"] = union
    body = rewrite_for_generators(described)["paths"]["/0"]["post"]["requestBody"]

    assert union["anyOf"][::-1] == body["content"]["application/json"]["schema"]["anyOf"]


def test_no_property_has_a_default() -> None:
    """The description says it, if it is short."""
    text = str(rewrite_for_generators(describe(Score)))

    assert "'default'" not in text
    assert re.search(r"Default: `3`\.", text)

"""Faults of JSON input: sentences in plain words, and the path of the field."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from oddsmith import wire
from oddsmith.decoding_faults import FORM, TOML_NAMES, UNKNOWN, describe_fault, describe_toml_fault
from oddsmith.errors import DecodingError, Refusal, RulesError
from oddsmith.rules import read_toml

VALUE_MISSING = "there is no value: write text in quotation marks, a number, true, false, a list or a table"


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=2, max_length=5)] = "any"


class Side(Enum):
    HEADS = "heads"
    TAILS = "tails"


class Circle(msgspec.Struct, tag="circle", forbid_unknown_fields=True):
    radius: int


class Square(msgspec.Struct, tag="square", forbid_unknown_fields=True):
    side: int


class Sample(msgspec.Struct, forbid_unknown_fields=True):
    """A field of each kind."""

    count: Annotated[int, Meta(ge=1, le=9)]
    share: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    pair: tuple[int, int] = (0, 0)
    many: Annotated[list[Inner], Meta(max_length=2)] = []
    word: Literal["one", "two"] = "one"
    code: Annotated[str, Meta(pattern="^[a-z]+$")] = "a"
    name: Annotated[str, Meta(pattern="^[a-z]+$", extra={FORM: "lower-case letters"})] = "a"
    either: str | list[int] | None = None
    shape: Circle | Square | None = None
    weights: Mapping[Side, int] = {}
    sides: dict[str, list[Side]] = {}


@pytest.mark.parametrize(
    ("given", "where", "sentence"),
    [
        ({"count": 0}, "count", "count: expected a whole number of at least 1"),
        ({"count": 10}, "count", "count: expected a whole number of at most 9"),
        ({"count": "1"}, "count", "count: expected a whole number, not text"),
        ({"count": True}, "count", "count: expected a whole number, not true or false"),
        ({"count": 1, "share": 0}, "share", "share: expected a number greater than 0"),
        ({"count": 1, "share": 1}, "share", "share: expected a number less than 1"),
        ({"count": 1, "pair": [1]}, "pair", "pair: expected a list of 2 entries"),
        ({"count": 1, "pair": [1, None]}, "pair[1]", "pair[1]: expected a whole number, not null"),
        ({"count": 1, "many": [{}] * 3}, "many", "many: expected a list of at most 2 entries"),
        (
            {"count": 1, "many": [{}, {"name": "x"}]},
            "many[1].name",
            "many[1].name: expected text of at least 2 characters",
        ),
        ({"count": 1, "many": [{"x": 1}]}, "many[0].x", "there is no field 'x'; known: name"),
        ({"count": 1, "word": "three"}, "word", "word: 'three' is unknown; known: one, two"),
        ({"count": 1, "code": "A"}, "code", "code: expected text of another form"),
        ({"count": 1, "either": 5}, "either", "either: expected text, a list or null, not a whole number"),
        ({"count": 1, "word": "tow"}, "word", "word: 'tow' is unknown — did you mean 'two'? Known: one, two"),
        ({"count": 1, "name": "A"}, "name", "name: expected lower-case letters"),
        (
            {"count": 1, "shape": {"type": "disc"}},
            "shape.type",
            "shape.type: 'disc' is unknown; known: circle, square",
        ),
        (
            {"count": 1, "shape": {"type": "square", "edge": 5}},
            "shape.edge",
            "there is no field 'edge'; known: radius, side",
        ),
        ({"count": 1, "weights": {"edge": 1}}, "weights", "weights: 'edge' is unknown; known: heads, tails"),
        (
            {"count": 1, "sides": {"a": ["edge"]}},
            "sides",
            "sides: 'edge' is unknown; known: heads, tails",
        ),
        ({}, "count", "the field 'count' is missing"),
        ([], None, "expected an object, not a list"),
    ],
)
def test_a_fault_has_a_path_and_plain_words(given: Any, where: str | None, sentence: str) -> None:  # noqa: ANN401  any JSON
    assert (sentence, where) == fault_of(msgspec.json.encode(given))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"{", "this is not JSON: it ends too early"),
        (b"?", "this is not JSON: byte 0 cannot be there"),
        (b'{"word":"\xff"}', "the text is not UTF-8"),
    ],
)
def test_text_that_is_no_json_is_refused(text: bytes, sentence: str) -> None:
    assert (sentence, None) == fault_of(text)


def test_an_unknown_message_is_not_repeated() -> None:
    assert (UNKNOWN, "deep") == describe_fault("Cannot frobnicate - at `$.deep`")
    assert ("the number is beyond all bounds", "share") == describe_fault(
        "Number out of range - at `$.share`"
    )
    assert (UNKNOWN, "line 2, column 1") == describe_toml_fault("Frobnicated (at line 2, column 1)")


def test_plain_data_are_refused_with_their_code_and_the_words_of_their_format() -> None:
    with pytest.raises(DecodingError) as caught:
        wire.from_builtins({"many": {}}, Sample, names=TOML_NAMES, code="bad_move")

    assert Refusal("bad_move", "many: expected a list, not a table", "many") == caught.value.refusal


@pytest.mark.parametrize(
    ("text", "where", "sentence"),
    [
        ("a", "end of document", "a key needs = and a value after it"),
        ("a = 1\na = 2\n", "line 2, column 6", "the key is given twice"),
        ("a = [1", "end of document", "a list is not closed with ]"),
        ("[a\n", "line 1, column 3", "the heading of a table is not closed with ]"),
        ("[[a]\n", "line 1, column 4", "the heading of an array of tables is not closed with ]]"),
        ("[a]\n[a]", "line 2, column 3", "the table is given twice"),
        ("a = {b = 1\n}", "line 1, column 11", "a table is not closed with }"),
        ("a = {b = 1, b = 2}", "line 1, column 18", "the key is given twice"),
        ('a = "x', "end of document", "a text is not closed with its quotation mark"),
        ("a = 'x", "end of document", "a text is not closed with its quotation mark"),
        ('a = "\\q"', "line 1, column 8", "a backslash in a text begins no known sequence"),
        ("a = 1 2", "line 1, column 7", "a line has more than one statement"),
        ("a = 2026-02-30", "line 1, column 5", "there is no such date or time"),
        ("a = yes", "line 1, column 5", VALUE_MISSING),
        ("= 1", "line 1, column 1", "a line begins with a key or with the heading of a table"),
        ("a. = 1", "line 1, column 4", "a key begins with a letter, a digit, _, - or a quotation mark"),
        ("a = 1 # \x00", "line 1, column 9", "there is a character that cannot be in a line"),
        (f"a = {'9' * 5_000}", None, UNKNOWN),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_fault_of_toml_has_a_line_and_plain_words(text: str, where: str | None, sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        read_toml(text)

    placed = f"{where}: {sentence}" if where else sentence
    assert Refusal("bad_toml", f"not TOML: {placed}", where) == caught.value.refusal


def fault_of(text: bytes) -> tuple[str, str | None]:
    with pytest.raises(DecodingError) as caught:
        wire.from_json(text, Sample)
    return caught.value.refusal.sentence, caught.value.refusal.where

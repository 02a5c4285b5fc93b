"""Faults of JSON input: sentences in plain words, and the path of the field."""

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from oddsmith import wire
from oddsmith.decoding_faults import UNKNOWN, describe_fault
from oddsmith.errors import InputError


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=2, max_length=5)] = "any"


class Sample(msgspec.Struct, forbid_unknown_fields=True):
    """A field of each kind."""

    count: Annotated[int, Meta(ge=1, le=9)]
    share: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    pair: tuple[int, int] = (0, 0)
    many: Annotated[list[Inner], Meta(max_length=2)] = []
    word: Literal["one", "two"] = "one"
    code: Annotated[str, Meta(pattern="^[a-z]+$")] = "a"
    either: str | list[int] | None = None


@pytest.mark.parametrize(
    ("given", "where", "sentence"),
    [
        ({"count": 0}, "count", "count: expected a whole number of at least 1"),
        ({"count": 10}, "count", "count: expected a whole number of at most 9"),
        ({"count": "1"}, "count", "count: expected a whole number, not text"),
        ({"count": True}, "count", "count: expected a whole number, not true or false"),
        ({"count": 1, "share": 0}, "share", "share: expected a number greater than 0.0"),
        ({"count": 1, "share": 1}, "share", "share: expected a number less than 1.0"),
        ({"count": 1, "pair": [1]}, "pair", "pair: expected a list of 2 entries"),
        ({"count": 1, "pair": [1, None]}, "pair[1]", "pair[1]: expected a whole number, not null"),
        ({"count": 1, "many": [{}] * 3}, "many", "many: expected a list of at most 2 entries"),
        (
            {"count": 1, "many": [{}, {"name": "x"}]},
            "many[1].name",
            "many[1].name: expected text of at least 2 characters",
        ),
        ({"count": 1, "many": [{"x": 1}]}, "many[0].x", "there is no field 'x'"),
        ({"count": 1, "word": "three"}, "word", "word: 'three' is no possible value"),
        ({"count": 1, "code": "A"}, "code", "code: expected text of another form"),
        ({"count": 1, "either": 5}, "either", "either: expected text, a list or null, not a whole number"),
        ({}, "count", "the field 'count' is missing"),
        ([], None, "expected an object, not a list"),
    ],
)
def test_a_fault_has_a_path_and_plain_words(given: Any, where: str | None, sentence: str) -> None:  # noqa: ANN401  any JSON
    assert (sentence, where) == fault_of(msgspec.json.encode(given))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"{", "the request is no JSON: it ends too early"),
        (b"?", "the request is no JSON: invalid character (byte 0)"),
    ],
)
def test_text_that_is_no_json_is_refused(text: bytes, sentence: str) -> None:
    assert (sentence, None) == fault_of(text)


def test_an_unknown_message_is_not_repeated() -> None:
    assert (f"deep: {UNKNOWN}", "deep") == describe_fault("Cannot frobnicate - at `$.deep`")


def fault_of(text: bytes) -> tuple[str, str | None]:
    with pytest.raises(InputError) as caught:
        wire.from_json(text, Sample)
    return describe_fault(caught.value.refusal.sentence)

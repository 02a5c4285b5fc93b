"""Fields of a request: their command-line options, and refused values."""

from typing import Annotated, Literal

import pytest
from tests.core.flips import Coin, Face, FlipsRequest

from oddsmith.errors import InputError, Refusal
from oddsmith.question import Request, fields_of, option, read_field, read_request, without_spreads

FIELDS = {field.name: field for field in fields_of(FlipsRequest)}


def test_options_are_the_marked_fields_with_spread_structs_in_their_place() -> None:
    assert [*FIELDS] == ["flips", "weights", "tokens", "notes", "wanted", "face", "full"]
    assert FIELDS["weights"].path == ("coin", "weights")


def test_a_field_knows_its_bounds_its_choices_and_whether_it_is_a_flag() -> None:
    assert (FIELDS["flips"].ge, FIELDS["flips"].le, FIELDS["flips"].is_required) == (1, 20, True)
    assert FIELDS["face"].choices == ("heads", "tails")
    assert FIELDS["full"].is_flag
    assert FIELDS["tokens"].item_kind is str


class CoinRequest(Request, frozen=True, kw_only=True):
    metal: Annotated[Literal["gold", "silver"] | None, option("Its metal.", noun="metal")] = None


def test_a_literal_is_one_of_its_values() -> None:
    (metal,) = fields_of(CoinRequest)

    assert (metal.choices, metal.item_kind, metal.pair_kinds) == (("gold", "silver"), None, None)
    assert read_field(metal, "gold") == "gold"
    with pytest.raises(InputError, match="unknown metal 'lead'; known: gold, silver"):
        read_field(metal, "lead")


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("weights", ["heads=2", "tails = 3"], {"heads": 2, "tails": 3}),
        ("notes", ["first", "second=2"], {"first": None, "second": 2}),
        ("tokens", ["a", "b"], ["a", "b"]),
        ("face", "tails", "tails"),
        ("flips", 3, 3),
    ],
)
def test_texts_of_a_command_line_are_converted_to_plain_data(
    name: str, given: object, expected: object
) -> None:
    assert read_field(FIELDS[name], given) == expected


@pytest.mark.parametrize(
    ("name", "given", "code", "sentence"),
    [
        ("weights", ["heads"], "bad_pair", "--weight needs NAME=VALUE, such as heads=2, not 'heads'"),
        ("weights", ["heads=x"], "not_whole", "a weight is a whole number, not 'x'"),
        ("weights", ["heads=1", "heads=2"], "given_twice", "weight 'heads' is given twice"),
        ("weights", ["edge=1"], "unknown_face", "unknown face 'edge'; known: heads, tails"),
        ("face", "edge", "unknown_face", "unknown face 'edge'; known: heads, tails"),
    ],
)
def test_an_invalid_text_is_refused_with_a_code_and_a_sentence(
    name: str, given: object, code: str, sentence: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_field(FIELDS[name], given)

    assert (caught.value.refusal.code, caught.value.refusal.sentence) == (code, sentence)


def test_plain_data_are_converted_to_a_request() -> None:
    request = read_request(FlipsRequest, {"flips": 3, "coin": {"weights": {"tails": 2}}})

    assert request.coin == Coin(weights={Face.TAILS: 2})


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            {"flips": 3, "wanted": 21},
            Refusal("bad_wanted", "from 0 to 20 heads may be wanted, not 21", "wanted", "1.2"),
        ),
        ({"flips": 0}, Refusal("bad_value", "flips: expected a whole number of at least 1", "flips")),
        (
            {"flips": 1, "coin": {"weights": {"heads": "x"}}},
            Refusal(
                "bad_value", "coin.weights.heads: expected a whole number, not text", "coin.weights.heads"
            ),
        ),
    ],
    ids=["a bound with a code of its own", "a bound without", "inside a union"],
)
def test_a_value_out_of_bounds_is_refused_with_its_path(data: dict[str, object], expected: Refusal) -> None:
    with pytest.raises(InputError) as caught:
        read_request(FlipsRequest, data)

    assert caught.value.refusal == expected


def test_a_command_line_gets_the_path_without_the_spread_field() -> None:
    refusal = Refusal("bad_value", "coin.weights.heads: expected a whole number", "coin.weights.heads")

    assert without_spreads(FlipsRequest, refusal).where == "weights.heads"
    assert without_spreads(FlipsRequest, Refusal("x", "wanted: no", "wanted")).where == "wanted"

"""Values as JSON: read back unchanged, or refused with a code."""

import subprocess
import sys
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.cards import JOKERS, STANDARD_DECK, Card, Rank, Suit, cards
from oddsmith.errors import InputError
from oddsmith.points import LARGEST, Points
from oddsmith.wire import from_builtins, from_json, frozen_mapping, schema_hook, to_builtins, to_json


class Hand(msgspec.Struct, frozen=True):
    cards: tuple[Card, ...]
    score: Points
    odds: Fraction
    bonuses: Mapping[Suit, Points]
    ranks: Mapping[Rank, int]


hands = st.builds(
    Hand,
    cards=st.lists(st.sampled_from(STANDARD_DECK + JOKERS)).map(tuple),
    score=st.integers(-100 * LARGEST, 100 * LARGEST).map(Points.of_hundredths),
    odds=st.fractions(),
    bonuses=st.dictionaries(st.sampled_from(Suit), st.integers(-999, 999).map(Points.of_hundredths)).map(
        frozen_mapping
    ),
    ranks=st.dictionaries(st.sampled_from(Rank), st.integers(0, 4)).map(frozen_mapping),
)


@given(hands)
def test_values_are_read_back_from_json_and_plain_data(hand: Hand) -> None:
    """Cards, points, fractions and mappings."""
    assert hand == from_json(to_json(hand), Hand)
    assert hand == from_json(to_json(hand, canonical=True).decode(), Hand)
    assert hand == from_builtins(to_builtins(hand), Hand)


def test_json_is_readable() -> None:
    """Cards are text, points are numbers, fractions are text, and decimals keep their digits."""
    value = {
        "hand": cards("A♠ 10♦"),
        "whole": Points(500),
        "part": Points("636.4"),
        "odds": Fraction(1, 3),
        "rate": Decimal("0.750"),
    }

    assert '{"hand":["A♠","10♦"],"whole":500,"part":636.4,"odds":"1/3","rate":0.750}'.encode() == to_json(
        value
    )


def test_the_canonical_form_does_not_depend_on_the_order_of_keys() -> None:
    """Equal mappings have equal canonical bytes."""
    first, second = {"b": 1, "a": {"d": 2, "c": 3}}, {"a": {"c": 3, "d": 2}, "b": 1}

    assert b'{"a":{"c":3,"d":2},"b":1}' == to_json(first, canonical=True) == to_json(second, canonical=True)
    assert to_json(first) != to_json(second)


def test_plain_data_have_text_keys_and_decimals() -> None:
    """They have only values that TOML and JSON can express."""
    plain = to_builtins(
        {Rank.ACE: Points("1.5"), Rank.TWO: (Fraction(1, 2), frozen_mapping({Suit.SPADES: 1}))}
    )

    assert {"14": Decimal("1.5"), "2": ("1/2", {"spades": 1})} == plain


@pytest.mark.parametrize(
    ("text", "kind", "code"),
    [
        ("5", Card, "bad_value"),
        ('"1♠"', Card, "unknown_card"),
        ('"x"', Points, "not_a_number"),
        ("1.005", Points, "too_many_decimals"),
        ("true", Points, "not_a_number"),
        ("[]", Points, "not_a_number"),
        ('"1/0"', Fraction, "bad_value"),
        ('"0.5"', Fraction, "bad_value"),
        ('"1e999999999"', Fraction, "bad_value"),
        (f'"{"9" * 4_001}"', Fraction, "bad_value"),
        ("0.5", Fraction, "bad_value"),
        ("[1,", list, "bad_json"),
        ("{}", list, "bad_json"),
        ('["a"]', list[int], "bad_json"),
        ("[" * 100_000, object, "bad_json"),
        (b'"\xff"', str, "bad_json"),
        ('"\ud800"', str, "bad_json"),
    ],
    ids=range(17),
)
def test_invalid_values_are_refused(text: str | bytes, kind: type[object], code: str) -> None:
    """Bad JSON, bad text and bad values are input errors."""
    with pytest.raises(InputError) as caught:
        from_json(text, kind)

    assert code == caught.value.refusal.code
    assert 200 > len(caught.value.refusal.sentence)


def test_an_unknown_type_is_a_programming_error() -> None:
    """It has neither JSON nor a schema."""
    with pytest.raises(NotImplementedError, match="no JSON form for object"):
        to_json(object())
    with pytest.raises(NotImplementedError, match="no schema for object"):
        schema_hook(object)


@pytest.mark.parametrize(("kind", "form"), [(Points, "number"), (Card, "string"), (Fraction, "string")])
def test_every_value_has_a_schema(kind: type[object], form: str) -> None:
    """A program in another language can read it."""
    schema = msgspec.json.schema(kind, schema_hook=schema_hook)

    assert form == schema["type"]
    assert schema["description"]


def test_a_frozen_mapping_cannot_be_changed_at_any_depth() -> None:
    """Neither the mapping, nor an inner one, nor through the mapping it was made from."""
    source: dict[str, Any] = {"a": {"b": 1}}
    frozen: Any = frozen_mapping(source)
    source["a"]["b"] = 2

    assert {"a": {"b": 1}} == frozen
    for mapping in (frozen, frozen["a"]):
        with pytest.raises(TypeError):
            mapping["b"] = 2


@given(st.integers(-1_000_000_000, 1_000_000_000))
def test_points_are_written_with_all_their_digits(hundredths: int) -> None:
    """JSON has their exact decimal."""
    points = Points.of_hundredths(hundredths)

    assert str(points) == to_json(points).decode()


AT_ONCE = """
import sys
import threading
from typing import Annotated

import msgspec

from oddsmith import wire

sys.setswitchinterval(0.00001)


def nested(depth):
    kind = int
    for number in range(depth):
        hints = {"inside": kind | None, "text": Annotated[str, msgspec.Meta(max_length=number + 5)]}
        kind = msgspec.defstruct(f"Kind{number}", [(name, hint, None) for name, hint in hints.items()])
    return kind


def read(kind, gate):
    gate.wait()
    wire.from_builtins({"inside": {"inside": {"text": "x"}}}, kind)


for _ in range(20):
    kind, gate = nested(30), threading.Barrier(3)
    threads = [threading.Thread(target=read, args=(kind, gate)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print("all read")
"""


def test_threads_may_use_a_new_type_concurrently() -> None:
    """In another process, because a crash would end this one."""
    ran = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True, check=False)

    assert (0, "all read\n") == (ran.returncode, ran.stdout)

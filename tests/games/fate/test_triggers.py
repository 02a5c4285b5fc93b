"""The trigger language (§4): a parser with limits, never run as code."""

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.cards import Suit
from oddsmith.errors import InputError, Refusal
from oddsmith.games.fate.rules import DEFAULT
from oddsmith.games.fate.triggers import (
    And,
    AtLeast,
    Both,
    Compare,
    Face,
    Not,
    Nothing,
    Or,
    Pair,
    Single,
    Trigger,
    fires,
    read_trigger,
)
from tests.games.fate.builders import refusal

SPADE, HEART = frozenset({Suit.SPADES}), frozenset({Suit.HEARTS})
RED, BLACK = frozenset({Suit.HEARTS, Suit.DIAMONDS}), frozenset({Suit.SPADES, Suit.CLUBS})


def parse_cards(text: str) -> list[Face]:
    return [DEFAULT.faces[name] for name in text.split()]


def fires_for(trigger: str, cards: str) -> bool:
    return fires(read_trigger(trigger), parse_cards(cards))


READ = {
    "single(spade)": Single(SPADE),
    "single(spade, heart)": Single(SPADE | HEART),
    "both(red)": Both(RED),
    "pair(spade, black)": Pair(SPADE, BLACK),
    "at_least(2, any)": AtLeast(2, frozenset(Suit)),
    "none(♥,♦)": Nothing(RED),
    "sum >= 5": Compare("sum", ">=", 5),
    "cards!=1000": Compare("cards", "!=", 1000),
    "lowest<-1": Compare("lowest", "<", -1),
    "sum >= -1000": Compare("sum", ">=", -1000),
    "sum == 0000000005": Compare("sum", "==", 5),
    "highest < 03": Compare("highest", "<", 3),
    "  NOT\tBoth ( Spades ) ": Not(Both(SPADE)),
    "not not sum > 1": Not(Not(Compare("sum", ">", 1))),
    "((lowest == 0))": Compare("lowest", "==", 0),
}


@pytest.mark.parametrize(("text", "trigger"), READ.items(), ids=READ)
def test_4_1_triggers_are_parsed(text: str, trigger: Trigger) -> None:
    """Words in any case, suits by name or sign, blanks anywhere."""
    assert trigger == read_trigger(text)


@pytest.mark.parametrize(
    ("word", "suits"),
    [
        *((word, {suit}) for suit in Suit for word in (suit.value, suit.value[:-1], suit.symbol)),
        ("red", {Suit.HEARTS, Suit.DIAMONDS}),
        ("black", {Suit.SPADES, Suit.CLUBS}),
        ("any", set(Suit)),
    ],
)
def test_4_1_spellings_of_suits(word: str, suits: set[Suit]) -> None:
    """Three for each suit, and three for sets of suits."""
    assert Single(frozenset(suits)) == read_trigger(f"single({word})")


def test_4_1_not_binds_closest_then_and_then_or() -> None:
    """Equal operators associate from the left; parentheses override."""
    one, two, three = Single(SPADE), Single(HEART), Compare("cards", "==", 1)
    texts = "single(♠)", "single(♥)", "cards == 1"

    assert Or(one, And(two, three)) == read_trigger("{} or {} and {}".format(*texts))
    assert Or(And(one, two), three) == read_trigger("{} and {} or {}".format(*texts))
    assert And(Or(one, two), three) == read_trigger("({} or {}) and {}".format(*texts))
    assert And(Not(one), two) == read_trigger("not {} and {}".format(*texts))
    assert Not(And(one, two)) == read_trigger("not ({} and {})".format(*texts))
    assert And(And(one, two), three) == read_trigger("{} and {} and {}".format(*texts))
    assert Or(Or(one, two), three) == read_trigger("{} or {} or {}".format(*texts))


CONDITIONS = "single, both, pair, at_least, none, cards, sum, highest, lowest, not"
SUITS = "spade, heart, club, diamond, red, black, any"
FAULTS = {
    "": (1, f"expected a condition, not the end; known: {CONDITIONS}"),
    "   ": (4, f"expected a condition, not the end; known: {CONDITIONS}"),
    "singel(spade)": (1, f"expected a condition, not 'singel' — did you mean 'single'? Known: {CONDITIONS}"),
    "single(spdae)": (8, f"'spdae' is no suit — did you mean 'spade'? Known: {SUITS}"),
    "single(": (8, f"expected a suit, not the end; known: {SUITS}"),
    "single()": (8, f"')' is no suit; known: {SUITS}"),
    "single spade": (8, "expected '(', not 'spade'"),
    "single(spade": (13, "expected ')', not the end"),
    "single(spade,)": (14, f"')' is no suit; known: {SUITS}"),
    "single(spade))": (14, "expected and, or, or the end, not ')'"),
    "single(spade) both(heart)": (15, "expected and, or, or the end, not 'both'"),
    "single(spade) and": (18, f"expected a condition, not the end; known: {CONDITIONS}"),
    "or sum > 1": (1, f"expected a condition, not 'or'; known: {CONDITIONS}"),
    "(sum > 1": (9, "expected ')', not the end"),
    "pair(spade)": (11, "expected ',', not ')'"),
    "pair(spade, heart, club)": (18, "expected ')', not ','"),
    "at_least(spade)": (10, "expected a number from 0 to 1000, not 'spade'"),
    "at_least(1 spade)": (12, "expected ',', not 'spade'"),
    "sum": (4, "expected a comparison such as sum >= 3, not the end"),
    "sum = 3": (5, "'=' is in no trigger"),
    "sum => 3": (5, "'=' is in no trigger"),
    "sum > > 3": (7, "expected a number from -1000 to 1000, not '>'"),
    "sum > - 1": (7, "'-' is in no trigger"),
    "sum > 1001": (7, "expected a number from -1000 to 1000, not '1001'"),
    "sum > -1001": (7, "expected a number from -1000 to 1000, not '-1001'"),
    "at_least(-1, red)": (10, "expected a number from 0 to 1000, not '-1'"),
    "sum > 123456": (7, "expected a number from -1000 to 1000, not '123456'"),
    "sum > ٣": (7, "'٣' is in no trigger"),
    "sum > 3; import os": (8, "';' is in no trigger"),
    "__import__(os)": (1, f"expected a condition, not '__import__'; known: {CONDITIONS}"),
    "İ": (1, "'İ' is in no trigger"),
    "sum > 3 \u00a0 ß": (11, "'ß' is in no trigger"),
}


@pytest.mark.parametrize(("text", "fault"), FAULTS.items(), ids=map(repr, FAULTS))
def test_4_1_an_error_has_its_position(text: str, fault: tuple[int, str]) -> None:
    """Counted from 1; a position behind the text means that something is missing there."""
    refused = refusal(lambda: read_trigger(text))
    at, sentence = fault

    assert ("bad_trigger", str(at)) == (refused.code, refused.where)
    assert f"trigger, at {at}: {sentence}" == refused.sentence


def test_4_1_nesting_is_limited_to_twenty() -> None:
    """Parentheses and `not` count together."""
    deep = "not " * 10 + "(" * 10 + "sum > 1" + ")" * 10
    refused = refusal(lambda: read_trigger(f"({deep})"))

    assert fires(read_trigger(deep), parse_cards("3♠")) is True
    assert "parentheses and nots are nested at most 20 deep" in refused.sentence
    assert "bad_trigger" == refusal(lambda: read_trigger("(" * 500)).code


def test_4_1_a_trigger_has_at_most_500_characters() -> None:
    longest = " and ".join(["sum>0"] * 50)
    refused = refusal(lambda: read_trigger("x" * 501))

    assert 495 == len(longest)
    assert fires(read_trigger(longest + " " * 5), parse_cards("3♠")) is True
    assert "trigger, at 501: a trigger has at most 500 characters, not 501" == refused.sentence
    assert ("bad_trigger", "501") == (refused.code, refused.where)


WORDS = st.sampled_from(
    [
        *"()♥,é<",
        "single",
        "both",
        "pair",
        "at_least",
        "none",
        "not",
        "and",
        "or",
        "spade",
        "red",
        "sum",
        ">=",
        "2",
        "1001",
        "İ",
    ]
)


@pytest.mark.sweep
@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=12).map(" ".join)))
def test_4_1_any_text_is_parsed_or_refused_with_a_position(text: str) -> None:
    """The position is in the text or just behind it."""
    found = parse_or_refusal(text)

    if isinstance(found, Refusal):
        assert "bad_trigger" == found.code
        assert 1 <= int(found.where or 0) <= len(text) + 1
    else:
        assert fires(found, parse_cards("RJ BJ")) in {True, False}


def parse_or_refusal(text: str) -> Trigger | Refusal:
    try:
        return read_trigger(text)
    except InputError as error:
        return error.refusal


SOME_SUITS = st.sets(st.sampled_from(list(Suit)), min_size=1).map(frozenset)
TRIGGERS: st.SearchStrategy[Trigger] = st.recursive(
    st.one_of(
        st.builds(Single, SOME_SUITS),
        st.builds(Both, SOME_SUITS),
        st.builds(Pair, SOME_SUITS, SOME_SUITS),
        st.builds(AtLeast, st.integers(0, 3), SOME_SUITS),
        st.builds(Nothing, SOME_SUITS),
        st.builds(
            Compare,
            st.sampled_from(["cards", "sum", "highest", "lowest"]),
            st.sampled_from(["<", "<=", "==", "!=", ">=", ">"]),
            st.integers(0, 6),
        ),
    ),
    lambda inner: st.one_of(st.builds(Not, inner), st.builds(And, inner, inner), st.builds(Or, inner, inner)),
    max_leaves=5,
)
CARDS = st.lists(
    st.sampled_from([*DEFAULT.faces.values()]) | st.builds(Face, st.integers(-2, 3), st.just("wild")),
    min_size=1,
    max_size=4,
)


@given(TRIGGERS, CARDS)
def test_4_2_a_wild_card_has_one_suit_for_the_whole_expression(trigger: Trigger, cards: list[Face]) -> None:
    """A trigger fires if and only if it does with some suit in place of each wild card."""
    choices = [[Face(face.value, suit) for suit in Suit] if face.suit == "wild" else [face] for face in cards]

    assert any(fires(trigger, chosen) for chosen in product(*choices)) == fires(trigger, cards)


@given(TRIGGERS, st.lists(st.sampled_from([face for face in DEFAULT.faces.values() if face.suit != "wild"]),
                          min_size=1, max_size=3))  # fmt: skip
def test_4_4_without_wild_cards_either_a_trigger_or_its_negation_fires(
    trigger: Trigger, cards: Sequence[Face]
) -> None:
    assert fires(trigger, cards) is not fires(Not(trigger), cards)


NEVER = ["both(spade) and both(heart)", "single(spade) and not single(spade)", "both(spade) and none(spade)"]


@pytest.mark.parametrize("text", NEVER)
@pytest.mark.parametrize("cards", ["RJ 3♠", "RJ 3♥", "RJ BJ", "RJ", "3♠ 3♥"])
def test_4_2_a_joker_is_never_two_suits_at_once(text: str, cards: str) -> None:
    """Its suit is chosen once for the whole expression."""
    assert not fires_for(text, cards)


def test_4_2_a_joker_may_fire_a_condition_and_its_negation() -> None:
    """With a club it counts as a spade for `single(spade)`, and as none for the negation."""
    assert fires_for("single(spade)", "RJ 3♣")
    assert fires_for("not single(spade)", "RJ 3♣")
    assert fires_for("not single(spade)", "RJ 3♠")
    assert fires_for("none(spade, heart, club)", "RJ")
    assert fires_for("single(spade) and single(heart)", "RJ 3♠")


@pytest.mark.parametrize("text", ["single(any)", "both(any)", "pair(any, any)", "at_least(2, any)"])
def test_4_3_a_card_without_suit_matches_no_suit(text: str) -> None:
    """The black joker is in no set of suits."""
    others = [name for name in DEFAULT.deck if name != "BJ"]

    assert not fires_for(text, "BJ")
    assert {text == "single(any)"} == {fires_for(text, f"BJ {other}") for other in others}
    assert fires_for("none(any)", "BJ")
    assert fires_for("cards == 2 and sum == 6 and highest == 3", "BJ 3♠")


def test_4_4_both_and_pair_need_exactly_two_cards() -> None:
    for text in ("both(spade)", "pair(spade, spade)"):
        assert [False, True, False] == [fires_for(text, cards) for cards in ("3♠", "3♠ 2♠", "3♠ 2♠ A♠")]

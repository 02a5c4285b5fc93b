"""The trigger language (§4): read with care, never run as code."""

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


def drawn(text: str) -> list[Face]:
    return [DEFAULT.faces[name] for name in text.split()]


def fired(trigger: str, cards: str) -> bool:
    return fires(read_trigger(trigger), drawn(cards))


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
def test_4_1_what_is_read(text: str, trigger: Trigger) -> None:
    """Words in any case, suits by name or sign, blanks wherever one likes."""
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
def test_4_1_words_for_suits(word: str, suits: set[Suit]) -> None:
    """Three for each suit, and three for several."""
    assert Single(frozenset(suits)) == read_trigger(f"single({word})")


def test_4_1_not_binds_closest_then_and_then_or() -> None:
    """Equal signs from left to right; parentheses say otherwise."""
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
def test_4_1_a_fault_is_told_with_its_place(text: str, fault: tuple[int, str]) -> None:
    """The place is counted from 1; one behind the text means that something is missing there."""
    refused = refusal(lambda: read_trigger(text))
    at, sentence = fault

    assert ("bad_trigger", str(at)) == (refused.code, refused.where)
    assert f"trigger, at {at}: {sentence}" == refused.sentence


def test_4_1_twenty_deep_and_no_deeper() -> None:
    """Parentheses and nots are counted together."""
    deep = "not " * 10 + "(" * 10 + "sum > 1" + ")" * 10
    refused = refusal(lambda: read_trigger(f"({deep})"))

    assert fires(read_trigger(deep), drawn("3♠")) is True
    assert "parentheses and nots are nested at most 20 deep" in refused.sentence
    assert "bad_trigger" == refusal(lambda: read_trigger("(" * 500)).code


def test_4_1_five_hundred_characters_and_no_more() -> None:
    """However they are filled."""
    longest = " and ".join(["sum>0"] * 50)
    refused = refusal(lambda: read_trigger("x" * 501))

    assert 495 == len(longest)
    assert fires(read_trigger(longest + " " * 5), drawn("3♠")) is True
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


@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=12).map(" ".join)))
def test_4_1_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    """Nothing else comes of it, whatever it is; the place is one of the text, or the one behind it."""
    found = read_or_refused(text)

    if isinstance(found, Refusal):
        assert "bad_trigger" == found.code
        assert 1 <= int(found.where or 0) <= len(text) + 1
    else:
        assert fires(found, drawn("RJ BJ")) in {True, False}


def read_or_refused(text: str) -> Trigger | Refusal:
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
def test_4_2_a_wild_card_is_one_suit_for_the_whole_expression(trigger: Trigger, cards: list[Face]) -> None:
    """A trigger fires if it does with one of the four suits in the place of each wild card, and only then."""
    choices = [[Face(face.value, suit) for suit in Suit] if face.suit == "wild" else [face] for face in cards]

    assert any(fires(trigger, chosen) for chosen in product(*choices)) == fires(trigger, cards)


@given(TRIGGERS, st.lists(st.sampled_from([face for face in DEFAULT.faces.values() if face.suit != "wild"]),
                          min_size=1, max_size=3))  # fmt: skip
def test_4_4_without_wild_cards_logic_is_plain(trigger: Trigger, cards: Sequence[Face]) -> None:
    """A trigger or its opposite fires, never both."""
    assert fires(trigger, cards) is not fires(Not(trigger), cards)


NEVER = ["both(spade) and both(heart)", "single(spade) and not single(spade)", "both(spade) and none(spade)"]


@pytest.mark.parametrize("text", NEVER)
@pytest.mark.parametrize("cards", ["RJ 3♠", "RJ 3♥", "RJ BJ", "RJ", "3♠ 3♥"])
def test_4_2_a_joker_is_never_two_suits_at_once(text: str, cards: str) -> None:
    """It is chosen once for the whole expression."""
    assert not fired(text, cards)


def test_4_2_a_joker_may_be_what_it_likes_and_what_it_likes_not() -> None:
    """Beside a club it is a spade for a single spade, and none for its opposite."""
    assert fired("single(spade)", "RJ 3♣")
    assert fired("not single(spade)", "RJ 3♣")
    assert fired("not single(spade)", "RJ 3♠")
    assert fired("none(spade, heart, club)", "RJ")
    assert fired("single(spade) and single(heart)", "RJ 3♠")


@pytest.mark.parametrize("text", ["single(any)", "both(any)", "pair(any, any)", "at_least(2, any)"])
def test_4_3_a_card_without_suit_never_counts(text: str) -> None:
    """The black joker is in no set, beside anything."""
    others = [name for name in DEFAULT.deck if name != "BJ"]

    assert not fired(text, "BJ")
    assert {text == "single(any)"} == {fired(text, f"BJ {other}") for other in others}
    assert fired("none(any)", "BJ")
    assert fired("cards == 2 and sum == 6 and highest == 3", "BJ 3♠")


def test_4_4_both_and_pair_need_two_cards() -> None:
    """Neither one nor three."""
    for text in ("both(spade)", "pair(spade, spade)"):
        assert [False, True, False] == [fired(text, cards) for cards in ("3♠", "3♠ 2♠", "3♠ 2♠ A♠")]

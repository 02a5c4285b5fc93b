"""Cards: spellings, text, and limits by the deck."""

import copy
import pickle
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.cards import JOKERS, STANDARD_DECK, Card, Rank, Suit, card, cards, without, write_cards
from oddsmith.errors import InputError

ALL = STANDARD_DECK + JOKERS
hands = st.lists(st.sampled_from(STANDARD_DECK), unique=True)


def spellings(known: Card) -> list[str]:
    if known.suit is None:
        return [known.text, known.text.lower()]
    suits = [known.suit.symbol, known.suit.symbol + "\ufe0f", known.suit[0].upper(), known.suit[0]]
    ranks = ["10", "T", "t"] if known.rank is Rank.TEN else [known.rank.text, known.rank.text.lower()]
    return [rank + suit for rank, suit in product(ranks, suits)]


def test_the_deck_has_each_card_once_in_order() -> None:
    """Fifty-two cards, spades first, twos first, numbered from 0; then two jokers."""
    suits = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)

    assert [(suit, rank) for suit in suits for rank in range(2, 15)] == [
        (c.suit, c.rank) for c in STANDARD_DECK
    ]
    assert list(range(54)) == [known.index for known in ALL]
    assert ["RJ", "BJ"] == [known.text for known in JOKERS]
    assert [(Rank.JOKER, None)] * 2 == [(known.rank, known.suit) for known in JOKERS]
    assert sorted(set(ALL)) == list(ALL)


@pytest.mark.parametrize("known", ALL, ids=str)
def test_every_spelling_of_every_card_is_that_card(known: Card) -> None:
    """Symbols, letters, T for ten, any case, an emoji mark and surrounding spaces."""
    for text in spellings(known):
        assert known is card(text)
        assert known is card(f" {text} ")


def test_cards_are_written_with_rank_and_symbol() -> None:
    """A card's repr is the call that makes it."""
    assert "2♠ 10♥ J♣ Q♦ K♠ A♥ RJ" == write_cards(cards("2s th jc qd ks ah rj", deck=ALL))
    assert "card('10♥')" == repr(card("10h"))


@given(st.lists(st.sampled_from(ALL), unique=True))
def test_written_cards_are_read_back(held: list[Card]) -> None:
    """In the same order, with commas or spaces."""
    text = write_cards(held)

    assert tuple(held) == cards(text, deck=ALL)
    assert tuple(held) == cards(text.replace(" ", ", "), deck=ALL)


@pytest.mark.parametrize("text", ["", "A", "♠", "1♠", "11♠", "A♠♠", "AX", "joker", "♠A", "A ♠", "4ſ"])
def test_an_invalid_card_is_refused_by_name(text: str) -> None:
    """The refusal quotes the wrong token, not the whole text."""
    with pytest.raises(InputError) as caught:
        card(text)

    assert "unknown_card" == caught.value.refusal.code
    assert f"'{text}' is no card" in caught.value.refusal.sentence


def test_the_wrong_token_among_many_is_named() -> None:
    """A long one is cut."""
    with pytest.raises(InputError, match=r"^'1D' is no card"):
        cards("A♠ K♠ 1D Q♠ J♠")
    with pytest.raises(InputError, match=r"^'x{20}' is no card"):
        cards("x" * 500)


def test_a_card_occurs_at_most_as_often_as_in_the_deck() -> None:
    """A duplicate is refused by name; two decks have two, and the standard deck has no joker."""
    with pytest.raises(InputError, match=r"^A♠ occurs more often") as caught:
        cards("A♠ K♦ as")
    with pytest.raises(InputError, match=r"^RJ occurs more often"):
        cards("RJ")

    assert "card_too_often" == caught.value.refusal.code
    assert 2 * cards("A♠") == cards("A♠ A♠", deck=STANDARD_DECK * 2)


@given(hands, st.data())
def test_without_removes_exactly_the_given_cards(pool: list[Card], data: st.DataObject) -> None:
    """The rest is sorted."""
    gone = data.draw(st.lists(st.sampled_from(pool), unique=True) if pool else st.just([]))

    assert tuple(sorted(set(pool) - set(gone))) == without(pool, gone)


def test_missing_cards_cannot_be_removed() -> None:
    """The refusal names them."""
    with pytest.raises(InputError, match=r"^not in the pool: Q♠ J♠$") as caught:
        without(cards("A♠ K♠"), cards("A♠ Q♠ J♠"))

    assert "card_not_held" == caught.value.refusal.code


def test_a_card_is_a_singleton_and_immutable() -> None:
    """Copies and pickles are the same object, and no attribute can be set."""
    ace = card("A♠")
    with pytest.raises(AttributeError, match="immutable"):
        ace.rank = Rank.TWO

    assert ace is copy.deepcopy(ace) is pickle.loads(pickle.dumps(ace))  # noqa: S301  our own bytes

"""The ten poker hands and their known frequencies."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.cards import JOKERS, STANDARD_DECK, Card, cards
from oddsmith.errors import InputError
from oddsmith.poker import HandRank, MadeHand, classify

SHORT_DECK_FREQUENCIES = {
    HandRank.ROYAL_FLUSH: 4,
    HandRank.STRAIGHT_FLUSH: 12,
    HandRank.FOUR_OF_A_KIND: 224,
    HandRank.FULL_HOUSE: 1_344,
    HandRank.FLUSH: 208,
    HandRank.STRAIGHT: 4_080,
    HandRank.THREE_OF_A_KIND: 10_752,
    HandRank.TWO_PAIR: 24_192,
    HandRank.PAIR: 107_520,
    HandRank.HIGH_CARD: 53_040,
}


def test_all_hands_of_a_deck_from_seven_up_have_their_known_frequencies() -> None:
    """All 201,376 hands of 32 cards, one by one; the whole deck is counted in the tests of hand classes."""
    deck = [held for held in STANDARD_DECK if held.number >= 7]

    assert SHORT_DECK_FREQUENCIES == Counter(classify(hand).rank for hand in combinations(deck, 5))


@pytest.mark.parametrize(
    ("text", "rank", "matched"),
    [
        ("10♠ J♠ Q♠ K♠ A♠", HandRank.ROYAL_FLUSH, "10♠ J♠ Q♠ K♠ A♠"),
        ("9♥ K♥ Q♥ J♥ 10♥", HandRank.STRAIGHT_FLUSH, "9♥ K♥ Q♥ J♥ 10♥"),
        ("A♦ 2♦ 3♦ 4♦ 5♦", HandRank.STRAIGHT_FLUSH, "A♦ 2♦ 3♦ 4♦ 5♦"),
        ("7♠ 7♥ 2♣ 7♣ 7♦", HandRank.FOUR_OF_A_KIND, "7♠ 7♥ 7♣ 7♦"),
        ("7♠ 2♥ 7♣ 2♦ 7♦", HandRank.FULL_HOUSE, "7♠ 2♥ 7♣ 2♦ 7♦"),
        ("2♣ 9♣ J♣ K♣ A♣", HandRank.FLUSH, "2♣ 9♣ J♣ K♣ A♣"),
        ("A♠ 2♥ 3♣ 4♦ 5♠", HandRank.STRAIGHT, "A♠ 2♥ 3♣ 4♦ 5♠"),
        ("10♠ J♥ Q♠ K♠ A♠", HandRank.STRAIGHT, "10♠ J♥ Q♠ K♠ A♠"),
        ("7♠ 2♥ 7♣ 3♦ 7♦", HandRank.THREE_OF_A_KIND, "7♠ 7♣ 7♦"),
        ("7♠ 2♥ 7♣ 3♦ 2♦", HandRank.TWO_PAIR, "7♠ 2♥ 7♣ 2♦"),
        ("K♠ K♦ A♣ 7♥ 3♠", HandRank.PAIR, "K♠ K♦"),
        ("K♠ Q♦ A♣ 7♥ 3♠", HandRank.HIGH_CARD, ""),
        ("Q♠ K♥ A♣ 2♦ 3♠", HandRank.HIGH_CARD, ""),
        ("J♠ Q♠ K♥ A♣ 2♦", HandRank.HIGH_CARD, ""),
        ("K♠ A♥ 2♣ 3♦ 4♠", HandRank.HIGH_CARD, ""),
    ],
)
def test_each_hand_is_recognised(text: str, rank: HandRank, matched: str) -> None:
    """With its matched cards in the order of the hand; an ace is high or low, never between."""
    assert MadeHand(rank, cards(matched)) == classify(cards(text))


@pytest.mark.parametrize(
    ("text", "rank", "matched"),
    [
        ("", HandRank.HIGH_CARD, ""),
        ("A♠", HandRank.HIGH_CARD, ""),
        ("A♠ A♥", HandRank.PAIR, "A♠ A♥"),
        ("2♠ A♠ A♥", HandRank.PAIR, "A♠ A♥"),
        ("2♠ 3♠ A♠ A♥", HandRank.PAIR, "A♠ A♥"),
        ("A♠ 2♠ A♥ 2♥", HandRank.TWO_PAIR, "A♠ 2♠ A♥ 2♥"),
        ("A♠ A♥ A♦", HandRank.THREE_OF_A_KIND, "A♠ A♥ A♦"),
        ("A♠ 2♠ A♥ A♦", HandRank.THREE_OF_A_KIND, "A♠ A♥ A♦"),
        ("A♠ A♥ A♦ A♣", HandRank.FOUR_OF_A_KIND, "A♠ A♥ A♦ A♣"),
        ("10♠ J♠ Q♠ K♠", HandRank.HIGH_CARD, ""),
        ("2♠ 3♥ 4♣ 5♦", HandRank.HIGH_CARD, ""),
    ],
)
def test_fewer_than_five_cards_make_pairs_but_no_straight_or_flush(
    text: str, rank: HandRank, matched: str
) -> None:
    """Equal ranks match in a hand of any size; straights and flushes need five cards."""
    assert MadeHand(rank, cards(matched)) == classify(cards(text))


@given(
    st.permutations(range(5)), st.lists(st.sampled_from(STANDARD_DECK), min_size=5, max_size=5, unique=True)
)
def test_the_order_of_the_cards_does_not_matter(order: list[int], held: list[Card]) -> None:
    first, second = classify(held), classify([held[index] for index in order])

    assert first.rank == second.rank
    assert set(first.matched) == set(second.matched)


def test_jokers_match_no_other_card() -> None:
    """A joker has no suit and is below the two: it completes no straight and no flush."""
    joker = JOKERS[:1]

    assert MadeHand(HandRank.HIGH_CARD, ()) == classify(joker + cards("2♠ 3♠ 4♠ 5♠"))
    assert MadeHand(HandRank.PAIR, JOKERS) == classify(JOKERS + cards("2♠ 3♠ 4♠"))


def test_five_of_a_rank_contain_four_of_a_kind() -> None:
    """Two decks can give five aces: all of them are matched."""
    aces = cards("A♠ A♥ A♦ A♣ A♠", deck=STANDARD_DECK * 2)

    assert MadeHand(HandRank.FOUR_OF_A_KIND, aces) == classify(aces)


@pytest.mark.parametrize("text", ["A♠ K♠ Q♠ J♠ 10♠ 9♠", "A♠ A♥ Q♠ Q♥ 10♠ 10♥"])
def test_more_than_five_cards_are_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        classify(cards(text))

    assert "too_many_cards" == caught.value.refusal.code


def test_hands_are_listed_strongest_first_with_names() -> None:
    """The ten hands from the royal flush down."""
    assert list(SHORT_DECK_FREQUENCIES) == list(HandRank)
    assert "three of a kind" == HandRank.THREE_OF_A_KIND.words

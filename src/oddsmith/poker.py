"""Classification of poker hands of up to five cards."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from oddsmith.cards import Card, Rank
from oddsmith.errors import InputError

__all__ = ["FULL_HAND", "HandRank", "MadeHand", "classify"]

FULL_HAND: Final = 5
_WHEEL: Final = (2, 3, 4, 5, 14)


class HandRank(StrEnum):
    """The ten hands, strongest first; cards make the first that matches."""

    ROYAL_FLUSH = "royal_flush"
    STRAIGHT_FLUSH = "straight_flush"
    FOUR_OF_A_KIND = "four_of_a_kind"
    FULL_HOUSE = "full_house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    THREE_OF_A_KIND = "three_of_a_kind"
    TWO_PAIR = "two_pair"
    PAIR = "pair"
    HIGH_CARD = "high_card"

    __hash__ = str.__hash__  # a dict with hands as keys is also searched by their texts

    @property
    def words(self) -> str:
        """The name for people: `royal flush`."""
        return self.replace("_", " ")


class MadeHand(NamedTuple):
    """A hand, and the cards that make it; none for a high card."""

    rank: HandRank
    matched: tuple[Card, ...]


_BY_COUNTS: Final = {
    (5,): HandRank.FOUR_OF_A_KIND,  # two decks or more
    (4, 1): HandRank.FOUR_OF_A_KIND,
    (4,): HandRank.FOUR_OF_A_KIND,
    (3, 2): HandRank.FULL_HOUSE,
    (3, 1, 1): HandRank.THREE_OF_A_KIND,
    (3, 1): HandRank.THREE_OF_A_KIND,
    (3,): HandRank.THREE_OF_A_KIND,
    (2, 2, 1): HandRank.TWO_PAIR,
    (2, 2): HandRank.TWO_PAIR,
    (2, 1, 1, 1): HandRank.PAIR,
    (2, 1, 1): HandRank.PAIR,
    (2, 1): HandRank.PAIR,
    (2,): HandRank.PAIR,
}


def classify(held: Sequence[Card]) -> MadeHand:
    """Return the hand that at most five cards make; straights and flushes need five. Raise `InputError` for more cards.

    >>> from oddsmith.cards import cards
    >>> classify(cards("A♠ 2♥ 3♣ 4♦ 5♠")).rank
    <HandRank.STRAIGHT: 'straight'>
    >>> classify(cards("K♠ K♦ A♣ 7♥ 3♠"))
    MadeHand(rank=<HandRank.PAIR: 'pair'>, matched=(card('K♠'), card('K♦')))
    """
    if len(held) > FULL_HAND:
        raise InputError("too_many_cards", f"a hand has at most {FULL_HAND} cards, not {len(held)}")
    numbers = sorted([known.number for known in held])
    if len(set(numbers)) == len(numbers):
        return _unmatched(held, numbers)
    counts = sorted([numbers.count(number) for number in set(numbers)], reverse=True)
    matched = tuple([known for known in held if numbers.count(known.number) > 1])
    return MadeHand(_BY_COUNTS[tuple(counts)], matched)


def _unmatched(held: Sequence[Card], numbers: Sequence[int]) -> MadeHand:
    if len(held) != FULL_HAND:
        return MadeHand(HandRank.HIGH_CARD, ())
    straight = numbers[-1] - numbers[0] == FULL_HAND - 1 or tuple(numbers) == _WHEEL
    suit = held[0].suit
    flush = all(known.suit is suit for known in held)
    if straight and flush:
        royal = numbers[0] == Rank.TEN
        return MadeHand(HandRank.ROYAL_FLUSH if royal else HandRank.STRAIGHT_FLUSH, tuple(held))
    if flush:
        return MadeHand(HandRank.FLUSH, tuple(held))
    if straight:
        return MadeHand(HandRank.STRAIGHT, tuple(held))
    return MadeHand(HandRank.HIGH_CARD, ())

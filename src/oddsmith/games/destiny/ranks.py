"""The ranks of hands in the Destiny Deck: the ten of poker, and five of a kind, which needs jokers or several decks."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from oddsmith import poker
from oddsmith.cards import Card
from oddsmith.poker import FULL_HAND


class HandRank(StrEnum):
    """The ten hands of poker, strongest first; after them five of a kind, which comes before all of them (§1.6)."""

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
    FIVE_OF_A_KIND = "five_of_a_kind"

    __hash__ = str.__hash__  # a dict with hands as keys is also searched by their texts

    @property
    def words(self) -> str:
        """The name for people: `royal flush`."""
        return self.replace("_", " ")


STANDARD_RANKS: Final[tuple[HandRank, ...]] = tuple(
    rank for rank in HandRank if rank is not HandRank.FIVE_OF_A_KIND
)
"""The ranks that one deck without jokers can make, strongest first."""
BY_STRENGTH: Final[tuple[HandRank, ...]] = (HandRank.FIVE_OF_A_KIND, *STANDARD_RANKS)
"""All ranks, strongest first: a hand makes the first that matches."""

_OWN: Final[Mapping[poker.HandRank, HandRank]] = {rank: HandRank(rank.value) for rank in poker.HandRank}
_BELOW_FLUSH: Final = {HandRank.THREE_OF_A_KIND, HandRank.TWO_PAIR, HandRank.PAIR}


class MadeHand(NamedTuple):
    """A hand, and the cards that make it; none for a high card."""

    rank: HandRank
    matched: tuple[Card, ...]


def classify(held: Sequence[Card]) -> MadeHand:
    """Return the hand that five cards without jokers make (§1.2, §1.6).

    >>> from oddsmith.cards import STANDARD_DECK, cards
    >>> twice = (*STANDARD_DECK, *STANDARD_DECK)
    >>> classify(cards("A♠ A♠ A♥ A♣ A♦", deck=twice)).rank, classify(cards("A♠ A♠ 9♠ 5♠ 2♠", deck=twice)).rank
    (<HandRank.FIVE_OF_A_KIND: 'five_of_a_kind'>, <HandRank.FLUSH: 'flush'>)
    """
    made = poker.classify(held)
    rank = _OWN[made.rank]
    if rank is HandRank.FOUR_OF_A_KIND and len(made.matched) == FULL_HAND:
        return MadeHand(HandRank.FIVE_OF_A_KIND, made.matched)
    if rank in _BELOW_FLUSH and len({card.suit for card in held}) == 1:
        return MadeHand(HandRank.FLUSH, tuple(held))
    return MadeHand(rank, made.matched)

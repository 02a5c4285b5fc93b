"""The value and the order of cards (§1.1)."""

from collections.abc import Iterable
from typing import Final

from oddsmith.cards import STANDARD_DECK, Card, Rank, Suit
from oddsmith.games.casino.rules import MOST_VALUE

SUITS: Final = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
RANKS: Final = (Rank.ACE, *(rank for rank in Rank if rank not in (Rank.ACE, Rank.JOKER)))

CARDS_IN_ORDER: Final = tuple(
    sorted(STANDARD_DECK, key=lambda card: (RANKS.index(card.rank), SUITS.index(card.suit or Suit.SPADES)))
)
"""A♠ A♥ A♦ A♣ 2♠ … K♣."""
_NUMBERS: Final = {card: number for number, card in enumerate(CARDS_IN_ORDER)}
_VALUES: Final = {card: min(RANKS.index(card.rank) + 1, MOST_VALUE) for card in CARDS_IN_ORDER}


def value_of(card: Card) -> int:
    """Return the value of a card: an ace 1, jack, queen and king 10, any other card its number.

    >>> from oddsmith.cards import card
    >>> value_of(card("A♠")), value_of(card("7♦")), value_of(card("K♣"))
    (1, 7, 10)
    """
    return _VALUES[card]


def total_value(cards: Iterable[Card]) -> int:
    """Return the sum of the values of cards.

    >>> from oddsmith.cards import cards
    >>> total_value(cards("3♣ 4♥"))
    7
    """
    return sum(map(_VALUES.__getitem__, cards))


def number_of(card: Card) -> int:
    """Return the position of a card in the order of the game, from 0: A to K, then ♠♥♦♣.

    >>> from oddsmith.cards import card
    >>> number_of(card("A♠")), number_of(card("K♣"))
    (0, 51)
    """
    return _NUMBERS[card]


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards in the order of the game.

    >>> from oddsmith.cards import cards
    >>> in_order(cards("K♦ A♣ A♠"))
    (card('A♠'), card('A♣'), card('K♦'))
    """
    return tuple(sorted(cards, key=_NUMBERS.__getitem__))


def sum_words(cards: Iterable[Card]) -> str:
    """Return the words for the sum of cards, as refusals have it.

    >>> from oddsmith.cards import cards
    >>> sum_words(cards("3♣ 4♥"))
    '3♣ + 4♥ is 7'
    """
    listed = tuple(cards)
    return f"{' + '.join(map(str, listed))} is {total_value(listed)}"

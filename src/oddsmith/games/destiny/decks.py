"""The cards of a composed deck (§1.4), and the deals from it."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from oddsmith.cards import JOKERS, STANDARD_DECK, Card, Suit, without
from oddsmith.chance import DealHand
from oddsmith.games.destiny.ranks import BY_STRENGTH, STANDARD_RANKS, HandRank
from oddsmith.games.destiny.rules import DeckRules
from oddsmith.poker import FULL_HAND

STANDARD: Final = DeckRules()
CARDS_OF: Final = {(held.number, held.suit): held for held in STANDARD_DECK}
"""The cards that a joker may be read as, by number and suit."""


@lru_cache(maxsize=64)
def deck_cards(deck: DeckRules) -> tuple[Card, ...]:
    """Return all cards of a deck, sorted; jokers are red and black in turn (§1.4).

    >>> len(deck_cards(DeckRules(decks=2, lowest_rank=7, jokers=3)))
    67
    """
    suited = [held for held in STANDARD_DECK if held.number >= deck.lowest_rank]
    jokers = [JOKERS[place % len(JOKERS)] for place in range(deck.jokers)]
    return tuple(sorted([*suited * deck.decks, *jokers]))


@lru_cache(maxsize=64)
def first_deal(deck: DeckRules) -> DealHand:
    """Return a draw: five cards of a freshly shuffled deck (§1.1)."""
    return DealHand(deck_cards(deck), FULL_HAND)


def next_deal(deck: DeckRules, held: Iterable[Card], gone: Iterable[Card]) -> DealHand:
    """Return the deal that completes a hand from what is left of its deck (§1.9)."""
    kept = tuple(held)
    return DealHand(without(deck_cards(deck), (*kept, *gone)), FULL_HAND - len(kept))


def numbers_of(deck: DeckRules) -> range:
    """Return the numbers of the cards of a deck, from the lowest rank to the ace."""
    return range(deck.lowest_rank, STANDARD_DECK[-1].number + 1)


def ranks_of(deck: DeckRules) -> tuple[HandRank, ...]:
    """Return the ranks to list for a deck, strongest first: five of a kind only where some hand makes it."""
    return BY_STRENGTH if makes_five_of_a_kind(deck) else STANDARD_RANKS


def makes_five_of_a_kind(deck: DeckRules) -> bool:
    """Whether some hand of a deck is five of a kind (§1.6).

    >>> makes_five_of_a_kind(STANDARD), makes_five_of_a_kind(DeckRules(jokers=1))
    (False, True)
    """
    return len(Suit) * deck.decks + deck.jokers >= FULL_HAND

"""How jokers are read: as the cards of the deck that make the total highest (§1.7)."""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from oddsmith.cards import Card, Suit
from oddsmith.games.destiny.decks import CARDS_OF, numbers_of
from oddsmith.games.destiny.ranks import BY_STRENGTH, classify
from oddsmith.games.destiny.rules import Rules

if TYPE_CHECKING:
    from oddsmith.games.destiny.scoring import Bonuses

STRENGTHS: Final = {rank: -place for place, rank in enumerate(BY_STRENGTH)}

_SUITS: Final = tuple(Suit)


def read_jokers(hand: Sequence[Card], bonuses: "Bonuses", rules: Rules) -> tuple[Card, ...]:
    """Return a hand with each joker replaced by the card that it is read as.

    The reading makes the total before the floor highest. Of equal ones the one with the higher suit score counts, then
    the stronger rank, then the higher cards. With the royal rule a royal flush comes before any total (§7.5).
    """
    natural = [held for held in hand if held.suit is not None]
    wild = len(hand) - len(natural)
    if not wild:
        return tuple(hand)
    readings = [
        reading
        for suits in _suits_to_add(natural, wild, bonuses)
        for numbers in combinations_with_replacement(reversed(numbers_of(rules.deck)), wild)
        if (reading := tuple(CARDS_OF[read] for read in zip(numbers, suits, strict=True)))
    ]
    best = iter(max(readings, key=lambda read: _value([*natural, *read], bonuses, rules)))
    return tuple(held if held.suit is not None else next(best) for held in hand)


def _suits_to_add(natural: Sequence[Card], wild: int, bonuses: "Bonuses") -> Iterator[tuple[Suit, ...]]:
    """Yield the best suits for jokers: those that make all cards of one suit, and the best ones that do not.

    Numbers and suits are chosen independently, because every number exists in every suit.
    """
    held = {card.suit for card in natural}
    best = max(_SUITS, key=lambda suit: bonuses.suits[suit].hundredths)
    for suit in held if len(held) == 1 else ():
        assert suit is not None  # noqa: S101  natural cards have suits
        yield (suit,) * wild
        other = max((one for one in _SUITS if one is not suit), key=lambda one: bonuses.suits[one].hundredths)
        yield (best,) * (wild - 1) + (other,)
        return
    yield (best,) * wild


def _value(read: Sequence[Card], bonuses: "Bonuses", rules: Rules) -> tuple[bool, int, int, int]:
    """Return what readings are compared by: trump, total before the floor, suit score, strength of the rank."""
    from oddsmith.games.destiny.scoring import (  # noqa: PLC0415  scoring asks this module for readings
        base_hundredths,
        extra_value,
        is_trump,
    )

    made = classify(read)
    suits = sum(bonuses.suits[held.suit].hundredths for held in read if held.suit is not None)
    boosts = sum(boost.points.hundredths for boost in bonuses.boosts.get(made.rank, ()))
    total = base_hundredths(made.rank, extra_value(made, read), rules) + boosts + suits
    return is_trump(made.rank, rules), total, suits, STRENGTHS[made.rank]

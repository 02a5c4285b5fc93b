"""A Destiny Deck contest put to icepool in icepool's own words: a deck, a deal, an evaluator, two dice compared."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import icepool

from oddsmith.cards import STANDARD_DECK, Suit
from oddsmith.games.destiny.rules import DEFAULT, Character
from oddsmith.games.destiny.score import score_with, sheet

SUITS = tuple(Suit)


class Hand(icepool.MultisetEvaluator[Any, Any]):
    """Walks through the deck rank by rank and keeps what the score depends on: ranks so far, cards of each suit."""

    def next_state(self, state: Any, order: Any, outcome: Any, /, *counts: int) -> Any:
        """Add a card that was dealt."""
        ranks, suits = state or ((), (0, 0, 0, 0))
        if not counts[0]:
            return ranks, suits
        number, suit = divmod(outcome, 4)
        return (*ranks, number), tuple(held + (index == suit) for index, held in enumerate(suits))

"""Casino as a game: two to four seats, one move a turn, deal after deal (§3 to §6)."""

from collections.abc import Hashable, Sequence
from typing import Any, Final

import msgspec

from oddsmith.cards import Card, without
from oddsmith.chance import DealHands
from oddsmith.errors import IllegalMove, InputError, Refusal
from oddsmith.game import EVERYONE, Act, Await, Decide, Luck, Outcome, Over, Seat, Step, Turn
from oddsmith.games.casino.bridge import legal_moves, state_after
from oddsmith.games.casino.model import Captured, Cleared, Dealt, Ended, Laid, Move, MoveKind, State
from oddsmith.games.casino.rules import DeckKind, Rules
from oddsmith.games.casino.scoring import final_scores, ranking
from oddsmith.points import Points

__all__ = ["GAME", "Casino"]

Hands = tuple[tuple[Card, ...], ...]
MOST_SEATS: Final = 4


def deal_sizes(rules: Rules, players: int, deal: int) -> tuple[int, ...]:
    """Return how many cards each seat is dealt, and last the table (§3.1)."""
    if rules.deck is DeckKind.FULL:
        return (4,) * players + ((4,) if deal == 1 else (0,))
    each = 13 if players == 3 else 10
    return (each,) * players + ((1,) if players == 3 else (0,))

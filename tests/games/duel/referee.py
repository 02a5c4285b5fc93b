"""The house's attack and defense by icepool, a library that shares no code with oddsmith."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import icepool  # type: ignore[import-untyped]  # it ships no types

DECK: Final = icepool.Deck([(rank, suit) for rank in range(2, 15) for suit in range(4)])
BY_GROUPS: Final = {
    (4, 1): 35, (4,): 35, (3, 2): 30, (3, 1, 1): 15, (3, 1): 15, (3,): 15, (2, 2, 1): 10, (2, 2): 10,
    (2, 1, 1, 1): 5, (2, 1, 1): 5, (2, 1): 5, (2,): 5,
}  # fmt: skip


class Referee(icepool.MultisetEvaluator[Any, tuple[int, int]]):  # type: ignore[misc]  # icepool ships no types
    """Splits the five cards of a deal like the house, from the rules page alone.

    The state is the ranks so far and their one suit, -1 once there are two.
    """

    def __init__(self, attackers: int, weapon: int) -> None:
        self.attackers = attackers
        self.weapon = weapon

    def initial_state(self, order: Any, outcomes: Any, /, *_: Any, **__: Any) -> Any:  # noqa: ANN401, ARG002  icepool's own types
        return (), None

    def next_state(self, state: Any, order: Any, outcome: Any, /, *counts: Any) -> Any:  # noqa: ANN401, ARG002  icepool's own types
        if not counts[0]:
            return state
        ranks, suit = state
        rank, own = outcome
        suit = own if suit in (None, own) else -1
        return tuple(sorted((*ranks, rank))), suit

    def final_outcome(self, final_state: Any, order: Any, outcomes: Any, /, *_: Any, **__: Any) -> Any:  # noqa: ANN401, ARG002  icepool's own types
        ranks, suit = final_state
        low, high = ranks[: 5 - self.attackers], ranks[5 - self.attackers :]
        flush = suit != -1
        attack = values(high) + bonus(high, flush=flush) + self.weapon
        return max(1, attack), values(low) + bonus(low, flush=flush) // 2


def values(ranks: Sequence[int]) -> int:
    """Return the value of cards (§1.2)."""
    return sum(11 if rank == 14 else min(rank, 10) for rank in ranks)


def bonus(ranks: Sequence[int], *, flush: bool) -> int:
    """Return the bonus of ranks in rising order (§1.3, §1.4)."""
    groups = tuple(sorted(Counter(ranks).values(), reverse=True))
    if groups in BY_GROUPS:
        return BY_GROUPS[groups]
    if len(ranks) < 5:
        return 0
    straight = ranks[4] - ranks[0] == 4 or tuple(ranks) == (2, 3, 4, 5, 14)
    if straight and flush:
        return 50 if ranks[0] == 10 else 40
    return 25 if flush else 20 if straight else 0


def exchange_by_icepool(attackers: int, difficulty: int) -> Any:  # noqa: ANN401  a Die of icepool
    """Return the distribution of the house's attack and defense."""
    return Referee(attackers, difficulty).evaluate(DECK.deal(5))

"""Fixed policies: functions that weight the 32 splits of a hand by the damage they would deal and take.

A policy works on many hands at once: `dealt[hand, split]` and `taken[hand, split]` are whole numbers, either those of
this round or, where the opponent is hidden, their sums over its exchanges. It returns weights of the same shape.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from oddsmith.games.duel.scoring import SPLITS

__all__ = ["BLIND", "POLICIES", "Policy", "all_attack", "all_defense", "at_random", "best_trade"]

Integers = NDArray[np.int64]
Policy: TypeAlias = Callable[[Integers, Integers], Integers]


def at_random(dealt: Integers, _taken: Integers) -> Integers:
    """Give all splits the same weight."""
    return np.ones_like(dealt)


def all_attack(dealt: Integers, _taken: Integers) -> Integers:
    """Choose the split in which every card attacks."""
    return _choose_only(dealt, np.zeros(len(dealt), dtype=np.int64))


def all_defense(dealt: Integers, _taken: Integers) -> Integers:
    """Choose the split in which every card defends."""
    return _choose_only(dealt, np.full(len(dealt), len(SPLITS) - 1, dtype=np.int64))


def best_trade(dealt: Integers, taken: Integers) -> Integers:
    """Choose the split with the greatest dealt − taken; of equal ones, the one that deals more.

    >>> best_trade(np.array([[30, 25, 10]]), np.array([[20, 15, 0]]))
    array([[1, 0, 0]])
    """
    trade = dealt - taken
    best = trade == trade.max(axis=1, keepdims=True)
    return _choose_only(dealt, np.where(best, dealt, np.iinfo(np.int64).min).argmax(axis=1))


POLICIES: Final[Mapping[str, Policy]] = MappingProxyType(
    {"random": at_random, "all_attack": all_attack, "all_defense": all_defense, "best_trade": best_trade}
)
"""The fixed policies by name."""

BLIND: Final[frozenset[Policy]] = frozenset({at_random, all_attack, all_defense})
"""The policies whose choice does not depend on the damage."""


def _choose_only(like: Integers, chosen: Integers) -> Integers:
    weights = np.zeros_like(like)
    weights[np.arange(len(like)), chosen] = 1
    return weights

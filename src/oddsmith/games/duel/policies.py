"""Fixed policies: functions that weight the 32 splits of a hand by the damage they would deal and take.

A policy works on many hands at once: `dealt[hand, split]` and `taken[hand, split]` are whole numbers, either those of
this round or, where the opponent is hidden, their sums over its exchanges. It returns weights of the same shape.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from oddsmith.games.duel.scoring import SPLITS

__all__ = [
    "BLIND",
    "POLICIES",
    "Policy",
    "all_attack",
    "all_defense",
    "at_random",
    "balanced",
    "best_trade",
    "defensive",
    "four_one",
]

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


def four_one(dealt: Integers, taken: Integers) -> Integers:
    """Attack with four cards: choose the greatest dealt, of equal ones the least taken (§8.3)."""
    return _choose_among(_defending(1), dealt, -taken)


def balanced(dealt: Integers, taken: Integers) -> Integers:
    """Attack with two or three cards: choose the greatest dealt − taken, of equal ones the greatest dealt (§8.3)."""
    return _choose_among(_defending(2, 3), dealt - taken, dealt)


def defensive(dealt: Integers, taken: Integers) -> Integers:
    """Attack with one or two cards: choose the least taken, of equal ones the greatest dealt (§8.3)."""
    return _choose_among(_defending(3, 4), -taken, dealt)


@cache
def _defending(*counts: int) -> tuple[int, ...]:
    """Return the splits in which one of these numbers of cards defends."""
    return tuple(number for number, defends in enumerate(SPLITS) if sum(defends) in counts)


def _choose_among(splits: Sequence[int], first: Integers, second: Integers) -> Integers:
    """Choose the first of these splits with the greatest `first`, of equal ones the greatest `second`."""
    chosen = list(splits)
    best = first[:, chosen] == first[:, chosen].max(axis=1, keepdims=True)
    places = np.where(best, second[:, chosen], np.iinfo(np.int64).min).argmax(axis=1)
    return _choose_only(first, np.array(chosen)[places])


POLICIES: Final[Mapping[str, Policy]] = MappingProxyType(
    {
        "random": at_random,
        "all_attack": all_attack,
        "all_defense": all_defense,
        "best_trade": best_trade,
        "four_one": four_one,
        "balanced": balanced,
        "defensive": defensive,
    }
)
"""The fixed policies by name."""

BLIND: Final[frozenset[Policy]] = frozenset({at_random, all_attack, all_defense})
"""The policies whose choice does not depend on the damage."""


def _choose_only(like: Integers, chosen: Integers) -> Integers:
    weights = np.zeros_like(like)
    weights[np.arange(len(like)), chosen] = 1
    return weights

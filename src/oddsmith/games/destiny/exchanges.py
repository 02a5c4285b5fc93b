"""Exact odds of a check with one exchange under the best holds, over all hands that may be dealt (§12.6).

The mean over the hands that keep K of a dealt hand D, and have none of its other cards, is a sum over the subsets of D: of A(S), the
sum over all hands that contain S, with alternating signs. So A is summed once for every set of up to five cards, and all 32 holds of
each hand are found from 32 numbers. The weights of final hands are found by the same sums backwards.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from math import comb, lcm
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.destiny.deck_classes import classes_of_hands
from oddsmith.games.destiny.decks import deck_cards
from oddsmith.games.destiny.model import Degree
from oddsmith.games.destiny.odds import CheckOdds, Totals, class_degrees, draws
from oddsmith.games.destiny.rules import DeckRules, Rules
from oddsmith.games.destiny.scoring import Bonuses
from oddsmith.odds.distribution import Distribution
from oddsmith.odds.lattice import Lattice
from oddsmith.points import Points
from oddsmith.poker import FULL_HAND

Integers = NDArray[np.int64]
Places = NDArray[np.int8]

MOST_CARDS: Final = 54
"""The largest deck over whose hands exchanges are counted: 3,162,510 hands, about ten seconds."""
MOST_SERVED: Final = 36
"""The largest deck that a server counts: 376,992 hands."""
BLOCK: Final = 65_536
"""Hands of which all holds are compared at once."""
MASKS: Final = 1 << FULL_HAND


_SIZES: Final = tuple(mask.bit_count() for mask in range(MASKS))
_PREFERRED: Final = tuple(sorted(range(MASKS), key=lambda mask: -_SIZES[mask]))
"""Holds by the cards that are kept, most first: of equal holds the first counts."""


class _Deals(NamedTuple):
    """All hands of a deck as five columns of ascending places, its cards as indices, and binomials by size and place."""

    columns: Places
    indices: Places
    binomials: NDArray[np.int32]


def require_one_exchange(rules: Rules, *, is_limited: bool = False) -> None:
    """Raise where the odds of a check with exchanges are not counted: more than one, or a deck of more than 54 cards (§12.6).

    On a server decks of up to 36 cards are counted.
    """
    if rules.redraws.times > 1:
        raise InputError(
            "too_many_exchanges",
            f"the odds of a check are counted with one exchange, not with {rules.redraws.times}: "
            "ask `hold` what to keep of a hand",
            where="rules.redraws",
            paragraph="12.6",
        )
    most = MOST_SERVED if is_limited else MOST_CARDS
    if rules.deck.size > most:
        where = " by a server" if is_limited else ""
        raise WorkLimitError(
            "deck_too_large",
            f"exchanges are counted{where} for decks of up to {most} cards, not of {rules.deck.size}: "
            "ask `hold` what to keep of a hand",
            where="rules.deck",
            paragraph="12.6",
        )


def check_odds_with_exchange(
    bonuses: Bonuses, threshold: Points, rules: Rules, *, progress: Callable[[float], None] | None = None
) -> CheckOdds:
    """Return the totals and the degrees of a check with one exchange, held for the highest chance of success.

    Of holds with the same chance the one with the highest mean total counts, then the one that keeps more cards. Counts are
    weights: each of the hands that may be dealt has the weight of all completions of its hold. The chance is that of a
    player who pays what an exchange costs.
    """
    require_one_exchange(rules)
    report = progress or (lambda _done: None)
    drawn, degrees = draws(bonuses, rules), class_degrees(bonuses, threshold, rules)
    deals, masks = _deals(rules.deck), _masks(rules.redraws.cards)
    rows = classes_of_hands(deals.indices[deals.columns.T], rules.deck)
    won = np.array([degree.succeeded for degree in Degree])[degrees].astype(np.int64)
    chances, totals = (_Sums(deals, by_class[rows], masks) for by_class in (won, drawn.total))
    report(0.3)
    scales, least = _scales(rules)
    holds = np.empty(len(rows), dtype=np.int8)
    for start in range(0, len(rows), BLOCK):
        block = slice(start, start + BLOCK)
        first, second = (found.completed(block) * scales[masks, None] for found in (chances, totals))
        holds[block] = _best_holds(first, second, masks)
    report(0.6)
    weights = _final_weights(deals, holds, scales, masks)
    by_class = np.bincount(rows, weights=weights, minlength=len(degrees)).astype(np.int64)
    report(1.0)
    assert int(by_class.sum()) == len(rows) * least  # noqa: S101  each dealt hand has the same weight
    return CheckOdds(
        Totals(Lattice.collect(drawn.total, by_class)),
        Distribution(
            (degree, count)
            for place, degree in enumerate(Degree)
            if (count := int(by_class[degrees == place].sum()))
        ),
    )


@lru_cache(maxsize=2)
def _deals(deck: DeckRules) -> _Deals:
    cards = deck_cards(deck)
    hands = np.fromiter(combinations(range(len(cards)), FULL_HAND), dtype=np.dtype((np.int8, FULL_HAND)))
    binomials = [[comb(place, size) for place in range(len(cards))] for size in range(FULL_HAND + 1)]
    return _Deals(
        np.ascontiguousarray(hands.T),
        np.array([held.index for held in cards], dtype=np.int8),
        np.array(binomials, dtype=np.int32),
    )


def _subset_ranks(deals: _Deals, mask: int, rows: slice) -> NDArray[np.int32]:
    """Return the rank of the subset of each hand among all sets of its size, in colexicographic order."""
    ranks = np.zeros(deals.columns[0, rows].shape, dtype=np.int32)
    size = 0
    for column in range(FULL_HAND):
        if mask >> column & 1:
            size += 1
            ranks += deals.binomials[size].take(deals.columns[column, rows])
    return ranks


def _masks(limit: int) -> Integers:
    """Return what may be held, as masks of places: the most cards first, because of equal holds the first counts."""
    return np.array([mask for mask in _PREFERRED if FULL_HAND - _SIZES[mask] <= limit])


class _Sums:
    """For every set of cards that may be held, the sum of a value over all hands that contain it."""

    def __init__(self, deals: _Deals, values: Integers, masks: Integers) -> None:
        self._deals, self._masks = deals, masks.tolist()
        self._by_size = _empty_sums(deals)
        weights = values.astype(np.float64)  # six million points in 54 cards add up to less than 2^53: exact
        for mask in self._masks:
            summed = self._by_size[_SIZES[mask]]
            ranks = _subset_ranks(deals, mask, slice(None))
            summed += np.bincount(ranks, weights=weights, minlength=len(summed)).astype(np.int64)

    def completed(self, block: slice) -> Integers:
        """Return the sums over all completions of each hold, a row for each mask of what is held."""
        found = {
            mask: self._by_size[_SIZES[mask]].take(_subset_ranks(self._deals, mask, block))
            for mask in self._masks
        }
        for bit in (1 << place for place in range(FULL_HAND)):
            for mask, summed in found.items():
                if not mask & bit:
                    np.subtract(summed, found[mask | bit], out=summed)
        return np.stack([*found.values()])


def _empty_sums(deals: _Deals) -> list[Integers]:
    """Return a zero for each set of up to five cards, by size and rank."""
    return [np.zeros(comb(len(deals.indices), size), dtype=np.int64) for size in range(FULL_HAND + 1)]


def _scales(rules: Rules) -> tuple[Integers, int]:
    """Return what sums over the completions of each hold are multiplied by, and the common number of completions."""
    left, limit = rules.deck.size - FULL_HAND, rules.redraws.cards
    least = lcm(*(comb(left, count) for count in range(limit + 1)))
    scales = [least // comb(left, FULL_HAND - size) if FULL_HAND - size <= limit else 0 for size in _SIZES]
    return np.array(scales, dtype=np.int64), least


def _best_holds(first: Integers, second: Integers, masks: Integers) -> Places:
    """Return the best hold of each hand, as a mask: by the first value, then the second, then the cards kept."""
    best = np.where(first == first.max(axis=0), second, -1).argmax(axis=0)
    holds: Places = masks.astype(np.int8)[best]
    return holds


def _final_weights(deals: _Deals, holds: Places, scales: Integers, masks: Integers) -> Integers:
    """Return how often each hand is the final one, in units of a completion."""
    signed, signs = _empty_sums(deals), np.array([(-1) ** size for size in _SIZES])
    own = (scales * signs).astype(np.float64)[holds]  # in decks of up to 54 cards sums stay below 2^53: exact
    for mask in masks.tolist():
        inside = np.where((holds & mask) == holds, own, 0) * signs[mask]
        summed = signed[_SIZES[mask]]
        ranks = _subset_ranks(deals, mask, slice(None))
        summed += np.bincount(ranks, weights=inside, minlength=len(summed)).astype(np.int64)
    weights = np.zeros(len(holds), dtype=np.int64)
    for mask in masks.tolist():
        weights += signed[_SIZES[mask]].take(_subset_ranks(deals, mask, slice(None)))
    return weights

"""Exact values of what may be held of one hand: every completion from what is left of the deck is counted (§12.5)."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from oddsmith.cards import Card, without
from oddsmith.errors import WorkLimitError
from oddsmith.games.destiny.deck_classes import classes_of_hands
from oddsmith.games.destiny.decks import deck_cards
from oddsmith.games.destiny.rules import DeckRules, Rules
from oddsmith.poker import FULL_HAND

Integers = NDArray[np.int64]
Places = NDArray[np.int8]
Hand: TypeAlias = tuple[Card, ...]

MOST_HANDS: Final = 8_000_000
"""The most hands that are counted for the holds of one hand."""


class HoldValue(NamedTuple):
    """What is held, as places of the hand, the number of completions, and the mean of each value over them."""

    places: tuple[int, ...]
    ways: int
    means: tuple[Fraction, ...]


def hold_values(
    hand: Sequence[Card],
    values: Sequence[Integers],
    rules: Rules,
    *,
    gone: Sequence[Card] = (),
    exchanges: int = 1,
    most: int | None = None,
) -> list[HoldValue]:
    """Return the values of each hold, best first; to stand is to hold all five places.

    Each of `values` has a number for each class of `odds.draws`; the first is what is played for, in this exchange and in
    the later ones, then the second, and so on. Of equal holds the one that keeps more cards comes first. `most` limits the
    cards that are exchanged below the limit of the rules. Raises `WorkLimitError` where more than 8,000,000 hands would be
    counted.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.games.destiny.odds import draws
    >>> from oddsmith.games.destiny.scoring import Character, character_bonuses
    >>> rules = Rules.preset("redraw")
    >>> total = draws(character_bonuses(Character()), rules).total
    >>> best = hold_values(cards("K♠ K♦ A♣ 7♥ 3♠"), [total], rules)[0]
    >>> best.places, best.ways
    ((0, 1), 16215)
    """
    work = count_hands(rules, len(gone), exchanges, most)
    if work > MOST_HANDS:
        raise WorkLimitError(
            "too_many_hands",
            f"with {exchanges} exchanges left {work:,} hands would be counted, and {MOST_HANDS:,} are: "
            "ask with one exchange left, or for a smaller deck",
        )
    return _hold_values(tuple(hand), tuple(gone), exchanges, _Play(values, rules, _limit(rules, most)))


def count_hands(rules: Rules, gone: int, exchanges: int, most: int | None = None) -> int:
    """Return how many hands `hold_values` counts, where equal cards of several decks count once.

    >>> count_hands(Rules.preset("paid_redraws"), 0, 1)
    2598960
    """
    if not exchanges:
        return 1
    left = rules.deck.size - FULL_HAND - gone
    limit = _limit(rules, most)
    return sum(
        comb(FULL_HAND, count)
        * _count_completions(rules.deck, left, count)
        * (count_hands(rules, gone + count, exchanges - 1, most) if count else 1)
        for count in range(limit + 1)
    )


def _limit(rules: Rules, most: int | None) -> int:
    return rules.redraws.cards if most is None else min(most, rules.redraws.cards)


def _count_completions(deck: DeckRules, left: int, count: int) -> int:
    """Return a bound of the different completions by `count` of the cards left."""
    kinds = len(set(deck_cards(deck)))
    return comb(left, count) if kinds == deck.size else min(comb(left, count), comb(kinds + count - 1, count))


class _Play(NamedTuple):
    """What is played for, under which rules, and how many cards are exchanged at most."""

    values: Sequence[Integers]
    rules: Rules
    most: int


def _hold_values(hand: Hand, gone: Hand, exchanges: int, play: _Play) -> list[HoldValue]:
    left = without(deck_cards(play.rules.deck), (*hand, *gone))
    found = [HoldValue(tuple(range(FULL_HAND)), 1, _values_of(hand, play))]
    for count in range(1, (play.most if exchanges else 0) + 1):
        completions = _completions(left, count)
        for places in combinations(range(FULL_HAND), FULL_HAND - count):
            kept = tuple(hand[place] for place in places)
            if exchanges == 1:
                means = _mean_values(kept, completions, play)
            else:
                thrown = (*gone, *without(hand, kept))
                means = _mean_best(kept, thrown, completions, exchanges - 1, play)
            found.append(HoldValue(places, int(completions.ways.sum()), means))
    return sorted(found, key=lambda hold: hold.means, reverse=True)


def _values_of(hand: Hand, play: _Play) -> tuple[Fraction, ...]:
    row = int(classes_of_hands(np.array([[held.index for held in hand]]), play.rules.deck)[0])
    return tuple(Fraction(int(by_class[row])) for by_class in play.values)


class _Completions(NamedTuple):
    """Choices of cards, as rows of their indices, and the ways of each."""

    cards: Places
    ways: Integers


def _mean_values(kept: Hand, completions: _Completions, play: _Play) -> tuple[Fraction, ...]:
    """Return the mean values of a hand that is final after the deal."""
    drawn, ways = completions
    indices = np.array([card.index for card in kept], dtype=np.int8)
    held = np.broadcast_to(indices, (len(drawn), len(kept)))
    rows = classes_of_hands(np.concatenate((held, drawn), axis=1), play.rules.deck)
    counts = np.bincount(rows, weights=ways, minlength=len(play.values[0])).astype(
        np.int64
    )  # below 2^53: exact
    seen = np.flatnonzero(counts)
    total = int(ways.sum())
    return tuple(
        Fraction(
            sum(
                count * value
                for count, value in zip(counts[seen].tolist(), by_class[seen].tolist(), strict=True)
            ),
            total,
        )
        for by_class in play.values
    )


def _mean_best(
    kept: Hand, gone: Hand, completions: _Completions, exchanges: int, play: _Play
) -> tuple[Fraction, ...]:
    """Return the mean values of a hand that is played on as well as possible."""
    by_index = {card.index: card for card in deck_cards(play.rules.deck)}
    sums = [Fraction(0)] * len(play.values)
    for dealt, weight in zip(completions.cards.tolist(), completions.ways.tolist(), strict=True):
        hand = tuple(sorted((*kept, *(by_index[index] for index in dealt))))
        best = _hold_values(hand, gone, exchanges, play)[0]
        sums = [total + weight * mean for total, mean in zip(sums, best.means, strict=True)]
    return tuple(total / int(completions.ways.sum()) for total in sums)


@lru_cache(maxsize=8)
def _completions(left: Hand, count: int) -> _Completions:
    """Return every choice of that number of the cards that are left."""
    supply = Counter(card.index for card in left)
    pick = combinations if len(supply) == len(left) else combinations_with_replacement
    kinds = np.array(sorted(supply), dtype=np.int8)
    row = np.dtype((np.int8, count))
    places: Places = np.fromiter(pick(range(len(kinds)), count), dtype=row).reshape(-1, count)  # type: ignore[assignment]  # rows of int8 become columns
    if len(supply) == len(left):
        return _Completions(kinds[places], np.ones(len(places), dtype=np.int64))
    ways = _ways(places, np.array([supply[index] for index in kinds.tolist()]))
    possible = ways > 0
    return _Completions(kinds[places[possible]], ways[possible])


def _ways(places: Places, supply: Integers) -> Integers:
    """Return the ways to draw each row of sorted places from a supply of each kind."""
    ways = np.ones(len(places), dtype=np.int64)
    repeats = np.zeros(len(places), dtype=np.int64)
    for column in range(places.shape[1]):
        if column:
            repeats = np.where(places[:, column] == places[:, column - 1], repeats + 1, 0)
        ways = ways * np.maximum(supply[places[:, column]] - repeats, 0) // (repeats + 1)
    return ways

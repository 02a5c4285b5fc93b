"""Equivalence classes of the 2,598,960 hands: hands of a class have equal scores for every character.

A score depends on a hand's rank, on what its kicker or top cards add, and on its number of cards of each
suit. The classes are package data, derived from the scoring rule by `derive`; a test derives them again.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import combinations, combinations_with_replacement
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.cards import STANDARD_DECK, Card, Rank, Suit
from oddsmith.games.destiny.ranks import STANDARD_RANKS, classify
from oddsmith.games.destiny.scoring import TOP_CARDS, extra_value
from oddsmith.poker import FULL_HAND

RANKS: Final = STANDARD_RANKS
DATA: Final = "hand_classes.npy"
SUIT_CODES: Final[Mapping[Suit | None, int]] = {
    suit: (FULL_HAND + 1) ** place for place, suit in enumerate(Suit)
}
"""The code of a card of each suit: the sum over a hand encodes its number of cards of every suit."""
MOST_SUIT_CODES: Final = (FULL_HAND + 1) ** len(Suit)
ONE_SUIT: Final = tuple(FULL_HAND * code for code in SUIT_CODES.values())
"""The suit codes of flushes."""
LARGEST_EXTRA: Final = TOP_CARDS * max(Rank)

Integers = NDArray[np.int64]


class HandClasses(msgspec.Struct, frozen=True, eq=False):
    """One row for each class: the rank's index in `RANKS`, what the cards add, suit pattern, number of hands, an example.

    `pattern` is an index in `patterns`, the 56 ways to distribute five cards over suits.
    """

    rank: Integers
    extra: Integers
    pattern: Integers
    patterns: Integers
    ways: Integers
    example: Integers

    def __len__(self) -> int:
        return len(self.ways)

    def examples(self) -> Iterator[tuple[tuple[Card, ...], int]]:
        """Yield a hand of every class with the number of hands of that class.

        >>> sum(ways for hand, ways in hand_classes().examples())
        2598960
        """
        for indices, ways in zip(self.example.tolist(), self.ways.tolist(), strict=True):
            yield tuple(STANDARD_DECK[index] for index in indices), ways


@cache
def hand_classes() -> HandClasses:
    """Return all classes, read from package data and cached.

    >>> len(hand_classes()) < 3000
    True
    """
    with resources.files(__package__).joinpath(DATA).open("rb") as data:
        return tabulate(np.load(data, allow_pickle=False))


def tabulate(rows: NDArray[np.int32]) -> HandClasses:
    """Return the classes of the rows that `derive` returns."""
    rank, extra, suits, ways, example = np.split(rows.astype(np.int64), (1, 2, 6, 7), axis=1)
    _, first, pattern = np.unique(_code(suits, base=FULL_HAND + 1), return_index=True, return_inverse=True)
    parts = rank.ravel(), extra.ravel(), pattern, suits[first], ways.ravel(), example
    for part in parts:
        part.flags.writeable = False
    return HandClasses(*parts)


def class_of_hands(hands: NDArray[np.integer[Any]]) -> Integers:
    """Return the index of the class of each hand; a row of `hands` is five indices of the standard deck.

    >>> table, royal = hand_classes(), np.array([[8, 9, 10, 11, 12]])
    >>> RANKS[table.rank[class_of_hands(royal)[0]]]
    <HandRank.ROYAL_FLUSH: 'royal_flush'>
    """
    kinds, places = _kinds(), np.ascontiguousarray(hands.T)
    suits = kinds.suit_codes[places].sum(axis=0)
    keys = kinds.number_codes[places].sum(axis=0) + kinds.flushes[suits]
    classes: Integers = kinds.classes[kinds.scored[np.searchsorted(kinds.keys, keys)] + suits]
    return classes


class _Kinds(msgspec.Struct, frozen=True, eq=False):
    """Lookup arrays from a hand to its class: from numbers and flush to rank and extra value, from these and suits to the class.

    `keys` are sorted; `scored` has the encoded rank and extra value of each.
    """

    number_codes: Integers
    suit_codes: Integers
    flushes: Integers
    keys: Integers
    scored: Integers
    classes: Integers


@cache
def _kinds() -> _Kinds:
    """Call the scoring rule once for each kind of hand: five numbers, all of one suit or not."""
    numbers = np.array([2 * 8 ** (held.number - 2) for held in STANDARD_DECK])
    suits = np.array([SUIT_CODES[held.suit] for held in STANDARD_DECK])
    flushes = np.isin(np.arange(MOST_SUIT_CODES), ONE_SUIT).astype(np.int64)
    hands = [*_hand_of_each_kind()]
    indices = np.array([[held.index for held in hand] for hand in hands])
    keys = numbers[indices].sum(axis=1) + flushes[suits[indices].sum(axis=1)]
    order = np.argsort(keys)
    scored = (
        _code(np.array([_rank_and_extra(hand) for hand in hands]), base=LARGEST_EXTRA + 1) * MOST_SUIT_CODES
    )
    table = hand_classes()
    by_suit = (table.patterns @ np.array([*SUIT_CODES.values()]))[table.pattern]
    by_rule = _code(np.stack((table.rank, table.extra), axis=1), base=LARGEST_EXTRA + 1) * MOST_SUIT_CODES
    classes = np.zeros(len(RANKS) * (LARGEST_EXTRA + 1) * MOST_SUIT_CODES, dtype=np.int64)
    classes[by_rule + by_suit] = range(len(table))
    return _Kinds(numbers, suits, flushes, keys[order], scored[order], classes)


def _hand_of_each_kind() -> Iterator[tuple[Card, ...]]:
    suits = tuple(Suit)
    deck = {(held.rank, held.suit): held for held in STANDARD_DECK}
    for ranks in combinations_with_replacement(sorted({held.rank for held in STANDARD_DECK}), FULL_HAND):
        if ranks[0] == ranks[-1]:
            continue
        copies = [ranks[:place].count(rank) for place, rank in enumerate(ranks)]
        if any(copies):
            yield tuple(deck[rank, suits[copy]] for rank, copy in zip(ranks, copies, strict=True))
        else:
            yield (deck[ranks[0], suits[1]], *(deck[rank, suits[0]] for rank in ranks[1:]))
            yield tuple(deck[rank, suits[0]] for rank in ranks)


def derive(deck: Sequence[Card] = STANDARD_DECK) -> NDArray[np.int32]:
    """Return the classes of all hands of a deck under the scoring rule; the whole deck takes about two seconds.

    The rule is called once for each kind of hand: five numbers, all of one suit or not. A row is a class: rank, extra
    value, cards of each suit, ways, and the first of its hands.

    >>> from oddsmith.cards import cards
    >>> derive(cards("A♠ K♠ Q♠ J♠ 10♠"))[:, 6].sum()
    np.int64(1)
    """
    hands = np.fromiter(combinations(range(len(deck)), FULL_HAND), dtype=np.dtype((np.int8, FULL_HAND)))
    numbers = np.sort(np.array([held.number for held in deck])[hands], axis=1)
    suits = _code(np.array([SUIT_CODES[held.suit] for held in deck])[hands], base=1)
    one_suit = np.isin(suits, ONE_SUIT)
    _, first, kind = np.unique(_code(numbers, base=16) * 2 + one_suit, return_index=True, return_inverse=True)
    scored = np.array([_rank_and_extra([deck[place] for place in hand]) for hand in hands[first]])
    keys = _code(scored, base=LARGEST_EXTRA + 1)[kind] * MOST_SUIT_CODES + suits
    _, example, ways = np.unique(keys, return_index=True, return_counts=True)
    by_suit = [suits[example] // code % (FULL_HAND + 1) for code in SUIT_CODES.values()]
    indices = np.array([held.index for held in deck])[hands[example]]
    return np.column_stack((scored[kind[example]], *by_suit, ways, indices)).astype(np.int32)


def _rank_and_extra(hand: Sequence[Card]) -> tuple[int, int]:
    """Return the index of a hand's rank in `RANKS`, and what its cards add."""
    made = classify(hand)
    return RANKS.index(made.rank), extra_value(made, hand)


def _code(rows: Integers, *, base: int) -> Integers:
    """Encode each row as one number, its first column the most significant."""
    code = rows[:, 0]
    for part in rows.T[1:]:
        code = code * base + part
    return code

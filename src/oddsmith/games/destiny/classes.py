"""The 2,598,960 hands as a few thousand classes: hands of one class score alike for everybody.

A hand matters only through its rank, what its kicker or top cards add, and how many cards it has of each
suit. The table is package data, derived from the scoring rule by `derive`; a test derives it anew.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import combinations
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.cards import STANDARD_DECK, Card, Suit
from oddsmith.games.destiny.scoring import extra_value
from oddsmith.odds.classes import collapse
from oddsmith.poker import FULL_HAND, HandRank, classify

__all__ = ["RANKS", "HandClasses", "derive", "hand_classes", "tabulate"]

RANKS: Final = tuple(HandRank)
DATA: Final = "hand_classes.npy"

Integers = NDArray[np.int64]


class HandClasses(msgspec.Struct, frozen=True, eq=False):
    """One row for each class: its rank's place in `RANKS`, what the cards add, suits, ways, an example hand.

    Suits are a row of `patterns`, the 56 ways in which five cards have suits.
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
        """Yield a hand of every class with the number of hands that it stands for.

        >>> sum(ways for hand, ways in hand_classes().examples())
        2598960
        """
        for indices, ways in zip(self.example.tolist(), self.ways.tolist(), strict=True):
            yield tuple(STANDARD_DECK[index] for index in indices), ways


@cache
def hand_classes() -> HandClasses:
    """Return the table, read from package data once.

    >>> len(hand_classes()) < 3000
    True
    """
    with resources.files(__package__).joinpath(DATA).open("rb") as data:
        return tabulate(np.load(data, allow_pickle=False))


def tabulate(rows: NDArray[np.int32]) -> HandClasses:
    """Return the table that rows make, as `derive` gives them."""
    rank, extra, suits, ways, example = np.split(rows.astype(np.int64), (1, 2, 6, 7), axis=1)
    patterns, pattern = np.unique(suits, axis=0, return_inverse=True)
    parts = rank.ravel(), extra.ravel(), pattern.ravel(), patterns, ways.ravel(), example
    for part in parts:
        part.flags.writeable = False
    return HandClasses(*parts)


def derive(deck: Sequence[Card] = STANDARD_DECK) -> NDArray[np.int32]:
    """Collapse all hands of a deck by the scoring rule; the whole deck takes about twenty seconds.

    >>> from oddsmith.cards import cards
    >>> derive(cards("A♠ K♠ Q♠ J♠ 10♠"))[:, 6].sum()
    np.int64(1)
    """
    place = {rank: index for index, rank in enumerate(RANKS)}
    power = {held: 6 ** list(Suit).index(held.suit) for held in STANDARD_DECK if held.suit is not None}

    def key(hand: tuple[Card, ...]) -> tuple[int, int, int]:
        made = classify(hand)
        return place[made.rank], extra_value(made, hand), sum([power[held] for held in hand])

    table = collapse(combinations(deck, FULL_HAND), key)
    rows = [
        (
            rank,
            extra,
            *(code // 6**suit % 6 for suit in range(len(Suit))),
            ways,
            *(held.index for held in hand),
        )
        for (rank, extra, code), ways, hand in zip(
            table.keys, table.counts, table.representatives, strict=True
        )
    ]
    return np.array(rows, dtype=np.int32)

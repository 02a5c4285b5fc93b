"""The 2,598,960 hands as a few thousand classes: hands of one class score alike for everybody.

A hand matters only through its rank, what its kicker or top cards add, and how many cards it has of each
suit. The table is package data, derived from the scoring rule by `derive`; a test derives it anew.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import combinations
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.cards import STANDARD_DECK, Card, Rank, Suit
from oddsmith.games.destiny.scoring import TOP_CARDS, extra_value
from oddsmith.poker import FULL_HAND, HandRank, classify

__all__ = ["RANKS", "HandClasses", "derive", "hand_classes", "tabulate"]

RANKS: Final = tuple(HandRank)
DATA: Final = "hand_classes.npy"
SUIT_CODES: Final[Mapping[Suit | None, int]] = {
    suit: (FULL_HAND + 1) ** place for place, suit in enumerate(Suit)
}
"""What a card of a suit counts for, so that the sum over a hand says how many cards it has of each."""
MOST_SUIT_CODES: Final = (FULL_HAND + 1) ** len(Suit)
LARGEST_EXTRA: Final = TOP_CARDS * max(Rank)

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
    """Collapse all hands of a deck by the scoring rule; the whole deck takes about two seconds.

    The rule is asked once for each kind of hand: five numbers, all of one suit or not. A row is a class: rank, extra
    value, cards of each suit, ways, and the first of its hands.

    >>> from oddsmith.cards import cards
    >>> derive(cards("A♠ K♠ Q♠ J♠ 10♠"))[:, 6].sum()
    np.int64(1)
    """
    hands = np.fromiter(combinations(range(len(deck)), FULL_HAND), dtype=np.dtype((np.int8, FULL_HAND)))
    numbers = np.sort(np.array([held.number for held in deck])[hands], axis=1)
    suits = _code(np.array([SUIT_CODES[held.suit] for held in deck])[hands], base=1)
    one_suit = np.isin(suits, FULL_HAND * np.array([*SUIT_CODES.values()]))
    _, first, kind = np.unique(_code(numbers, base=16) * 2 + one_suit, return_index=True, return_inverse=True)
    scored = np.array([_scored([deck[place] for place in hand]) for hand in hands[first]])
    keys = _code(scored, base=LARGEST_EXTRA + 1)[kind] * MOST_SUIT_CODES + suits
    _, example, ways = np.unique(keys, return_index=True, return_counts=True)
    by_suit = [suits[example] // code % (FULL_HAND + 1) for code in SUIT_CODES.values()]
    indices = np.array([held.index for held in deck])[hands[example]]
    return np.column_stack((scored[kind[example]], *by_suit, ways, indices)).astype(np.int32)


def _scored(hand: Sequence[Card]) -> tuple[int, int]:
    """Return the place of a hand's rank, and what its cards add."""
    made = classify(hand)
    return RANKS.index(made.rank), extra_value(made, hand)


def _code(rows: Integers, *, base: int) -> Integers:
    """Read each row as one number, its first part the most significant."""
    code = rows[:, 0]
    for part in rows.T[1:]:
        code = code * base + part
    return code

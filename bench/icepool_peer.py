"""icepool, used as an expert would use it: what no character and no rule changes is counted once, the rest by `map`.

The referees of the tests deal card by card and compare all pairs of totals, which takes icepool some ten seconds for one
contest of two new characters. Here hands are counted by ranks and suits (6,175 sets of ranks), and two totals are
compared by their cumulative counts: a hundred times as fast, with the same answers.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, combinations_with_replacement, product
from typing import Any, Final

import icepool  # type: ignore[import-untyped]  # it ships no types
from tests.games.destiny.referee import base_score
from tests.games.duel.referee import bonus, values

from oddsmith.cards import Suit
from oddsmith.games.destiny.scoring import Bonuses

HAND: Final = 5
SUITS: Final = tuple(Suit)

Die = Any
"""A die of icepool, which ships no types."""


def rank_sets() -> Iterator[tuple[int, ...]]:
    """Yield the ranks of every hand of five cards, in rising order."""
    for ranks in combinations_with_replacement(range(2, 15), HAND):
        if max(Counter(ranks).values()) <= len(SUITS):
            yield ranks


@cache
def count_suits(sizes: tuple[int, ...]) -> Counter[tuple[int, ...]]:
    """Return in how many ways groups of equal ranks have each number of cards of each suit."""
    counted: Counter[tuple[int, ...]] = Counter()
    for chosen in product(*(list(combinations(range(len(SUITS)), size)) for size in sizes)):
        cards = [suit for group in chosen for suit in group]
        counted[tuple(cards.count(suit) for suit in range(len(SUITS)))] += 1
    return counted


def destiny_hands() -> Die:
    """Return the base score and the number of cards of each suit of a hand: the same for every character."""
    counted: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for ranks in rank_sets():
        sizes = tuple(sorted(Counter(ranks).values()))
        plain, flush = base_score(ranks, flush=False), base_score(ranks, flush=True)
        for numbers, ways in count_suits(sizes).items():
            counted[flush if HAND in numbers else plain, numbers] += ways
    return icepool.Die(counted)


def destiny_totals(hands: Die, bonuses: Bonuses) -> Die:
    """Return a character's totals in hundredths, without modifiers."""
    each = [bonuses.suits[suit].hundredths for suit in SUITS]

    def total(points: int, numbers: Sequence[int]) -> int:
        return 100 * points + sum(map(int.__mul__, each, numbers))

    return hands.map(total, star=True)


def chance_to_beat(attacker: Die, defender: Die) -> Fraction:
    """Return the chance that the attacker's total is higher, from the cumulative counts of the defender's."""
    outcomes, below = list(defender.keys()), [0, *accumulate(defender.quantities())]
    wins = sum(ways * below[bisect_left(outcomes, total)] for total, ways in attacker.items())
    return Fraction(wins, attacker.denominator() * defender.denominator())


def duel_hands() -> Die:
    """Return the ranks of a hand, and whether it is a flush: the same for every rule of a duel."""
    counted: Counter[tuple[tuple[int, ...], bool]] = Counter()
    for ranks in rank_sets():
        ways = sum(count_suits(tuple(sorted(Counter(ranks).values()))).values())
        flushes = len(SUITS) if len(set(ranks)) == HAND else 0
        counted[ranks, False] += ways - flushes
        if flushes:
            counted[ranks, True] += flushes
    return icepool.Die(counted)


def duel_exchange(hands: Die, attackers: int, weapon: int) -> Mapping[tuple[int, int], int]:
    """Return in how many ways the opponent's split has each attack and defense."""

    def exchange(ranks: Sequence[int], flush: bool) -> tuple[int, int]:  # noqa: FBT001  an outcome of a die
        low, high = ranks[: HAND - attackers], ranks[HAND - attackers :]
        attack = values(high) + bonus(high, flush=flush and attackers == HAND) + weapon
        return max(1, attack), values(low) + bonus(low, flush=False) // 2

    return dict(hands.map(exchange, star=True).items())

"""Chances of the next check with abilities, where no talent draws: what a hand comes to is certain (§7.4)."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from oddsmith.games.fate.draws import (
    cards_before_shuffle,
    draw_total,
    draws,
    hands,
    top_cards,
    top_hands,
    top_total,
)
from oddsmith.games.fate.memory import Memory, lying_cards
from oddsmith.games.fate.talent_odds import TalentCheck

REDRAWS_CACHED: Final = 4
"""Cache size for the hands of redraws by deck, which are the same for every target."""


class CardChances:
    """The chances of a check whose talents draw nothing, with each ability used as well as it can be."""

    is_exact = True

    def __init__(self, memory: Memory, drawn: int, check: TalentCheck) -> None:
        @cache
        def goes_well(cards: tuple[str, ...]) -> bool:
            return check.chance(cards, memory) > 0

        self._memory = memory
        self._drawn = drawn
        self._goes_well = goes_well

    def without(self) -> Fraction:
        """Return the chance without any ability."""
        return self._chance(self._memory)

    def with_reshuffle(self) -> Fraction:
        """Return the chance after a reshuffle."""
        return self._chance(shuffle_memory(self._memory))

    def _chance(self, memory: Memory) -> Fraction:
        ways = sum(ways for cards, ways in hands(memory, self._drawn) if self._goes_well(cards))
        return Fraction(ways, draw_total(memory, self._drawn))

    def with_extra(self) -> Fraction:
        """Return the chance that some of the next cards, one more than are drawn, go well."""
        memory, drawn = self._memory, self._drawn
        ways = sum(
            ways
            for cards, ways in hands(memory, drawn + 1)
            if any(self._goes_well(chosen) for chosen in combinations(cards, drawn))
        )
        return Fraction(ways, draw_total(memory, drawn + 1))

    def with_reorder(self, peeked: int) -> Fraction:
        """Return the chance when the top `peeked` cards are put into the best order."""
        memory, finish = self._memory, self._make_finisher()
        first = cards_before_shuffle(memory, self._drawn)
        ways = sum(
            ways * max(finish(chosen) for chosen in combinations(cards, first))
            for cards, ways in top_hands(memory, peeked)
        )
        return Fraction(ways, top_total(memory, peeked))

    def with_bottom(self) -> Fraction:
        """Return the chance when the top card is seen and moved to the bottom where that is better."""
        memory, finish = self._memory, self._make_finisher()
        first = cards_before_shuffle(memory, self._drawn)
        stays: dict[str, Fraction | int] = {}
        moved: dict[str, Fraction | int] = {}
        for cards, ways in top_cards(memory, first + 1):
            stays[cards[0]] = stays.get(cards[0], 0) + ways * finish(cards[:-1])
            moved[cards[0]] = moved.get(cards[0], 0) + ways * finish(cards[1:])
        best = sum(max(stays[card], moved[card]) for card in stays)
        return Fraction(best, top_total(memory, first + 1))

    def _make_finisher(self) -> Callable[[Sequence[str]], Fraction | int]:
        """Return a function from the first cards of a check to its chance; the others are drawn after the reshuffle."""

        @cache
        def chance(cards: tuple[str, ...]) -> Fraction | int:
            more = self._drawn - len(cards)
            if not more:
                return self._goes_well(cards)
            rest = shuffle_memory(self._memory, without=cards)
            ways = sum(ways for others, ways in hands(rest, more) if self._goes_well((*cards, *others)))
            return Fraction(ways, draw_total(rest, more))

        return lambda cards: chance(tuple(sorted(cards)))

    def with_redraw(self) -> Fraction:
        """Return the chance when a check that goes badly is drawn again, with its cards set aside."""
        ways = sum(
            ways
            for first, second, ways in _redraws(self._memory, self._drawn)
            if self._goes_well(first) or self._goes_well(second)
        )
        return Fraction(ways, draw_total(self._memory, 2 * self._drawn))


@lru_cache(maxsize=REDRAWS_CACHED)
def _redraws(memory: Memory, drawn: int) -> list[tuple[tuple[str, ...], tuple[str, ...], int]]:
    """Return the possible hands of a check and of its redraw, with their ways."""
    counts: Counter[tuple[tuple[str, ...], tuple[str, ...]]] = Counter()
    for cards, ways in draws(memory, 2 * drawn):
        counts[tuple(sorted(cards[:drawn])), tuple(sorted(cards[drawn:]))] += ways
    return [(first, second, ways) for (first, second), ways in counts.items()]


def shuffle_memory(memory: Memory, *, without: Sequence[str] = ()) -> Memory:
    """Return the memory after all cards in deck and discard pile, except `without`, are shuffled."""
    left = Counter(lying_cards(memory)) - Counter(without)
    return Memory.fresh(left.elements())

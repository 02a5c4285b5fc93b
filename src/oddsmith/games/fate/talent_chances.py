"""Chances of the next check with abilities, where talents may draw further cards from the deck that is left (§7.4, §7.8)."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations

from oddsmith.games.fate.card_chances import shuffle_memory
from oddsmith.games.fate.draws import (
    cards_before_shuffle,
    next_cards,
    top_cards,
    top_hands,
)
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.talent_odds import TalentCheck, mean_chance, memory_after


class TalentChances:
    """The chances of a check with talents, with each ability used as well as it can be by what the player then knows."""

    def __init__(self, memory: Memory, drawn: int, check: TalentCheck) -> None:
        self._memory = memory
        self._drawn = drawn
        self._check = check
        self._follows = True

    @property
    def is_exact(self) -> bool:
        """Whether all chances so far are exact, as far as the memory of the seat is."""
        return self._follows and self._check.is_exact

    def without(self) -> Fraction:
        """Return the chance without any ability."""
        return self._chance(self._memory)

    def with_reshuffle(self) -> Fraction:
        """Return the chance after a reshuffle."""
        return self._chance(shuffle_memory(self._memory))

    def with_reorder(self, peeked: int) -> Fraction:
        """Return the chance when the top `peeked` cards are put into the best order."""
        first = cards_before_shuffle(self._memory, self._drawn)
        orders = [
            order for order in permutations(range(peeked)) if list(order[:first]) == sorted(order[:first])
        ]
        return self._look(peeked, lambda known: max(self._chance(_put(known, order)) for order in orders))

    def with_bottom(self) -> Fraction:
        """Return the chance when the top card is seen and moved to the bottom where that is better."""
        under = (*range(1, len(self._memory.deck)), 0)
        return self._look(1, lambda known: max(self._chance(known), self._chance(_put(known, under))))

    def with_extra(self) -> Fraction:
        """Return the chance when an extra card is drawn where it helps, and the best cards are kept."""
        return self._change(1, lambda first, more: combinations((*first, *more), len(first)))

    def with_redraw(self) -> Fraction:
        """Return the chance when the cards are drawn again where that is better."""
        return self._change(self._drawn, lambda _, more: iter((more,)))

    def _chance(self, memory: Memory) -> Fraction:
        """Return the chance of the next check from a memory."""
        check = self._check
        return mean_chance(
            (check.chance(cards, memory, cards), ways) for cards, ways in self._next(memory, self._drawn)
        )

    def _look(self, count: int, best: Callable[[Memory], Fraction]) -> Fraction:
        """Return the chance when the player sees the top `count` cards and then does what is best with them."""
        memory = self._memory
        is_unknown = all(place is None for place in memory.deck[:count])
        tops = (top_hands if is_unknown else top_cards)(memory, count)
        return mean_chance((best(_see_top(memory, cards)), ways) for cards, ways in tops)

    def _change(
        self,
        count: int,
        choices: Callable[[tuple[str, ...], tuple[str, ...]], Iterator[tuple[str, ...]]],
    ) -> Fraction:
        """Return the chance when `count` more cards are drawn where that is better, and the best choice is kept."""
        memory, check = self._memory, self._check

        def best(first: tuple[str, ...]) -> Fraction:
            after = memory_after(memory, first)
            changed = mean_chance(
                (max(check.chance(kept, after, more) for kept in choices(first, more)), ways)
                for more, ways in self._next(after, count)
            )
            return max(check.chance(first, after), changed)

        return mean_chance((best(first), ways) for first, ways in self._next(memory, self._drawn))

    def _next(self, memory: Memory, count: int) -> Iterator[tuple[tuple[str, ...], int]]:
        """Return the next cards from a memory, and note whether it is exact."""
        self._follows = self._follows and memory.is_exact
        return next_cards(memory, count)


def _see_top(memory: Memory, cards: Sequence[str]) -> Memory:
    """Return the memory after the player has seen the top cards."""
    for place, card in enumerate(cards):
        memory = memory.see(place, card)
    return memory


def _put(memory: Memory, order: tuple[int, ...]) -> Memory:
    """Return the memory after the top cards were put into an order that the player knows."""
    size = len(memory.deck)
    places = size + len(memory.discard)
    return memory.move((*order, *range(len(order), places)), size)

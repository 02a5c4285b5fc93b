"""Enumeration of the next cards from a memory, with whole-number weights (§7.1).

A place holds a known card, one card of a mixed set, or one of the unseen cards. The sources of places are enumerated
first, in which all unseen cards are one case. Then the unseen cards are filled in.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, repeat
from math import comb, factorial, perm, prod
from typing import Final, NamedTuple, TypeAlias

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.fate.memory import (
    MOST_ORDERS,
    Memory,
    MixedSet,
    OrderCase,
    Source,
    count_order_cases,
    lying_cards,
    order_cases,
)

WeightedCards: TypeAlias = tuple[tuple[str, ...], int]
"""Cards, and the number of ways to get them."""

MOST_WAYS: Final = 100_000
"""The most draws that are enumerated."""


class _TopSources(NamedTuple):
    """The sources of the top cards, with the extra cards that sets name, and their ways; the most unseen cards of one."""

    ways: Mapping[tuple[tuple[Source, ...], tuple[str, ...]], int]
    unseen: int


def draws(memory: Memory, count: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the possible next `count` cards in order, each with its ways, which add up to `draw_total`.

    The deck is reshuffled as soon as one card is left in it. Raise `InputError` for a number of cards that cannot be
    drawn or an inconsistent memory, and `WorkLimitError` for more than `MOST_WAYS` draws.

    >>> known = Memory(deck=("3♠", None, None), discard=(), unseen=("A♠", "J♠"))
    >>> list(draws(known, 2))
    [(('3♠', 'A♠'), 1), (('3♠', 'J♠'), 1)]
    """
    require_countable(memory, count, ordered=True)
    return _iterate_ways(memory, count, cards_before_shuffle(memory, count), _fill_in_order)


def hands(memory: Memory, count: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the possible next `count` cards without regard to order, each with its ways, which add up to `draw_total`.

    A hand may come more than once. Errors are those of `draws`.

    >>> list(hands(Memory(deck=(None,) * 4, discard=(), unseen=("2♠", "3♠", "A♠", "J♠")), 3))[0]
    (('2♠', '3♠', 'A♠'), 6)
    """
    require_countable(memory, count, ordered=False)
    return _iterate_ways(memory, count, cards_before_shuffle(memory, count), _fill_as_hands)


def next_cards(memory: Memory, count: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the possible next `count` cards in an order in which they can be drawn, each with its ways.

    Cards that differ only in their order come once where nothing is known of their places, since every order then
    leaves the same deck. The ways add up to `draw_total`. Errors are those of `draws`.

    >>> len(list(next_cards(Memory(deck=(None,) * 4, discard=(), unseen=("2♠", "3♠", "A♠", "J♠")), 2)))
    6
    """
    require_drawable(memory, count)
    is_unknown = all(place is None for place in memory.deck[: cards_before_shuffle(memory, count)])
    return hands(memory, count) if is_unknown else draws(memory, count)


def top_cards(memory: Memory, count: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the possible top `count` cards of the deck in order, up to all of them, each with its ways.

    The ways add up to `top_total`. No card is drawn, so there is no reshuffle. Errors are those of `draws`.

    >>> known = Memory(deck=("3♠", None), discard=("2♠",), unseen=("A♠",))
    >>> list(top_cards(known, 2))
    [(('3♠', 'A♠'), 1)]
    """
    _require_top(memory, count)
    _require_few(memory, count, ordered=True)
    return _iterate_ways(memory, count, count, _fill_in_order)


def top_hands(memory: Memory, count: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the possible top `count` cards without regard to order, each with its ways, which add up to `top_total`."""
    _require_top(memory, count)
    _require_few(memory, count, ordered=False)
    return _iterate_ways(memory, count, count, _fill_as_hands)


def top_total(memory: Memory, count: int) -> int:
    """Return the sum of all ways of `top_cards` and of `top_hands`."""
    return _count_ways(memory, count, count)


def cards_before_shuffle(memory: Memory, count: int) -> int:
    """Return how many of the next `count` cards are drawn before the reshuffle (§3.2)."""
    return min(count, len(memory.deck) - 1)


def _iterate_ways(
    memory: Memory,
    count: int,
    first: int,
    fill: Callable[[Sequence[Source], Counter[str]], Iterator[WeightedCards]],
) -> Iterator[WeightedCards]:
    """Yield `count` cards with their ways: the `first` of them from the top, the others from all cards left."""
    tops = _top_sources(memory, first)
    unseen = Counter(memory.unseen)
    rest = Counter(lying_cards(memory))
    for (sources, extras), ways in tops.ways.items():
        taken = sources.count(None) + len(extras)
        unseen_ways = perm(len(memory.unseen) - taken, tops.unseen - taken)
        for cards, fill_ways in fill(sources, unseen - Counter(extras) if extras else unseen):
            if first == count:
                yield cards, ways * fill_ways * unseen_ways
                continue
            left = rest - Counter(cards)
            for more, times in fill((None,) * (count - first), left):
                yield (*cards, *more), ways * fill_ways * unseen_ways * times


def draw_total(memory: Memory, count: int) -> int:
    """Return the sum of all ways of `draws` and of `hands`."""
    return _count_ways(memory, count, cards_before_shuffle(memory, count))


def _count_ways(memory: Memory, count: int, first: int) -> int:
    lying = len(lying_cards(memory)) - first
    tops = _top_sources(memory, first)
    unseen = len(memory.unseen)
    ways = sum(
        times * perm(unseen - len(extras), tops.unseen - len(extras))
        for (_, extras), times in tops.ways.items()
    )
    return ways * perm(lying, count - first)


def require_drawable(memory: Memory, count: int) -> None:
    """Raise `InputError` unless `count` cards can be drawn, which leave one in deck and discard pile (§3.4)."""
    _require_consistent(memory)
    most = len(memory.deck) + len(memory.discard) - 1
    if not 1 <= count <= most:
        raise InputError("too_few_cards", f"from 1 to {most} cards can be drawn now, not {count}")


def is_countable(memory: Memory, count: int, *, ordered: bool) -> bool:
    """Return whether there are at most `MOST_WAYS` possible next cards, in order or as hands."""
    cards = lying_cards(memory)
    size, kinds, first = len(cards), len(set(cards)), cards_before_shuffle(memory, count)
    then, cases = count - first, 1
    if memory.has_orders:
        cases, first = count_order_cases(memory, first), _most_free(memory, first)
    if ordered:
        return cases * min(perm(size, first + then), prod([kinds] * (first + then))) <= MOST_WAYS
    before = min(comb(size, first), comb(kinds + first - 1, first))
    return cases * before * min(comb(size - first, then), comb(kinds + then - 1, then)) <= MOST_WAYS


def _most_free(memory: Memory, count: int) -> int:
    """Return the most of the top `count` cards that no listed order of a set names."""
    named = min(
        sum(card is not None for cards, _ in case.chosen for card in cards)
        for case in order_cases(memory, count)
    )
    return count - named


def require_countable(memory: Memory, count: int, *, ordered: bool) -> None:
    """Raise `InputError` for cards that cannot be drawn, and `WorkLimitError` for too many ways."""
    require_drawable(memory, count)
    _require_few(memory, count, ordered=ordered)


def _require_consistent(memory: Memory) -> None:
    """Raise `InputError` for a memory that is consistent with no deck: the numbers of places and cards differ."""
    places = Counter((*memory.deck, *memory.discard))
    sizes = {number: mixed.size for number, mixed in enumerate(memory.sets, 1)}
    unknown = places[None] + sum(mixed.unknown for mixed in memory.sets)
    numbered = {place: times for place, times in places.items() if isinstance(place, int)}
    if unknown != len(memory.unseen) or numbered != sizes:
        raise InputError(
            "bad_memory",
            "this memory of a deck is impossible: every place that is not known takes one unseen card, "
            "and every set has as many places as cards",
        )
    if memory.has_orders:
        _require_possible_orders(memory)


def _require_possible_orders(memory: Memory) -> None:
    """Raise `InputError` for listed orders that are no orders of their sets, or that no deck can have."""
    for mixed in memory.sets:
        orders = {order.cards for order in mixed.orders}
        certain = Counter(mixed.cards)
        if len(orders) != len(mixed.orders) or any(
            len(cards) != mixed.size or not certain <= Counter(cards) for cards in orders
        ):
            raise InputError(
                "bad_memory", "each order of a set is listed once, and names all cards of the set"
            )
    if count_order_cases(memory, 0) > MOST_ORDERS or not any(True for _ in order_cases(memory, 0)):
        raise InputError(
            "bad_memory",
            f"the orders of all sets are possible together, and name unseen cards in at most {MOST_ORDERS:,} ways",
        )


def _require_top(memory: Memory, count: int) -> None:
    _require_consistent(memory)
    most = len(memory.deck)
    if not 1 <= count <= most:
        raise InputError("too_few_cards", f"from 1 to {most} cards lie in the deck, not {count}")


def _require_few(memory: Memory, count: int, *, ordered: bool) -> None:
    if not is_countable(memory, count, ordered=ordered):
        raise WorkLimitError(
            "too_many_draws",
            f"{count} cards of this deck can come in more than {MOST_WAYS:,} ways: ask about fewer",
        )


def _top_sources(memory: Memory, count: int) -> _TopSources:
    """Return the possible sources of the top `count` cards with their ways."""
    cases = list(order_cases(memory, count)) if memory.has_orders else [OrderCase((), Counter(), 1)]
    ways: Counter[tuple[tuple[Source, ...], tuple[str, ...]]] = Counter()
    for case in cases:
        extras = tuple(sorted(case.extras.elements()))
        for sources, times in _case_sources(memory, case, count).items():
            ways[sources, extras] += times * case.ways
    return _TopSources(ways, max(sources.count(None) + len(extras) for sources, extras in ways))


def _case_sources(memory: Memory, case: OrderCase, count: int) -> dict[tuple[Source, ...], int]:
    """Return the possible sources of the top `count` cards with their ways, where some sets have the orders of a case."""
    listed = [number for number, mixed in enumerate(memory.sets, 1) if mixed.orders]
    chosen = {number: iter(cards) for number, (cards, _) in zip(listed, case.chosen, strict=True)}
    ways: dict[tuple[Source, ...], int] = {(): 1}
    for place in memory.deck[:count]:
        if not isinstance(place, int):
            ways = {(*sources, place): times for sources, times in ways.items()}
        elif place in chosen:
            card = next(chosen[place])
            ways = {(*sources, card): times for sources, times in ways.items()}
        else:
            ways = _extend_by_set(ways, memory, place, memory.sets[place - 1])
    return ways


def _extend_by_set(
    ways: dict[tuple[Source, ...], int], memory: Memory, number: int, mixed: MixedSet
) -> dict[tuple[Source, ...], int]:
    after: dict[tuple[Source, ...], int] = {}
    for sources, times in ways.items():
        gone = [source for source, place in zip(sources, memory.deck, strict=False) if place == number]
        left = Counter(mixed.cards) - Counter(source for source in gone if source is not None)
        for card, copies in left.items():
            after[*sources, card] = after.get((*sources, card), 0) + times * copies
        unknown = mixed.unknown - gone.count(None)
        if unknown:
            after[*sources, None] = after.get((*sources, None), 0) + times * unknown
    return after


def _fill_in_order(sources: Sequence[Source], unseen: Counter[str]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the cards of the sources in order; unseen ones are drawn without replacement."""
    if not sources:
        yield (), 1
        return
    first, *others = sources
    if first is not None:
        for cards, ways in _fill_in_order(others, unseen):
            yield (first, *cards), ways
        return
    for card, copies in unseen.items():
        left = unseen - Counter({card: 1}) if None in others else unseen
        for cards, ways in _fill_in_order(others, left):
            yield (card, *cards), ways * copies


def _fill_as_hands(sources: Sequence[Source], unseen: Counter[str]) -> Iterator[WeightedCards]:
    """Yield the cards of the sources, with unseen ones as hands, each with the number of its orders."""
    known = tuple(source for source in sources if source is not None)
    count = len(sources) - len(known)
    orders = factorial(count)
    for cards, ways in _choose_hands(unseen, count):
        yield (*known, *cards), ways * orders


def _choose_hands(unseen: Counter[str], count: int) -> Iterator[WeightedCards]:
    """Yield the hands of `count` unseen cards, each with the number of ways to choose it."""
    if len(unseen) == unseen.total():
        yield from zip(combinations(unseen, count), repeat(1))
        return
    for cards in combinations_with_replacement(unseen, count):
        ways = prod([comb(unseen[card], taken) for card, taken in Counter(cards).items()])
        if ways:
            yield cards, ways

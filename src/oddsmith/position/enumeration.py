"""All positions that are possible for a viewer, each with its weight: what `imagining` draws one of."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement, islice
from math import comb, factorial, prod
from typing import Any, NamedTuple, TypeAlias

from oddsmith.position.marks import Mark
from oddsmith.position.places import Place, Shape
from oddsmith.position.views import Views

Left: TypeAlias = tuple[tuple[Any, int], ...]
"""The cards that are not dealt yet, sorted, with the number of each."""


class _Filled(NamedTuple):
    """A value of a hidden place, its weight, and the cards that are left after it, by their type."""

    value: Any
    weight: int
    left: dict[type, Left]


class Enumeration:
    """Lists the positions that have a given view. `deck` returns the cards of the position before the first move."""

    def __init__(self, kind: type[Any], views: Views, deck: Callable[[Any, int], Counter[Any]]) -> None:
        self._kind = kind
        self._views = views
        self._deck = deck

    def list_positions(self, view: Any, limit: int) -> Sequence[tuple[Any, int]] | None:  # noqa: ANN401  a view
        """Return each possible position with this view once, with the number of ways to deal it.

        None where there are more than `limit`, those that are not `possible` included.
        """
        if not self._views.hides:
            return ((view, 1),)
        filled = list(islice(self._fill(view, 0, self._count_unseen(view)), limit + 1))
        if len(filled) > limit:
            return None
        positions = [
            (self._kind(rules=view.rules, seats=view.seats, **fields), weight) for fields, weight in filled
        ]
        return [(position, weight) for position, weight in positions if position.possible()]

    def _count_unseen(self, view: Any) -> dict[type, Left]:  # noqa: ANN401  as above
        unseen = self._deck(view.rules, view.seats) - Counter(self._views.seen_cards(view))
        by_type: dict[type, list[tuple[Any, int]]] = {}
        for card, count in sorted(unseen.items(), key=lambda item: (type(item[0]).__name__, item[0])):
            by_type.setdefault(type(card), []).append((card, count))
        return {kind: tuple(cards) for kind, cards in by_type.items()}

    def _fill(self, view: Any, number: int, left: dict[type, Left]) -> Iterator[tuple[dict[str, Any], int]]:  # noqa: ANN401  as above
        """Yield the values of all places from the one of this number on, with their weights."""
        if number == len(self._views.places):
            yield {}, 1
            return
        place = self._views.places[number]
        for filled in _fill_place(place, getattr(view, place.name), left):
            for fields, weight in self._fill(view, number + 1, filled.left):
                yield {place.name: filled.value, **fields}, filled.weight * weight


def _fill_place(place: Place, seen: Any, left: dict[type, Left]) -> Iterator[_Filled]:  # noqa: ANN401  made at run time
    if place.mark is Mark.OPEN:
        yield _Filled(seen, 1, left)
    elif place.mark is Mark.HIDDEN:
        yield from _fill_entry(place, seen, left)
    else:
        yield from _fill_entries(place, tuple(seen), left)


def _fill_entries(place: Place, sights: tuple[Any, ...], left: dict[type, Left]) -> Iterator[_Filled]:
    """Yield the entries of all seats together."""
    if not sights:
        yield _Filled((), 1, left)
        return
    sight, *others = sights
    first = [_Filled(sight.seen, 1, left)] if sight.seen is not None else _fill_entry(place, sight, left)
    for filled in first:
        for rest in _fill_entries(place, tuple(others), filled.left):
            yield _Filled((filled.value, *rest.value), filled.weight * rest.weight, rest.left)


def _fill_entry(place: Place, sight: Any, left: dict[type, Left]) -> Iterator[_Filled]:  # noqa: ANN401  as above
    if place.is_optional and not sight.given:
        yield _Filled(None, 1, left)
    elif place.shape is Shape.ONE:
        for filled in _fill_pile(place, 1, left):
            yield filled._replace(value=filled.value[0])
    elif place.shape is Shape.PILE:
        yield from _fill_pile(place, sight.count, left)
    else:
        yield from _fill_piles(place, tuple(sight.counts), left)


def _fill_piles(place: Place, counts: tuple[int, ...], left: dict[type, Left]) -> Iterator[_Filled]:
    if not counts:
        yield _Filled((), 1, left)
        return
    for filled in _fill_pile(place, counts[0], left):
        for rest in _fill_piles(place, counts[1:], filled.left):
            yield _Filled((filled.value, *rest.value), filled.weight * rest.weight, rest.left)


def _fill_pile(place: Place, size: int, left: dict[type, Left]) -> Iterator[_Filled]:
    """Yield each sorted pile: of cards that are left, else of the values that the place can have."""
    if place.values is not None:
        for values in combinations_with_replacement(sorted(place.values), size):
            orders = factorial(size) // prod(map(factorial, Counter(values).values()))
            yield _Filled(values, orders, left)
        return
    kind = place.card_type
    if kind is None:
        return
    cards = left.get(kind, ())
    for pile, weight, rest in _choose(cards, size, sum(count for _, count in cards)):
        yield _Filled(pile, weight, {**left, kind: rest})


def _choose(cards: Left, size: int, held: int) -> Iterator[tuple[tuple[Any, ...], int, Left]]:
    """Yield each choice of `size` of these cards, of which there are `held`, with its weight and the cards that are left."""
    if size > held:
        return
    if not cards:
        yield (), 1, ()
        return
    (card, count), rest = cards[0], cards[1:]
    for taken in range(min(count, size), -1, -1):
        for pile, weight, left in _choose(rest, size - taken, held - count):
            kept = ((card, count - taken), *left) if count > taken else left
            yield (card,) * taken + pile, comb(count, taken) * weight, kept

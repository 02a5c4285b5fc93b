"""Positions that are possible for a viewer: unseen cards are dealt to hidden places, other hidden values are drawn."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from oddsmith.chance import Draw
from oddsmith.errors import InputError
from oddsmith.position.marks import Mark
from oddsmith.position.places import Place, Shape
from oddsmith.position.views import Views

Decks: TypeAlias = dict[type, list[Any]]
"""The cards that are not dealt yet, by their type."""

MOST_TRIES: Final = 1_000


class Imagination:
    """Draws positions that have a given view. `deck` returns the cards of the position before the first move."""

    def __init__(self, kind: type[Any], views: Views, deck: Callable[[Any, int], Counter[Any]]) -> None:
        self._kind = kind
        self._views = views
        self._deck = deck

    def imagine(self, view: Any, draw: Draw) -> Any:  # noqa: ANN401  a view, and a position
        """Return a random position with this view that is `possible`; raise `InputError` where none is found.

        Piles are sorted. Unseen cards are equally likely in all hidden places for cards of their type: cards of one type are one
        deck. The values of other places are equally likely, too.
        """
        if not self._views.hides:
            return view
        unseen = self._deck(view.rules, view.seats) - Counter(self._views.seen_cards(view))
        by_type: dict[type, list[Any]] = {}
        for card in unseen.elements():
            by_type.setdefault(type(card), []).append(card)
        for cards in by_type.values():
            cards.sort()
        for _ in range(MOST_TRIES):
            state = self._fill(view, {kind: list(cards) for kind, cards in by_type.items()}, draw)
            if state.possible():
                return state
        raise InputError(
            "nothing_possible",
            f"{MOST_TRIES:,} imagined positions were not `possible`: check it, or write `imagine`",
        )

    def _fill(self, view: Any, left: Decks, draw: Draw) -> Any:  # noqa: ANN401  as above
        fields = {
            place.name: self._fill_place(place, getattr(view, place.name), left, draw)
            for place in self._views.places
        }
        return self._kind(rules=view.rules, seats=view.seats, **fields)

    def _fill_place(self, place: Place, seen: Any, left: Decks, draw: Draw) -> object:  # noqa: ANN401  as above
        if place.mark is Mark.OPEN:
            return seen
        if place.mark is Mark.HIDDEN:
            return _fill_entry(place, seen, left, draw)
        return tuple(
            _fill_entry(place, sight, left, draw) if sight.seen is None else sight.seen for sight in seen
        )


def _fill_entry(place: Place, sight: Any, left: Decks, draw: Draw) -> object:  # noqa: ANN401  made at run time
    if place.is_optional and not sight.given:
        return None
    if place.shape is Shape.ONE:
        return _next_value(place, left, draw)
    if place.shape is Shape.PILE:
        return _make_pile(place, sight.count, left, draw)
    return tuple(_make_pile(place, count, left, draw) for count in sight.counts)


def _make_pile(place: Place, count: int, left: Decks, draw: Draw) -> tuple[Any, ...]:
    return tuple(sorted(_next_value(place, left, draw) for _ in range(count)))


def _next_value(place: Place, left: Decks, draw: Draw) -> Any:  # noqa: ANN401  a card, or another value
    if place.values is not None:
        return place.values[draw.below(len(place.values))]
    if place.card_type is None:
        raise InputError(
            "nothing_possible",
            f"which values {place.name} can have is not declared: `imagine` must say it alone",
        )
    cards = left.get(place.card_type)
    if cards:
        return cards.pop(draw.below(len(cards)))
    raise InputError(
        "too_few_cards", f"{place.name} holds more cards than are unseen: `start` has all cards of the game"
    )

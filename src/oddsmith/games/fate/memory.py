"""What a seat knows of the deck: cards in their places, sets of cards in sets of places, and what is left (§7)."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.chance import Draw
from oddsmith.game import Seat
from oddsmith.games.fate.deck import FateDeck, Slot

Place: TypeAlias = str | int | None
"""A card that is known to lie there, the number of a set that it is one of, or nothing known."""

Places: TypeAlias = Annotated[tuple[Place, ...], Meta(max_length=200)]
Names: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=200)]


class Mixed(msgspec.Struct, frozen=True):
    """Some places hold these cards and so many unknown ones, in an order that is not known."""

    cards: Names
    unknown: int

    @property
    def size(self) -> int:
        """How many places there are."""
        return len(self.cards) + self.unknown


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat knows of deck and discard pile, each from its top; `unseen` are the cards it has not seen.

    A number in a place is that of one of the `sets`, from 1.
    """

    deck: Places
    discard: Places
    sets: Annotated[tuple[Mixed, ...], Meta(max_length=200)] = ()
    unseen: Names


def remember(deck: FateDeck, seat: Seat | None) -> Memory:
    """Return what a seat knows; a spectator knows how many cards lie where, and no more.

    >>> deck = FateDeck.fresh(("A♠", "2♠", "3♠")).settled(0, "3♠").peeked(1, seat=1)
    >>> remember(deck, 1).deck, remember(deck, 2).deck
    (('3♠', None, None), (None, None, None))
    """
    slots = (*deck.deck, *deck.discard)
    numbers, sets = _sets(slots, seat)
    places: list[Place] = [
        numbers.get(slot.mark(seat)) or _known(slot, seat) if seat is not None else None for slot in slots
    ]
    seen = Counter(slot.card for slot in slots if seat in slot.seen and slot.card is not None)
    return Memory(
        deck=tuple(places[: len(deck.deck)]),
        discard=tuple(places[len(deck.deck) :]),
        sets=sets,
        unseen=tuple(sorted((Counter(deck.cards) - seen).elements())),
    )


def _known(slot: Slot, seat: Seat) -> str | None:
    return slot.card if seat in slot.seen else None


def _sets(slots: Sequence[Slot], seat: Seat | None) -> tuple[dict[int, int], tuple[Mixed, ...]]:
    """Give numbers to the sets of places that tell a seat something, in the order in which they are met."""
    numbers: dict[int, int] = {}
    sets: list[Mixed] = []
    if seat is None:
        return numbers, ()
    for slot in slots:
        mark = slot.mark(seat)
        if mark and mark not in numbers:
            alike = [other for other in slots if other.mark(seat) == mark]
            cards = sorted(other.card for other in alike if other.card is not None and seat in other.seen)
            if cards and len(alike) > 1:
                sets.append(Mixed(tuple(cards), len(alike) - len(cards)))
                numbers[mark] = len(sets)
    return numbers, tuple(sets)


def imagined(memory: Memory, seat: Seat | None, draw: Draw) -> FateDeck:
    """Return a deck that a seat cannot tell from the real one: sets in some order, the rest seen by nobody."""
    left = [_in_some_order(one, draw) for one in memory.sets]
    slots: list[Slot] = []
    for place in (*memory.deck, *memory.discard):
        if isinstance(place, int):
            slots.append(_slot(left[place - 1].pop(), seat, mark=place))
        else:
            slots.append(_slot(place, seat))
    return FateDeck(
        deck=tuple(slots[: len(memory.deck)]), discard=tuple(slots[len(memory.deck) :]), pool=memory.unseen
    )


def _in_some_order(mixed: Mixed, draw: Draw) -> list[str | None]:
    left: list[str | None] = [*mixed.cards, *(None,) * mixed.unknown]
    return [left.pop(draw.below(len(left))) for _ in range(mixed.size)]


def _slot(card: str | None, seat: Seat | None, mark: int = 0) -> Slot:
    """Return a place that a seat knows the card of, or does not; a spectator knows none."""
    if seat is None:
        return Slot()
    seen = () if card is None else (seat,)
    return Slot(card, seen, ((seat, mark),) if mark else ())

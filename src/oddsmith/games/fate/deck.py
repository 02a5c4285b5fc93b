"""The deck that remembers: its order does not exist until somebody has seen it, and a reshuffle forgets it (§3).

A place of the deck or of the discard pile holds a card that some seat has seen, or one that nobody has. The cards
that nobody has seen are a pool, and any of them may lie in any of their places, each as likely.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Final, Self, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.chance import Weighted
from oddsmith.errors import InputError
from oddsmith.game import Seat

Names: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=200)]
Marks: TypeAlias = Annotated[tuple[int, ...], Meta(max_length=20)]

LAST: Final = 1
"""With so many cards left the deck is shuffled anew."""


class Slot(msgspec.Struct, frozen=True):
    """A place: its card where somebody has seen it, by whom, and for which seats it is mixed up with others.

    `mixed` lists pairs of a seat and a mark, one after the other: for that seat, what lies in all places with that
    mark lies there in an order that it does not know.
    """

    card: str | None = None
    seen: Marks = ()
    mixed: tuple[tuple[Seat, int], ...] = ()

    def mark(self, seat: Seat) -> int:
        """Return the mark of the place for a seat; 0 where it is not mixed up."""
        return dict(self.mixed).get(seat, 0)

    def marked(self, seat: Seat, mark: int) -> "Slot":
        """Return the place with another mark for a seat."""
        marks = {**dict(self.mixed), seat: mark}
        return Slot(self.card, self.seen, tuple(sorted((of, one) for of, one in marks.items() if one)))

    def shown(self, card: str, seats: Iterable[Seat]) -> "Slot":
        """Return the place after these seats have seen which card lies in it."""
        watching = set(seats)
        return Slot(
            card,
            tuple(sorted({*self.seen, *watching})),
            tuple((seat, mark) for seat, mark in self.mixed if seat not in watching),
        )

    def hidden_from(self, seat: Seat) -> "Slot":
        """Return the place as if a seat had never seen it."""
        return Slot(self.card, tuple(known for known in self.seen if known != seat), self.mixed)


UNSEEN: Final = Slot()


class FateDeck(msgspec.Struct, frozen=True, kw_only=True):
    """The deck from its top, the discard pile from its top, and the pool of cards that nobody has seen.

    >>> deck = FateDeck.fresh(("A♠", "2♠", "3♠", "J♠"))
    >>> deck.next_card().total
    4
    >>> left = deck.without_top("2♠")
    >>> len(left.deck), left.pool
    (3, ('3♠', 'A♠', 'J♠'))
    """

    deck: Annotated[tuple[Slot, ...], Meta(max_length=200)]
    discard: Annotated[tuple[Slot, ...], Meta(max_length=200)] = ()
    pool: Names

    @classmethod
    def fresh(cls, names: Iterable[str]) -> Self:
        """Return a shuffled deck of these cards."""
        pool = tuple(sorted(names))
        return cls(deck=(UNSEEN,) * len(pool), pool=pool)

    @property
    def cards(self) -> tuple[str, ...]:
        """Every card in the deck and on the discard pile."""
        placed = (slot.card for slot in (*self.deck, *self.discard))
        return (*self.pool, *(card for card in placed if card is not None))

    def next_card(self, place: int = 0) -> Weighted[str]:
        """Return the luck of the card in a place of the deck, from the top."""
        card = self.deck[place].card
        return Weighted(tuple(sorted(Counter(self.pool).items())) if card is None else ((card, 1),))

    def settled(self, place: int, card: str) -> Self:
        """Return the deck after luck has decided which card lies in a place; nobody has seen it yet."""
        if self.deck[place].card is not None:
            return self
        slots = _replaced(self.deck, place, Slot(card, (), self.deck[place].mixed))
        return msgspec.structs.replace(self, deck=slots, pool=_less(self.pool, card))

    def without_top(self, card: str, watching: Sequence[Seat] = ()) -> Self:
        """Return the deck after its top card, this one, was drawn and these seats have seen it."""
        known = self.settled(0, card)
        for seat in watching:
            known = known.recognized(0, seat)
        return msgspec.structs.replace(known, deck=known.deck[1:])

    def recognized(self, place: int, seat: Seat) -> Self:
        """Let a seat that sees a card take it for the copy that it knew to be among those mixed up with it.

        So nobody can tell two copies of a card apart.
        """
        top, slots = self.deck[place], (*self.deck, *self.discard)
        if seat in top.seen or not top.mark(seat):
            return self
        for other, slot in enumerate(slots):
            if slot.mark(seat) == top.mark(seat) and slot.card == top.card and seat in slot.seen:
                return self._with_slots(_replaced(slots, other, slot.hidden_from(seat)))
        return self

    def _with_slots(self, slots: Sequence[Slot]) -> Self:
        """Return the deck and the discard pile with other slots in their places."""
        size = len(self.deck)
        return msgspec.structs.replace(self, deck=tuple(slots[:size]), discard=tuple(slots[size:]))

    @property
    def is_down(self) -> bool:
        """Whether the deck has to be shuffled anew (§3.2)."""
        return len(self.deck) <= LAST

    @property
    def left(self) -> int:
        """How many cards can be drawn before the deck is shuffled anew (§3.2)."""
        return len(self.deck) - LAST

    def reshuffled(self) -> Self:
        """Shuffle deck and discard pile into a new deck, about which nobody knows anything."""
        return self.fresh(self.cards)

    def peeked(self, count: int, seat: Seat) -> Self:
        """Return the deck after a seat has looked at its top cards, which luck has decided (§5.1)."""
        known = self
        for place in range(count):
            known = known.recognized(place, seat)
            seen = known.deck[place].shown(_card(known.deck[place]), (seat,))
            known = msgspec.structs.replace(known, deck=_replaced(known.deck, place, seen))
        return known

    def reordered(self, order: Sequence[int], seat: Seat, others: Iterable[Seat]) -> Self:
        """Put the top cards into another order, which the other seats do not know (§5.2)."""
        count = len(order)
        deck = (*(self.deck[place] for place in order), *self.deck[count:])
        mixed = msgspec.structs.replace(self, deck=deck)
        for other in others:
            if other != seat and count > 1:
                mixed = mixed.mixed_up(count, other)
        return mixed

    def mixed_up(self, count: int, seat: Seat) -> Self:
        """Forget for a seat in which order the top cards lie; what they are mixed up with already joins them."""
        slots = (*self.deck, *self.discard)
        telling = {slot.mark(seat) for slot in slots if seat in slot.seen}
        joined = {slot.mark(seat) for slot in self.deck[:count]} & telling - {0}
        mark = 1 + max(slot.mark(seat) for slot in slots)
        after = [
            slot.marked(seat, mark) if place < count or slot.mark(seat) in joined else slot
            for place, slot in enumerate(slots)
        ]
        return self._with_slots(after)

    def to_bottom(self) -> Self:
        """Move the top card to the bottom unseen (§5.3)."""
        return msgspec.structs.replace(self, deck=(*self.deck[1:], self.deck[0]))

    def top_discarded(self) -> Self:
        """Move the top card to the discard pile unseen (§5.4)."""
        return msgspec.structs.replace(self, deck=self.deck[1:], discard=(self.deck[0], *self.discard))

    def top_returned(self) -> Self:
        """Move the top discard to the very bottom of the deck unseen (§5.5)."""
        return msgspec.structs.replace(self, deck=(*self.deck, self.discard[0]), discard=self.discard[1:])

    def laid_down(self, cards: Iterable[str], seen: Iterable[Seat]) -> Self:
        """Lay drawn cards face down on the discard pile, one on the other (§3.1)."""
        watching = tuple(sorted(seen))
        laid = tuple(Slot(card, watching) for card in cards)
        return msgspec.structs.replace(self, discard=(*reversed(laid), *self.discard))


def _card(slot: Slot) -> str:
    if slot.card is None:
        raise InputError("undecided_card", "luck has not decided yet which card lies there")
    return slot.card


def _replaced(slots: Sequence[Slot], place: int, slot: Slot) -> tuple[Slot, ...]:
    return (*slots[:place], slot, *slots[place + 1 :])


def _less(pool: Sequence[str], card: str) -> tuple[str, ...]:
    place = pool.index(card)
    return (*pool[:place], *pool[place + 1 :])

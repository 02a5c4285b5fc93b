"""The deck that remembers (§3), and what a seat knows of it (§7).

Luck decides a card when it is first drawn or seen. A reshuffle makes all cards unknown again.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Final, Self, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.chance import Draw, Weighted
from oddsmith.errors import InputError
from oddsmith.game import Seat

Names: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=200)]
Marks: TypeAlias = Annotated[tuple[int, ...], Meta(max_length=20)]

RESHUFFLE_SIZE: Final = 1
"""The number of cards left at which the deck is reshuffled."""


class Slot(msgspec.Struct, frozen=True):
    """A place in deck or discard pile: its card once luck has decided it, and the seats that have seen it.

    `mixed` lists pairs of a seat and a mark. For that seat, the order of the cards in all places with that mark is
    unknown.
    """

    card: str | None = None
    seen: Marks = ()
    mixed: tuple[tuple[Seat, int], ...] = ()

    def mark(self, seat: Seat) -> int:
        """Return the mark of the place for a seat, or 0 where it has none."""
        return dict(self.mixed).get(seat, 0)

    def with_mark(self, seat: Seat, mark: int) -> "Slot":
        """Return the place with another mark for a seat."""
        marks = {**dict(self.mixed), seat: mark}
        return Slot(self.card, self.seen, tuple(sorted((of, one) for of, one in marks.items() if one)))

    def show_to(self, card: str, seats: Iterable[Seat]) -> "Slot":
        """Return the place after these seats have seen that its card is `card`."""
        viewers = set(seats)
        return Slot(
            card,
            tuple(sorted({*self.seen, *viewers})),
            tuple((seat, mark) for seat, mark in self.mixed if seat not in viewers),
        )

    def hide_from(self, seat: Seat) -> "Slot":
        """Return the place as if a seat had never seen it."""
        return Slot(self.card, tuple(known for known in self.seen if known != seat), self.mixed)


UNSEEN: Final = Slot()


class FateDeck(msgspec.Struct, frozen=True, kw_only=True):
    """The deck from its top, the discard pile from its top, and the pool of cards that luck has not placed yet.

    >>> deck = FateDeck.fresh(("A♠", "2♠", "3♠", "J♠"))
    >>> deck.next_card().total
    4
    >>> left = deck.draw_top("2♠")
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
        """Return the distribution of the card in a place of the deck, counted from the top."""
        card = self.deck[place].card
        return Weighted(tuple(sorted(Counter(self.pool).items())) if card is None else ((card, 1),))

    def settle(self, place: int, card: str) -> Self:
        """Return the deck after luck has decided the card of a place, which no seat has seen yet."""
        if self.deck[place].card is not None:
            return self
        slots = _replace_slot(self.deck, place, Slot(card, (), self.deck[place].mixed))
        return msgspec.structs.replace(self, deck=slots, pool=_remove_card(self.pool, card))

    def draw_top(self, card: str, watching: Sequence[Seat] = ()) -> Self:
        """Return the deck without its top card, which is `card` and was seen by the seats that are watching."""
        known = self.settle(0, card)
        for seat in watching:
            known = known.recognize(0, seat)
        return msgspec.structs.replace(known, deck=known.deck[1:])

    def recognize(self, place: int, seat: Seat) -> Self:
        """Return the deck after a seat sees a card that it knew to be in the same mixed set, if there is one.

        The seat takes the card for the copy that it had seen before, so that two copies of a card are indistinguishable.
        """
        top, slots = self.deck[place], (*self.deck, *self.discard)
        if seat in top.seen or not top.mark(seat):
            return self
        for other, slot in enumerate(slots):
            if slot.mark(seat) == top.mark(seat) and slot.card == top.card and seat in slot.seen:
                return self._with_slots(_replace_slot(slots, other, slot.hide_from(seat)))
        return self

    def _with_slots(self, slots: Sequence[Slot]) -> Self:
        """Return the deck with these slots: first those of the deck, then those of the discard pile."""
        size = len(self.deck)
        return msgspec.structs.replace(self, deck=tuple(slots[:size]), discard=tuple(slots[size:]))

    @property
    def needs_reshuffle(self) -> bool:
        """Whether the deck has to be reshuffled (§3.2)."""
        return len(self.deck) <= RESHUFFLE_SIZE

    @property
    def cards_before_reshuffle(self) -> int:
        """The number of cards that can be drawn before the deck is reshuffled (§3.2)."""
        return len(self.deck) - RESHUFFLE_SIZE

    def reshuffle(self) -> Self:
        """Return deck and discard pile shuffled into a new deck, of which no seat knows anything."""
        return self.fresh(self.cards)

    def peek(self, count: int, seat: Seat) -> Self:
        """Return the deck after a seat has looked at its top `count` cards, which luck has decided (§5.1)."""
        known = self
        for place in range(count):
            known = known.recognize(place, seat)
            seen = known.deck[place].show_to(_settled_card(known.deck[place]), (seat,))
            known = msgspec.structs.replace(known, deck=_replace_slot(known.deck, place, seen))
        return known

    def reorder(self, order: Sequence[int], seat: Seat, others: Iterable[Seat]) -> Self:
        """Return the deck with its top cards in another order, which the other seats do not know (§5.2)."""
        count = len(order)
        deck = (*(self.deck[place] for place in order), *self.deck[count:])
        mixed = msgspec.structs.replace(self, deck=deck)
        for other in others:
            if other != seat and count > 1:
                mixed = mixed.mix_top(count, other)
        return mixed

    def mix_top(self, count: int, seat: Seat) -> Self:
        """Return the deck with the top cards in one mixed set for a seat; sets that they belong to are merged."""
        slots = (*self.deck, *self.discard)
        informative = {slot.mark(seat) for slot in slots if seat in slot.seen}
        joined = {slot.mark(seat) for slot in self.deck[:count]} & informative - {0}
        mark = 1 + max(slot.mark(seat) for slot in slots)
        after = [
            slot.with_mark(seat, mark) if place < count or slot.mark(seat) in joined else slot
            for place, slot in enumerate(slots)
        ]
        return self._with_slots(after)

    def move_to_bottom(self) -> Self:
        """Return the deck with its top card moved to the bottom unseen (§5.3)."""
        return msgspec.structs.replace(self, deck=(*self.deck[1:], self.deck[0]))

    def discard_top(self) -> Self:
        """Return the deck with its top card discarded unseen (§5.4)."""
        return msgspec.structs.replace(self, deck=self.deck[1:], discard=(self.deck[0], *self.discard))

    def return_discard(self) -> Self:
        """Return the deck with the top discard moved to its bottom unseen (§5.5)."""
        return msgspec.structs.replace(self, deck=(*self.deck, self.discard[0]), discard=self.discard[1:])

    def add_discards(self, cards: Iterable[str], seen: Iterable[Seat]) -> Self:
        """Return the deck with drawn cards put on the discard pile in this order; `seen` are the seats that saw them (§3.1)."""
        seats = tuple(sorted(seen))
        slots = tuple(Slot(card, seats) for card in cards)
        return msgspec.structs.replace(self, discard=(*reversed(slots), *self.discard))


def _settled_card(slot: Slot) -> str:
    if slot.card is None:
        raise InputError("undecided_card", "luck has not decided yet which card lies there")
    return slot.card


def _replace_slot(slots: Sequence[Slot], place: int, slot: Slot) -> tuple[Slot, ...]:
    return (*slots[:place], slot, *slots[place + 1 :])


def _remove_card(pool: Sequence[str], card: str) -> tuple[str, ...]:
    place = pool.index(card)
    return (*pool[:place], *pool[place + 1 :])


Place: TypeAlias = str | int | None
"""The known card of a place, the number of the mixed set that it belongs to, or None where nothing is known."""

Places: TypeAlias = Annotated[tuple[Place, ...], Meta(max_length=200)]


class MixedSet(msgspec.Struct, frozen=True):
    """Places that hold these cards and `unknown` more, in an unknown order."""

    cards: Names
    unknown: int

    @property
    def size(self) -> int:
        """The number of places."""
        return len(self.cards) + self.unknown


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat knows of deck and discard pile, each from its top; `unseen` are the cards it has not seen.

    A number in a place is the number of one of the `sets`, from 1.
    """

    deck: Places
    discard: Places
    sets: Annotated[tuple[MixedSet, ...], Meta(max_length=200)] = ()
    unseen: Names


def remember(deck: FateDeck, seat: Seat | None) -> Memory:
    """Return what a seat knows; a spectator (None) knows only the sizes of deck and discard pile.

    >>> deck = FateDeck.fresh(("A♠", "2♠", "3♠")).settle(0, "3♠").peek(1, seat=1)
    >>> remember(deck, 1).deck, remember(deck, 2).deck
    (('3♠', None, None), (None, None, None))
    """
    slots = (*deck.deck, *deck.discard)
    numbers, sets = _number_sets(slots, seat)
    places: list[Place] = [
        numbers.get(slot.mark(seat)) or _known_card(slot, seat) if seat is not None else None
        for slot in slots
    ]
    seen = Counter(slot.card for slot in slots if seat in slot.seen and slot.card is not None)
    return Memory(
        deck=tuple(places[: len(deck.deck)]),
        discard=tuple(places[len(deck.deck) :]),
        sets=sets,
        unseen=tuple(sorted((Counter(deck.cards) - seen).elements())),
    )


def _known_card(slot: Slot, seat: Seat) -> str | None:
    return slot.card if seat in slot.seen else None


def _number_sets(slots: Sequence[Slot], seat: Seat | None) -> tuple[dict[int, int], tuple[MixedSet, ...]]:
    """Return the number of each mark that a seat has information about, in order of appearance, and those sets."""
    numbers: dict[int, int] = {}
    sets: list[MixedSet] = []
    if seat is None:
        return numbers, ()
    for slot in slots:
        mark = slot.mark(seat)
        if mark and mark not in numbers:
            alike = [other for other in slots if other.mark(seat) == mark]
            cards = sorted(other.card for other in alike if other.card is not None and seat in other.seen)
            if cards and len(alike) > 1:
                sets.append(MixedSet(tuple(cards), len(alike) - len(cards)))
                numbers[mark] = len(sets)
    return numbers, tuple(sets)


def imagine_deck(memory: Memory, seat: Seat | None, draw: Draw) -> FateDeck:
    """Return a random deck that is consistent with a memory; mixed sets are shuffled, and other cards are undecided."""
    left = [_shuffle_set(one, draw) for one in memory.sets]
    slots: list[Slot] = []
    for place in (*memory.deck, *memory.discard):
        if isinstance(place, int):
            slots.append(_imagine_slot(left[place - 1].pop(), seat, mark=place))
        else:
            slots.append(_imagine_slot(place, seat))
    return FateDeck(
        deck=tuple(slots[: len(memory.deck)]), discard=tuple(slots[len(memory.deck) :]), pool=memory.unseen
    )


def _shuffle_set(mixed: MixedSet, draw: Draw) -> list[str | None]:
    left: list[str | None] = [*mixed.cards, *(None,) * mixed.unknown]
    return [left.pop(draw.below(len(left))) for _ in range(mixed.size)]


def _imagine_slot(card: str | None, seat: Seat | None, mark: int = 0) -> Slot:
    """Return a place whose card a seat has seen, unless it is None; a spectator has seen none."""
    if seat is None:
        return Slot()
    seen = () if card is None else (seat,)
    return Slot(card, seen, ((seat, mark),) if mark else ())

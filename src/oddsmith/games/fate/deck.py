"""The deck that remembers (§3): its cards, and what each seat knows of them.

Luck decides a card when it is first drawn or seen. A reshuffle makes all cards unknown again. A memory is changed only by
what its seat observes.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import factorial
from typing import Annotated, Final, Self, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.chance import Draw, Weighted
from oddsmith.errors import InputError
from oddsmith.game import MOST_SEATS, Seat
from oddsmith.games.fate.memory import (
    Memory,
    MixedSet,
    Names,
    Source,
    extra_cards,
    lying_cards,
    order_cases,
)

Cards: TypeAlias = Annotated[tuple[Source, ...], Meta(max_length=200)]
"""Cards of a pile from its top, None where luck has not decided yet."""

RESHUFFLE_SIZE: Final = 1
"""The number of cards left at which the deck is reshuffled."""


class FateDeck(msgspec.Struct, frozen=True, kw_only=True):
    """The deck from its top, the discard pile from its top, the cards that luck has not placed yet, and each seat's memory.

    >>> deck = FateDeck.fresh(("A♠", "2♠", "3♠", "J♠"), seats=1)
    >>> deck.next_card().total
    4
    >>> left = deck.draw_top("2♠")
    >>> left.deck, left.pool, left.memories[0].unseen
    ((None, None, None), ('3♠', 'A♠', 'J♠'), ('3♠', 'A♠', 'J♠'))
    """

    deck: Cards
    discard: Cards = ()
    pool: Names
    memories: Annotated[tuple[Memory, ...], Meta(max_length=MOST_SEATS)]

    @classmethod
    def fresh(cls, names: Iterable[str], seats: int) -> Self:
        """Return a shuffled deck of these cards, of which no seat knows anything."""
        blank = Memory.fresh(names)
        return cls(deck=blank.deck, pool=blank.unseen, memories=(blank,) * seats)  # type: ignore[arg-type]  # all places are None

    @property
    def cards(self) -> tuple[str, ...]:
        """Every card in the deck and on the discard pile."""
        return (*self.pool, *(card for card in (*self.deck, *self.discard) if card is not None))

    def next_card(self, place: int = 0) -> Weighted[str]:
        """Return the distribution of the card in a place of the deck, counted from the top."""
        card = self.deck[place]
        return Weighted(tuple(sorted(Counter(self.pool).items())) if card is None else ((card, 1),))

    def may_be(self, place: int, card: str) -> bool:
        """Return whether a card is possible in a place of the deck, counted from the top."""
        known = self.deck[place]
        return card in self.pool if known is None else card == known

    def settle(self, place: int, card: str) -> Self:
        """Return the deck after luck has decided the card of a place, which no seat has seen yet."""
        if self.deck[place] is not None:
            return self
        cards = (*self.deck[:place], card, *self.deck[place + 1 :])
        return msgspec.structs.replace(self, deck=cards, pool=_remove_card(self.pool, card))

    def draw_top(self, card: str) -> Self:
        """Return the deck without its top card, which is `card`, and which every seat has seen."""
        left = self.pool if self.deck[0] is not None else _remove_card(self.pool, card)
        return msgspec.structs.replace(
            self, deck=self.deck[1:], pool=left, memories=self._observe(lambda memory: memory.draw(card))
        )

    def _observe(self, change: Callable[[Memory], Memory]) -> tuple[Memory, ...]:
        """Return the memories after all seats have observed the same; seats that share a memory share the new one."""
        changed: dict[int, Memory] = {}
        for memory in self.memories:
            if id(memory) not in changed:
                changed[id(memory)] = change(memory)
        return tuple([changed[id(memory)] for memory in self.memories])

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
        return self.fresh(self.cards, seats=len(self.memories))

    def peek(self, count: int, seat: Seat) -> Self:
        """Return the deck after a seat has looked at its top `count` cards, which luck has decided (§5.1)."""
        memory = self.memories[seat]
        for place in range(count):
            memory = memory.see(place, _require_card(self.deck[place]))
        return msgspec.structs.replace(self, memories=_replace_memory(self.memories, seat, memory))

    def reorder(self, order: Sequence[int], seat: Seat) -> Self:
        """Return the deck with its top cards in another order, which only this seat knows (§5.2)."""
        count = len(order)
        mixed = msgspec.structs.replace(
            self,
            deck=(*(self.deck[place] for place in order), *self.deck[count:]),
            memories=self._observe(lambda memory: memory.mix_top(count)),
        )
        rest = range(count, len(self.deck) + len(self.discard))
        own = self.memories[seat].move((*order, *rest), len(self.deck))
        return msgspec.structs.replace(mixed, memories=_replace_memory(mixed.memories, seat, own))

    def move_to_bottom(self) -> Self:
        """Return the deck with its top card moved to the bottom unseen (§5.3)."""
        size = len(self.deck)
        return self._move((*range(1, size), 0, *range(size, size + len(self.discard))), size)

    def discard_top(self) -> Self:
        """Return the deck with its top card discarded unseen (§5.4)."""
        size = len(self.deck)
        return self._move((*range(1, size), 0, *range(size, size + len(self.discard))), size - 1)

    def return_discard(self) -> Self:
        """Return the deck with the top discard moved to its bottom unseen (§5.5)."""
        size = len(self.deck)
        return self._move(range(size + len(self.discard)), size + 1)

    def _move(self, sources: Sequence[int], size: int) -> Self:
        """Return the deck after cards have moved as every seat sees; `sources` and `size` are those of `Memory.move`."""
        before = (*self.deck, *self.discard)
        cards = tuple(before[source] for source in sources)
        return msgspec.structs.replace(
            self,
            deck=cards[:size],
            discard=cards[size:],
            memories=self._observe(lambda memory: memory.move(sources, size)),
        )

    def add_discards(self, cards: Sequence[str]) -> Self:
        """Return the deck with drawn cards, which every seat has seen, put on the discard pile in this order (§3.1)."""
        return msgspec.structs.replace(
            self,
            discard=(*reversed(cards), *self.discard),
            memories=self._observe(lambda memory: memory.add_discards(cards)),
        )


def _require_card(card: Source) -> str:
    if card is None:
        raise InputError("undecided_card", "luck has not decided yet which card lies there")
    return card


def _replace_memory(memories: tuple[Memory, ...], seat: Seat, memory: Memory) -> tuple[Memory, ...]:
    return (*memories[:seat], memory, *memories[seat + 1 :])


def _remove_card(pool: Sequence[str], card: str) -> tuple[str, ...]:
    place = pool.index(card)
    return (*pool[:place], *pool[place + 1 :])


def remember(deck: FateDeck, seat: Seat | None) -> Memory:
    """Return what a seat knows; a spectator (None) knows only the sizes of deck and discard pile.

    >>> deck = FateDeck.fresh(("A♠", "2♠", "3♠"), seats=3).settle(0, "3♠").peek(1, seat=1)
    >>> remember(deck, 1).deck, remember(deck, 2).deck
    (('3♠', None, None), (None, None, None))
    """
    return _blank_memory(deck.cards, len(deck.deck)) if seat is None else deck.memories[seat]


def _blank_memory(cards: Iterable[str], deck_size: int) -> Memory:
    """Return the memory of a deck and a discard pile of which only the sizes are known."""
    blank = Memory.fresh(cards)
    return msgspec.structs.replace(blank, deck=blank.deck[:deck_size], discard=blank.deck[deck_size:])


# --- decks that are consistent with a memory -------------------------------------------------------------------------


def imagine_deck(memory: Memory, seat: Seat | None, seats: int, draw: Draw) -> FateDeck:
    """Return a random deck that is consistent with a memory; other seats know nothing of it.

    Orders of sets are sampled with their probabilities. Cards that the seat has not seen are undecided.
    """
    lying = lying_cards(memory)
    blank = _blank_memory(lying, len(memory.deck))
    known = blank if seat is None else memory
    orders = [iter(cards) for cards in _imagine_orders(known, draw)]
    cards = [
        next(orders[place - 1]) if isinstance(place, int) else place
        for place in (*known.deck, *known.discard)
    ]
    pool = Counter(lying) - Counter(card for card in cards if card is not None)
    return FateDeck(
        deck=tuple(cards[: len(memory.deck)]),
        discard=tuple(cards[len(memory.deck) :]),
        pool=tuple(sorted(pool.elements())),
        memories=tuple(memory if one == seat else blank for one in range(seats)),
    )


def _imagine_orders(memory: Memory, draw: Draw) -> list[Sequence[Source]]:
    """Return a random order of each set."""
    extras = iter(_imagine_extras(memory, draw))
    return [
        _imagine_listed_order(mixed, next(extras), draw) if mixed.orders else _shuffle_set(mixed, draw)
        for mixed in memory.sets
    ]


def _imagine_extras(memory: Memory, draw: Draw) -> tuple[tuple[str, ...], ...]:
    """Return random extra cards of each set that lists its orders, with the probability that they are named there."""
    if not memory.has_orders:
        return ()
    unseen = len(memory.unseen)
    cases = [
        (tuple(extras for _, extras in case.chosen), case.ways * factorial(unseen - case.extras.total()))
        for case in order_cases(memory, 0)
    ]
    return Weighted(tuple(cases)).sample(draw)


def _imagine_listed_order(mixed: MixedSet, extras: tuple[str, ...], draw: Draw) -> Sequence[Source]:
    """Return a random one of the listed orders that name these extra cards."""
    orders = [
        (order.cards, order.ways)
        for order in mixed.orders
        if extra_cards(order.cards, mixed) == Counter(extras)
    ]
    return Weighted(tuple(orders)).sample(draw)


def _shuffle_set(mixed: MixedSet, draw: Draw) -> list[Source]:
    left: list[Source] = [*mixed.cards, *(None,) * mixed.unknown]
    return [left.pop(draw.below(len(left))) for _ in range(mixed.size)]

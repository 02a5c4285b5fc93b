"""What a seat knows of deck and discard pile, and how it changes with what the seat observes (§7.1, §7.2).

The model behind it: after a shuffle every order is equally likely, and when another seat reorders cards, each of their
orders is equally likely. A memory is then the exact conditional distribution given all that the seat has observed,
unless a set of it is an estimate.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from math import factorial, gcd, perm, prod
from typing import Annotated, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

Names: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=200)]
Source: TypeAlias = str | None
"""A card that was seen, or None for an unseen one."""
Sources: TypeAlias = tuple[Source, ...]
Place: TypeAlias = str | int | None
"""The known card of a place, the number of the mixed set that it belongs to, or None where nothing is known."""
Places: TypeAlias = Annotated[tuple[Place, ...], Meta(max_length=200)]

MOST_ORDERS: Final = 1000
"""The most orders of a set that a memory lists. A set with more is an estimate."""
MOST_WAYS: Final = 2**53 - 1
"""The largest weight of an order, which every reader of JSON gets unchanged. A set with a larger one is an estimate."""


class Order(msgspec.Struct, frozen=True):
    """A possible order of the cards of a set, from the top, None for an unseen card; and its weight.

    The weight is the number of ways in which other seats can have made this order.
    """

    cards: Annotated[tuple[Source, ...], Meta(max_length=200)]
    ways: Annotated[int, Meta(ge=1, le=MOST_WAYS)]


class MixedSet(msgspec.Struct, frozen=True):
    """Places that hold these cards and `unknown` more, in an unknown order.

    Without `orders` every order is equally likely. Otherwise these are the possible ones; some may name more than
    `cards`, where it is not certain which of several copies was seen. `is_estimate`: there were too many orders to list,
    so they are taken as equally likely, which they are not.
    """

    cards: Names
    unknown: int
    orders: Annotated[tuple[Order, ...], Meta(max_length=MOST_ORDERS)] = ()
    is_estimate: bool = False

    @property
    def size(self) -> int:
        """The number of places."""
        return len(self.cards) + self.unknown


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat knows of deck and discard pile, each from its top; `unseen` are the cards it has not seen.

    A number in a place is the number of one of the `sets`, from 1. Their orders list places of the deck before those of
    the discard pile.

    >>> known = Memory.fresh(("A", "B", "C", "D")).see(0, "A").see(1, "B")
    >>> known.mix_top(3).sets
    (MixedSet(cards=('A', 'B'), unknown=1, orders=(), is_estimate=False),)
    """

    deck: Places
    discard: Places
    sets: Annotated[tuple[MixedSet, ...], Meta(max_length=200)] = ()
    unseen: Names

    @classmethod
    def fresh(cls, cards: Iterable[str]) -> "Memory":
        """Return the memory of a deck of these cards that was just shuffled."""
        unseen = tuple(sorted(cards))
        return cls(deck=(None,) * len(unseen), discard=(), unseen=unseen)

    @property
    def is_exact(self) -> bool:
        """Whether odds from this memory are exact: none of its sets is an estimate."""
        return not any(mixed.is_estimate for mixed in self.sets)

    @property
    def has_orders(self) -> bool:
        """Whether the orders of some set are not equally likely."""
        return any(mixed.orders for mixed in self.sets)

    def see(self, place: int, card: str) -> "Memory":
        """Return the memory after the seat has seen which card is in a place, counted from the top of the deck."""
        places = (*self.deck, *self.discard)
        what = places[place]
        if isinstance(what, str):
            return self
        if what is None:
            known = (*places[:place], card, *places[place + 1 :])
            return _prune(self._with(known, len(self.deck), self.sets, _remove(self.unseen, card)))
        mixed, unseen = self.sets[what - 1], Counter(self.unseen)
        if not mixed.orders:
            is_copy = card in mixed.cards and mixed.unknown > 0 and unseen[card] > 0
            is_estimate = mixed.is_estimate or (is_copy and count_orders(mixed) > MOST_ORDERS)
            if is_estimate or not is_copy:
                return _prune(self._see_in_plain_set(place, what, card, is_estimate=is_estimate))
        columns = _columns(places, what)
        column = columns.index(place)
        table: Counter[Sources] = Counter()
        for cards, ways in list_orders(mixed):
            named = cards[column]
            if named == card or (named is None and extra_cards(cards, mixed)[card] < unseen[card]):
                table[(*cards[:column], card, *cards[column + 1 :])] += ways
        return _prune(self._with_table(columns, table, (what,)))

    def _see_in_plain_set(self, place: int, number: int, card: str, *, is_estimate: bool) -> "Memory":
        """Return the memory after a card of a set without listed orders was seen: a known one of it, if there is one."""
        places: list[Place] = [*self.deck, *self.discard]
        mixed = self.sets[number - 1]
        is_known = card in mixed.cards
        cards = _remove(mixed.cards, card) if is_known else mixed.cards
        left = MixedSet(cards, mixed.unknown - (not is_known), is_estimate=is_estimate)
        places[place] = card
        contents: set[Source] = {*left.cards, *(None,) * left.unknown}
        if len(contents) == 1 and not (is_estimate and left.unknown):
            (only,) = contents
            places = [only if what == number else what for what in places]
        sets = (*self.sets[: number - 1], left, *self.sets[number:])
        return self._with(
            places, len(self.deck), sets, self.unseen if is_known else _remove(self.unseen, card)
        )

    def draw(self, card: str) -> "Memory":
        """Return the memory after the top card was seen and left the deck."""
        known = self.see(0, card)
        return Memory(deck=known.deck[1:], discard=known.discard, sets=known.sets, unseen=known.unseen)

    def add_discards(self, cards: Iterable[str]) -> "Memory":
        """Return the memory after cards that the seat has seen were put on the discard pile in this order."""
        discard = (*reversed(tuple(cards)), *self.discard)
        return Memory(deck=self.deck, discard=discard, sets=self.sets, unseen=self.unseen)

    def move(self, sources: Sequence[int], deck_size: int) -> "Memory":
        """Return the memory after places have moved as the seat knows: `sources` lists the former place of each.

        Places are counted from the top of the deck, those of the discard pile after it; the first `deck_size` are then
        those of the deck.
        """
        before = (*self.deck, *self.discard)
        places = [before[source] for source in sources]
        sets = tuple(
            _move_columns(mixed, number, before, places, sources) if mixed.orders else mixed
            for number, mixed in enumerate(self.sets, 1)
        )
        return self._with(places, deck_size, sets, self.unseen)

    def mix_top(self, count: int) -> "Memory":
        """Return the memory after another seat has put the top cards into an order that this seat does not know."""
        places = (*self.deck, *self.discard)
        if count < 2 or all(place is None for place in places[:count]):  # noqa: PLR2004  one card has one order
            return self
        joined = tuple(sorted({place for place in places[:count] if isinstance(place, int)}))
        columns = [at for at, place in enumerate(places) if at < count or place in joined]
        table = self._mix_columns(columns, joined, count)
        return _prune(
            self._estimate(columns, joined) if table is None else self._with_table(columns, table, joined)
        )

    def _mix_columns(
        self, columns: Sequence[int], joined: Sequence[int], count: int
    ) -> dict[Sources, int] | None:
        """Return the possible cards of columns after the first `count` were mixed; None where there are too many."""
        places, sets = (*self.deck, *self.discard), [self.sets[number - 1] for number in joined]
        if any(mixed.is_estimate for mixed in sets) or prod(map(count_orders, sets)) > MOST_ORDERS:
            return None
        found: Counter[tuple[Sources, Sources]] = Counter()
        for chosen in product(*(tuple(list_orders(mixed)) for mixed in sets)):
            left = {number: iter(cards) for number, (cards, _) in zip(joined, chosen, strict=True)}
            cards = [
                next(left[what]) if isinstance(what, int) else what
                for what in map(places.__getitem__, columns)
            ]
            inside = tuple(sorted(cards[:count], key=_sort_key))
            found[inside, tuple(cards[count:])] += prod(ways for _, ways in chosen)
        if sum(_count_distinct(inside) for inside, _ in found) > MOST_ORDERS:
            return None
        table: dict[Sources, int] = {}
        for (inside, outside), ways in found.items():
            repeats = factorial(count) // _count_distinct(inside)
            for order in _distinct_orders(inside):
                table[(*order, *outside)] = ways * repeats
        return table if max(table.values()) <= MOST_WAYS else None

    def _estimate(self, columns: Sequence[int], joined: Sequence[int]) -> "Memory":
        """Return the memory with columns as one set that is an estimate."""
        places: list[Place] = [*self.deck, *self.discard]
        fixed = [place for place in map(places.__getitem__, columns) if isinstance(place, str)]
        cards = sorted((*fixed, *(card for number in joined for card in self.sets[number - 1].cards)))
        mixed = MixedSet(tuple(cards), len(columns) - len(cards), is_estimate=True)
        for column in columns:
            places[column] = len(self.sets) + 1
        return self._with(places, len(self.deck), (*self.sets, mixed), self.unseen)

    def _with_table(
        self, columns: Sequence[int], table: Mapping[Sources, int], joined: Iterable[int]
    ) -> "Memory":
        """Return the memory with the possible cards of columns, which replace the sets `joined`.

        A column that is the same in every order is no part of the new set.
        """
        places: list[Place] = [*self.deck, *self.discard]
        pool = Counter(self.unseen)
        pool.update(place for place in map(places.__getitem__, columns) if isinstance(place, str))
        pool.update(card for number in joined for card in self.sets[number - 1].cards)
        first, open_columns = next(iter(table)), list[int]()
        for at, column in enumerate(columns):
            if any(cards[at] != first[at] for cards in table):
                open_columns.append(at)
                places[column] = len(self.sets) + 1
            else:
                places[column] = first[at]
                pool[first[at] or ""] -= 1
        sets = self.sets
        if open_columns:
            mixed = _make_set(
                {tuple(cards[at] for at in open_columns): ways for cards, ways in table.items()}
            )
            pool.subtract(mixed.cards)
            sets = (*sets, mixed)
        del pool[""]
        return self._with(places, len(self.deck), sets, tuple(sorted(pool.elements())))

    def _with(
        self, places: Sequence[Place], deck_size: int, sets: Sequence[MixedSet], unseen: Sequence[str]
    ) -> "Memory":
        """Return a memory with these places, and with the sets that they belong to numbered from the top."""
        if sets:
            numbers: dict[int, int] = {}
            for place in places:
                if isinstance(place, int):
                    numbers.setdefault(place, len(numbers) + 1)
            places = [numbers[place] if isinstance(place, int) else place for place in places]
            sets = [sets[number - 1] for number in numbers]
        return Memory(
            deck=tuple(places[:deck_size]),
            discard=tuple(places[deck_size:]),
            sets=tuple(sets),
            unseen=tuple(unseen),
        )


# --- sets and their orders -------------------------------------------------------------------------------------------


def list_orders(mixed: MixedSet) -> Iterator[tuple[Sources, int]]:
    """Yield the possible orders of a set, each with its weight.

    >>> list(list_orders(MixedSet(("A",), 1)))
    [(('A', None), 1), ((None, 'A'), 1)]
    """
    if mixed.orders:
        yield from ((order.cards, order.ways) for order in mixed.orders)
    else:
        yield from ((order, 1) for order in _distinct_orders((*mixed.cards, *(None,) * mixed.unknown)))


def count_orders(mixed: MixedSet) -> int:
    """Return the number of orders that `list_orders` yields."""
    return len(mixed.orders) or _count_distinct((*mixed.cards, *(None,) * mixed.unknown))


def extra_cards(cards: Sequence[Source], mixed: MixedSet) -> Counter[str]:
    """Return the cards that an order of a set names besides those that are certainly in the set.

    >>> extra_cards(("X", None), MixedSet((), 2))
    Counter({'X': 1})
    """
    return Counter(card for card in cards if card is not None) - Counter(mixed.cards)


def order_classes(mixed: MixedSet, columns: Sequence[int] = ()) -> Counter[tuple[Sources, tuple[str, ...]]]:
    """Return the weights of the listed orders of a set, by their cards in some columns and the extra cards of all columns."""
    found: Counter[tuple[Sources, tuple[str, ...]]] = Counter()
    for order in mixed.orders:
        extras = tuple(sorted(extra_cards(order.cards, mixed).elements()))
        found[tuple([order.cards[column] for column in columns]), extras] += order.ways
    return found


class OrderCase(NamedTuple):
    """What the sets that list their orders have in their top columns, and which extra cards each of them names.

    `ways` is the weight of the case: that of its orders, times the ways to take its extra cards from the unseen ones.
    """

    chosen: tuple[tuple[Sources, tuple[str, ...]], ...]
    extras: Counter[str]
    ways: int


def order_cases(memory: Memory, count: int) -> Iterator[OrderCase]:
    """Yield the possible cases of the sets that list their orders; their top columns are those in the top `count` places."""
    unseen = Counter(memory.unseen)
    classes = [order_classes(mixed, columns).items() for mixed, columns in _top_columns(memory, count)]
    for joint in product(*classes):
        extras = Counter(card for (_, more), _ in joint for card in more)
        if extras <= unseen:
            ways = prod(ways for _, ways in joint)
            ways *= prod(perm(unseen[card], times) for card, times in extras.items())
            yield OrderCase(tuple(chosen for chosen, _ in joint), extras, ways)


def count_order_cases(memory: Memory, count: int) -> int:
    """Return the most cases that `order_cases` can yield."""
    return prod(len(order_classes(mixed, columns)) for mixed, columns in _top_columns(memory, count))


def _top_columns(memory: Memory, count: int) -> Iterator[tuple[MixedSet, range]]:
    """Yield the sets that list their orders, each with its columns in the top places."""
    for number, mixed in enumerate(memory.sets, 1):
        if mixed.orders:
            yield mixed, range(memory.deck[:count].count(number))


def _make_set(table: Mapping[Sources, int]) -> MixedSet:
    """Return the set of a table: its certain cards, and its orders unless all are equally likely."""
    named = [Counter(card for card in cards if card is not None) for cards in table]
    certain = named[0]
    for one in named[1:]:
        certain &= one
    cards, size = tuple(sorted(certain.elements())), len(next(iter(table)))
    plain = MixedSet(cards, size - len(cards))
    is_uniform = all(one == certain for one in named) and len({*table.values()}) == 1
    if is_uniform and len(table) == count_orders(plain):
        return plain
    unit = gcd(*table.values())
    orders = (Order(order, table[order] // unit) for order in sorted(table, key=_order_key))
    return MixedSet(cards, plain.unknown, tuple(orders))


def _prune(memory: Memory) -> Memory:
    """Return a memory without the orders that name more copies of a card than can be there.

    Where sets have too many combinations of extra cards, one of them becomes an estimate.
    """
    if not memory.has_orders:
        return memory
    places = (*memory.deck, *memory.discard)
    unseen = Counter(memory.unseen)
    for number, mixed in enumerate(memory.sets, 1):
        possible = {
            order.cards: order.ways for order in mixed.orders if extra_cards(order.cards, mixed) <= unseen
        }
        if len(possible) < len(mixed.orders):
            return _prune(memory._with_table(_columns(places, number), possible, (number,)))  # noqa: SLF001  of this module
    if count_order_cases(memory, 0) > MOST_ORDERS:
        cases = [len(order_classes(mixed)) for mixed in memory.sets]
        number = cases.index(max(cases)) + 1
        return _prune(memory._estimate(_columns(places, number), (number,)))  # noqa: SLF001  of this module
    return memory


def _move_columns(
    mixed: MixedSet, number: int, before: Sequence[Place], after: Sequence[Place], sources: Sequence[int]
) -> MixedSet:
    """Return a set whose places have moved, with its orders in the new sequence of places."""
    former = {source: column for column, source in enumerate(_columns(before, number))}
    columns = [former[sources[at]] for at in _columns(after, number)]
    moved = {tuple(order.cards[column] for column in columns): order.ways for order in mixed.orders}
    orders = tuple(Order(cards, moved[cards]) for cards in sorted(moved, key=_order_key))
    return MixedSet(mixed.cards, mixed.unknown, orders)


def _columns(places: Sequence[Place], number: int) -> list[int]:
    return [at for at, place in enumerate(places) if place == number]


def _distinct_orders(cards: Sequence[Source]) -> Iterable[Sources]:
    return dict.fromkeys(permutations(cards))


def _count_distinct(cards: Sequence[Source]) -> int:
    return factorial(len(cards)) // prod(map(factorial, Counter(cards).values()))


def _sort_key(card: Source) -> str:
    return card or ""


def _order_key(cards: Sources) -> list[str]:
    return [*map(_sort_key, cards)]


def lying_cards(memory: Memory) -> list[str]:
    """Return every card in deck and discard pile, those of sets and the unseen ones included."""
    placed = [place for place in (*memory.deck, *memory.discard) if isinstance(place, str)]
    return [*placed, *(card for one in memory.sets for card in one.cards), *memory.unseen]


def _remove(cards: Sequence[str], card: str) -> tuple[str, ...]:
    place = cards.index(card)
    return (*cards[:place], *cards[place + 1 :])

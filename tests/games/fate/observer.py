"""Somebody at the table who has nothing but ears: what it knows of the deck follows from what it hears, and no more.

It shares no code with the game's memory. Places of the deck have names of their own, and cards move with them.
"""

from collections import Counter
from itertools import count

from oddsmith.game import Act, Event, Luck, audible_events
from oddsmith.games.fate.deck import Memory, MixedSet
from oddsmith.games.fate.model import (
    Action,
    Drawn,
    Kept,
    Peeked,
    Reorder,
    Reshuffled,
    Resolved,
    Used,
)
from oddsmith.games.fate.rules import Ability


class Group:
    """Places that hold these cards among others, in an unknown order."""

    def __init__(self, places: set[int], cards: Counter[str]) -> None:
        self.places = places
        self.cards = cards


class Observer:
    """A seat that hears the events of its audience, and knows the orders that it made itself."""

    def __init__(self, seat: int, composition: tuple[str, ...]) -> None:
        self.seat = seat
        self.composition = Counter(composition)
        self.hand: list[str] = []
        self.aside: list[str] = []
        self.owed = 0
        self.shuffle()

    def shuffle(self) -> None:
        lying = self.composition - Counter(self.hand) - Counter(self.aside)
        self.fresh = count()
        self.deck = [next(self.fresh) for _ in range(lying.total())]
        self.discard: list[int] = []
        self.known: dict[int, str] = {}
        self.groups: list[Group] = []

    def hear(self, move: Act[Action] | Luck[str], events: tuple[Event, ...]) -> None:
        for event in audible_events(events, self.seat):
            self._hear(move, event)

    def _hear(self, move: Act[Action] | Luck[str], event: Event) -> None:
        match event:
            case Drawn(card=card):
                self.see(self.deck[0], card)
                del self.known[self.deck.pop(0)]
                self.hand.append(card)
            case Kept(cards=cards):
                rest = list(self.hand)
                for card in cards:
                    rest.remove(card)
                self.hand, self.aside = list(cards), self.aside + rest
            case Resolved():
                for card in (*self.aside, *self.hand):
                    place = next(self.fresh)
                    self.known[place] = card
                    self.discard.insert(0, place)
                self.hand, self.aside = [], []
            case Peeked(cards=cards):
                for place, card in zip(self.deck, cards, strict=False):
                    self.see(place, card)
            case Reshuffled():
                self.shuffle()
                self.throw(self.owed)
            case Used(player=player, ability=ability, count=times):
                own = move.action if isinstance(move, Act) and player == self.seat else None
                self.use(ability, times, own)

    def use(self, ability: Ability, times: int, own: object) -> None:
        match ability:
            case Ability.REORDER if isinstance(own, Reorder):
                self.deck[:times] = [self.deck[place] for place in own.order]
            case Ability.REORDER:
                self.mix(set(self.deck[:times]))
            case Ability.TO_BOTTOM:
                self.deck.append(self.deck.pop(0))
            case Ability.DISCARD:
                self.throw(times)
            case Ability.RETURN:
                for _ in range(times):
                    self.deck.append(self.discard.pop(0))
            case Ability.REDRAW:
                self.hand, self.aside = [], self.aside + self.hand

    def throw(self, times: int) -> None:
        """Discard from the top until one card is left; the rest is owed by the next deck."""
        now = min(times, len(self.deck) - 1)
        for place in self.deck[:now]:
            self.discard.insert(0, place)
        self.deck, self.owed = self.deck[now:], times - now

    def see(self, place: int, card: str) -> None:
        """Learn which card lies in a place; in a group it is taken for the one that was known to be there."""
        assert self.known.get(place, card) == card
        for group in self.groups:
            if place in group.places:
                group.places.remove(place)
                group.cards -= Counter([card])
        self.known[place] = card
        self.settle()

    def mix(self, places: set[int]) -> None:
        """Forget the order of cards in these places; groups that they touch join them."""
        if len(places) < 2:
            return
        mixed = Group(places, Counter(self.known.pop(place) for place in places if place in self.known))
        apart = []
        for group in self.groups:
            if group.places & places:
                mixed.places |= group.places
                mixed.cards += group.cards
            else:
                apart.append(group)
        self.groups = [*apart, mixed]
        self.settle()

    def settle(self) -> None:
        """Forget groups without a known card; a group of one place is a place that is known."""
        for group in self.groups:
            if len(group.places) == 1 and group.cards:
                (self.known[next(iter(group.places))],) = group.cards
        self.groups = [group for group in self.groups if len(group.places) > 1 and group.cards]

    def memory(self) -> Memory:
        """Say all of it in the words of a view."""
        sets: list[Group] = []
        places: list[str | int | None] = []
        for place in (*self.deck, *self.discard):
            inside = next((group for group in self.groups if place in group.places), None)
            if inside is None:
                places.append(self.known.get(place))
                continue
            if inside not in sets:
                sets.append(inside)
            places.append(1 + sets.index(inside))
        seen = Counter(self.known.values()) + Counter(self.hand) + Counter(self.aside)
        for group in sets:
            seen += group.cards
        return Memory(
            deck=tuple(places[: len(self.deck)]),
            discard=tuple(places[len(self.deck) :]),
            sets=tuple(
                MixedSet(tuple(sorted(one.cards.elements())), len(one.places) - one.cards.total())
                for one in sets
            ),
            unseen=tuple(sorted((self.composition - seen).elements())),
        )

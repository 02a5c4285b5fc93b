"""Model of a seat that knows only the events of its audience, independent of the game's memory.

Positions of the deck have identities, and cards move with them.
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
    """Positions that hold these cards among others, in an unknown order."""

    def __init__(self, places: set[int], cards: Counter[str]) -> None:
        self.places = places
        self.cards = cards


class Observer:
    """A seat that receives the events of its audience and knows the orders that it chose itself."""

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

    def receive(self, move: Act[Action] | Luck[str], events: tuple[Event, ...]) -> None:
        for event in audible_events(events, self.seat):
            self._receive(move, event)

    def _receive(self, move: Act[Action] | Luck[str], event: Event) -> None:
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
        """Discard from the top until one card is left; the remaining discards wait for the reshuffled deck."""
        now = min(times, len(self.deck) - 1)
        for place in self.deck[:now]:
            self.discard.insert(0, place)
        self.deck, self.owed = self.deck[now:], times - now

    def see(self, place: int, card: str) -> None:
        """Learn the card at a position; in a group it is taken for the one that was known to be there."""
        assert self.known.get(place, card) == card
        for group in self.groups:
            if place in group.places:
                group.places.remove(place)
                group.cards -= Counter([card])
        self.known[place] = card
        self.settle()

    def mix(self, places: set[int]) -> None:
        """Forget the order of the cards at these positions and join the groups that they touch."""
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
        """Drop groups without a known card; a group of one position becomes a known position."""
        for group in self.groups:
            if len(group.places) == 1 and group.cards:
                (self.known[next(iter(group.places))],) = group.cards
        self.groups = [group for group in self.groups if len(group.places) > 1 and group.cards]

    def memory(self) -> Memory:
        """Return the knowledge as the memory of a view."""
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

"""Model of a seat that knows only the events of its audience: every deck that agrees with them, by brute force.

It shares no code with the game's memory. After a shuffle all orders are equally likely; another seat's reorder leads to
every order of its cards with the same probability; an observation removes the decks that contradict it.
"""

from collections import Counter
from collections.abc import Callable
from itertools import permutations

from oddsmith.game import Act, Event, Luck, audible_events
from oddsmith.games.fate.effects import Ability
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
from tests.games.fate.oracle import Cards, World


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
        """Forget everything: every order of the cards that are not in the check is equally likely."""
        lying = self.composition - Counter(self.hand) - Counter(self.aside)
        self.worlds: Counter[World] = Counter((order, ()) for order in permutations(sorted(lying.elements())))

    def receive(self, move: Act[Action] | Luck[str], events: tuple[Event, ...]) -> None:
        """Learn from the events of a move; a move of the seat itself is known."""
        for event in audible_events(events, self.seat):
            self._receive(move, event)

    def _receive(self, move: Act[Action] | Luck[str], event: Event) -> None:
        match event:
            case Drawn(card=card):
                self.see((card,))
                self.change(lambda deck, discard: (deck[1:], discard))
                self.hand.append(card)
            case Kept(cards=cards):
                rest = list(self.hand)
                for card in cards:
                    rest.remove(card)
                self.hand, self.aside = list(cards), self.aside + rest
            case Resolved():
                pile = tuple(reversed((*self.aside, *self.hand)))
                self.change(lambda deck, discard: (deck, (*pile, *discard)))
                self.hand, self.aside = [], []
            case Peeked(cards=cards):
                self.see(cards)
            case Reshuffled():
                self.shuffle()
                self.throw(self.owed)
            case Used(player=player, ability=ability, count=times):
                own = move.action if isinstance(move, Act) and player == self.seat else None
                self.use(ability, times, own)

    def use(self, ability: Ability, times: int, own: object) -> None:
        """Learn from an ability that was used openly."""
        match ability:
            case Ability.REORDER if isinstance(own, Reorder):
                self.change(lambda deck, discard: (reordered(deck, own.order), discard))
            case Ability.REORDER:
                mixed: Counter[World] = Counter()
                for (deck, discard), ways in self.worlds.items():
                    for order in permutations(range(times)):
                        mixed[reordered(deck, order), discard] += ways
                self.worlds = mixed
            case Ability.TO_BOTTOM:
                self.change(lambda deck, discard: ((*deck[1:], deck[0]), discard))
            case Ability.DISCARD:
                self.throw(times)
            case Ability.RETURN:
                for _ in range(times):
                    self.change(lambda deck, discard: ((*deck, discard[0]), discard[1:]))
            case Ability.REDRAW:
                self.hand, self.aside = [], self.aside + self.hand

    def throw(self, times: int) -> None:
        """Discard from the top until one card is left; the remaining discards wait for the reshuffled deck."""
        size = len(next(iter(self.worlds))[0])
        now = min(times, size - 1)
        for _ in range(now):
            self.change(lambda deck, discard: (deck[1:], (deck[0], *discard)))
        self.owed = times - now

    def see(self, cards: Cards) -> None:
        """Learn which cards are on top."""
        self.worlds = Counter(
            {one: ways for one, ways in self.worlds.items() if one[0][: len(cards)] == cards}
        )

    def change(self, move: Callable[[Cards, Cards], World]) -> None:
        """Move cards in every world in the same way."""
        after: Counter[World] = Counter()
        for (deck, discard), ways in self.worlds.items():
            after[move(deck, discard)] += ways
        self.worlds = after


def reordered(deck: Cards, order: tuple[int, ...]) -> Cards:
    """Return a deck with its top cards in another order."""
    return (*(deck[place] for place in order), *deck[len(order) :])

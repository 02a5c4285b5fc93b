"""Hold and draw: five cards, one exchange, the better poker hand wins."""

from collections.abc import Sequence
from itertools import combinations
from typing import Annotated, Self

from oddsmith.poker import HandRank, classify
from oddsmith.position import (
    STANDARD_DECK,
    Card,
    Each,
    Hidden,
    Mechanic,
    Meta,
    Open,
    Own,
    Position,
    Rules,
    Seat,
    Turn,
    asks,
    awaits,
    each,
    ends,
    hands,
    less,
    plus,
    put,
)

Hand = tuple[Card, ...]


class HoldAndDrawRules(Rules):
    """The numbers of hold and draw."""

    most_exchanged: Annotated[int, Meta(ge=0, le=5)] = 5


def strength(hand: Hand) -> tuple[int, ...]:
    """Return numbers that order hands: the rank, then the cards, those that occur most often first."""
    numbers = [card.number for card in hand]
    by_count = sorted(numbers, key=lambda number: (numbers.count(number), number), reverse=True)
    wheel = by_count == [14, 5, 4, 3, 2]
    return (-[*HandRank].index(classify(hand).rank), *([5, 4, 3, 2, 1] if wheel else by_count))


class HoldAndDraw(Position[HoldAndDrawRules, Hand, tuple[Hand, ...]]):
    """Exchange some of your five cards once; the better poker hand wins."""

    players = range(2, 5)
    stock: Hidden[Hand] = STANDARD_DECK
    hands: Own[Each[Hand]] = each(())
    gone: Own[Each[Hand]] = each(())
    exchanged: Open[Each[int | None]] = each(None)
    shown: Open[Each[Hand]] = each(())

    def turn(self) -> Turn[tuple[Hand, ...]]:
        if self.missing():
            return awaits(hands(self.stock, *(5 - len(hand) for hand in self.hands)))
        if any(self.shown):
            strengths = [strength(hand) for hand in self.shown]
            scores = [int(one == max(strengths)) for one in strengths]
            return ends("the better hand wins", scores)
        return asks(self.exchanged.index(None))

    def missing(self) -> bool:
        return not any(self.shown) and any(len(hand) < 5 for hand in self.hands)  # noqa: PLR2004  poker hands

    def actions(self, seat: Seat) -> Sequence[Hand]:
        sizes = range(self.rules.most_exchanged + 1)
        return tuple(gone for size in sizes for gone in combinations(self.hands[seat], size))

    def act(self, seat: Seat, action: Hand) -> Self:
        kept = put(self.hands, seat, less(self.hands[seat], action))
        exchanged = put(self.exchanged, seat, len(action))
        return self.after(hands=kept, gone=plus(self.gone, seat, action), exchanged=exchanged).finished()

    def luck(self, dealt: tuple[Hand, ...]) -> Self:
        full = tuple(tuple(sorted(old + new)) for old, new in zip(self.hands, dealt, strict=True))
        stock = less(self.stock, tuple(card for hand in dealt for card in hand))
        return self.after(hands=full, stock=stock).finished()

    def finished(self) -> Self:
        if None in self.exchanged or self.missing():
            return self
        return self.after(shown=self.hands, hands=((),) * self.seats)


MECHANIC = Mechanic(HoldAndDraw)

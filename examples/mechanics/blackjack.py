"""Blackjack: draw to 21, against a dealer who hides a card."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from oddsmith.position import (
    STANDARD_DECK,
    Aside,
    Card,
    Hidden,
    Mechanic,
    Meta,
    Open,
    Position,
    Rules,
    Seat,
    Turn,
    asks,
    awaits,
    deal,
    ends,
    less,
)

Action = Literal["hit", "stand", "double"]
Hand = tuple[Card, ...]
ACE, TEN, LIMIT = 14, 10, 21


class BlackjackRules(Rules):
    """The numbers of blackjack."""

    bet: Annotated[int, Meta(ge=2, le=1000)] = 2
    dealer_stands: Annotated[int, Meta(ge=12, le=21)] = 17


def total(hand: Hand) -> int:
    """Return the best total of a hand: an ace is 11, or 1 where 11 is too much."""
    hard = sum(1 if card.number == ACE else min(card.number, TEN) for card in hand)
    has_ace = any(card.number == ACE for card in hand)
    return hard + 10 if has_ace and hard + 10 <= LIMIT else hard


def is_natural(hand: Hand) -> bool:
    """Whether the first two cards are 21."""
    return len(hand) == 2 and total(hand) == LIMIT  # noqa: PLR2004  a natural has two cards


class Blackjack(Position[BlackjackRules, Open[Action], Hand]):
    """Draw to 21, against a dealer who hides a card, and looks at it at once for a natural."""

    stock: Hidden[Hand] = STANDARD_DECK
    hole: Hidden[Hand] = ()
    dealer: Open[Hand] = ()
    hand: Open[Hand] = ()
    stake: Open[int] = 0
    stage: Open[Aside[Literal["hand", "dealer", "hole", "play", "hit", "double", "draw", "over"]]] = "hand"

    def start(self) -> Self:
        return self.after(stake=self.rules.bet)

    def possible(self) -> bool:
        return not (self.hole and self.stage != "hole" and is_natural(self.dealer + self.hole))

    def turn(self) -> Turn[Hand]:
        if self.stage == "play":
            return asks(0)
        if self.stage == "over":
            return ends(*self.result())
        return awaits(deal(self.stock, 2 if self.stage == "hand" else 1))

    def actions(self, seat: Seat) -> Sequence[Action]:
        return ("hit", "stand", "double") if len(self.hand) == 2 else ("hit", "stand")  # noqa: PLR2004  as above

    def act(self, seat: Seat, action: Action) -> Self:
        if action == "stand":
            return self.turned()
        return self.after(stage=action, stake=self.stake * (2 if action == "double" else 1))

    def luck(self, drawn: Hand) -> Self:
        left = self.after(stock=less(self.stock, drawn))
        match self.stage:
            case "hand":
                return left.after(hand=drawn, stage="dealer")
            case "dealer":
                return left.after(dealer=drawn, stage="hole")
            case "hole":
                peeked = left.after(hole=drawn, stage="play")
                return peeked.turned() if is_natural(self.hand) or not peeked.possible() else peeked
            case "draw":
                return left.after(dealer=(*self.dealer, *drawn)).dealt()
            case _:
                pass
        played = left.after(hand=(*self.hand, *drawn), stage="play")
        if total(played.hand) > LIMIT:
            return played.after(stage="over")
        return played.turned() if self.stage == "double" or total(played.hand) == LIMIT else played

    def turned(self) -> Self:
        return self.after(dealer=self.dealer + self.hole, hole=()).dealt()

    def dealt(self) -> Self:
        waits = total(self.dealer) < self.rules.dealer_stands and not is_natural(self.hand)
        return self.after(stage="draw" if waits else "over")

    def result(self) -> tuple[str, tuple[int]]:
        mine, its = ((total(hand), is_natural(hand)) for hand in (self.hand, self.dealer))
        if mine[0] > LIMIT:
            return "the hand is bust", (-self.stake,)
        if mine == its:
            return "nobody wins", (0,)
        if mine > its or its[0] > LIMIT:
            return "the player wins", (self.stake * 3 // 2 if mine[1] else self.stake,)
        return "the dealer wins", (-self.stake,)


MECHANIC = Mechanic(Blackjack)

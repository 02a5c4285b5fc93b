"""Kuhn poker: three cards, two players, one bet."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from oddsmith.position import (
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
    cards,
    each,
    ends,
    hands,
    less,
)

Action = Literal["check", "bet", "fold", "call"]
Hand = tuple[Card, ...]


class KuhnRules(Rules):
    """The stakes of Kuhn poker."""

    ante: Annotated[int, Meta(ge=1, le=100)] = 1
    bet: Annotated[int, Meta(ge=1, le=100)] = 1


class Kuhn(Position[KuhnRules, Open[Action], tuple[Hand, ...]]):
    """Three cards, two players, one bet: the smallest poker."""

    players = range(2, 3)
    stock: Hidden[Hand] = cards("J♠ Q♠ K♠")
    hands: Own[Each[Hand]] = each(())
    shown: Open[Each[Hand]] = each(())
    said: Open[tuple[Action, ...]] = ()

    def turn(self) -> Turn[tuple[Hand, ...]]:
        if len(self.stock) > 1:
            return awaits(hands(self.stock, 1, 1))
        if self.said[-1:] == ("fold",):
            return self.won_by(len(self.said) % 2, "the other folded", self.rules.ante)
        if any(self.shown):
            stake = self.rules.ante + self.rules.bet * ("call" in self.said)
            return self.won_by(int(self.shown[1] > self.shown[0]), "the higher card wins", stake)
        return asks(len(self.said) % 2)

    def won_by(self, seat: Seat, why: str, stake: int) -> Turn[tuple[Hand, ...]]:
        return ends(why, (stake, -stake) if seat == 0 else (-stake, stake))

    def actions(self, seat: Seat) -> Sequence[Action]:
        return ("fold", "call") if "bet" in self.said else ("check", "bet")

    def act(self, seat: Seat, action: Action) -> Self:
        said = (*self.said, action)
        if action == "call" or said == ("check", "check"):
            return self.after(said=said, shown=self.hands, hands=((), ()))
        return self.after(said=said)

    def luck(self, dealt: tuple[Hand, ...]) -> Self:
        return self.after(hands=dealt, stock=less(self.stock, dealt[0] + dealt[1]))


MECHANIC = Mechanic(Kuhn, title="Kuhn poker")

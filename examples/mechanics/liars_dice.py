"""Liar's dice: bid on all dice, of which you see your own; a bid that is doubted costs one of two a die."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from oddsmith.position import (
    Die,
    Each,
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
    plus,
    put,
    roll,
)

Bid = tuple[int, Die]
Action = Bid | Literal["liar"]
Dice = tuple[Die, ...]


class LiarsDiceRules(Rules):
    """The numbers of liar's dice."""

    dice: Annotated[int, Meta(ge=1, le=5)] = 5


class LiarsDice(Position[LiarsDiceRules, Open[Action], Dice]):
    """Bid on all dice, of which you see your own; a bid that is doubted costs one of two a die."""

    players = range(2, 5)
    cups: Own[Each[Dice]] = each(())
    left: Open[Each[int]] = each(0)
    bid: Open[Bid | None] = None
    seat: Open[Seat] = 0
    bidder: Open[Seat | None] = None
    shown: Open[Each[Dice]] = each(())

    def start(self) -> Self:
        return self.after(left=(self.rules.dice,) * self.seats)

    def turn(self) -> Turn[Dice]:
        if sum(map(bool, self.left)) == 1:
            return ends("one player has dice left", self.left)
        seat = self.next_cup()
        return asks(self.seat) if seat is None else awaits(roll(6, self.left[seat]))

    def next_cup(self) -> Seat | None:
        """Return the first seat whose dice are not rolled yet; None where all are."""
        waiting = (seat for seat in range(self.seats) if len(self.cups[seat]) < self.left[seat])
        return next(waiting, None)

    def luck(self, dice: Dice) -> Self:
        seat = self.next_cup()
        return self if seat is None else self.after(cups=put(self.cups, seat, dice))

    def actions(self, seat: Seat) -> Sequence[Action]:
        every = [(count, face) for count in range(1, sum(self.left) + 1) for face in range(1, 7)]
        higher = [bid for bid in every if self.bid is None or bid > self.bid]
        return (*higher, "liar") if self.bid else higher

    def act(self, seat: Seat, action: Action) -> Self:
        if action == "liar":
            return self.lost_by(seat if self.bidder is None or self.is_true() else self.bidder)
        return self.after(bid=action, bidder=seat, seat=self.next_seat(seat))

    def is_true(self) -> bool:
        """Whether there are as many dice as bid."""
        count, face = self.bid or (0, 0)
        return sum(dice.count(face) for dice in self.cups) >= count

    def lost_by(self, loser: Seat) -> Self:
        shown = self.after(left=plus(self.left, loser, -1), shown=self.cups, cups=((),) * self.seats)
        return shown.after(bid=None, bidder=None, seat=loser if shown.left[loser] else shown.next_seat(loser))

    def next_seat(self, seat: Seat) -> Seat:
        others = [(seat + step) % self.seats for step in range(1, self.seats + 1)]
        return next(other for other in others if self.left[other])


MECHANIC = Mechanic(LiarsDice, title="Liar's dice")

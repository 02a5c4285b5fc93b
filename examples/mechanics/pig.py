"""Pig: roll as often as you dare, or hold; a 1 loses the points of the turn."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from oddsmith.position import (
    Aside,
    Each,
    Face,
    Mechanic,
    Meta,
    Open,
    Position,
    Rules,
    Seat,
    Track,
    Turn,
    asks,
    awaits,
    each,
    ends,
    plus,
    roll,
    up_to,
)

Action = Literal["roll", "hold"]


class PigRules(Rules):
    """The numbers of Pig."""

    goal: Annotated[int, Meta(ge=1, le=1000)] = 100
    sides: Annotated[int, Meta(ge=2, le=100)] = 6


class Pig(Position[PigRules, Action, Face]):
    """Roll as often as you dare, or hold; a 1 loses the points of the turn."""

    players = range(2, 5)
    scores: Open[Each[Annotated[Track[int], up_to("goal")]]] = each(0)
    seat: Open[Seat] = 0
    pot: Open[int] = 0
    rolling: Open[Aside[bool]] = False

    def turn(self) -> Turn[int]:
        if self.rolling:
            return awaits(roll(self.rules.sides))
        if max(self.scores) >= self.rules.goal:
            return ends("the goal is reached", self.scores)
        return asks(self.seat)

    def actions(self, seat: Seat) -> Sequence[Action]:
        if self.scores[seat] + self.pot >= self.rules.goal:
            return ("hold",)
        return ("roll", "hold") if self.pot else ("roll",)

    def act(self, seat: Seat, action: Action) -> Self:
        return self.after(rolling=True) if action == "roll" else self.passed(self.pot)

    def luck(self, face: int) -> Self:
        return self.passed(0) if face == 1 else self.after(rolling=False, pot=self.pot + face)

    def worth(self, seat: Seat) -> int:
        return self.scores[seat] + (self.pot if seat == self.seat else 0)

    def passed(self, banked: int) -> Self:
        scores = plus(self.scores, self.seat, banked)
        return self.after(scores=scores, seat=(self.seat + 1) % self.seats, pot=0, rolling=False)


MECHANIC = Mechanic(Pig)

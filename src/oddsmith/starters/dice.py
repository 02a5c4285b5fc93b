"""New Game: roll as often as you dare, or hold; a 1 loses the points of the turn."""

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

# What a seat may do. Add a word here, then allow it in `actions` and apply it in `act`.
Action = Literal["roll", "hold"]


class NewGameRules(Rules):
    """The numbers of the game, each with its bounds. Add yours here: no number belongs in the code below."""

    goal: Annotated[int, Meta(ge=1, le=1000, description="Points that win the game.")] = 50
    sides: Annotated[int, Meta(ge=2, le=100, description="Sides of the die.")] = 6


class NewGame(Position[NewGameRules, Action, Face]):
    """Roll as often as you dare, or hold; a 1 loses the points of the turn."""

    # The fewest players, and the most plus one.
    players = range(2, 5)

    # The position. `Open` is seen by all. `Each` has an entry for each seat.
    # A `Track` is drawn as a bar, here up to the goal.
    scores: Open[Each[Annotated[Track[int], up_to("goal")]]] = each(0)
    seat: Open[Seat] = 0
    pot: Open[int] = 0
    rolling: Open[Aside[bool]] = False

    def turn(self) -> Turn[int]:
        """Say what the position waits for: luck, the end, or a seat."""
        if self.rolling:
            return awaits(roll(self.rules.sides))
        if max(self.scores) >= self.rules.goal:
            return ends("the goal is reached", self.scores)
        return asks(self.seat)

    def actions(self, seat: Seat) -> Sequence[Action]:
        """List what the seat may do now."""
        if self.scores[seat] + self.pot >= self.rules.goal:
            return ("hold",)
        return ("roll", "hold") if self.pot else ("roll",)

    def act(self, seat: Seat, action: Action) -> Self:
        """Apply an action of a seat."""
        if action == "roll":
            return self.after(rolling=True)
        return self.passed(self.pot)

    def luck(self, face: int) -> Self:
        """Apply the roll."""
        if face == 1:
            return self.passed(0)
        return self.after(rolling=False, pot=self.pot + face)

    def worth(self, seat: Seat) -> int:
        """Count the points that a seat has so far, also those at stake: the bot `greedy` maximises them."""
        return self.scores[seat] + (self.pot if seat == self.seat else 0)

    def passed(self, banked: int) -> Self:
        """Bank points, and let the next seat have the turn."""
        scores = plus(self.scores, self.seat, banked)
        following = (self.seat + 1) % self.seats
        return self.after(scores=scores, seat=following, pot=0, rolling=False)


MECHANIC = Mechanic(NewGame)

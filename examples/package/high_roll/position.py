"""The position of high roll, and its rules."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from oddsmith.position import (
    Each,
    Meta,
    Open,
    Position,
    Rules,
    Seat,
    Turn,
    asks,
    awaits,
    each,
    ends,
    put,
    roll,
)

Action = Literal["keep", "again"]


class HighRollRules(Rules):
    """The numbers of high roll."""

    sides: Annotated[int, Meta(ge=2, le=100)] = 6


class HighRoll(Position[HighRollRules, Action, int]):
    """Roll a die, and once more if you like; the highest die wins."""

    players = range(1, 5)
    faces: Open[Each[int]] = each(0)
    seat: Open[Seat] = 0
    rolling: Open[bool] = True
    again: Open[bool] = False

    def turn(self) -> Turn[int]:
        if self.seat == self.seats:
            return ends("everybody has rolled", self.faces)
        return awaits(roll(self.rules.sides)) if self.rolling else asks(self.seat)

    def actions(self, seat: Seat) -> Sequence[Action]:
        return ("keep", "again")

    def act(self, seat: Seat, action: Action) -> Self:
        return self.after(rolling=True, again=True) if action == "again" else self.passed()

    def luck(self, face: int) -> Self:
        rolled = self.after(faces=put(self.faces, self.seat, face), rolling=False)
        return rolled.passed() if self.again else rolled

    def passed(self) -> Self:
        return self.after(seat=self.seat + 1, rolling=True, again=False)

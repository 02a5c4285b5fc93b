"""A solitaire of two rolls, with a number that changes nothing."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, Self

from msgspec import Meta

from oddsmith.mechanic import Mechanic
from oddsmith.position import Open, Position, Rules, Seat, Turn, asks, awaits, ends, roll


class AgainRules(Rules):
    """The numbers of a solitaire."""

    sides: Annotated[int, Meta(ge=1, le=20)] = 6
    unused: Annotated[int, Meta(ge=0, le=9)] = 3


class Again(Position[AgainRules, Literal["again", "keep"], int]):
    """Roll a die, and once again if you like."""

    rolls: Open[int] = 0
    face: Open[int] = 0
    is_rolling: Open[bool] = True

    def turn(self) -> Turn[int]:
        if self.is_rolling:
            return awaits(roll(self.rules.sides))
        return ends("the die lies", (self.face,)) if self.rolls > 1 else asks(0)

    def actions(self, seat: Seat) -> Sequence[Literal["again", "keep"]]:  # noqa: ARG002  one seat
        return "again", "keep"

    def act(self, seat: Seat, action: str) -> Self:  # noqa: ARG002  as above
        return self.after(is_rolling=True) if action == "again" else self.after(rolls=2)

    def luck(self, face: int) -> Self:
        return self.after(rolls=self.rolls + 1, face=face, is_rolling=False)


MECHANIC: Final = Mechanic(Again)

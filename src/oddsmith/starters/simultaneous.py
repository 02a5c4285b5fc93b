"""New Game: all name a number at once; the highest that is alone takes the prize."""

from collections.abc import Sequence
from typing import Annotated, Self

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
    Track,
    Turn,
    asks,
    awaits,
    each,
    ends,
    plus,
    put,
    roll,
)

# What a seat may do: name a number. It stays secret until the last seat has named one.
Number = Annotated[int, Meta(ge=1, le=9)]


class NewGameRules(Rules):
    """The numbers of the game, each with its bounds. Add yours here: no number belongs in the code below."""

    rounds: Annotated[int, Meta(ge=1, le=20, description="Prizes in a game.")] = 5
    highest: Annotated[int, Meta(ge=2, le=9, description="The highest number to name.")] = 5


# `Open[int]`: everybody hears what luck decides; a number that a seat names is heard by nobody.
class NewGame(Position[NewGameRules, Number, Open[int]]):
    """All name a number at once; the highest that is alone takes the prize."""

    # The fewest players, and the most plus one.
    players = range(2, 5)

    # The position. `Open` is seen by all; of `Own` each seat sees its own entry.
    prize: Open[Die | None] = None
    named: Own[Each[Number | None]] = each(None)
    shown: Open[Each[int | None]] = each(None)
    scores: Open[Each[Track[int]]] = each(0)
    rounds: Open[int] = 0

    def possible(self) -> bool:
        """Whether the position can occur: a seat that thinks about others imagines only such positions."""
        return all(number is None or number <= self.rules.highest for number in self.named)

    def turn(self) -> Turn[int]:
        """Say what the position waits for: the end, luck, or all seats that have not named a number."""
        if self.rounds >= self.rules.rounds:
            return ends("all prizes are gone", self.scores)
        if self.prize is None:
            return awaits(roll(6))
        return asks(*(seat for seat in range(self.seats) if self.named[seat] is None))

    def actions(self, seat: Seat) -> Sequence[Number]:
        """List what the seat may do now."""
        return range(1, self.rules.highest + 1)

    def act(self, seat: Seat, action: Number) -> Self:
        """Apply a number; the last one decides who takes the prize."""
        named = self.after(named=put(self.named, seat, action))
        return named if None in named.named else named.decided()

    def luck(self, face: int) -> Self:
        """Set the prize."""
        return self.after(prize=face)

    def decided(self) -> Self:
        """Give the prize to the highest number that is alone; nobody gets it where none is."""
        alone = [number or 0 for number in self.named if self.named.count(number) == 1]
        winner = self.named.index(max(alone)) if alone else None
        scores = self.scores if winner is None else plus(self.scores, winner, self.prize or 0)
        nothing = (None,) * self.seats
        return self.after(scores=scores, shown=self.named, named=nothing, prize=None, rounds=self.rounds + 1)


MECHANIC = Mechanic(NewGame)

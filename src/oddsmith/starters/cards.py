"""New Game: say whether the next card is higher or lower; each right guess is a point."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from oddsmith.position import (
    STANDARD_DECK,
    Aside,
    Card,
    Each,
    Hidden,
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
    deal,
    each,
    ends,
    less,
    plus,
)

# What a seat may do. Add a word here, then allow it in `actions` and apply it in `act`.
Action = Literal["higher", "lower"]
Drawn = tuple[Card, ...]


class NewGameRules(Rules):
    """The numbers of the game, each with its bounds. Add yours here: no number belongs in the code below."""

    cards: Annotated[int, Meta(ge=2, le=52, description="Cards that are turned up.")] = 13
    tie: Annotated[int, Meta(ge=0, le=10, description="Points for an equal card.")] = 0


# `Open[…]`: everybody hears what a seat does, and what luck decides.
class NewGame(Position[NewGameRules, Open[Action], Open[Drawn]]):
    """Say whether the next card is higher or lower; each right guess is a point."""

    # The fewest players, and the most plus one.
    players = range(1, 5)

    # The position. Nobody sees what is `Hidden`; all cards of the game are somewhere in it.
    stock: Hidden[Drawn] = STANDARD_DECK
    row: Open[Drawn] = ()
    scores: Open[Each[Track[int]]] = each(0)
    seat: Open[Seat] = 0
    guess: Open[Aside[Action | None]] = None

    def turn(self) -> Turn[Drawn]:
        """Say what the position waits for: luck, the end, or a seat."""
        if not self.row or self.guess:
            return awaits(deal(self.stock, 1))
        if len(self.row) >= self.rules.cards:
            return ends("all cards are turned up", self.scores)
        return asks(self.seat)

    def actions(self, seat: Seat) -> Sequence[Action]:
        """List what the seat may do now."""
        return ("higher", "lower")

    def act(self, seat: Seat, action: Action) -> Self:
        """Apply an action of a seat."""
        return self.after(guess=action)

    def luck(self, drawn: Drawn) -> Self:
        """Turn up the card that was drawn."""
        turned = self.after(stock=less(self.stock, drawn), row=self.row + drawn)
        if not self.row:
            return turned
        scores = plus(self.scores, self.seat, self.points(drawn[0]))
        following = (self.seat + 1) % self.seats
        return turned.after(scores=scores, seat=following, guess=None)

    def points(self, card: Card) -> int:
        """Return the points of the guess where this card is turned up."""
        before = self.row[-1].number
        if card.number == before:
            return self.rules.tie
        return int((card.number > before) == (self.guess == "higher"))


MECHANIC = Mechanic(NewGame)

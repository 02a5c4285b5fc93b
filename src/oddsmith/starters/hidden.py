"""New Game: each seat has a card that only it sees; the highest card that stays wins."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

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
    put,
)

# What a seat may do. Add a word here, then allow it in `actions` and apply it in `act`.
Action = Literal["stay", "fold"]
Hand = tuple[Card, ...]


class NewGameRules(Rules):
    """The numbers of the game, each with its bounds. Add yours here: no number belongs in the code below."""

    ante: Annotated[int, Meta(ge=1, le=100, description="What a seat loses that folds.")] = 1
    stake: Annotated[int, Meta(ge=1, le=100, description="What a seat loses that stays.")] = 3


# `Open[Action]`: everybody hears what a seat does.
class NewGame(Position[NewGameRules, Open[Action], tuple[Hand, ...]]):
    """Each seat has a card that only it sees; stay or fold, and the highest card that stays wins."""

    # The fewest players, and the most plus one.
    players = range(2, 7)

    # The position. Nobody sees what is `Hidden`; of `Own` each seat sees its own entry.
    stock: Hidden[Hand] = STANDARD_DECK
    hands: Own[Each[Hand]] = each(())
    said: Open[Each[Action | None]] = each(None)
    shown: Open[Each[Hand]] = each(())

    def turn(self) -> Turn[tuple[Hand, ...]]:
        """Say what the position waits for: luck, the end, or a seat."""
        if not any(self.hands) and not any(self.shown):
            return awaits(hands(self.stock, *[1] * self.seats))
        if None in self.said:
            return asks(self.said.index(None))
        return ends("everybody has said it", self.scores())

    def actions(self, seat: Seat) -> Sequence[Action]:
        """List what the seat may do now."""
        return ("stay", "fold")

    def act(self, seat: Seat, action: Action) -> Self:
        """Apply an action of a seat; the last one shows all cards."""
        said = self.after(said=put(self.said, seat, action))
        if None in said.said:
            return said
        return said.after(shown=self.hands, hands=((),) * self.seats)

    def luck(self, dealt: tuple[Hand, ...]) -> Self:
        """Apply the deal."""
        gone = tuple(card for hand in dealt for card in hand)
        return self.after(hands=dealt, stock=less(self.stock, gone))

    def scores(self) -> tuple[int, ...]:
        """Return what each seat wins: the highest card that stays takes what the others lose."""
        cards = [hand[0] for hand in self.shown]
        staying = [seat for seat in range(self.seats) if self.said[seat] == "stay"]
        best = max(staying, key=lambda seat: (cards[seat].number, cards[seat]), default=None)
        lost = [self.rules.stake if seat in staying else self.rules.ante for seat in range(self.seats)]
        if best is None:
            return (0,) * self.seats
        return tuple(sum(lost) - lost[best] if seat == best else -lost[seat] for seat in range(self.seats))


MECHANIC = Mechanic(NewGame)

"""Cave: go deeper for a share of the gems, or leave with yours."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from oddsmith.position import (
    Aside,
    Each,
    Hidden,
    Mechanic,
    Meta,
    Open,
    Own,
    Pile,
    Position,
    Rules,
    Seat,
    Turn,
    asks,
    awaits,
    each,
    ends,
    less,
    one_of,
    put,
)

Choice = Literal["deeper", "leave"]
HAZARDS = ("fire", "rocks", "snakes")


class CaveRules(Rules):
    """The numbers of the cave."""

    hazards: Annotated[int, Meta(ge=1, le=10)] = 3
    richest: Annotated[int, Meta(ge=1, le=20)] = 9


class Cave(Position[CaveRules, Choice, Open[str]]):
    """Go deeper for a share of the gems, or leave with yours; a second equal hazard buries everybody inside."""

    players = range(2, 7)
    stock: Hidden[Pile[str]] = ()
    path: Open[Pile[str]] = ()
    on_path: Open[int] = 0
    inside: Open[Each[bool]] = each(True)
    gems: Open[Each[int]] = each(0)
    choices: Own[Each[Choice | None]] = each(None)
    entering: Open[Aside[bool]] = True

    def start(self) -> Self:
        gems = tuple(str(number) for number in range(1, self.rules.richest + 1))
        return self.after(stock=tuple(sorted(gems + HAZARDS * self.rules.hazards)))

    def turn(self) -> Turn[str]:
        if not any(self.inside):
            return ends("nobody is in the cave", self.gems)
        if self.entering:
            return awaits(one_of(self.stock))
        return asks(*(seat for seat in range(self.seats) if self.inside[seat] and not self.choices[seat]))

    def actions(self, seat: Seat) -> Sequence[Choice]:
        return ("deeper", "leave") if self.stock else ("leave",)

    def luck(self, card: str) -> Self:
        deeper = self.after(stock=less(self.stock, (card,)), path=(*self.path, card), entering=False)
        if card in HAZARDS:
            return deeper.buried() if card in self.path else deeper
        share, rest = divmod(int(card), sum(self.inside))
        return deeper.after(gems=self.shared(share, self.inside), on_path=self.on_path + rest)

    def buried(self) -> Self:
        left = tuple(0 if inside else gems for inside, gems in zip(self.inside, self.gems, strict=True))
        return self.after(gems=left, inside=(False,) * self.seats)

    def act(self, seat: Seat, action: Choice) -> Self:
        chosen = self.after(choices=put(self.choices, seat, action))
        return chosen if chosen.turn() != asks() else chosen.went()

    def went(self) -> Self:
        leaving = tuple(choice == "leave" for choice in self.choices)
        share, rest = divmod(self.on_path, sum(leaving) or 1)
        gone = self.after(gems=self.shared(share, leaving), on_path=rest) if any(leaving) else self
        inside = tuple(choice == "deeper" for choice in self.choices)
        return gone.after(inside=inside, choices=(None,) * self.seats, entering=True)

    def shared(self, share: int, among: Sequence[bool]) -> tuple[int, ...]:
        return tuple(gems + share * has for gems, has in zip(self.gems, among, strict=True))


MECHANIC = Mechanic(Cave)

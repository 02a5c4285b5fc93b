"""A small Yahtzee: roll, keep what you like and roll the rest, then fill one box of five."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Annotated, Literal, Self

from oddsmith.position import (
    Die,
    Each,
    Mechanic,
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

Box = Literal["sixes", "three_equal", "straight", "yahtzee", "chance"]
Dice = tuple[Die, ...]
BOXES: tuple[Box, ...] = ("sixes", "three_equal", "straight", "yahtzee", "chance")


class YahtzeeRules(Rules):
    """The numbers of a small Yahtzee."""

    dice: Annotated[int, Meta(ge=1, le=5)] = 5
    rolls: Annotated[int, Meta(ge=1, le=3)] = 3
    boxes: Annotated[tuple[Box, ...], Meta(min_length=1, max_length=5)] = BOXES
    straight: Annotated[int, Meta(ge=0, le=100)] = 40
    yahtzee: Annotated[int, Meta(ge=0, le=100)] = 50


class Yahtzee(Position[YahtzeeRules, Box | Dice, Dice]):
    """Roll, keep what you like and roll the rest, then fill one box of five."""

    players = range(1, 5)
    dice: Open[Dice] = ()
    rolls: Open[int] = 0
    seat: Open[Seat] = 0
    filled: Open[Each[tuple[Box, ...]]] = each(())
    scores: Open[Each[int]] = each(0)

    def turn(self) -> Turn[Dice]:
        if len(self.filled[self.seat]) == len(self.rules.boxes):
            return ends("all boxes are filled", self.scores)
        if len(self.dice) < self.rules.dice:
            return awaits(roll(6, self.rules.dice - len(self.dice)))
        return asks(self.seat)

    def actions(self, seat: Seat) -> Sequence[Box | Dice]:
        boxes: list[Box | Dice] = [box for box in self.rules.boxes if box not in self.filled[seat]]
        if self.rolls == self.rules.rolls:
            return boxes
        sizes = range(len(self.dice))
        return [*boxes, *dict.fromkeys(kept for size in sizes for kept in combinations(self.dice, size))]

    def act(self, seat: Seat, action: Box | Dice) -> Self:
        if isinstance(action, tuple):
            return self.after(dice=action)
        filled: list[Box] = [box for box in BOXES if box == action or box in self.filled[seat]]
        scores = put(self.scores, seat, self.scores[seat] + self.value(action))
        following = (seat + 1) % self.seats
        return self.after(
            dice=(), rolls=0, seat=following, filled=put(self.filled, seat, tuple(filled)), scores=scores
        )

    def luck(self, rolled: Dice) -> Self:
        return self.after(dice=tuple(sorted(self.dice + rolled)), rolls=self.rolls + 1)

    def value(self, box: Box) -> int:
        """Return the points of the dice in a box."""
        most, faces = max(Counter(self.dice).values()), sorted(set(self.dice))
        match box:
            case "sixes":
                return 6 * self.dice.count(6)
            case "three_equal":
                return sum(self.dice) if most >= 3 else 0  # noqa: PLR2004  as it says
            case "straight":
                return self.rules.straight if most == 1 and faces[-1] - faces[0] == len(faces) - 1 else 0
            case "yahtzee":
                return self.rules.yahtzee if len(faces) == 1 else 0
            case "chance":
                return sum(self.dice)


MECHANIC = Mechanic(Yahtzee)

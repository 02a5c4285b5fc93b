"""What a round of a solved duel leaves behind and what that is worth, for many exchanges of blows at once."""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from oddsmith.games.duel.classes import Integers
from oddsmith.games.duel.odds import Objective, Solved
from oddsmith.poker import FULL_HAND

Reals: TypeAlias = NDArray[np.float64]

PAID_BY_SUIT: Final = frozenset({Objective.GOLD, Objective.EXPERIENCE})


class RoundValues:
    """The time after round `number`: all of its arrays are spread out against each other.

    Values of the next round come from the solution. Each end that is met is asked of it once, and remembered.
    """

    def __init__(self, solved: Solved, number: int) -> None:
        self._solved = solved
        self._number = number
        columns = FULL_HAND + 1 if solved.objective in PAID_BY_SUIT else 1
        self._worth = np.full((columns, *solved.table.shape[1:]), np.nan)
        if number < solved.rules.rounds:
            self._worth[:] = solved.table[number]

    def left(
        self, own: tuple[Integers, Integers], other: tuple[Integers, Integers], hps: tuple[Integers, Integers]
    ) -> tuple[Integers, Integers]:
        """Return the hit points that are left, own and the other's; `own` and `other` are attack and defense."""
        return self.left_own(own[1], other[0], hps[0]), self.left_other(own[0], other[1], hps[1])

    def left_own(self, defense: Integers, their_attack: Integers, hp: Integers) -> Integers:
        """Return the own hit points that are left."""
        rules = self._solved.rules
        least_taken = rules.least_taken if self._solved.house else rules.least_dealt
        left: Integers = np.maximum(0, hp - np.maximum(least_taken, their_attack - defense))
        return left

    def left_other(self, attack: Integers, their_defense: Integers, hp: Integers) -> Integers:
        """Return the hit points that are left to the other."""
        left: Integers = np.maximum(
            0, hp - np.maximum(self._solved.rules.least_dealt, attack - their_defense)
        )
        return left

    def column(self, relevant: Integers) -> Integers:
        """Return what the number of relevant cards means to the objective: nothing, where it pays none by suit."""
        return np.minimum(relevant, len(self._worth) - 1)

    def worth(self, left: tuple[Integers, Integers], relevant: Integers) -> Reals:
        """Return what it is worth to be left with these hit points, with so many relevant cards in hand."""
        _, own, other = self._worth.shape
        places = (self.column(relevant) * own + left[0]) * other + left[1]
        flat = self._worth.reshape(-1)
        worth: Reals = flat[places]
        unknown = np.isnan(worth)
        if unknown.any():
            met = np.zeros(flat.shape, dtype=np.bool_)
            met[places[unknown]] = True
            for place in np.flatnonzero(met):
                held, mine, theirs = (int(index) for index in np.unravel_index(place, self._worth.shape))
                flat[place] = self._solved.after(mine, theirs, self._number, held)
            worth = flat[places]
        return worth

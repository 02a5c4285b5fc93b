"""Perfect play: values of what a round leaves, for many exchanges of blows at once, and all duels fought round by round."""

import hashlib
from collections import Counter
from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.games.duel.classes import Integers, hand_kinds, split_powers
from oddsmith.games.duel.model import Result
from oddsmith.games.duel.odds import Objective, Solved
from oddsmith.games.duel.scoring import fled_from_house, fled_from_player, house_result, player_result
from oddsmith.games.duel.tally import DuelSummary, End, Tally, require_duels
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


ABREAST: Final = 8192
"""How many hands are weighed at once: their 32 splits stay in a processor's cache."""


def summarize_perfect_duels(
    solved: Solved, duels: int, seed: str | int, *, progress: Callable[[float], None] | None = None
) -> DuelSummary:
    """Fight so many duels by a solution, and say how they end; errors are half-widths at 95 %.

    Against the house or, where the solution is a reply, against a rival who splits at random. `progress` hears
    which share of the rounds that may be fought is over.
    """
    return count_perfect_duels(solved, duels, seed, progress=progress).summarize(solved.rules.rounds)


def count_perfect_duels(
    solved: Solved, duels: int, seed: str | int, *, progress: Callable[[float], None] | None = None
) -> Tally:
    """Fight so many duels by a solution, and count how they end."""
    require_duels(duels)
    rules = solved.rules
    tables = _Tables(solved)
    generator = np.random.default_rng(int.from_bytes(hashlib.sha256(str(seed).encode()).digest()))
    full = rules.player_hp, rules.opponent_hp if solved.house else rules.player_hp
    standing = np.full(duels, full[0]), np.full(duels, full[1])
    ends: Counter[End] = Counter()
    number = 0
    while len(standing[0]):
        number += 1
        after = RoundValues(solved, number)
        drawn = tables.draw(generator, standing)
        values = tables.values(after, drawn)
        chosen = values.argmax(axis=1)
        fled = values.max(axis=1) < solved.flight(number)
        if fled.any():
            ends[End.of(_fled(solved), number)] += int(np.count_nonzero(fled))
            drawn, chosen = drawn.where(~fled), chosen[~fled]
        own = tables.attack[drawn.kind, chosen], tables.defense[drawn.kind, chosen]
        left = after.left(own, (drawn.their_attack, drawn.their_defense), (drawn.hp, drawn.their_hp))
        goes_on, ended = _stand(solved, number, left, drawn.relevant)
        ends += ended
        standing = left[0][goes_on], left[1][goes_on]
        if progress is not None:
            progress(1 - len(standing[0]) / duels)
    return Tally(dict(ends))


def _fled(solved: Solved) -> Result:
    return fled_from_house(solved.rules) if solved.house else fled_from_player((True, False))


def _stand(
    solved: Solved, number: int, left: tuple[Integers, Integers], relevant: Integers
) -> tuple[NDArray[np.bool_], Counter[End]]:
    """Ask the rule how each duel stands after a round: which go on, and how the others ended."""
    rules = solved.rules
    shape = solved.table.shape[1:]
    codes, which, counts = np.unique(
        np.ravel_multi_index((relevant, *left), (FULL_HAND + 1, *shape)),
        return_inverse=True,
        return_counts=True,
    )
    goes_on = np.zeros(len(codes), dtype=np.bool_)
    ends: Counter[End] = Counter()
    for place, (code, count) in enumerate(zip(codes.tolist(), counts.tolist(), strict=True)):
        rest, theirs = divmod(code, shape[1])
        held, mine = divmod(rest, shape[0])
        result = (
            house_result(mine, theirs, number, held, rules)
            if solved.house
            else player_result((mine, theirs), number, rules)
        )
        if result is None:
            goes_on[place] = True
        else:
            ends[End.of(result, number)] += count
    return goes_on[which], ends


class _Drawn(msgspec.Struct, frozen=True, eq=False):
    """The positions of many duels once a round is dealt: one number for each duel."""

    hp: Integers
    their_hp: Integers
    kind: Integers
    relevant: Integers
    their_attack: Integers
    their_defense: Integers

    def where(self, chosen: NDArray[np.bool_] | Integers | slice) -> "_Drawn":
        """Return some of the duels."""
        return _Drawn(*(getattr(self, name)[chosen] for name in self.__struct_fields__))


class _Tables:
    """Whatever is the same in every round: the kinds of hands, and all that the opponent may do."""

    def __init__(self, solved: Solved) -> None:
        worth = split_powers(solved.rules.player, solved.rules)
        self._shown = solved.house and solved.rules.opponent_visible
        self.attack, self.defense = worth.attack, worth.defense
        self._hands = hand_kinds().ways.ravel().cumsum()
        self._exchange = solved.exchange
        self._exchanges = solved.exchange[:, 2].cumsum()
        self._attacks, self._attack_number = np.unique(worth.attack, return_inverse=True)
        self._attack_number = self._attack_number.reshape(worth.attack.shape)
        self._their_attacks, row = np.unique(self._exchange[:, 0], return_inverse=True)
        self._their_defenses, column = np.unique(self._exchange[:, 1], return_inverse=True)
        self._ways = np.zeros((len(self._their_defenses), len(self._their_attacks)))
        self._ways[column, row] = self._exchange[:, 2] / self._exchanges[-1]

    def draw(self, generator: np.random.Generator, standing: tuple[Integers, Integers]) -> _Drawn:
        """Deal a hand and an opponent to each duel."""
        size = len(standing[0])
        hand = self._hands.searchsorted(generator.integers(self._hands[-1], size=size), side="right")
        their = self._exchanges.searchsorted(generator.integers(self._exchanges[-1], size=size), side="right")
        kind, relevant = np.divmod(hand, FULL_HAND + 1)
        return _Drawn(*standing, kind, relevant, self._exchange[their, 0], self._exchange[their, 1])

    def values(self, after: RoundValues, drawn: _Drawn) -> Reals:
        """Return what each split is worth in each duel."""
        if not self._shown:
            return self._hidden(after, drawn)
        parts = [drawn.where(slice(first, first + ABREAST)) for first in range(0, len(drawn.hp), ABREAST)]
        return np.concatenate([self._against_shown(after, part) for part in parts])

    def _against_shown(self, after: RoundValues, drawn: _Drawn) -> Reals:
        own = self.attack[drawn.kind], self.defense[drawn.kind]
        other = drawn.their_attack[:, np.newaxis], drawn.their_defense[:, np.newaxis]
        left = after.left(own, other, (drawn.hp[:, np.newaxis], drawn.their_hp[:, np.newaxis]))
        return after.worth(left, drawn.relevant[:, np.newaxis])

    def _hidden(self, after: RoundValues, drawn: _Drawn) -> Reals:
        """Weigh each position once, however many duels are in it; those with equal opponents share their work."""
        by = np.stack((drawn.their_hp, after.column(drawn.relevant), drawn.hp, drawn.kind))
        _, first, which = np.unique(by, axis=1, return_index=True, return_inverse=True)
        met = drawn.where(first)
        values = np.empty((len(first), self.attack.shape[1]))
        groups = met.their_hp * (FULL_HAND + 1) + after.column(met.relevant)
        starts = np.flatnonzero(np.diff(groups, prepend=-1))
        for start, stop in zip(starts, [*starts[1:], len(groups)], strict=True):
            values[start:stop] = self._against_hidden(after, met.where(slice(start, stop)))
        return values[which.ravel()]

    def _against_hidden(self, after: RoundValues, drawn: _Drawn) -> Reals:
        """Weigh positions that differ only in the own hand and hit points."""
        mine = np.arange(drawn.hp.max() + 1)
        theirs = after.left_other(self._attacks[:, np.newaxis], self._their_defenses, drawn.their_hp[0])
        worth = after.worth((mine[:, np.newaxis, np.newaxis], theirs), drawn.relevant[0])
        weighed = np.ascontiguousarray((worth.reshape(-1, len(self._ways)) @ self._ways).T)
        values = np.zeros((len(drawn.hp), self.attack.shape[1]))
        attack, defense = self._attack_number[drawn.kind], self.defense[drawn.kind]
        for row, their_attack in zip(weighed, self._their_attacks, strict=True):
            left = after.left_own(defense, their_attack, drawn.hp[:, np.newaxis])
            values += row.take(left * len(self._attacks) + attack)
        return values

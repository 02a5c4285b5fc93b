"""Perfect play on arrays: values after a round for many exchanges at once, and simulation of many duels at once."""

import hashlib
from collections import Counter
from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.games.duel.classes import Integers, hand_kinds, split_powers
from oddsmith.games.duel.conditions import round_rules
from oddsmith.games.duel.model import Result
from oddsmith.games.duel.odds import Objective, Solution
from oddsmith.games.duel.scoring import house_flight_result, house_result, player_flight_result, player_result
from oddsmith.games.duel.tally import DuelSummary, End, Tally, require_duels
from oddsmith.poker import FULL_HAND

Reals: TypeAlias = NDArray[np.float64]

OBJECTIVES_BY_SUIT: Final = frozenset({Objective.GOLD, Objective.EXPERIENCE})


class RoundValues:
    """Values after round `number`; all methods take arrays that broadcast against each other.

    Values of positions come from the solution's array. The value of a duel that is over is computed once and cached.
    """

    def __init__(self, solution: Solution, number: int) -> None:
        self._solution = solution
        self._number = number
        columns = FULL_HAND + 1 if solution.objective in OBJECTIVES_BY_SUIT else 1
        self._values = np.full((columns, *solution.values.shape[1:]), np.nan)
        if number < solution.rules.rounds:
            self._values[:] = solution.values[number]

    def hit_points_left(
        self, own: tuple[Integers, Integers], other: tuple[Integers, Integers], hps: tuple[Integers, Integers]
    ) -> tuple[Integers, Integers]:
        """Return the hit points left to both; `own` and `other` are pairs of attack and defense."""
        return self.own_left(own[1], other[0], hps[0]), self.other_left(own[0], other[1], hps[1])

    def own_left(self, defense: Integers, their_attack: Integers, hp: Integers) -> Integers:
        """Return the fighter's own hit points after the opponent's attack."""
        rules = self._solution.rules
        least_taken = rules.least_taken if self._solution.house else rules.least_dealt
        left: Integers = np.maximum(0, hp - np.maximum(least_taken, their_attack - defense))
        return left

    def other_left(self, attack: Integers, their_defense: Integers, hp: Integers) -> Integers:
        """Return the opponent's hit points after the fighter's attack."""
        left: Integers = np.maximum(
            0, hp - np.maximum(self._solution.rules.least_dealt, attack - their_defense)
        )
        return left

    def suit_column(self, relevant: Integers) -> Integers:
        """Return the column of values for a number of relevant cards: always 0 where the objective ignores suits."""
        return np.minimum(relevant, len(self._values) - 1)

    def values(self, left: tuple[Integers, Integers], relevant: Integers) -> Reals:
        """Return the values with these hit points left and `relevant` cards of the suit in hand."""
        _, own, other = self._values.shape
        places = (self.suit_column(relevant) * own + left[0]) * other + left[1]
        flat = self._values.reshape(-1)
        values: Reals = flat[places]
        unknown = np.isnan(values)
        if unknown.any():
            met = np.zeros(flat.shape, dtype=np.bool_)
            met[places[unknown]] = True
            for place in np.flatnonzero(met):
                relevant_count, mine, theirs = (
                    int(index) for index in np.unravel_index(place, self._values.shape)
                )
                flat[place] = self._solution.value_after(mine, theirs, self._number, relevant_count)
            values = flat[places]
        return values


HANDS_PER_TILE: Final = 8192
"""Tile size: hands whose 32 splits fit in the CPU cache."""


def summarize_perfect_duels(
    solution: Solution, duels: int, seed: str | int, *, progress: Callable[[float], None] | None = None
) -> DuelSummary:
    """Simulate duels by a solution and return their summary; errors are half-widths at 95 %.

    The opponent is the house or, where the solution is a reply, a rival who splits at random. `progress` is called
    with the share of the duels that are over.
    """
    return count_perfect_duels(solution, duels, seed, progress=progress).summarize(solution.rules.rounds)


def count_perfect_duels(
    solution: Solution, duels: int, seed: str | int, *, progress: Callable[[float], None] | None = None
) -> Tally:
    """Simulate duels by a solution and return the tally of their ends; the same seed gives the same duels."""
    require_duels(duels)
    rules = solution.rules
    arrays = _DuelArrays(solution, 1)
    generator = np.random.default_rng(int.from_bytes(hashlib.sha256(str(seed).encode()).digest()))
    full = rules.player_hp, rules.opponent_hp if solution.house else rules.player_hp
    hps = np.full(duels, full[0]), np.full(duels, full[1])
    ends: Counter[End] = Counter()
    number = 0
    while len(hps[0]):
        number += 1
        if round_rules(rules, number) != arrays.rules:
            arrays = _DuelArrays(solution, number)
        after = RoundValues(solution, number)
        dealt = arrays.draw(generator, hps)
        values = arrays.values(after, dealt)
        chosen = values.argmax(axis=1)
        fled = values.max(axis=1) < solution.flight_value(number)
        if fled.any():
            ends[End.of(_flight_result(solution), number)] += int(np.count_nonzero(fled))
            dealt, chosen = dealt.where(~fled), chosen[~fled]
        own = arrays.attack[dealt.kind, chosen], arrays.defense[dealt.kind, chosen]
        left = after.hit_points_left(
            own, (dealt.their_attack, dealt.their_defense), (dealt.hp, dealt.their_hp)
        )
        goes_on, ended = _apply_results(solution, number, left, dealt.relevant)
        ends += ended
        hps = left[0][goes_on], left[1][goes_on]
        if progress is not None:
            progress(1 - len(hps[0]) / duels)
    return Tally(dict(ends))


def _flight_result(solution: Solution) -> Result:
    return house_flight_result(solution.rules) if solution.house else player_flight_result((True, False))


def _apply_results(
    solution: Solution, number: int, left: tuple[Integers, Integers], relevant: Integers
) -> tuple[NDArray[np.bool_], Counter[End]]:
    """Return a mask of the duels that go on after a round, and the counts of how the others ended."""
    rules = solution.rules
    shape = solution.values.shape[1:]
    codes, which, counts = np.unique(
        np.ravel_multi_index((relevant, *left), (FULL_HAND + 1, *shape)),
        return_inverse=True,
        return_counts=True,
    )
    goes_on = np.zeros(len(codes), dtype=np.bool_)
    ends: Counter[End] = Counter()
    for place, (code, count) in enumerate(zip(codes.tolist(), counts.tolist(), strict=True)):
        rest, theirs = divmod(code, shape[1])
        relevant_count, mine = divmod(rest, shape[0])
        result = (
            house_result(mine, theirs, number, relevant_count, rules)
            if solution.house
            else player_result((mine, theirs), number, rules)
        )
        if result is None:
            goes_on[place] = True
        else:
            ends[End.of(result, number)] += count
    return goes_on[which], ends


class _DealtRounds(msgspec.Struct, frozen=True, eq=False):
    """The positions of many duels after the deal of a round: arrays with one entry for each duel."""

    hp: Integers
    their_hp: Integers
    kind: Integers
    relevant: Integers
    their_attack: Integers
    their_defense: Integers

    def where(self, chosen: NDArray[np.bool_] | Integers | slice) -> "_DealtRounds":
        """Return the duels that a mask, indices or a slice choose."""
        return _DealtRounds(*(getattr(self, name)[chosen] for name in self.__struct_fields__))


class _DuelArrays:
    """Arrays that are the same in every round with equal `rules`: powers of all splits, and the opponent's exchanges."""

    def __init__(self, solution: Solution, number: int) -> None:
        self.rules = round_rules(solution.rules, number)
        powers = split_powers(solution.rules.player, self.rules)
        self._shown = solution.house and solution.rules.opponent_visible
        self.attack, self.defense = powers.attack, powers.defense
        self._hands = hand_kinds().ways.ravel().cumsum()
        self._exchange = solution.exchange_in(number)
        self._exchanges = self._exchange[:, 2].cumsum()
        self._attacks, self._attack_number = np.unique(powers.attack, return_inverse=True)
        self._attack_number = self._attack_number.reshape(powers.attack.shape)
        self._their_attacks, row = np.unique(self._exchange[:, 0], return_inverse=True)
        self._their_defenses, column = np.unique(self._exchange[:, 1], return_inverse=True)
        self._ways = np.zeros((len(self._their_defenses), len(self._their_attacks)))
        self._ways[column, row] = self._exchange[:, 2] / self._exchanges[-1]

    def draw(self, generator: np.random.Generator, hps: tuple[Integers, Integers]) -> _DealtRounds:
        """Deal a hand and an opponent to each duel."""
        size = len(hps[0])
        hand = self._hands.searchsorted(generator.integers(self._hands[-1], size=size), side="right")
        their = self._exchanges.searchsorted(generator.integers(self._exchanges[-1], size=size), side="right")
        kind, relevant = np.divmod(hand, FULL_HAND + 1)
        return _DealtRounds(*hps, kind, relevant, self._exchange[their, 0], self._exchange[their, 1])

    def values(self, after: RoundValues, dealt: _DealtRounds) -> Reals:
        """Return the value of each split in each duel."""
        if not self._shown:
            return self._values_hidden(after, dealt)
        parts = [
            dealt.where(slice(first, first + HANDS_PER_TILE))
            for first in range(0, len(dealt.hp), HANDS_PER_TILE)
        ]
        return np.concatenate([self._values_shown(after, part) for part in parts])

    def _values_shown(self, after: RoundValues, dealt: _DealtRounds) -> Reals:
        own = self.attack[dealt.kind], self.defense[dealt.kind]
        other = dealt.their_attack[:, np.newaxis], dealt.their_defense[:, np.newaxis]
        left = after.hit_points_left(own, other, (dealt.hp[:, np.newaxis], dealt.their_hp[:, np.newaxis]))
        return after.values(left, dealt.relevant[:, np.newaxis])

    def _values_hidden(self, after: RoundValues, dealt: _DealtRounds) -> Reals:
        """Compute each distinct position once; positions with equal opponents are computed together."""
        by = np.stack((dealt.their_hp, after.suit_column(dealt.relevant), dealt.hp, dealt.kind))
        _, first, which = np.unique(by, axis=1, return_index=True, return_inverse=True)
        met = dealt.where(first)
        values = np.empty((len(first), self.attack.shape[1]))
        groups = met.their_hp * (FULL_HAND + 1) + after.suit_column(met.relevant)
        starts = np.flatnonzero(np.diff(groups, prepend=-1))
        for start, stop in zip(starts, [*starts[1:], len(groups)], strict=True):
            values[start:stop] = self._values_of_group(after, met.where(slice(start, stop)))
        return values[which.ravel()]

    def _values_of_group(self, after: RoundValues, dealt: _DealtRounds) -> Reals:
        """Return the values of positions that differ only in the own hand and hit points."""
        mine = np.arange(dealt.hp.max() + 1)
        theirs = after.other_left(self._attacks[:, np.newaxis], self._their_defenses, dealt.their_hp[0])
        by_left = after.values((mine[:, np.newaxis, np.newaxis], theirs), dealt.relevant[0])
        means = np.ascontiguousarray((by_left.reshape(-1, len(self._ways)) @ self._ways).T)
        values = np.zeros((len(dealt.hp), self.attack.shape[1]))
        attack, defense = self._attack_number[dealt.kind], self.defense[dealt.kind]
        for row, their_attack in zip(means, self._their_attacks, strict=True):
            left = after.own_left(defense, their_attack, dealt.hp[:, np.newaxis])
            values += row.take(left * len(self._attacks) + attack)
        return values

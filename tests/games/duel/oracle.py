"""Brute force with fractions: values of a small duel over every hand, every split and all house moves."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import lcm
from typing import NamedTuple, TypeAlias

import numpy as np

from oddsmith.games.duel.classes import Integers, hand_kinds, house_exchange, split_powers
from oddsmith.games.duel.conditions import round_rules
from oddsmith.games.duel.model import Result
from oddsmith.games.duel.rules import Rules
from oddsmith.games.duel.scoring import house_flight_result, house_result
from oddsmith.odds.distribution import Distribution

Payoff: TypeAlias = Callable[[Result], int]
Afters: TypeAlias = Mapping[tuple[int, int], Fraction]

SPAN = 100
"""More hit points than any fighter has in a small duel."""


class Stage(NamedTuple):
    """One round: distinct splits, the split of each hand and option, the ways of each hand, the house's exchanges."""

    splits: Integers
    split: Integers
    ways: Integers
    exchange: Distribution[tuple[int, int]]


class Oracle:
    """A duel with the house, fresh decks and a payoff; `by_suit` where the payoff depends on relevant cards."""

    def __init__(self, rules: Rules, payoff: Payoff, *, by_suit: bool = False) -> None:
        self.rules, self.payoff, self.by_suit = rules, payoff, by_suit
        self.stage = cache(self._stage)
        self.value = cache(self._value)

    def _stage(self, number: int) -> "Stage":
        """Return the splits of all hands and the exchanges of the house in a round."""
        kinds, in_round = hand_kinds(), round_rules(self.rules, number)
        value = split_powers(in_round.player, in_round)
        rows, kind = np.unique(np.hstack((value.attack, value.defense)), axis=0, return_inverse=True)
        counted = kinds.ways if self.by_suit else kinds.ways.sum(axis=1, keepdims=True)
        attack, defense = np.hsplit(rows, 2)
        splits, split = np.unique(np.stack((attack.ravel(), defense.ravel())), axis=1, return_inverse=True)
        ways = np.zeros((len(rows), counted.shape[1]), dtype=np.int64)
        np.add.at(ways, kind.ravel(), counted)
        return Stage(splits, split.reshape(attack.shape), ways, house_exchange(in_round))

    def _value(self, hp: int, opponent_hp: int, number: int) -> Fraction:
        """Return the exact value of a position before a round."""
        stage = self.stage(number)
        columns = range(stage.ways.shape[1])
        afters = [self._values_after(hp, opponent_hp, number, relevant) for relevant in columns]
        best = self._sum_shown if self.rules.opponent_visible else self._sum_hidden
        return best(hp, opponent_hp, number, afters) / int(stage.ways.sum()) / stage.exchange.total

    def _values_after(self, hp: int, opponent_hp: int, number: int, relevant: int) -> Afters:
        """Return the values of all positions that a round may lead to."""
        return {
            (left, their_left): self._value_after(left, their_left, number, relevant)
            for left in range(hp + 1)
            for their_left in range(max(1, opponent_hp - self.rules.least_dealt + 1))
        }

    def _value_after(self, left: int, their_left: int, number: int, relevant: int) -> Fraction:
        result = house_result(left, their_left, number, relevant, self.rules)
        return self.value(left, their_left, number + 1) if result is None else Fraction(self.payoff(result))

    def _value_without_fight(self, number: int, afters: Afters) -> Fraction:
        """Return the value of a flight, or the least of all fights where flight is forbidden."""
        if number > self.rules.flee_rounds:
            return min(afters.values())
        return Fraction(self.payoff(house_flight_result(self.rules)))

    def _positions_after(self, pair: tuple[int, int], hps: tuple[int, int], stage: Stage) -> Integers:
        """Return where each split leads, as one number for both hit points left."""
        dealt = np.maximum(self.rules.least_dealt, stage.splits[0] - pair[1])
        taken = np.maximum(self.rules.least_taken, pair[0] - stage.splits[1])
        landed: Integers = np.maximum(0, hps[0] - taken) * SPAN + np.maximum(0, hps[1] - dealt)
        return landed

    def _count_best(self, ranks: Integers, column: int, stage: Stage) -> Integers:
        """Count the hands by the best rank among their splits."""
        best = ranks[stage.split].max(axis=1)
        counted: Integers = np.bincount(best, stage.ways[:, column], int(ranks.max()) + 1).astype(np.int64)
        return counted

    def _sum_shown(self, hp: int, opponent_hp: int, number: int, afters: list[Afters]) -> Fraction:
        """Sum the values of the best split of each hand against each house move."""
        stage = self.stage(number)
        landed = [
            (self._positions_after(pair, (hp, opponent_hp), stage), weight)
            for pair, weight in stage.exchange.items()
        ]
        summed = Fraction(0)
        for column, after in enumerate(afters):
            order, place = _rank_values(after, self._value_without_fight(number, after))
            hands = [0] * len(order)
            for where, weight in landed:
                for rank, count in enumerate(self._count_best(place[where], column, stage).tolist()):
                    hands[rank] += weight * count
            summed += sum((count * value for count, value in zip(hands, order, strict=True)), Fraction(0))
        return summed

    def _sum_hidden(self, hp: int, opponent_hp: int, number: int, afters: list[Afters]) -> Fraction:
        """Sum the values of the best split of each hand against the mean of all house moves."""
        stage = self.stage(number)
        reached: list[dict[int, int]] = [{} for _ in stage.splits.T]
        for pair, weight in stage.exchange.items():
            for where, cell in zip(
                reached, self._positions_after(pair, (hp, opponent_hp), stage).tolist(), strict=True
            ):
                where[cell] = where.get(cell, 0) + weight
        summed = Fraction(0)
        for column, after in enumerate(afters):
            least = self._value_without_fight(number, after)
            shares = lcm(least.denominator, *(value.denominator for value in after.values()))
            floor = int(least * shares) * stage.exchange.total
            whole = {cell: int(value * shares) for cell, value in after.items()}
            expected = [
                max(
                    floor,
                    sum(whole[divmod(cell, SPAN)] * weight for cell, weight in where.items()),
                )
                for where in reached
            ]
            order = sorted(set(expected))
            places = {value: place for place, value in enumerate(order)}
            best = self._count_best(np.array([places[value] for value in expected]), column, stage).tolist()
            summed += Fraction(sum(count * value for count, value in zip(best, order, strict=True)), shares)
        return summed


def _rank_values(after: Afters, least: Fraction) -> tuple[list[Fraction], Integers]:
    """Return the different values in rising order, and the rank of every cell."""
    order = sorted({max(value, least) for value in after.values()})
    place = np.zeros((SPAN, SPAN), dtype=np.int64)
    for cell, value in after.items():
        place[cell] = order.index(max(value, least))
    return order, place.ravel()

"""How duels with the house go when a steady policy fights them: computed round by round, not simulated.

A steady policy looks at the hand and at what the opponent shows, never at hit points or the round. So what is
dealt and taken has the same law in every round, and with fresh decks the hit points are a random walk.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.games.duel.classes import Integers, hand_kinds, house_exchange, worths
from oddsmith.games.duel.outcomes import house_result
from oddsmith.games.duel.policies import BLIND, Policy
from oddsmith.games.duel.rules import Rules

__all__ = ["Endings", "Prospects", "RoundLaw", "endings", "prospects", "round_law"]

Reals = NDArray[np.float64]
_Met: TypeAlias = tuple[tuple[int, int], int]
"""The attack and the defense of the house, and in how many ways."""

ROUNDING: Final = 64 * float(np.finfo(np.float64).eps)
"""A bound on the error in one cell of a transform whose parts have norms of at most 1, with room to spare."""
LAST_LAWS: Final = 32
"""Of how many fights it is remembered what a round of them does: hit points and rounds do not change it."""
LAST_ENDINGS: Final = 50
"""Of how many rounds it is remembered how duels stand after them: all policies share it."""


class Prospects(msgspec.Struct, frozen=True, kw_only=True):
    """How duels end: chances, the mean number of rounds and of gold, each within its `error`.

    `timeout` is the chance to fight to the last round, won or not; `ends[n]` the chance to end in round n + 1.
    `duels` is the number of simulated duels, None where nothing was simulated.
    """

    win: float
    defeat: float
    draw: float
    timeout: float
    timeout_win: float
    flee: float
    rounds: float
    gold: float
    ends: tuple[float, ...]
    error: float
    gold_error: float
    rounds_error: float
    duels: int | None = None


class RoundLaw(msgspec.Struct, frozen=True, eq=False):
    """In how many ways a round deals and takes so much with so many relevant cards: `ways[cards, dealt, taken]`."""

    ways: Integers
    total: int


class Endings(msgspec.Struct, frozen=True, eq=False):
    """How the duel stands after a round, by hit points left: `over`, `won`, `lost`, and the gold by relevant cards."""

    over: NDArray[np.bool_]
    won: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    gold: Integers


def round_law(policy: Policy, rules: Rules) -> RoundLaw:
    """Return what one round deals and takes, with whole-number weights.

    >>> from oddsmith.games.duel.policies import all_attack
    >>> law = round_law(all_attack, Rules(difficulty=10))
    >>> int(law.ways.sum()) == law.total == 2598960**2
    True
    """
    hands, exchange = _distinct_hands(rules), house_exchange(rules)
    sizes = _sizes(hands, list(exchange), rules)
    counted = np.zeros((hands.ways.shape[1], *sizes), dtype=np.int64)
    weights = 0
    for chosen, met in _choices(policy, hands, list(exchange.items()), rules):
        splits = hands.chosen(chosen, merge=len(met) > 1)
        weights = int(chosen[0].sum())
        for (attack, defense), weight in met:
            dealt = np.maximum(rules.least_dealt, splits.attack - defense)
            taken = np.maximum(rules.least_taken, attack - splits.defense)
            places = dealt * sizes[1] + taken
            columns = [_summed(places, column, sizes[0] * sizes[1]) for column in splits.ways.T]
            counted += weight * np.stack(columns).reshape(counted.shape)
    return RoundLaw(counted, weights * int(hands.ways.sum()) * exchange.total)


class _Splits(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The attack and the defense of some splits, and in how many ways they come by relevant cards."""

    attack: Integers
    defense: Integers
    ways: Integers


class _Hands(_Splits, frozen=True, kw_only=True, eq=False):
    """Hands that differ, by row, with the attack and the defense of each of their splits."""

    def chosen(self, weights: Integers, *, merge: bool) -> _Splits:
        """Gather the splits that a policy takes; those alike are only worth merging where they are looked at often."""
        hand, split = np.nonzero(weights)
        attack, defense = self.attack[hand, split], self.defense[hand, split]
        ways = self.ways[hand] * weights[hand, split, np.newaxis]
        if not merge:
            return _Splits(attack=attack, defense=defense, ways=ways)
        lowest, span = int(defense.min()), int(np.ptp(defense)) + 1
        codes, pair = np.unique(attack * span + defense - lowest, return_inverse=True)
        columns = [_summed(pair.ravel(), column, len(codes)) for column in ways.T]
        return _Splits(attack=codes // span, defense=codes % span + lowest, ways=np.stack(columns, axis=1))


def _summed(places: Integers, weights: Integers, size: int) -> Integers:
    """Add up weights by place; floats hold these sums exactly, as they are far below 2^53."""
    return np.bincount(places, weights, minlength=size).astype(np.int64)


def _distinct_hands(rules: Rules) -> _Hands:
    """Return the hands that differ in any split, and their ways by relevant cards."""
    kinds, worth = hand_kinds(), worths(rules.player, rules)
    rows, kind = np.unique(np.hstack((worth.attack, worth.defense)), axis=0, return_inverse=True)
    by_kind = kinds.ways if rules.relevant_suit.suit else kinds.ways.sum(axis=1, keepdims=True)
    ways = np.zeros((len(rows), by_kind.shape[1]), dtype=np.int64)
    np.add.at(ways, kind.ravel(), by_kind)
    attack, defense = np.hsplit(rows, 2)
    return _Hands(attack=attack, defense=defense, ways=ways)


def _sizes(hands: _Hands, exchange: list[tuple[int, int]], rules: Rules) -> tuple[int, int]:
    dealt = int(hands.attack.max()) - min(defense for _, defense in exchange)
    taken = max(attack for attack, _ in exchange) - int(hands.defense.min())
    return max(rules.least_dealt, dealt) + 1, max(rules.least_taken, taken) + 1


def _choices(
    policy: Policy, hands: _Hands, exchange: list[_Met], rules: Rules
) -> Iterator[tuple[Integers, list[_Met]]]:
    """Yield what the policy chooses, with all that the house may do meanwhile: at once where it sees nothing of it."""

    def traded(pair: tuple[int, int]) -> tuple[Integers, Integers]:
        attack, defense = pair
        dealt = np.maximum(rules.least_dealt, hands.attack - defense)
        return dealt, np.maximum(rules.least_taken, attack - hands.defense)

    if policy in BLIND:
        yield policy(hands.attack, hands.defense), exchange
    elif rules.opponent_visible:
        for pair, weight in exchange:
            yield policy(*traded(pair)), [(pair, weight)]
    else:
        dealt, taken = np.zeros_like(hands.attack), np.zeros_like(hands.defense)
        for pair, weight in exchange:
            seen = traded(pair)
            dealt += weight * seen[0]
            taken += weight * seen[1]
        yield policy(dealt, taken), exchange


@lru_cache(maxsize=LAST_ENDINGS)
def endings(number: int, rules: Rules) -> Endings:
    """Ask the rule how the duel stands after a round, for all hit points that may be left."""
    shape = rules.player_hp + 1, rules.opponent_hp + 1
    over, won, lost = (np.zeros(shape, dtype=np.bool_) for _ in range(3))
    gold = np.zeros((6, *shape), dtype=np.int64)
    last = number >= rules.rounds
    paid: dict[str, list[int]] = {}
    for hp, opponent_hp in _over(shape, everywhere=last):
        result = house_result(hp, opponent_hp, number, 0, rules)
        assert result is not None  # noqa: S101  a knock-out or the last round ends the duel
        over[hp, opponent_hp] = True
        won[hp, opponent_hp] = result.winner == 0
        lost[hp, opponent_hp] = result.winner == 1
        if result.winner == 0:
            if result.why not in paid:
                paid[result.why] = [_gold(hp, opponent_hp, number, count, rules) for count in range(6)]
            gold[:, hp, opponent_hp] = paid[result.why]
    return Endings(over, won, lost, gold)


def _over(shape: tuple[int, int], *, everywhere: bool) -> Iterator[tuple[int, int]]:
    """Yield the hit points that end a duel: those of a knock-out, and after the last round all."""
    if everywhere:
        yield from ((hp, opponent_hp) for hp in range(shape[0]) for opponent_hp in range(shape[1]))
    else:
        yield from ((hp, 0) for hp in range(shape[0]))
        yield from ((0, opponent_hp) for opponent_hp in range(1, shape[1]))


def _gold(hp: int, opponent_hp: int, number: int, relevant: int, rules: Rules) -> int:
    result = house_result(hp, opponent_hp, number, relevant, rules)
    assert result is not None  # noqa: S101  as above
    return result.gold


def prospects(policy: Policy, rules: Rules) -> Prospects:
    """Follow the hit points round by round, with fresh decks, and say how duels end.

    >>> from oddsmith.games.duel.policies import all_defense
    >>> expected = prospects(all_defense, Rules(difficulty=3))
    >>> f"{expected.win:.4f} {expected.timeout:.4f}"
    '0.6000 0.9999'
    """
    law = _kept_law(policy, _without_hit_points(rules))
    walk = _Walk(law, rules)
    mass = np.zeros((rules.player_hp + 1, rules.opponent_hp + 1))
    mass[-1, -1] = 1.0
    last = endings(rules.rounds, rules)
    win = defeat = draw = timeout = timeout_win = gold = 0.0
    ends = []
    for number in range(1, rules.rounds + 1):
        landed = walk.step(mass)
        stand = last if number == rules.rounds else endings(number, rules)
        both = landed.sum(axis=0)
        win += float(both[stand.won].sum())
        defeat += float(both[stand.lost].sum())
        draw += float(both[stand.over & ~stand.won & ~stand.lost].sum())
        gold += float((landed * stand.gold[: len(landed)]).sum())
        ends.append(float(both[stand.over].sum()))
        if number == rules.rounds:
            timeout = float(both[1:, 1:].sum())
            timeout_win = float(both[1:, 1:][stand.won[1:, 1:]].sum())
        mass = np.where(stand.over, 0.0, both)
    return Prospects(
        win=win,
        defeat=defeat,
        draw=draw,
        timeout=timeout,
        timeout_win=timeout_win,
        flee=0.0,
        rounds=sum(number * share for number, share in enumerate(ends, 1)),
        gold=gold,
        ends=tuple(ends),
        error=walk.error,
        gold_error=walk.error * float(last.gold.max()),
        rounds_error=walk.error * rules.rounds,
    )


@lru_cache(maxsize=LAST_LAWS)
def _kept_law(policy: Policy, rules: Rules) -> RoundLaw:
    return round_law(policy, rules)


def _without_hit_points(rules: Rules) -> Rules:
    """Return one of all rules that have the same law of a round."""
    house = msgspec.structs.replace(rules.house, hp=1, hp_per_difficulty=0)
    return rules.replace(player_hp=1, rounds=1, house=house)


class _Walk:
    """Hit points before a round, as a distribution, and after it: a convolution with the law of a round."""

    def __init__(self, law: RoundLaw, rules: Rules) -> None:
        columns, dealt, taken = law.ways.shape
        self._shape = rules.player_hp + taken, rules.opponent_hp + dealt
        lost = np.zeros((columns, taken, dealt))
        for column in range(columns):
            lost[column] = law.ways[column].T / float(Fraction(law.total))
        self._lost = np.fft.rfft2(lost[:, ::-1, ::-1], self._shape)
        self._most = taken - 1, dealt - 1
        self.error = ROUNDING * self._shape[0] * self._shape[1] * rules.rounds

    def step(self, mass: Reals) -> Reals:
        """Return where the mass lies after a round, by relevant cards; what fell below 0 lies at 0."""
        moved = np.fft.irfft2(np.fft.rfft2(mass, self._shape) * self._lost, self._shape)
        taken, dealt = self._most
        folded = np.empty((len(moved), moved.shape[1] - taken, moved.shape[2]))
        folded[:, 0] = moved[:, : taken + 1].sum(axis=1)
        folded[:, 1:] = moved[:, taken + 1 :]
        landed = np.empty((*folded.shape[:2], folded.shape[2] - dealt))
        landed[:, :, 0] = folded[:, :, : dealt + 1].sum(axis=2)
        landed[:, :, 1:] = folded[:, :, dealt + 1 :]
        return np.maximum(landed, 0.0)

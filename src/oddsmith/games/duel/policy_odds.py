"""How duels with the house go when a steady policy fights them: computed round by round, not simulated.

A steady policy looks at the hand and at what the opponent shows, never at hit points or the round. So what is
dealt and taken has the same law in every round, and with fresh decks the hit points are a random walk.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import count, product
from math import log2, prod
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.games.duel.classes import Integers, SplitPowers, hand_kinds, house_exchange, split_powers
from oddsmith.games.duel.model import Corner, Ending, Result
from oddsmith.games.duel.policies import BLIND, Policy
from oddsmith.games.duel.rules import Fighter, Rules
from oddsmith.games.duel.scoring import house_result
from oddsmith.games.duel.tally import DuelSummary

__all__ = ["Endings", "RoundLaw", "endings", "follow_policy", "round_law"]

Reals = NDArray[np.float64]
_Met: TypeAlias = tuple[tuple[int, int], int]
"""The attack and the defense of the house, and in how many ways."""

ROUNDING: Final = 64 * float(np.finfo(np.float64).eps)
"""A bound on the error in one cell of a transform whose parts have norms of at most 1, with room to spare."""
SURE: Final = 0.25
"""How far a computed sum may be from a whole number that it is rounded to."""
LAST_LAWS: Final = 32
"""Of how many fights it is remembered what a round of them does: hit points and rounds do not change it."""
LAST_ENDINGS: Final = 50
"""Of how many rounds it is remembered how duels stand after them: all policies share it."""


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
    if policy in BLIND:
        return _blind_law(policy, rules)
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


def _blind_law(policy: Policy, rules: Rules) -> RoundLaw:
    """Return the law for who looks at nothing: both sides are independent then, and their differences convolved."""
    exchange, worth = house_exchange(rules), split_powers(rules.player, rules)
    weights = policy(worth.attack, worth.defense)
    mine = _grid(worth, weights, _by_relevant_cards(rules))
    _, attacks, defenses = mine.shape
    pairs = np.array(list(exchange), dtype=np.int64)
    strongest, toughest = pairs.max(axis=0).tolist()
    theirs = np.zeros((toughest + 1, strongest + 1))
    theirs[toughest - pairs[:, 1], pairs[:, 0]] = [weight for _, weight in exchange.items()]
    counted = _convolved(mine[:, :, ::-1], theirs)
    dealt = np.maximum(rules.least_dealt, np.arange(-toughest, attacks))
    taken = np.maximum(rules.least_taken, np.arange(1 - defenses, strongest + 1))
    return RoundLaw(
        _at_least(_at_least(counted, dealt).swapaxes(1, 2), taken).swapaxes(1, 2).astype(np.int64),
        int(weights[0].sum()) * int(hand_kinds().ways.sum()) * exchange.total,
    )


def _convolved(many: Reals, one: Reals) -> Reals:
    """Convolve each of many grids of counts with one, exactly: all sums are below 2^53.

    A transform of size n is off by less than log n times the norms times its rounding (Brent, Percival and Zimmermann,
    "Error bounds on complex floating-point multiplication"); where that might reach a quarter, it is not used.
    """
    shape = many.shape[1] + one.shape[0] - 1, many.shape[2] + one.shape[1] - 1
    smooth = _smooth(shape[0]), _smooth(shape[1])
    norms = float(np.sqrt((many**2).sum(axis=(1, 2)).max() * (one**2).sum()))
    if norms * ROUNDING * log2(prod(smooth)) < SURE:
        met = np.fft.rfft2(many, smooth) * np.fft.rfft2(one, smooth)
        sums: Reals = np.rint(np.fft.irfft2(met, smooth)[:, : shape[0], : shape[1]])
        return sums
    summed = np.zeros((len(many), *shape))
    for row, column in np.argwhere(one).tolist():
        summed[:, row : row + many.shape[1], column : column + many.shape[2]] += one[row, column] * many
    return summed


def _grid(worth: SplitPowers, weights: Integers, ways: Integers) -> Reals:
    """Count the splits that are taken, by relevant cards, attack and defense."""
    hand, split = np.nonzero(weights)
    attack, defense, times = worth.attack[hand, split], worth.defense[hand, split], weights[hand, split]
    shape = int(attack.max()) + 1, int(defense.max()) + 1
    places = attack * shape[1] + defense
    columns = [np.bincount(places, column[hand] * times, minlength=shape[0] * shape[1]) for column in ways.T]
    return np.stack(columns).astype(np.float64).reshape(-1, *shape)


def _at_least(counted: Reals, values: Integers) -> Reals:
    """Lay rows at their values, which rise, and add up those of the first."""
    least = int(values[0])
    first = int(np.searchsorted(values, least, side="right"))
    laid = np.zeros((len(counted), int(values[-1]) + 1, counted.shape[2]))
    laid[:, least] = counted[:, :first].sum(axis=1)
    laid[:, least + 1 :] = counted[:, first:]
    return laid


def _by_relevant_cards(rules: Rules) -> Integers:
    """Return the ways of each kind of hand by relevant cards, in one column where none are relevant."""
    ways = hand_kinds().ways
    return ways if rules.relevant_suit.suit else ways.sum(axis=1, keepdims=True)


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
    worth, by_kind = split_powers(rules.player, rules), _by_relevant_cards(rules)
    rows, kind = np.unique(np.hstack((worth.attack, worth.defense)), axis=0, return_inverse=True)
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
    """Yield what the policy chooses, with all that the house may do meanwhile: at once where it is hidden."""

    def traded(pair: tuple[int, int]) -> tuple[Integers, Integers]:
        attack, defense = pair
        dealt = np.maximum(rules.least_dealt, hands.attack - defense)
        return dealt, np.maximum(rules.least_taken, attack - hands.defense)

    if rules.opponent_visible:
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
    paid: dict[str, list[int]] = {}
    for rows, columns, result in _standings(shape, number, rules):
        cells = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
        over[cells] = True
        won[cells] = result.winner == 0
        lost[cells] = result.winner == 1
        if result.winner == 0:
            if result.why not in paid:
                paid[result.why] = [_gold(rows[0], columns[0], number, count, rules) for count in range(6)]
            gold[:, *cells] = np.reshape(paid[result.why], (6, 1, 1))
    return Endings(over, won, lost, gold)


def _standings(shape: tuple[int, int], number: int, rules: Rules) -> Iterator[tuple[range, range, Result]]:
    """Yield where duels are over, in blocks of hit points that stand alike, and how they stand.

    More hit points of the player are never worse, and more of the opponent never better. So a block stands alike
    where its worst and its best cell do; any other is halved.
    """

    def alike(rows: range, columns: range) -> Iterator[tuple[range, range, Result]]:
        worst = house_result(rows[0], columns[-1], number, 0, rules)
        best = house_result(rows[-1], columns[0], number, 0, rules)
        if _standing(worst) != _standing(best):
            for half in _halves(rows, columns):
                yield from alike(*half)
        elif worst is not None:
            yield rows, columns, worst

    for rows, columns in product(*((range(1), range(1, size)) for size in shape)):
        yield from alike(rows, columns)


def _standing(result: Result | None) -> tuple[Ending, Corner | None] | None:
    return None if result is None else (result.why, result.winner)


def _halves(rows: range, columns: range) -> Iterator[tuple[range, range]]:
    """Halve the longer side of a block."""
    if len(rows) >= len(columns):
        yield rows[: len(rows) // 2], columns
        yield rows[len(rows) // 2 :], columns
    else:
        yield rows, columns[: len(columns) // 2]
        yield rows, columns[len(columns) // 2 :]


def _gold(hp: int, opponent_hp: int, number: int, relevant: int, rules: Rules) -> int:
    result = house_result(hp, opponent_hp, number, relevant, rules)
    assert result is not None  # noqa: S101  as above
    return result.gold


def follow_policy(policy: Policy, rules: Rules) -> DuelSummary:
    """Follow the hit points round by round, with fresh decks, and say how duels end.

    >>> from oddsmith.games.duel.policies import all_defense
    >>> expected = follow_policy(all_defense, Rules(difficulty=3))
    >>> f"{expected.win:.4f} {expected.timeout:.4f}"
    '0.6000 0.9999'
    """
    walk, alike = _Walk(_kept_law(policy, _without_hit_points(rules)), rules), _without_gear(rules)
    mass = np.zeros((rules.player_hp + 1, rules.opponent_hp + 1))
    mass[-1, -1] = 1.0
    win = defeat = draw = timeout = timeout_win = gold = 0.0
    ends = []
    stand, paid = endings(1, alike), walk.expected(endings(1, alike).gold)
    for number in range(1, rules.rounds + 1):
        after = endings(number, alike)
        if not np.array_equal(after.gold, stand.gold):
            paid = walk.expected(after.gold)
        stand = after
        gold += float((mass * paid).sum())
        landed = walk.step(mass)
        win += float(landed[stand.won].sum())
        defeat += float(landed[stand.lost].sum())
        draw += float(landed[stand.over & ~stand.won & ~stand.lost].sum())
        ends.append(float(landed[stand.over].sum()))
        if number == rules.rounds:
            timeout = float(landed[1:, 1:].sum())
            timeout_win = float(landed[1:, 1:][stand.won[1:, 1:]].sum())
        mass = np.where(stand.over, 0.0, landed)
    return DuelSummary(
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
        gold_error=walk.error * float(stand.gold.max()),
        rounds_error=walk.error * rules.rounds,
    )


@lru_cache(maxsize=LAST_LAWS)
def _kept_law(policy: Policy, rules: Rules) -> RoundLaw:
    return round_law(policy, rules)


@lru_cache(maxsize=LAST_LAWS)
def _without_hit_points(rules: Rules) -> Rules:
    """Return one of all rules that have the same law of a round."""
    house = msgspec.structs.replace(rules.house, hp=1, hp_per_difficulty=0)
    return rules.replace(player_hp=1, rounds=1, house=house)


@lru_cache(maxsize=LAST_LAWS)
def _without_gear(rules: Rules) -> Rules:
    """Return one of all rules under which duels stand alike: what fighters bring along changes only how they get there."""
    return rules.replace(player=Fighter(), rival=Fighter())


class _Walk:
    """Hit points before a round, as a distribution, and after it: a convolution with the law of a round."""

    def __init__(self, law: RoundLaw, rules: Rules) -> None:
        self._hps = rules.player_hp + 1, rules.opponent_hp + 1
        ways = _up_to(_up_to(law.ways, self._hps[1]).swapaxes(1, 2), self._hps[0])
        _, taken, dealt = ways.shape
        self._most = taken - 1, dealt - 1
        self._shape = _smooth(rules.player_hp + taken), _smooth(rules.opponent_hp + dealt)
        self._law = ways / float(Fraction(law.total))
        self._lost = np.fft.rfft2(self._law.sum(axis=0)[::-1, ::-1], self._shape)
        self.error = ROUNDING * self._shape[0] * self._shape[1] * rules.rounds

    def step(self, mass: Reals) -> Reals:
        """Return where the mass lies after a round; what fell below 0 lies at 0."""
        moved = np.fft.irfft2(np.fft.rfft2(mass, self._shape) * self._lost, self._shape)
        (taken, dealt), (hps, others) = self._most, self._hps
        folded = np.concatenate(
            (moved[: taken + 1].sum(axis=0, keepdims=True), moved[taken + 1 : taken + hps])
        )
        below = folded[:, : dealt + 1].sum(axis=1, keepdims=True)
        landed: Reals = np.concatenate((below, folded[:, dealt + 1 : dealt + others]), axis=1)
        return landed.clip(min=0.0)

    def expected(self, worth: Integers) -> Reals:
        """Return what a round is worth on average, by hit points before it: `worth` is by relevant cards and those after."""
        (taken, dealt), (hps, others) = self._most, self._hps
        padded = np.pad(worth[: len(self._law)], ((0, 0), (taken, 0), (dealt, 0)), mode="edge")
        met = np.fft.rfft2(padded, self._shape) * np.fft.rfft2(self._law, self._shape)
        expected: Reals = np.fft.irfft2(met.sum(axis=0), self._shape)
        return expected[taken : taken + hps, dealt : dealt + others]


def _up_to(ways: Integers, size: int) -> Integers:
    """Count what deals more than all hit points as what deals just them."""
    if ways.shape[1] <= size:
        return ways
    return np.concatenate((ways[:, : size - 1], ways[:, size - 1 :].sum(axis=1, keepdims=True)), axis=1)


def _smooth(size: int) -> int:
    """Return the next size without large factors, of which transforms are fast."""
    return next(found for found in count(size) if _has_small_factors(found))


def _has_small_factors(size: int) -> bool:
    for factor in (2, 3, 5):
        while size % factor == 0:
            size //= factor
    return size == 1

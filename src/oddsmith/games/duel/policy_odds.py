"""Odds of duels with the house by a fixed policy, computed round by round instead of simulated.

A fixed policy depends on the hand and on the split that the opponent shows, never on hit points or the round. So the
damage has the same distribution in every round, and with fresh decks the hit points are a random walk.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import gcd, log2, prod
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.game import Seat
from oddsmith.games.duel.classes import (
    Integers,
    SplitPowers,
    hand_kinds,
    house_exchange,
    random_exchange,
    split_powers,
)
from oddsmith.games.duel.conditions import require_computed_odds, round_rules
from oddsmith.games.duel.model import Corner, Ending, Result
from oddsmith.games.duel.policies import BLIND, Policy
from oddsmith.games.duel.random_walk import ROUNDING, RandomWalk, RoundDistribution, transform_size
from oddsmith.games.duel.rules import Fighter, Rules
from oddsmith.games.duel.scoring import house_result, player_result, victory_result
from oddsmith.games.duel.tally import DuelSummary
from oddsmith.odds.distribution import Distribution
from oddsmith.poker import classify

__all__ = [
    "PlayerOdds",
    "RoundDistribution",
    "RoundOutcomes",
    "compute_player_odds",
    "compute_policy_odds",
    "policy_exchange",
    "round_distribution",
    "round_outcomes",
]

Reals = NDArray[np.float64]
_WeightedExchange: TypeAlias = tuple[tuple[int, int], int]
"""Attack and defense of the house, and the number of ways to get them."""

LARGEST_ROUNDING: Final = 0.25
"""The largest accepted distance between a computed sum and the whole number that it is rounded to."""
DISTRIBUTIONS_CACHED: Final = 32
"""Cache size for distributions of a round, which do not depend on hit points or the number of rounds."""
OUTCOMES_CACHED: Final = 50
"""Cache size for outcomes of a round, which all policies share."""


class RoundOutcomes(msgspec.Struct, frozen=True, eq=False):
    """Arrays by hit points left after a round: whether the duel is `over`, `won`, `lost`, and the `gold` by relevant cards."""

    over: NDArray[np.bool_]
    won: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    gold: Integers


def round_distribution(policy: Policy, rules: Rules) -> RoundDistribution:
    """Return the distribution of the damage in one round, with whole-number weights.

    >>> from oddsmith.games.duel.policies import all_attack
    >>> distribution = round_distribution(all_attack, Rules(difficulty=10))
    >>> int(distribution.ways.sum()) == distribution.total == 2598960**2
    True
    """
    if policy in BLIND:
        return _independent_distribution(policy, rules)
    hands, exchange = _distinct_hands(rules), house_exchange(rules)
    sizes = _sizes(hands, list(exchange), rules)
    counts = np.zeros((hands.ways.shape[1], *sizes), dtype=np.int64)
    weights = 0
    for choice, met in _iterate_choices(policy, hands, list(exchange.items()), rules):
        splits = hands.select(choice, merge=len(met) > 1)
        weights = int(choice[0].sum())
        for (attack, defense), weight in met:
            dealt = np.maximum(rules.least_dealt, splits.attack - defense)
            taken = np.maximum(rules.least_taken, attack - splits.defense)
            places = dealt * sizes[1] + taken
            columns = [_sum_by_index(places, column, sizes[0] * sizes[1]) for column in splits.ways.T]
            counts += weight * np.stack(columns).reshape(counts.shape)
    return RoundDistribution(counts, weights * int(hands.ways.sum()) * exchange.total)


def _independent_distribution(policy: Policy, rules: Rules) -> RoundDistribution:
    """Return the distribution for a blind policy: both fighters are independent, so their counts are convolved."""
    exchange, powers = house_exchange(rules), split_powers(rules.player, rules)
    weights = policy(powers.attack, powers.defense)
    mine = _count_splits(powers, weights, _by_relevant_cards(rules))
    return RoundDistribution(
        _meet(mine, exchange, least_dealt=rules.least_dealt, least_taken=rules.least_taken),
        int(weights[0].sum()) * int(hand_kinds().ways.sum()) * exchange.total,
    )


def _meet(
    mine: Reals, exchange: Distribution[tuple[int, int]], *, least_dealt: int, least_taken: int
) -> Integers:
    """Return the ways of damage of two independent fighters: `mine[cards, attack, defense]` against an exchange."""
    _, attacks, defenses = mine.shape
    pairs = np.array(list(exchange), dtype=np.int64)
    strongest, toughest = pairs.max(axis=0).tolist()
    theirs = np.zeros((toughest + 1, strongest + 1))
    theirs[toughest - pairs[:, 1], pairs[:, 0]] = [weight for _, weight in exchange.items()]
    counts = _convolve(mine[:, :, ::-1], theirs)
    dealt = np.maximum(least_dealt, np.arange(-toughest, attacks))
    taken = np.maximum(least_taken, np.arange(1 - defenses, strongest + 1))
    return _clamp_rows(_clamp_rows(counts, dealt).swapaxes(1, 2), taken).swapaxes(1, 2).astype(np.int64)


def _convolve(many: Reals, one: Reals) -> Reals:
    """Convolve each array of counts in `many` with `one`, exactly: all sums are below 2^53.

    The error of a transform of size n is less than log n times the norms times its rounding (Brent, Percival and
    Zimmermann, "Error bounds on complex floating-point multiplication"). Where that exceeds `LARGEST_ROUNDING`, sums
    are computed directly.
    """
    shape = many.shape[1] + one.shape[0] - 1, many.shape[2] + one.shape[1] - 1
    smooth = transform_size(shape[0]), transform_size(shape[1])
    norms = float(np.sqrt((many**2).sum(axis=(1, 2)).max() * (one**2).sum()))
    if norms * ROUNDING * log2(prod(smooth)) < LARGEST_ROUNDING:
        met = np.fft.rfft2(many, smooth) * np.fft.rfft2(one, smooth)
        sums: Reals = np.rint(np.fft.irfft2(met, smooth)[:, : shape[0], : shape[1]])
        return sums
    sums = np.zeros((len(many), *shape))
    for row, column in np.argwhere(one).tolist():
        sums[:, row : row + many.shape[1], column : column + many.shape[2]] += one[row, column] * many
    return sums


def _count_splits(powers: SplitPowers, weights: Integers, ways: Integers) -> Reals:
    """Count the chosen splits by relevant cards, attack and defense."""
    hand, split = np.nonzero(weights)
    attack, defense, times = powers.attack[hand, split], powers.defense[hand, split], weights[hand, split]
    shape = int(attack.max()) + 1, int(defense.max()) + 1
    places = attack * shape[1] + defense
    columns = [np.bincount(places, column[hand] * times, minlength=shape[0] * shape[1]) for column in ways.T]
    return np.stack(columns).astype(np.float64).reshape(-1, *shape)


def _clamp_rows(counts: Reals, values: Integers) -> Reals:
    """Index rows by their ascending values; rows that share the least value are added up."""
    least = int(values[0])
    first = int(np.searchsorted(values, least, side="right"))
    clamped = np.zeros((len(counts), int(values[-1]) + 1, counts.shape[2]))
    clamped[:, least] = counts[:, :first].sum(axis=1)
    clamped[:, least + 1 :] = counts[:, first:]
    return clamped


def _by_relevant_cards(rules: Rules) -> Integers:
    """Return the ways of each kind of hand by relevant cards, in one column where no suit is relevant."""
    ways = hand_kinds().ways
    return ways if rules.relevant_suit.suit else ways.sum(axis=1, keepdims=True)


class _Splits(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Attack and defense of some splits, and their ways by relevant cards."""

    attack: Integers
    defense: Integers
    ways: Integers


class _Hands(_Splits, frozen=True, kw_only=True, eq=False):
    """Distinct hands by row, with the attack and the defense of each of their splits."""

    def select(self, weights: Integers, *, merge: bool) -> _Splits:
        """Return the splits with a weight; `merge` adds up equal ones, which pays where they are used often."""
        hand, split = np.nonzero(weights)
        attack, defense = self.attack[hand, split], self.defense[hand, split]
        ways = self.ways[hand] * weights[hand, split, np.newaxis]
        if not merge:
            return _Splits(attack=attack, defense=defense, ways=ways)
        lowest, span = int(defense.min()), int(np.ptp(defense)) + 1
        codes, pair = np.unique(attack * span + defense - lowest, return_inverse=True)
        columns = [_sum_by_index(pair.ravel(), column, len(codes)) for column in ways.T]
        return _Splits(attack=codes // span, defense=codes % span + lowest, ways=np.stack(columns, axis=1))


def _sum_by_index(places: Integers, weights: Integers, size: int) -> Integers:
    """Add up weights by index; floats represent these sums exactly, as they are far below 2^53."""
    return np.bincount(places, weights, minlength=size).astype(np.int64)


def _distinct_hands(rules: Rules) -> _Hands:
    """Return the hands that differ in the powers of some split, and their ways by relevant cards."""
    powers, by_kind = split_powers(rules.player, rules), _by_relevant_cards(rules)
    rows, kind = np.unique(np.hstack((powers.attack, powers.defense)), axis=0, return_inverse=True)
    ways = np.zeros((len(rows), by_kind.shape[1]), dtype=np.int64)
    np.add.at(ways, kind.ravel(), by_kind)
    attack, defense = np.hsplit(rows, 2)
    return _Hands(attack=attack, defense=defense, ways=ways)


def _sizes(hands: _Hands, exchange: list[tuple[int, int]], rules: Rules) -> tuple[int, int]:
    dealt = int(hands.attack.max()) - min(defense for _, defense in exchange)
    taken = max(attack for attack, _ in exchange) - int(hands.defense.min())
    return max(rules.least_dealt, dealt) + 1, max(rules.least_taken, taken) + 1


def _iterate_choices(
    policy: Policy, hands: _Hands, exchange: list[_WeightedExchange], rules: Rules
) -> Iterator[tuple[Integers, list[_WeightedExchange]]]:
    """Yield the weights of the policy's splits with the house's exchanges that they answer.

    There is one item for each exchange where the house shows its split, and one item in all where it hides it.
    """

    def trades(pair: tuple[int, int]) -> tuple[Integers, Integers]:
        attack, defense = pair
        dealt = np.maximum(rules.least_dealt, hands.attack - defense)
        return dealt, np.maximum(rules.least_taken, attack - hands.defense)

    if rules.opponent_visible:
        for pair, weight in exchange:
            yield policy(*trades(pair)), [(pair, weight)]
    else:
        dealt, taken = np.zeros_like(hands.attack), np.zeros_like(hands.defense)
        for pair, weight in exchange:
            seen = trades(pair)
            dealt += weight * seen[0]
            taken += weight * seen[1]
        yield policy(dealt, taken), exchange


@lru_cache(maxsize=OUTCOMES_CACHED)
def round_outcomes(number: int, rules: Rules) -> RoundOutcomes:
    """Return the outcome of round `number` for all hit points that may be left."""
    shape = rules.player_hp + 1, rules.opponent_hp + 1
    over, won, lost = (np.zeros(shape, dtype=np.bool_) for _ in range(3))
    gold = np.zeros((6, *shape), dtype=np.int64)
    paid: dict[str, list[int]] = {}
    for rows, columns, result in _iterate_blocks(shape, number, rules):
        cells = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
        over[cells] = True
        won[cells] = result.winner == 0
        lost[cells] = result.winner == 1
        if result.winner == 0:
            if result.why not in paid:
                paid[result.why] = [
                    victory_result(result.why, rows[0], number, relevant, rules).gold for relevant in range(6)
                ]
            gold[:, *cells] = np.reshape(paid[result.why], (6, 1, 1))
    return RoundOutcomes(over, won, lost, gold)


def _iterate_blocks(
    shape: tuple[int, int], number: int, rules: Rules
) -> Iterator[tuple[range, range, Result]]:
    """Yield blocks of hit points in which the duel is over with the same winner for the same reason, and that result.

    The result is monotone in the hit points of both. So it is the same in the whole block where it is the same in the
    worst and in the best cell. Any other block is halved.
    """

    def blocks(rows: range, columns: range) -> Iterator[tuple[range, range, Result]]:
        worst = house_result(rows[0], columns[-1], number, 0, rules)
        best = house_result(rows[-1], columns[0], number, 0, rules)
        if _winner_and_reason(worst) != _winner_and_reason(best):
            for half in _split_block(rows, columns):
                yield from blocks(*half)
        elif worst is not None:
            yield rows, columns, worst

    for rows, columns in product(*((range(1), range(1, size)) for size in shape)):
        yield from blocks(rows, columns)


def _winner_and_reason(result: Result | None) -> tuple[Ending, Corner | None] | None:
    return None if result is None else (result.why, result.winner)


def _split_block(rows: range, columns: range) -> Iterator[tuple[range, range]]:
    """Yield both halves of a block, divided across its longer side."""
    if len(rows) >= len(columns):
        yield rows[: len(rows) // 2], columns
        yield rows[len(rows) // 2 :], columns
    else:
        yield rows, columns[: len(columns) // 2]
        yield rows, columns[len(columns) // 2 :]


def compute_policy_odds(policy: Policy, rules: Rules) -> DuelSummary:
    """Return how duels with the house end, with fresh decks: the distribution of hit points, round by round.

    >>> from oddsmith.games.duel.policies import all_defense
    >>> expected = compute_policy_odds(all_defense, Rules(difficulty=3))
    >>> f"{expected.win:.4f} {expected.timeout:.4f}"
    '0.6000 0.9999'
    """
    require_computed_odds(rules)
    walk = _make_walk(policy, rules, 1)
    stage = round_rules(rules, 1)
    gearless = _without_gear(rules)
    mass = np.zeros((rules.player_hp + 1, rules.opponent_hp + 1))
    mass[-1, -1] = 1.0
    win = defeat = draw = timeout = timeout_win = gold = 0.0
    ends = []
    outcomes = round_outcomes(1, gearless)
    expected_gold = walk.expect(outcomes.gold)
    error = walk.error
    for number in range(1, rules.rounds + 1):
        after = round_outcomes(number, gearless)
        if round_rules(rules, number) != stage:
            stage = round_rules(rules, number)
            walk = _make_walk(policy, rules, number)
            error = max(error, walk.error)
            expected_gold = walk.expect(after.gold)
        elif not np.array_equal(after.gold, outcomes.gold):
            expected_gold = walk.expect(after.gold)
        outcomes = after
        gold += float((mass * expected_gold).sum())
        moved = walk.step(mass)
        win += float(moved[outcomes.won].sum())
        defeat += float(moved[outcomes.lost].sum())
        draw += float(moved[outcomes.over & ~outcomes.won & ~outcomes.lost].sum())
        ends.append(float(moved[outcomes.over].sum()))
        if number == rules.rounds:
            timeout = float(moved[1:, 1:].sum())
            timeout_win = float(moved[1:, 1:][outcomes.won[1:, 1:]].sum())
        mass = np.where(outcomes.over, 0.0, moved)
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
        error=error,
        gold_error=error * float(outcomes.gold.max()),
        rounds_error=error * rules.rounds,
    )


def _make_walk(policy: Policy, rules: Rules, number: int) -> RandomWalk:
    """Return the random walk of hit points with the damage of round `number`."""
    return RandomWalk(
        _cached_distribution(policy, _without_hit_points(round_rules(rules, number))),
        (rules.player_hp, rules.opponent_hp),
        rules.rounds,
    )


class PlayerOdds(msgspec.Struct, frozen=True, kw_only=True):
    """How duels between two players end: chances of the first to win, to lose and to draw, each within `error`."""

    win: float
    defeat: float
    draw: float
    error: float


def compute_player_odds(policies: tuple[Policy, Policy], rules: Rules) -> PlayerOdds:
    """Return how duels between two players with fixed policies end, with fresh decks (§7, §8.3).

    Neither sees the other's hand: a policy gets damage summed over the exchanges of a rival who splits at random, as
    its bot does.

    >>> from oddsmith.games.duel.policies import all_attack
    >>> odds = compute_player_odds((all_attack, all_attack), Rules())
    >>> f"{odds.win:.4f} {odds.defeat:.4f} {odds.draw:.4f}"
    '0.0828 0.0828 0.8344'
    """
    require_computed_odds(rules)
    stage = round_rules(rules, 1)
    walk = _make_player_walk(policies, stage)
    error = walk.error
    full = rules.player_hp, rules.player_hp
    mass = np.zeros((full[0] + 1, full[1] + 1))
    mass[-1, -1] = 1.0
    win = defeat = draw = 0.0
    for number in range(1, rules.rounds + 1):
        if round_rules(rules, number) != stage:
            stage = round_rules(rules, number)
            walk = _make_player_walk(policies, stage)
            error = max(error, walk.error)
        moved = walk.step(mass)
        for hps in np.ndindex(moved.shape) if number == rules.rounds else _knock_outs(full):
            result = player_result(hps, number, rules)
            share, moved[hps] = float(moved[hps]), 0.0
            match result.winner if result is not None else None:
                case 0:
                    win += share
                case 1:
                    defeat += share
                case _:
                    draw += share
        mass = moved
    return PlayerOdds(win=win, defeat=defeat, draw=draw, error=error)


def _make_player_walk(policies: tuple[Policy, Policy], rules: Rules) -> RandomWalk:
    """Return the random walk of both players' hit points with these rules of a round."""
    mine, theirs = (_count_choices(policies[seat], seat, rules) for seat in (0, 1))
    exchange: Distribution[tuple[int, int]] = Distribution(
        {
            (int(attack), int(defense)): int(theirs[0, attack, defense])
            for _, attack, defense in np.argwhere(theirs)
        }
    )
    ways = _meet(mine, exchange, least_dealt=rules.least_dealt, least_taken=rules.least_dealt)
    return RandomWalk(
        RoundDistribution(ways, int(mine.sum()) * exchange.total),
        (rules.player_hp, rules.player_hp),
        rules.rounds,
    )


def policy_exchange(
    policy: Policy, rules: Rules, other_rules: Rules | None = None
) -> Distribution[tuple[int, int, bool]]:
    """Return the distribution of attack, defense, and whether the attack goes on with a combo (§2.12).

    The player has a fixed policy and sees no other hand (§8.4). `rules` are those of the round for the player,
    `other_rules` those for the other, by default the same.

    >>> from oddsmith.games.duel.policies import all_attack
    >>> policy_exchange(all_attack, Rules()).total
    2598960
    """
    kinds = hand_kinds()
    powers, weights = _weigh_splits(policy, 0, rules, rules if other_rules is None else other_rules)
    ranked = np.array([classify(side).rank in rules.combo_ranks for side in kinds.sides])
    hand, split = np.nonzero(weights)
    rows = powers.attack[hand, split], powers.defense[hand, split], ranked[kinds.attackers[hand, split]]
    met, place = np.unique(np.stack(rows), axis=1, return_inverse=True)
    ways = np.bincount(place.ravel(), kinds.ways.sum(axis=1)[hand] * weights[hand, split])
    return Distribution(
        {
            (attack, defense, bool(goes_on)): int(count)
            for attack, defense, goes_on, count in zip(*met.tolist(), ways.tolist(), strict=True)
        }
    )


def _knock_outs(full: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the hit points with which a duel is over before its last round."""
    yield from ((0, theirs) for theirs in range(full[1] + 1))
    yield from ((mine, 0) for mine in range(1, full[0] + 1))


def _count_choices(policy: Policy, seat: Seat, rules: Rules) -> Reals:
    """Count the splits that a player's policy chooses: `counts[0, attack, defense]`."""
    powers, weights = _weigh_splits(policy, seat, rules, rules)
    return _count_splits(powers, weights, hand_kinds().ways.sum(axis=1, keepdims=True))


def _weigh_splits(
    policy: Policy, seat: Seat, rules: Rules, other_rules: Rules
) -> tuple[SplitPowers, Integers]:
    """Return the powers of a player's splits in the rules of its round, and the weights that its policy gives them."""
    own, other = (rules.player, rules.rival) if seat == 0 else (rules.rival, rules.player)
    powers, rival = split_powers(own, rules), random_exchange(other, other_rules)
    attacks, defenses = Counter[int](), Counter[int]()
    for (attack, defense), ways in rival.items():
        attacks[attack] += ways
        defenses[defense] += ways
    scale = gcd(*attacks.values(), *defenses.values())
    dealt = _sum_damage(powers.attack, {-their: ways // scale for their, ways in defenses.items()}, rules)
    taken = _sum_damage(-powers.defense, {their: ways // scale for their, ways in attacks.items()}, rules)
    return powers, policy(dealt, taken)


def _sum_damage(own: Integers, others: Mapping[int, int], rules: Rules) -> Integers:
    """Sum max(least, own + other) over weighted others, for each own number."""
    numbers, place = np.unique(own, return_inverse=True)
    sums = [
        sum(ways * max(rules.least_dealt, number + other) for other, ways in others.items())
        for number in numbers.tolist()
    ]
    return np.array(sums, dtype=np.int64)[place.reshape(own.shape)]


@lru_cache(maxsize=DISTRIBUTIONS_CACHED)
def _cached_distribution(policy: Policy, rules: Rules) -> RoundDistribution:
    return round_distribution(policy, rules)


@lru_cache(maxsize=DISTRIBUTIONS_CACHED)
def _without_hit_points(rules: Rules) -> Rules:
    """Return a representative of all rules with the same distribution of a round."""
    house = msgspec.structs.replace(rules.house, hp=1, hp_per_difficulty=0)
    return rules.replace(player_hp=1, rounds=1, house=house)


@lru_cache(maxsize=DISTRIBUTIONS_CACHED)
def _without_gear(rules: Rules) -> Rules:
    """Return a representative of all rules with the same outcomes of a round, which do not depend on gear and skill."""
    return rules.replace(player=Fighter(), rival=Fighter())

"""What rounds ask for and pay: whether the first can be lost, whether the last can be won, and what a win is worth."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from oddsmith.exhibit import Exhibit, Outcome, Payoff, Payoffs
from oddsmith.games.dice.classes import NOTHING, matches
from oddsmith.games.dice.economy import payment
from oddsmith.games.dice.figures import RoundChance
from oddsmith.games.dice.model import Build
from oddsmith.games.dice.parts import FACES, PoolDie
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import Rules, Selection
from oddsmith.games.dice.scoring import count_faces, die_bonus, hand_points, item_bonuses, total_points
from oddsmith.games.dice.throws import pool_sizes
from oddsmith.odds.multisets import Multisets

Integers = NDArray[np.int64]

MILLION: Final = 10**6
"""Multipliers have at most six decimals."""


def targets(rules: Rules) -> Iterator[Exhibit]:
    """Yield the first round as a run begins, and the first round that no dice, items and levels can win."""
    chance = RoundChance(round=1).read(rules)
    yield Outcome(
        about="round 1 with the dice that a run begins with",
        where="first_target",
        least=chance.low,
        most=chance.high,
        least_for="",
        most_for="",
    )
    highest = highest_score(rules)
    lost = next((number for number in range(1, rules.rounds + 1) if rules.target(number) > highest), None)
    if lost is not None:
        yield Outcome(
            about=f"round {lost} of {rules.rounds}",
            where="rounds",
            least=Fraction(0),
            most=Fraction(0),
            least_for="",
            most_for="every item and every hand at its top level",
            reason=f"nothing scores more than {highest:,}, and it asks for {rules.target(lost):,}",
        )


def highest_score(rules: Rules) -> int:
    """Return what no pool can exceed: each die of the kind that adds most, all items, all hands at their top.

    >>> highest_score(Rules())
    60396
    """
    return max(_highest_of(size, rules) for size in pool_sizes(rules))


def _highest_of(size: int, rules: Rules) -> int:
    names = [name for name in rules.hands_in_order if rules.hands[name].min_dice <= size]
    multisets = Multisets(size, len(FACES))
    places = matches([rules.hands[name] for name in names], size)
    made = places != NOTHING
    if rules.selection is Selection.FIRST_MATCH:
        made &= np.arange(len(names))[:, None] == made.argmax(axis=0)
    return max(
        _highest_as(name, multisets.full_counts[one], multisets.counts[place[one]], rules)
        for name, one, place in zip(names, made, places, strict=True)
        if one.any()
    )


def _highest_as(name: str, shown: Integers, matched: Integers, rules: Rules) -> int:
    """Return the most of throws that are scored as one hand: what they show, and what of it matches."""
    hand, top = rules.hands[name], rules.upgrades.most_levels
    bonus = matched @ _bonuses(rules, matched=True) + (shown - matched) @ _bonuses(rules, matched=False)
    multipliers = [_multiplier(face, rules) for face in FACES]
    cases = np.stack([matched @ np.array(FACES), bonus, shown @ _millionths(multipliers)], axis=1)
    flat = sum(item.flat for item in rules.items.values())
    return max(
        total_points(hand_points(hand, top, matched_sum, rules), points + flat, Decimal(multiplier) / MILLION)
        for matched_sum, points, multiplier in np.unique(cases, axis=0).tolist()
    )


def _bonuses(rules: Rules, *, matched: bool) -> Integers:
    """Return the most that the ability of a die adds, face by face, of all kinds at the highest level they have."""
    levels = {die.kind: die.level for die in sorted(map(rules.die, rules.pool))}
    best = [PoolDie(name, max(kind.sold_to_level, levels.get(name, 0))) for name, kind in rules.kinds.items()]
    return np.array(
        [max(die_bonus(die, face, rules, matched=matched) for die in best) for face in FACES], dtype=np.int64
    )


def _multiplier(face: int, rules: Rules) -> Decimal:
    """Return what all items together add to the multiplier for one die that shows a face."""
    given = item_bonuses(count_faces((face,)), rules.items, rules)
    return sum((bonus.multiplier for bonus in given), Decimal(0))


def _millionths(numbers: Sequence[Decimal]) -> Integers:
    return np.array([int(number * MILLION) for number in numbers], dtype=np.int64)


def payoffs(rules: Rules) -> Iterator[Exhibit]:
    """Yield what the first round pays: lost, won at once, and won by so much that it is great."""
    target, rerolls = rules.target(1), round_rerolls(Build(dice=tuple(map(rules.die, rules.pool))), rules)
    at_once = payment(target, target, unused=rerolls, money=rules.money, items=(), rules=rules)
    great_score = rules.pay.great_at * target
    great = payment(target, great_score, unused=0, money=rules.money, items=(), rules=rules)
    yield Payoffs(
        about="the first round",
        where="pay",
        payoffs=(
            _payoff("a score below the target", "pay", 0, 0),
            _payoff(f"a score of {target} with {rerolls} rerolls left", "pay.per_reroll", 1, at_once.total),
            _payoff(f"a score of {great_score} with none left", "pay.great_share", 2, great.total),
        ),
    )


def _payoff(name: str, where: str, standing: int, dollars: int) -> Payoff:
    return Payoff(name=name, where=where, standing=standing, pays={"dollars": Fraction(dollars)})

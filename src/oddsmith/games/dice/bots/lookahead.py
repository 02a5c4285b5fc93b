"""Plans and values of builds for bots, solved for the pool or, if that would take long, for a simpler one."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from itertools import accumulate
from typing import Final

import msgspec
import numpy as np

from oddsmith.games.dice.die_values import find_die_values
from oddsmith.games.dice.model import Build, FixedDie
from oddsmith.games.dice.odds import RerollPlan
from oddsmith.games.dice.parts import FaceEffect, PoolDie
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.shopping import payment
from oddsmith.odds.rerolls import Solution, count_positions, solve

DOLLAR_VALUE: Final = 1e-9
"""The value of a dollar, where a won round has value 1: small enough that no chance is risked for money."""


class SizeLimit(msgspec.Struct, frozen=True):
    """The most positions of a pool that are scored, and the most sets of kept dice that are solved."""

    scored: int
    kept: int

    def allows(self, pool: Pool) -> bool:
        """Return whether a pool is within the limit."""
        return pool.scored_positions <= self.scored and count_positions(pool.groups()) <= self.kept


PLAY_LIMIT: Final = SizeLimit(scored=400_000, kept=500_000)
"""The limit to plan a round that is played; solving takes up to half a second."""

PURCHASE_LIMIT: Final = SizeLimit(scored=30_000, kept=70_000)
"""The limit to value one of many purchases; solving takes a thirtieth of a second."""


def simpler_pool(
    build: Build,
    rules: Rules,
    limit: SizeLimit,
    *,
    boss: BossKind | None = None,
    fixed: FixedDie | None = None,
) -> Pool:
    """Return the pool with dice replaced by normal ones until the limit allows it, rare and weak dice first.

    Dice stay in their places, so that a plan of the simpler pool is a plan of the real one.

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> dice = tuple(map(DEFAULT.die, ("wild", "odd", "normal", "normal")))
    >>> [str(die) for die in simpler_pool(Build(dice=dice), DEFAULT, SizeLimit(scored=400, kept=200)).build.dice]
    ['wild', 'normal', 'normal', 'normal']
    """
    pool = Pool(build, rules, boss=boss, fixed=fixed)
    if limit.allows(pool) or len({*build.dice}) == 1:
        return pool
    counts, normal = Counter(build.dice), PoolDie(rules.normal_kind)
    others = [die for die in counts if die != normal]
    replaced = min(others, key=lambda die: (_is_wild(die, rules), counts[die], die.level))
    dice = tuple(normal if die == replaced else die for die in build.dice)
    return simpler_pool(msgspec.structs.replace(build, dice=dice), rules, limit, boss=boss, fixed=fixed)


def _is_wild(die: PoolDie, rules: Rules) -> bool:
    return rules.kinds[die.kind].effect is FaceEffect.WILD


def round_plan(
    build: Build,
    target: int,
    rerolls: int,
    rules: Rules,
    *,
    boss: BossKind | None = None,
    fixed: FixedDie | None = None,
) -> RerollPlan:
    """Return a plan that maximizes the chance of reaching the target, then the pay for a great score (§5.8).

    Values are chances, plus `DOLLAR_VALUE` for each expected dollar.
    """
    pool = simpler_pool(build, rules, PLAY_LIMIT, boss=boss, fixed=fixed)
    solved = _solve_pool(pool, rerolls, lambda score: score_value(score, target, rules))
    return RerollPlan(pool, solved, None)


def score_value(score: int, target: int, rules: Rules, *, unused: int = 0) -> float:
    """Return the value of a score with `unused` rerolls left, in the unit of `round_plan`."""
    if score < target:
        return 0.0
    pay = payment(target, score, unused=unused, money=0, items=(), rules=rules)
    return 1 + DOLLAR_VALUE * (pay.great + pay.rerolls)


def discounted_value(
    build: Build, number: int, rules: Rules, *, discount: float, dollar: float, most_dollars: int
) -> float:
    """Return the discounted number of targets, from round `number` on, that one round is expected to reach.

    It is solved under best rerolls. The n-th target counts `discount` to the power n, from 0. The pay for a great score
    in round `number` adds `dollar` for each of at most `most_dollars`.
    """
    targets = [rules.target(later) for later in range(number, rules.rounds + 1)]
    cumulated = [0.0, *accumulate(discount**later for later in range(len(targets)))]

    def value_of(score: int) -> float:
        pay = payment(targets[0], score, unused=0, money=0, items=(), rules=rules)
        return cumulated[bisect_right(targets, score)] + dollar * min(pay.great, most_dollars)

    rerolls = round_rerolls(build, rules)
    pool = simpler_pool(build, rules, PURCHASE_LIMIT)
    return float(_solve_pool(pool, rerolls, value_of).start_value(rerolls))


def _solve_pool(pool: Pool, rerolls: int, value_of: Callable[[int], float]) -> Solution:
    """Solve a pool for the values of scores, computed once for each class of positions."""
    scored = find_die_values(pool)
    by_class = np.array([value_of(layers.total) for layers in scored.layers])
    return solve(pool.groups(), pool.broadcast(by_class[scored.classes]), rerolls, exact=False)

"""What a build promises is solved for its pool or, where that would take long, for a simpler one."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import accumulate
from types import MappingProxyType
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

NOTHING_SET: Final[Mapping[int, int]] = MappingProxyType({})

DOLLAR: Final = 1e-9
"""What a dollar weighs against a round: so little that no chance is ever risked for money."""


class Limit(msgspec.Struct, frozen=True):
    """How many positions of a pool are scored at most, and how many sets of kept dice are solved."""

    scored: int
    kept: int

    def holds(self, pool: Pool) -> bool:
        """Say whether a pool is small enough."""
        return pool.scored_positions <= self.scored and count_positions(pool.groups()) <= self.kept


PLAYED: Final = Limit(scored=400_000, kept=500_000)
"""What is solved to play a round; it takes up to half a second."""

BOUGHT: Final = Limit(scored=30_000, kept=70_000)
"""What is solved to value one of many purchases; it takes a thirtieth of a second."""


def simpler_pool(
    build: Build,
    rules: Rules,
    limit: Limit,
    *,
    boss: BossKind | None = None,
    fixed: FixedDie | None = None,
    wilds_set: Mapping[int, int] = NOTHING_SET,
) -> Pool:
    """Return the pool with dice taken for normal ones until it is small enough, rare and weak sorts first.

    Dice stay in their places, so that what is planned for the simpler pool can be done with the real one.

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> dice = tuple(map(DEFAULT.die, ("wild", "odd", "normal", "normal")))
    >>> [str(die) for die in simpler_pool(Build(dice=dice), DEFAULT, Limit(scored=400, kept=200)).build.dice]
    ['wild', 'normal', 'normal', 'normal']
    """
    pool = Pool(build, rules, boss=boss, fixed=fixed, wilds_set=wilds_set)
    if limit.holds(pool) or len({*build.dice}) == 1:
        return pool
    counts, normal = Counter(build.dice), PoolDie(rules.normal_kind)
    others = [die for die in counts if die != normal]
    given_up = min(others, key=lambda die: (_is_wild(die, rules), counts[die], die.level))
    dice = tuple(normal if die == given_up else die for die in build.dice)
    return simpler_pool(
        msgspec.structs.replace(build, dice=dice),
        rules,
        limit,
        boss=boss,
        fixed=fixed,
        wilds_set={place: face for place, face in wilds_set.items() if _is_wild(dice[place], rules)},
    )


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
    wilds_set: Mapping[int, int] = NOTHING_SET,
) -> RerollPlan:
    """Plan a round: the chance of reaching the target is as large as can be, then what a great score pays (§5.8).

    Values are chances, to which each expected dollar adds `DOLLAR`.
    """
    pool = simpler_pool(build, rules, PLAYED, boss=boss, fixed=fixed, wilds_set=wilds_set)
    solved = _solved(pool, rerolls, lambda score: worth_of(score, target, rules))
    return RerollPlan(pool, solved, None)


def worth_of(score: int, target: int, rules: Rules, *, unused: int = 0) -> float:
    """Return what it is worth to score so much when so many rerolls are left, by the measure of a round's plan."""
    if score < target:
        return 0.0
    pay = payment(target, score, unused=unused, money=0, items=(), rules=rules)
    return 1 + DOLLAR * (pay.great + pay.rerolls)


def far_value(
    build: Build, number: int, rules: Rules, *, fading: float, dollar: float, most_dollars: int
) -> float:
    """Return how many of the targets from round `number` on a build reaches in one round under best rerolls.

    Each further target counts less by the factor `fading`; what the first of them pays for a great score counts
    `dollar` for each of at most `most_dollars`.
    """
    targets = [rules.target(later) for later in range(number, rules.rounds + 1)]
    counted = [0.0, *accumulate(fading**later for later in range(len(targets)))]

    def worth(score: int) -> float:
        pay = payment(targets[0], score, unused=0, money=0, items=(), rules=rules)
        return counted[bisect_right(targets, score)] + dollar * min(pay.great, most_dollars)

    rerolls = round_rerolls(build, rules)
    pool = simpler_pool(build, rules, BOUGHT)
    return float(_solved(pool, rerolls, worth).start_value(rerolls))


def _solved(pool: Pool, rerolls: int, worth: Callable[[int], float]) -> Solution:
    """Solve a pool for what a score is worth, asked once for each class of positions."""
    scored = find_die_values(pool)
    by_class = np.array([worth(layers.total) for layers in scored.layers])
    return solve(pool.groups(), pool.spread(by_class[scored.classes]), rerolls, exact=False)

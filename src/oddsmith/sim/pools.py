"""Estimates for dice that can lie in too many ways to count, from rolls and rounds through the engine of play."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from oddsmith.bots.foresight import PLAYED, simpler
from oddsmith.bots.tabletop import best_faces, reroll_but, rolling, score_as
from oddsmith.chance import Seeded
from oddsmith.errors import InputError
from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.model import Action, Build, FixedDie, Stage, State
from oddsmith.games.dice.odds import KeepChoice, RerollPlan, plan_rerolls
from oddsmith.games.dice.rules import DEFAULT, BossKind, Rules
from oddsmith.games.dice.scoring import require_build
from oddsmith.games.dice.views import View
from oddsmith.records import Chooser, play
from oddsmith.sim.estimates import Estimate, Proportion

__all__ = ["PoolEstimate", "estimate_rerolls"]

MOST_ROUNDS: Final = 1_000_000
REMEMBERED: Final = 100_000


class PoolEstimate(msgspec.Struct, frozen=True):
    """How often rounds were scored as each hand with each total.

    >>> seen = PoolEstimate({("pair", 33): 3, ("high_roll", 11): 1})
    >>> seen.rounds, seen.at_least(33).mean, seen.hand("pair").mean, seen.score.mean
    (4, 0.75, 0.75, 27.5)
    """

    counts: Mapping[tuple[str, int], int]

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return sum(self.counts.values())

    @property
    def score(self) -> Estimate:
        """The mean score, with its error."""
        totals: Counter[int] = Counter()
        for (_, total), count in self.counts.items():
            totals[total] += count
        return Estimate.of(totals)

    def at_least(self, target: int) -> Proportion:
        """Return how often the target was reached, with its error."""
        return Proportion(
            self.rounds, sum(count for (_, total), count in self.counts.items() if total >= target)
        )

    def hand(self, name: str) -> Proportion:
        """Return how often a hand was scored, with its error."""
        return Proportion(self.rounds, sum(count for (hand, _), count in self.counts.items() if hand == name))


def estimate_rerolls(
    build: Build,
    rerolls: int,
    rules: Rules = DEFAULT,
    *,
    target: int | None = None,
    boss: BossKind | None = None,
    fixed: FixedDie | None = None,
    rounds: int = 1_000,
    seed: str | int = "oddsmith",
    progress: Callable[[float], None] | None = None,
) -> PoolEstimate:
    """Play rounds with a pool, and count what they score; without rerolls that is one roll of all dice.

    What to keep is solved for the pool or, where that has too many positions, for a simpler one: then the estimate
    is of what can be reached at least. Round number n of a seed is always the same round.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> estimate_rerolls(Build(dice=(PoolDie("normal"),) * 5), 3, target=40, rounds=20).at_least(40).happened
    20
    """
    require_build(build, rules)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise InputError(
            "bad_rounds", f"from 1 to {MOST_ROUNDS:,} rounds can be played: {rounds} were asked for"
        )
    start = State(
        rules=rules, build=build, money=0, stage=Stage.ROLL, boss=boss, fixed=fixed, rerolls=rerolls
    )
    simple = simpler(build, rules, PLAYED) if rerolls else build
    plan = (
        plan_rerolls(simple, rerolls, rules, target=target, boss=boss, fixed=fixed, exact=False)
        if rerolls
        else None
    )
    player = _player(plan)
    counts: Counter[tuple[str, int]] = Counter()
    for number in range(1, rounds + 1):
        counts[_played(start, player, Seeded(f"{seed}/{number}"))] += 1
        if progress is not None:
            progress(number / rounds)
    return PoolEstimate(dict(counts))


def _player(plan: RerollPlan | None) -> Chooser[View, Action]:
    """Return the player who keeps what the plan says, and remembers it."""

    @lru_cache(maxsize=REMEMBERED)
    def best(faces: tuple[int, ...], left: int) -> KeepChoice | None:
        return plan.best(faces, left) if plan is not None and left else None

    def choose(view: View, actions: Sequence[Action], /) -> Action:
        choice = best(view.faces, view.rerolls)
        if choice is None or len(choice.keep) == len(view.faces) or not rolling(view):
            return score_as(best_faces(view), view, actions)
        return reroll_but(choice.keep, view, actions)

    return choose


def _played(start: State, player: Chooser[View, Action], luck: Seeded) -> tuple[str, int]:
    """Play one round, and return the hand that was scored and its total."""
    scored = next(ply.after.score for ply in play(GAME, start, [player], luck) if ply.after.score is not None)
    return scored.hand, scored.total

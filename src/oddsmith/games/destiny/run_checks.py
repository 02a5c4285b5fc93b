"""Skill checks in a run: what they pay, and how they go (§11.6)."""

from typing import Final

import msgspec

from oddsmith.game import EVERYONE, Step
from oddsmith.games.destiny.model import (
    CheckBegun,
    CheckResolved,
    Degree,
    Drawn,
    Hand,
    PendingCheck,
    Reward,
    RunState,
)
from oddsmith.games.destiny.rules import DEFAULT, Rules
from oddsmith.games.destiny.run_costs import check_energy
from oddsmith.games.destiny.scoring import check, score
from oddsmith.games.destiny.views import outlaw_now
from oddsmith.points import Points

NOTHING: Final = Points(0)


def check_reward(name: str, achieved: Degree, rules: Rules = DEFAULT) -> Reward:
    """Return the gold and experience of a skill check; a failure costs nothing more than the energy (§11.6).

    >>> check_reward("hard", Degree.CRITICAL_SUCCESS)
    Reward(gold=Points('25'), experience=Points('200'), buff=None)
    """
    if not achieved.succeeded:
        return Reward(NOTHING, NOTHING)
    is_critical = achieved is Degree.CRITICAL_SUCCESS
    factor = rules.critical_success_factor if is_critical else rules.success_factor
    threshold, run = max(NOTHING, rules.skill_checks[name]), rules.run.checks
    return Reward(
        threshold.times(run.gold_per_point).times(factor),
        threshold.times(run.experience_per_point).times(factor),
    )


def begin_check(state: RunState, name: str) -> Step[RunState]:
    """Return the state after the energy of a legal skill check was spent."""
    energy = check_energy(name, state.rules)
    after = msgspec.structs.replace(state, pending=PendingCheck(name), energy=state.energy - energy)
    return Step(after, (CheckBegun(audience=EVERYONE, check=name, energy=energy),))


def resolve_check(state: RunState, pending: PendingCheck, hand: Hand) -> Step[RunState]:
    """Return the state after the hand of a skill check, judged as of the second at which it began (§11.4)."""
    rules, threshold = state.rules, state.rules.skill_checks[pending.check]
    result = check(score(hand, outlaw_now(state), rules, at=state.clock), threshold, rules)
    earned = check_reward(pending.check, result.degree, rules)
    after = msgspec.structs.replace(
        state,
        pending=None,
        gold=state.gold + earned.gold,
        experience=state.experience + earned.experience,
        clock=state.clock + rules.run.checks.time,
    )
    return Step(
        after,
        (
            Drawn(audience=EVERYONE, seat=0, score=result.score),
            CheckResolved(
                audience=EVERYONE,
                check=pending.check,
                margin=result.margin,
                degree=result.degree,
                gold=earned.gold,
                experience=earned.experience,
            ),
        ),
    )

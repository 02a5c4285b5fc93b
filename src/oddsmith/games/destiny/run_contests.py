"""Contests with NPCs in a run: the stakes, and how they go (§11.7)."""

from typing import Final, NamedTuple

import msgspec

from oddsmith.game import EVERYONE, Event, Step
from oddsmith.games.destiny.model import (
    Challenged,
    ContestResolved,
    Drawn,
    Hand,
    PendingContest,
    RunState,
    Side,
)
from oddsmith.games.destiny.rules import DEFAULT, Rules
from oddsmith.games.destiny.run_rules import RunContests
from oddsmith.games.destiny.scoring import contest, npc, score
from oddsmith.games.destiny.views import outlaw_now
from oddsmith.points import Points

NOTHING: Final = Points(0)


class Stakes(NamedTuple):
    """What a contest changes: gold and experience of a victory, energy that a defeat costs."""

    gold: Points
    experience: Points
    energy: int


def victory_stakes(tier: str, damage: Points, rules: Rules = DEFAULT) -> Stakes:
    """Return what a victory over an NPC pays: by its level, and by the damage that was dealt (§11.7).

    >>> victory_stakes("veteran", Points(15))
    Stakes(gold=Points('77.5'), experience=Points('35'), energy=0)
    """
    level, run = Points(rules.npcs[tier]), rules.run.contests
    gold = level.times(run.gold_per_level) + damage_gold(damage, run)
    return Stakes(gold, level.times(run.experience_per_level), 0)


def defeat_stakes(energy: int, damage: Points, rules: Rules = DEFAULT) -> Stakes:
    """Return what a defeat costs: energy by the damage, rounded half-even to a whole number, at most what is left (§11.7).

    >>> defeat_stakes(100, Points(44)).energy, defeat_stakes(10, Points(44)).energy
    (22, 10)
    """
    return Stakes(NOTHING, NOTHING, min(energy, damage_energy(damage, rules.run.contests)))


def damage_gold(damage: Points, contests: RunContests) -> Points:
    """Return what the damage of a victory pays (§11.7)."""
    return damage.times(contests.gold_per_damage)


def damage_energy(damage: Points, contests: RunContests) -> int:
    """Return the energy that the damage of a defeat costs where there is enough (§11.7)."""
    return round(damage.times(contests.energy_per_damage).fraction)


def begin_contest(state: RunState, tier: str) -> Step[RunState]:
    """Return the state after the energy of a legal contest was spent."""
    energy = state.rules.run.contests.energy
    after = msgspec.structs.replace(state, pending=PendingContest(npc=tier), energy=state.energy - energy)
    return Step(after, (Challenged(audience=EVERYONE, npc=tier, energy=energy),))


def draw_contest(state: RunState, pending: PendingContest, hand: Hand) -> Step[RunState]:
    """Return the state after the outlaw's hand, or after the NPC's, which decides the contest (§8.4, §11.4, §11.7)."""
    rules = state.rules
    attack = score(pending.hands[0] if pending.hands else hand, outlaw_now(state), rules, at=state.clock)
    if not pending.hands:
        waiting = msgspec.structs.replace(pending, hands=(hand,))
        drawn: Event = Drawn(audience=EVERYONE, seat=0, score=attack)
        return Step(msgspec.structs.replace(state, pending=waiting), (drawn,))
    result = contest(attack, score(hand, npc(pending.npc, rules), rules), rules)
    stakes = (
        victory_stakes(pending.npc, result.damage, rules)
        if result.winner is Side.ATTACKER
        else defeat_stakes(state.energy, result.damage, rules)
    )
    after = msgspec.structs.replace(
        state,
        pending=None,
        gold=state.gold + stakes.gold,
        experience=state.experience + stakes.experience,
        energy=state.energy - stakes.energy,
        clock=state.clock + rules.run.contests.time,
    )
    return Step(
        after,
        (
            Drawn(audience=EVERYONE, seat=0, score=result.defender, npc=pending.npc),
            ContestResolved(
                audience=EVERYONE,
                npc=pending.npc,
                winner=result.winner,
                why=result.why,
                degree=result.degree,
                damage=result.damage,
                gold=stakes.gold,
                experience=stakes.experience,
                energy=stakes.energy,
            ),
        ),
    )

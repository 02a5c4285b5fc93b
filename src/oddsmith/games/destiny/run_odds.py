"""Exact odds of the contests and gang wars of a run, and the mean gold of everything that can be begun in one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from oddsmith.errors import InputError
from oddsmith.games.destiny.damage import damage_odds
from oddsmith.games.destiny.model import Degree, Reward, RunState, Side
from oddsmith.games.destiny.odds import ContestOdds, contest_odds, gang_odds, gang_work
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.games.destiny.run_contests import damage_energy, damage_gold, victory_stakes
from oddsmith.games.destiny.run_rules import RunContests
from oddsmith.games.destiny.run_wars import defense_bonus, gang_members, war_reward
from oddsmith.games.destiny.scoring import (
    NOTHING,
    Bonuses,
    active_buffs,
    character_bonuses,
    npc,
    purse_after,
)
from oddsmith.games.destiny.views import RunView
from oddsmith.odds.distribution import Distribution
from oddsmith.points import Points

CACHED: Final = 256
CACHED_DAMAGES: Final = 20_000


class ContestValue(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of a contest with an NPC, and the means over all pairs of draws: gold, experience, energy that it costs.

    `gold`, `energy` and both damages are None where damage grows too far to be counted.
    """

    odds: ContestOdds
    gold: Fraction | None
    experience: Fraction
    energy: Fraction | None
    dealt: Fraction | None
    taken: Fraction | None


class WarValue(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of a gang war with NPCs, what it pays and costs, and the mean change of the purse; hire is not in it.

    `odds.attacker` counts the draws that the attackers win, whoever they are.
    """

    odds: ContestOdds
    side: Side
    pay: Points
    loss: Points
    experience: Points
    gold: Fraction

    @property
    def win(self) -> Fraction:
        """The chance that the outlaw's gang wins."""
        return self.odds.chance(self.side)


def mean_gold(rewards: Mapping[Degree, Reward], degrees: Mapping[Degree, int], purse: Points) -> Fraction:
    """Return the mean change of a purse by a crime or a check, from the number of hands of each degree (§10.3, §11.6).

    >>> from oddsmith.games.destiny.scoring import reward
    >>> crimes = {degree: reward(Rules().crimes["pickpocket"], degree) for degree in Degree}
    >>> mean_gold(crimes, {Degree.SUCCESS: 1, Degree.CRITICAL_FAILURE: 1}, Points(4))
    Fraction(6, 1)
    """
    earned = [
        count * (purse_after(purse, rewards[degree]) - purse).hundredths for degree, count in degrees.items()
    ]
    return Fraction(sum(earned), 100 * sum(degrees.values()))


def settle(character: Character, rules: Rules, at: int) -> Character:
    """Return a character at second 0 with the buffs that work for it at a moment, so that equal moments are equal."""
    return msgspec.structs.replace(
        character, buffs=dict.fromkeys(active_buffs(character.buffs, rules, at=at), 0)
    )


def contest_value(outlaw: Character, tier: str, energy: int, rules: Rules) -> ContestValue:
    """Return the value of a contest of an outlaw at second 0 with an NPC, with this energy left once it has begun (§11.7).

    >>> unskilled = contest_value(Character(), "rookie", 130, Rules())
    >>> float(round(unskilled.gold, 2)), float(round(unskilled.energy, 2))
    (1.12, 7.0)
    """
    counted = _count_contest(outlaw, tier, rules)
    return ContestValue(
        odds=counted.odds,
        gold=counted.gold,
        experience=counted.experience,
        energy=None
        if counted.lost is None
        else counted.lost.map(lambda lost: Fraction(min(energy, lost))).mean,
        dealt=counted.dealt,
        taken=counted.taken,
    )


class _Contest(NamedTuple):
    """What does not depend on the energy that is left: odds, mean gold, experience and damages, the energy that is lost."""

    odds: ContestOdds
    gold: Fraction | None
    experience: Fraction
    dealt: Fraction | None
    taken: Fraction | None
    lost: Distribution[int] | None


@lru_cache(maxsize=CACHED)
def _count_contest(outlaw: Character, tier: str, rules: Rules) -> _Contest:
    """Count all pairs of draws of a contest; damage only where it does not grow too far to be counted."""
    sides = character_bonuses(outlaw, rules), character_bonuses(npc(tier, rules), rules)
    odds, pay = contest_odds(*sides, rules), victory_stakes(tier, NOTHING, rules)
    win = odds.chance(Side.ATTACKER)
    experience = win * pay.experience.fraction
    try:
        damage = damage_odds(*sides, rules)
    except InputError:
        return _Contest(odds, None, experience, None, None, None)
    run = rules.run
    extra = sum(count * _damage_stakes(dealt, run.contests)[0] for dealt, count in damage.attacker.items())
    lost: Counter[int] = Counter()
    for taken, count in damage.defender.items():
        lost[_damage_stakes(taken, run.contests)[1]] += count
    return _Contest(
        odds,
        win * pay.gold.fraction + Fraction(extra, 100 * odds.total),
        experience,
        _mean_points(damage.attacker),
        _mean_points(damage.defender),
        Distribution(lost.items()),
    )


def _mean_points(damage: Distribution[Points]) -> Fraction:
    return Fraction(sum(points.hundredths * count for points, count in damage.items()), 100 * damage.total)


@lru_cache(maxsize=CACHED_DAMAGES)
def _damage_stakes(damage: Points, contests: RunContests) -> tuple[int, int]:
    """Return what damage adds to the gold of a victory, in hundredths, and the energy that it takes from a loser."""
    return damage_gold(damage, contests).hundredths, damage_energy(damage, contests)


def _own_gang(run: RunState | RunView) -> tuple[Character, ...]:
    return tuple(settle(one, run.rules, run.clock) for one in gang_members(run))


def _war_sides(
    gang: Sequence[Character], tier: str, side: Side, rules: Rules
) -> tuple[Sequence[Bonuses], Sequence[Bonuses]]:
    """Return the bonuses of the attackers and the defenders of a war of a gang that is on a side of it (§11.9)."""
    own = [character_bonuses(one, rules, defense_bonus=defense_bonus(side, rules)) for one in gang]
    others = [character_bonuses(npc(tier, rules), rules)] * len(gang)
    return (own, others) if side is Side.ATTACKER else (others, own)


def war_work(run: RunState | RunView, tier: str, side: Side) -> int:
    """Return the estimated work of `war_value`: a million is a few tenths of a second."""
    return gang_work(*_war_sides(_own_gang(run), tier, side, run.rules), run.rules)


def war_value(run: RunState | RunView, tier: str, side: Side) -> WarValue:
    """Return the value of a gang war against NPCs of a tier, with the gang of a run as it is now (§11.10)."""
    rules, size = run.rules, 1 + len(run.gang)
    won, lost = (war_reward(tier, size, side, rules, won=won) for won in (True, False))
    loss = purse_after(run.gold, lost) - run.gold
    result = _count_war(_own_gang(run), tier, side, rules)
    win = result.chance(side)
    return WarValue(
        odds=result,
        side=side,
        pay=won.gold,
        loss=loss,
        experience=won.experience,
        gold=win * won.gold.fraction + (1 - win) * loss.fraction,
    )


@lru_cache(maxsize=CACHED)
def _count_war(gang: Sequence[Character], tier: str, side: Side, rules: Rules) -> ContestOdds:
    return gang_odds(*_war_sides(gang, tier, side, rules), rules)

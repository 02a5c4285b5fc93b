"""What a score achieves: against a threshold, another score, or a gang's scores."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, assert_never

import msgspec

from oddsmith.errors import InputError, nearest
from oddsmith.games.destiny.model import Check, Contest, Degree, GangWar, Reward, Score, Side
from oddsmith.games.destiny.rules import DEFAULT, LARGEST_SCORE, Crime, GangScore, Rules
from oddsmith.points import Points
from oddsmith.poker import HandRank

NOTHING: Final = Points(0)


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """What a check is made against; only crimes cost energy."""

    name: str | None
    threshold: Points
    energy: int | None = None
    difficulty: str = ""


def target(given: str, rules: Rules = DEFAULT) -> Target:
    """Return the crime or skill check of that name, or the threshold that was written (§7.3, §7.4).

    >>> target("bank_robbery").threshold, target("very_hard").threshold, target("42.5").threshold
    (Points('275'), Points('350'), Points('42.5'))
    """
    if given in rules.crimes:
        crime = rules.crimes[given]
        return Target(name=given, threshold=crime.threshold, energy=crime.energy, difficulty=crime.difficulty)
    if given in rules.skill_checks:
        return Target(name=given, threshold=rules.skill_checks[given], difficulty=given.replace("_", " "))
    if any(character.isdigit() for character in given):
        threshold = Points(given)
        if abs(threshold.hundredths) > LARGEST_SCORE.hundredths:
            raise InputError("out_of_bounds", f"a threshold lies within ±{LARGEST_SCORE}, not {threshold}")
        return Target(name=None, threshold=threshold)
    known = [*rules.crimes, *rules.skill_checks]
    raise InputError(
        "unknown_target", f"unknown crime or skill check '{given[:40]}'{nearest(given[:40], known)}"
    )


def check(scored: Score, threshold: Points, rules: Rules = DEFAULT) -> Check:
    """Hold a score against a threshold (§7)."""
    margin = scored.total - threshold
    return Check(score=scored, threshold=threshold, margin=margin, degree=degree(margin, scored.rank, rules))


def degree(margin: Points, rank: HandRank, rules: Rules = DEFAULT) -> Degree:
    """Say how well a check went by its margin, or by the royal rule (§7.2, §7.5).

    >>> degree(Points(0), HandRank.PAIR), degree(Points("-50.01"), HandRank.PAIR)
    (<Degree.SUCCESS: 'success'>, <Degree.CRITICAL_FAILURE: 'critical_failure'>)
    """
    if margin >= rules.critical_margin or is_trump(rank, rules):
        return Degree.CRITICAL_SUCCESS
    if margin >= NOTHING:
        return Degree.SUCCESS
    return Degree.FAILURE if margin >= -rules.failure_margin else Degree.CRITICAL_FAILURE


def is_trump(rank: HandRank, rules: Rules) -> bool:
    """Say whether a hand beats everything by the royal rule (§7.5, §8.5)."""
    return rules.royal_flush_auto_win and rank is HandRank.ROYAL_FLUSH


def reward(crime: Crime, achieved: Degree, rules: Rules = DEFAULT) -> Reward:
    """Return what a crime pays or costs (§10.2, §10.3).

    >>> reward(DEFAULT.crimes["bank_robbery"], Degree.CRITICAL_FAILURE)
    Reward(gold=Points('-27.5'), experience=Points('0'))
    """
    gold, experience = crime.threshold.times(rules.gold_per_point), Points(crime.energy)
    match achieved:
        case Degree.CRITICAL_SUCCESS:
            factor = rules.critical_success_factor
            return Reward(gold.times(factor), experience.times(factor))
        case Degree.SUCCESS:
            factor = rules.success_factor
            return Reward(gold.times(factor), experience.times(factor))
        case Degree.FAILURE:
            return Reward(-gold.times(rules.failure_penalty), NOTHING)
        case Degree.CRITICAL_FAILURE:
            return Reward(-gold.times(rules.critical_failure_penalty), NOTHING)
        case _ as never:
            assert_never(never)


def purse_after(purse: Points, earned: Reward) -> Points:
    """Return what a purse holds after a crime; it never falls below 0 (§10.3).

    >>> purse_after(Points(10), Reward(Points("-27.5"), Points(0)))
    Points('0')
    """
    return max(NOTHING, purse + earned.gold)


def contest(attacker: Score, defender: Score, rules: Rules = DEFAULT) -> Contest:
    """Hold two scores against each other (§8)."""
    winner, why = _contest_winner(attacker, defender, rules)
    return Contest(attacker=attacker, defender=defender, winner=winner, why=why)


def _contest_winner(attacker: Score, defender: Score, rules: Rules) -> tuple[Side, str]:
    trumps = is_trump(attacker.rank, rules), is_trump(defender.rank, rules)
    if trumps[0] != trumps[1]:
        return (Side.ATTACKER if trumps[0] else Side.DEFENDER), "royal_flush"
    if set(attacker.hand) == set(defender.hand):
        return _higher(attacker.suit.fraction, defender.suit.fraction, rules, why="same_hand")
    return _higher(attacker.total.fraction, defender.total.fraction, rules, why="higher_total")


def _higher(attack: Fraction, defense: Fraction, rules: Rules, *, why: str) -> tuple[Side, str]:
    if attack == defense:
        return tie_winner(rules), "tie"
    return (Side.ATTACKER if attack > defense else Side.DEFENDER), why


def tie_winner(rules: Rules) -> Side:
    """Return the side that wins a tie (§8.2)."""
    return Side.DEFENDER if rules.tie_favors_defender else Side.ATTACKER


def gang_war(attackers: Sequence[Score], defenders: Sequence[Score], rules: Rules = DEFAULT) -> GangWar:
    """Hold two gangs' scores against each other (§9)."""
    attack, defense = gang_score(attackers, rules), gang_score(defenders, rules)
    winner, why = _higher(attack, defense, rules, why="higher_score")
    return GangWar(
        attackers=tuple(attackers),
        defenders=tuple(defenders),
        attack=attack,
        defense=defense,
        winner=winner,
        why=why,
    )


def gang_score(scores: Sequence[Score], rules: Rules = DEFAULT) -> Fraction:
    """Return a side's score, exactly (§9.2)."""
    require_gang(len(scores), rules)
    totals = sorted((scored.total.fraction for scored in scores), reverse=True)
    counted, divisor = gang_measure(len(scores), rules)
    return sum(totals[:counted], start=Fraction(0)) / divisor


def gang_measure(size: int, rules: Rules) -> tuple[int, int]:
    """Return how many of a side's highest scores count, and what their sum is divided by (§9.2)."""
    match rules.gang_score:
        case GangScore.SUM:
            return size, 1
        case GangScore.AVERAGE:
            return size, size
        case GangScore.BEST:
            counted = min(rules.gang_best, size)
            return counted, counted
        case _ as never:
            assert_never(never)


def require_gang(size: int, rules: Rules) -> None:
    """Refuse an empty side and one that is too large (§9.4)."""
    if size == 0:
        raise InputError("empty_gang", "a gang needs at least one member", paragraph="9.4")
    if size > rules.gang_limit:
        raise InputError(
            "gang_too_large", f"a gang has at most {rules.gang_limit} members, not {size}", paragraph="9.4"
        )

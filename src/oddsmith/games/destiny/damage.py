"""The exact distribution of the damage that each side of a contest deals."""

from bisect import bisect_left
from collections import Counter
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.errors import InputError
from oddsmith.games.destiny.model import Side
from oddsmith.games.destiny.odds import contest_odds, draws
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.rules import DEFAULT, Rules
from oddsmith.games.destiny.scoring import Bonuses, damage_hundredths, is_trump, tie_winner
from oddsmith.odds.distribution import Distribution
from oddsmith.odds.lattice import Lattice
from oddsmith.points import LARGEST, Points

Integers = NDArray[np.int64]

MOST_LEADS: Final = 200_000
"""The longest lead, in hundredths, up to which damages are counted one by one."""
LONGEST_LEAD: Final = 100 * LARGEST
MOST_PAIRS: Final = 2**53
"""The most pairs of draws that sums of floats count exactly."""
ROWS: Final = 256
"""Totals of the attacker that are compared with all of the defender at once."""


class DamageOdds(msgspec.Struct, frozen=True):
    """The damage that each side deals, with its number of pairs of draws; a side that loses deals 0."""

    attacker: Distribution[Points]
    defender: Distribution[Points]


def damage_odds(attacker: Bonuses, defender: Bonuses, rules: Rules = DEFAULT) -> DamageOdds:
    """Return the damage of a contest over all pairs of draws (§8.7, §8.8).

    Raises `InputError` where the rules let damage grow with leads of more than 2,000 points: these are not counted.

    >>> from oddsmith.games.destiny.rules import Character
    >>> from oddsmith.games.destiny.scoring import character_bonuses
    >>> untrained = character_bonuses(Character())
    >>> damage_odds(untrained, untrained).attacker.total == 2598960**2
    True
    """
    full = _full_lead(rules)
    leads = _count_leads(attacker, defender, full, rules)
    dealt: dict[Side, Counter[int]] = {side: Counter() for side in Side}
    for place in np.flatnonzero(leads).tolist():
        lead = place - full
        dealt[_leader(lead, rules)][damage_hundredths(abs(lead), HandRank.HIGH_CARD, rules)] += int(
            leads[place]
        )
    result = contest_odds(attacker, defender, rules)
    for side, won in ((Side.ATTACKER, result.attacker), (Side.DEFENDER, result.defender)):
        by_trumps = won - dealt[side].total()
        dealt[side][damage_hundredths(0, HandRank.ROYAL_FLUSH, rules)] += by_trumps
        dealt[side][0] += result.total - won
    return DamageOdds(*(_distribution(dealt[side]) for side in (Side.ATTACKER, Side.DEFENDER)))


def _distribution(dealt: Counter[int]) -> Distribution[Points]:
    return Distribution((Points.of_hundredths(damage), count) for damage, count in dealt.items())


def _leader(lead: int, rules: Rules) -> Side:
    """Return the side that wins with a lead of the attacker (§8.1, §8.2)."""
    if lead == 0:
        return tie_winner(rules)
    return Side.ATTACKER if lead > 0 else Side.DEFENDER


def _full_lead(rules: Rules) -> int:
    """Return the least lead, in hundredths, beyond which damage does not grow; raise `InputError` where it is too long.

    From the critical margin on damage never falls with the lead, so the lead is found by bisection.
    """

    def dealt(lead: int) -> int:
        return damage_hundredths(lead, HandRank.HIGH_CARD, rules)

    critical = rules.critical_margin.hundredths
    full = critical + bisect_left(range(critical, LONGEST_LEAD), dealt(LONGEST_LEAD), key=dealt)
    if full > MOST_LEADS:
        raise InputError(
            "damage_too_fine",
            f"damage grows up to a lead of {Points.of_hundredths(full)} points, and is counted up to "
            f"{Points.of_hundredths(MOST_LEADS)}: lower damage.most or critical_margin, or raise damage.per_point",
            where="rules.damage",
            paragraph="8.7",
        )
    return full


def _count_leads(attacker: Bonuses, defender: Bonuses, full: int, rules: Rules) -> Integers:
    """Count pairs of hands without trumps by the attacker's lead, from -full to full; longer leads count as `full`.

    The same hand on both sides is compared by suits (§8.3).
    """
    sides = [draws(side, rules) for side in (attacker, defender)]
    trumps = np.array([is_trump(rank, rules) for rank in HandRank])
    attack, defense = (
        Lattice.collect(side.total[~trumps[side.rank]], side.ways[~trumps[side.rank]]) for side in sides
    )
    counts = _outer_leads(attack, defense, full)
    plain = ~(trumps[sides[0].rank] | trumps[sides[1].rank])
    squares = sides[0].squares[plain]
    by_total, by_suit = (sides[0].total - sides[1].total)[plain], (sides[0].suit - sides[1].suit)[plain]
    np.subtract.at(counts, np.clip(by_total, -full, full) + full, squares)
    np.add.at(counts, np.clip(by_suit, -full, full) + full, squares)
    return counts


def _outer_leads(attack: Lattice, defense: Lattice, full: int) -> Integers:
    if attack.total * defense.total > MOST_PAIRS:
        raise InputError(
            "too_many_pairs",
            "damage is counted over at most 2^53 pairs of draws: a deck of two decks and no jokers, or a smaller one",
            where="rules.deck",
            paragraph="8.7",
        )
    counts = np.zeros(2 * full + 1, dtype=np.int64)
    for start in range(0, len(attack.values), ROWS):
        rows = slice(start, start + ROWS)
        leads = np.subtract.outer(attack.values[rows], defense.values)
        places = np.clip(leads, -full, full, out=leads) + full
        pairs = np.outer(attack.weights[rows], defense.weights)
        counted = np.bincount(places.ravel(), weights=pairs.ravel(), minlength=len(counts))
        counts += counted.astype(np.int64)  # at most MOST_PAIRS: exact
    return counts

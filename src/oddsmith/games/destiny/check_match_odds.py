"""Exact odds of a match of skill checks: each check's points, and who wins where both seats choose best (§12.9)."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from oddsmith.errors import InputError
from oddsmith.games.destiny.check_match import acting_seat, check_points, count_checks
from oddsmith.games.destiny.model import CheckState, Degree
from oddsmith.games.destiny.odds import degree_odds
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.games.destiny.scoring import character_bonuses, require_no_exchange
from oddsmith.games.destiny.views import CheckView

MOST_LEADS: Final = 20_000
"""The most leads, over all checks to come, for which a match is solved."""
CACHED: Final = 256


class CheckChances(NamedTuple):
    """The number of hands by what a check scores, in hundredths, those that meet it, and all hands."""

    points: Mapping[int, int]
    met: int
    total: int

    @property
    def mean(self) -> Fraction:
        """The mean points of the check."""
        return Fraction(sum(points * count for points, count in self.points.items()), 100 * self.total)


@lru_cache(maxsize=CACHED)
def check_chances(outlaw: Character, rules: Rules) -> Mapping[str, CheckChances]:
    """Return the points that each skill check scores for an outlaw, with their numbers of hands.

    >>> float(round(check_chances(Rules().outlaws["copper_mae"], Rules())["medium"].mean, 2))
    140.24
    """
    bonuses = character_bonuses(outlaw, rules)
    found: dict[str, CheckChances] = {}
    for name, threshold in rules.skill_checks.items():
        degrees = degree_odds(bonuses, threshold, rules)
        counts: dict[int, int] = {}
        for degree in Degree:
            points = check_points(name, degree, rules).hundredths
            counts[points] = counts.get(points, 0) + degrees.weight(degree)
        met = sum(degrees.weight(degree) for degree in Degree if degree.succeeded)
        found[name] = CheckChances(
            {points: count for points, count in counts.items() if count}, met, degrees.total
        )
    return found


def value_checks(view: CheckState | CheckView) -> Mapping[str, Fraction]:
    """Return a value of each check for seat 0: the chance that it wins; its mean points where the match is too large.

    The outlaws of both seats must be chosen; for seat 1 less is better.
    """
    rules, seat = view.rules, acting_seat(len(view.taken))
    attacker, defender = (rules.outlaws[choice] for choice in view.choices if choice is not None)
    lead = sum(one.points.hundredths * (1 if one.seat == 0 else -1) for one in view.taken)
    try:
        return match_chances((attacker, defender), len(view.taken), lead, rules)
    except InputError:
        sign = 1 if seat == 0 else -1
        chances = check_chances((attacker, defender)[seat], rules)
        return {name: sign * one.mean for name, one in chances.items()}


def match_chances(
    outlaws: tuple[Character, Character], taken: int, lead: int, rules: Rules
) -> Mapping[str, Fraction]:
    """Return the chance that seat 0 wins by the check that is taken next, where all later choices are the best ones.

    A shared win counts as half of one. `lead` is that of seat 0, in hundredths. Raises `InputError` where the match has too many possible leads, and where hands
    may be exchanged.
    """
    require_no_exchange(rules, "a match of skill checks")
    sides = tuple(check_chances(outlaw, rules) for outlaw in outlaws)
    ahead = _reachable_leads(sides, taken, lead, rules)
    last = count_checks(rules)
    wins = {value: (value > 0) + (value >= 0) for value in ahead[-1]}
    scale = 2  # a win counts as 2, a shared one as 1
    for place in range(last - 1, taken, -1):
        chances = sides[acting_seat(place)]
        best = max if acting_seat(place) == 0 else min
        wins = {
            value: best(_count_wins(one, value, acting_seat(place), wins) for one in chances.values())
            for value in ahead[place - taken]
        }
        scale *= next(iter(chances.values())).total
    seat = acting_seat(taken)
    return {
        name: Fraction(_count_wins(one, lead, seat, wins), scale * one.total)
        for name, one in sides[seat].items()
    }


def _count_wins(chances: CheckChances, lead: int, seat: int, wins: Mapping[int, int]) -> int:
    sign = 1 if seat == 0 else -1
    return sum(count * wins[lead + sign * points] for points, count in chances.points.items())


def _reachable_leads(
    sides: tuple[Mapping[str, CheckChances], ...], taken: int, lead: int, rules: Rules
) -> list[set[int]]:
    """Return the leads that are possible before each check to come, and at the end."""
    ahead, total = [{lead}], 1
    for place in range(taken, count_checks(rules)):
        seat = acting_seat(place)
        sign = 1 if seat == 0 else -1
        scored = {points for chances in sides[seat].values() for points in chances.points}
        ahead.append({value + sign * points for value in ahead[-1] for points in scored})
        total += len(ahead[-1])
        if total > MOST_LEADS:
            raise InputError(
                "too_many_leads",
                f"a match is solved with up to {MOST_LEADS:,} leads, and this one has more",
                paragraph="12.9",
            )
    return ahead

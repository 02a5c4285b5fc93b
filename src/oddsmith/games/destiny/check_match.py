"""A match of skill checks for two seats: each takes checks of its own choice in turn, for the points of their thresholds (§8.9)."""

from typing import Final

import msgspec

from oddsmith.errors import Refusal
from oddsmith.game import EVERYONE, Event, Outcome, Over, Seat, Step
from oddsmith.games.destiny.model import (
    Action,
    CheckBegun,
    CheckScored,
    CheckState,
    ChecksWon,
    Degree,
    Drawn,
    Hand,
    TakeCheck,
    TakenCheck,
)
from oddsmith.games.destiny.outlaw_matches import leading_seats, round_order
from oddsmith.games.destiny.rules import DEFAULT, Rules
from oddsmith.games.destiny.run_costs import unknown
from oddsmith.games.destiny.scoring import NOTHING, check, score
from oddsmith.games.destiny.views import CheckView
from oddsmith.points import Points

SEATS: Final = (0, 1)


def acting_seat(taken: int) -> Seat:
    """Return the seat whose check is next; who was second in a round is first in the next one (§8.10).

    >>> [acting_seat(taken) for taken in range(8)]
    [0, 1, 1, 0, 0, 1, 1, 0]
    """
    played, place = divmod(taken, len(SEATS))
    return round_order(played, len(SEATS))[place]


def count_checks(rules: Rules) -> int:
    """Return the number of checks that both seats take together."""
    return len(SEATS) * rules.check_rounds


def check_points(name: str, achieved: Degree, rules: Rules = DEFAULT) -> Points:
    """Return the points of a check in a match: its threshold by the factors of rewards, nothing for a failure (§8.10).

    >>> check_points("hard", Degree.CRITICAL_SUCCESS), check_points("hard", Degree.FAILURE)
    (Points('500'), Points('0'))
    """
    if not achieved.succeeded:
        return NOTHING
    is_critical = achieved is Degree.CRITICAL_SUCCESS
    factor = rules.critical_success_factor if is_critical else rules.success_factor
    return max(NOTHING, rules.skill_checks[name]).times(factor)


def check_match_objection(state: CheckState, action: Action) -> Refusal | None:
    """Return why the seat whose turn it is may not take this check."""
    if not isinstance(action, TakeCheck):
        return Refusal("not_now", "a skill check is chosen now", paragraph="8.10")
    return unknown("skill_check", action.check, state.rules.skill_checks)


def begin_match_check(state: CheckState, seat: Seat, name: str) -> Step[CheckState]:
    """Return the state after a seat chose a skill check; everybody sees which."""
    begun = CheckBegun(audience=EVERYONE, seat=seat, check=name, energy=0)
    return Step(msgspec.structs.replace(state, pending=name), (begun,))


def draw_match_check(state: CheckState, hand: Hand) -> Step[CheckState]:
    """Return the state after the hand of a skill check; the last one decides the match."""
    assert state.pending is not None  # noqa: S101  luck is due only while a check is pending
    seat = acting_seat(len(state.taken))
    name, rules = state.pending, state.rules
    chosen = state.choices[seat]
    assert chosen is not None  # noqa: S101  checks are taken once both outlaws are chosen
    result = check(score(hand, rules.outlaws[chosen], rules), rules.skill_checks[name], rules)
    points = check_points(name, result.degree, rules)
    taken = TakenCheck(seat=seat, check=name, hand=hand, degree=result.degree, points=points)
    after = msgspec.structs.replace(state, pending=None, taken=(*state.taken, taken))
    events: list[Event] = [
        Drawn(audience=EVERYONE, seat=seat, score=result.score),
        CheckScored(
            audience=EVERYONE,
            seat=seat,
            check=name,
            margin=result.margin,
            degree=result.degree,
            points=points,
        ),
    ]
    if len(after.taken) == count_checks(rules):
        over = check_match_outcome(after).outcome
        won = ChecksWon(audience=EVERYONE, winners=over.winners, why=over.why, points=match_points(after))
        events.append(won)
    return Step(after, tuple(events))


def match_points(state: CheckState | CheckView) -> tuple[Points, Points]:
    """Return the points of both seats so far."""
    attacker, defender = (
        Points.of_hundredths(sum(one.points.hundredths for one in state.taken if one.seat == seat))
        for seat in SEATS
    )
    return attacker, defender


def check_match_outcome(state: CheckState) -> Over:
    """Return the end of a match of checks: more points win, equal points share the win (§8.10)."""
    points = match_points(state)
    winners = leading_seats(points)
    why = "higher_points" if len(winners) == 1 else "tie"
    return Over(Outcome(why=why, winners=winners, scores=points))

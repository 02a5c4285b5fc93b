"""The question before a check of a match: what each scores, and how often the seat wins with it (§12.9)."""

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, nearest
from oddsmith.game import Seat
from oddsmith.games.destiny.check_match import acting_seat, count_checks
from oddsmith.games.destiny.model import Word
from oddsmith.games.destiny.rules import Rules
from oddsmith.points import Points
from oddsmith.question import Context, Question, Request, Share
from oddsmith.reply_figures import CHANCE


class CheckMatchRequest(Request, frozen=True, kw_only=True):
    """The outlaws of both seats, how many checks they have taken together, and the lead of the attacker in points."""

    attacker: Word
    defender: Word
    taken: Annotated[int, Meta(ge=0, le=39)] = 0
    lead: Points = Points(0)


class CheckChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A check that may be taken: its chance of success, mean points, and the chance that the match is won with it.

    `win` supposes that both seats choose best from then on, and counts a shared win as half of one; it is null where a match has too many possible leads to solve, and
    where hands may be exchanged. The other numbers are those of hands as they are dealt.
    """

    success: Share
    success_exact: Fraction
    points: Fraction
    win: Annotated[Fraction | None, CHANCE]


class CheckMatchReply(msgspec.Struct, frozen=True, kw_only=True):
    """The seat whose turn it is, and its choices in the rules' order."""

    seat: Seat
    checks: Mapping[str, CheckChoice]


def value_match(request: CheckMatchRequest, context: Context[Rules]) -> CheckMatchReply:
    """Return what each skill check of a match is worth to the seat that takes the next one.

    >>> reply = value_match(CheckMatchRequest(attacker="iron_jack", defender="doc_silas"), Context(rules=Rules()))
    >>> reply.seat, max(reply.checks, key=lambda name: reply.checks[name].win)
    (0, 'easy')
    """
    from oddsmith.games.destiny.check_match_odds import check_chances, match_chances

    rules = context.rules
    for name in (request.attacker, request.defender):
        if name not in rules.outlaws:
            sentence = f"unknown outlaw '{name}'{nearest(name, list(rules.outlaws))}"
            raise InputError("unknown_outlaw", sentence)
    if request.taken >= count_checks(rules):
        raise InputError("match_over", f"a match has {count_checks(rules)} checks", where="taken")
    outlaws = rules.outlaws[request.attacker], rules.outlaws[request.defender]
    seat = acting_seat(request.taken)
    wins: Mapping[str, Fraction] = {}
    with suppress(InputError):  # the other numbers are exact without it
        wins = match_chances(outlaws, request.taken, request.lead.hundredths, rules)
    choices = {}
    for name, chances in check_chances(outlaws[seat], rules).items():
        met = chances.met
        win = wins.get(name)
        choices[name] = CheckChoice(
            success=Share.of(met, chances.total),
            success_exact=Fraction(met, chances.total),
            points=chances.mean,
            win=win if win is None or seat == 0 else 1 - win,
        )
    return CheckMatchReply(seat=seat, checks=choices)


CHECK_MATCH: Final = Question(
    name="check_match", request=CheckMatchRequest, reply=CheckMatchReply, answer=value_match, is_command=False
)

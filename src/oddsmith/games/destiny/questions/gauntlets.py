"""The question before a turn of a gauntlet: the chance against each tier, and what a challenge and retirement are worth (§12.10)."""

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, nearest
from oddsmith.game import Seat
from oddsmith.games.destiny.gauntlet import (
    Standing,
    gauntlet_points,
    is_done,
    may_retire,
    next_seat,
    next_tier,
    tiers,
)
from oddsmith.games.destiny.gauntlet_rules import MOST_LIVES, MOST_SEATS, MOST_TIERS
from oddsmith.games.destiny.model import Word
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.points import Points
from oddsmith.question import Context, Question, Request, Share
from oddsmith.reply_figures import CHANCE


class GauntletSeat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat of a gauntlet: its outlaw, the tiers that it has beaten, its defeats, and whether it has retired."""

    outlaw: Word
    beaten: Annotated[int, Meta(ge=0, le=MOST_TIERS)] = 0
    lost: Annotated[int, Meta(ge=0, le=MOST_LIVES)] = 0
    retired: bool = False


class GauntletRequest(Request, frozen=True, kw_only=True):
    """All seats in their order."""

    seats: Annotated[tuple[GauntletSeat, ...], Meta(min_length=1, max_length=MOST_SEATS)]


class GauntletTier(msgspec.Struct, frozen=True, kw_only=True):
    """A tier of NPCs, the points for beating it, and how often the outlaw does, as hands are dealt."""

    npc: str
    points: Points
    success: Share
    success_exact: Annotated[Fraction, CHANCE]


class GauntletChoice(msgspec.Struct, frozen=True, kw_only=True):
    """What an action is worth to the seat: the mean of its final points, and its chance to win.

    `points` supposes that the seat then plays for points, `win` that every seat plays for its own chance; a win that is shared
    by some seats counts as an equal part of one. Both are null where hands may be exchanged, and `win` also alone and
    where a gauntlet has too many positions to solve.
    """

    points: Fraction | None
    win: Annotated[Fraction | None, CHANCE]


class GauntletPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where a seat stands: its points, how many defeats it may still take, and the tier that it meets next; null where it is done."""

    points: Points
    lives: int
    next: str | None


class GauntletReply(msgspec.Struct, frozen=True, kw_only=True):
    """Where every seat stands; the seat whose turn it is, the tiers in the order in which they are met, and both actions.

    Before its first contest a seat may not retire, and `retire` is null. Where all seats are done, nobody's turn is: `seat` and
    `challenge` are null, too, and there are no tiers.
    """

    seats: Annotated[tuple[GauntletPlace, ...], Meta(max_length=MOST_SEATS)]
    seat: Seat | None = None
    tiers: Annotated[tuple[GauntletTier, ...], Meta(max_length=MOST_TIERS)] = ()
    challenge: GauntletChoice | None = None
    retire: GauntletChoice | None = None


def value_gauntlet(request: GauntletRequest, context: Context[Rules]) -> GauntletReply:
    """Return where the seats of a gauntlet stand, and what a challenge and retirement are worth to the one whose turn it is.

    >>> request = GauntletRequest(seats=(GauntletSeat(outlaw="iron_jack", beaten=3),))
    >>> reply = value_gauntlet(request, Context(rules=Rules()))
    >>> reply.tiers[3].npc, float(round(reply.challenge.points, 2)), reply.retire.points
    ('elite', 74.63, Fraction(65, 1))
    """
    rules = context.rules
    stands = _read_standings(request, rules)
    places = tuple(
        GauntletPlace(
            points=gauntlet_points(one, rules),
            lives=rules.gauntlet.lives - one.lost,
            next=None if is_done(one, rules) else next_tier(one, rules),
        )
        for one in stands
    )
    seat = next_seat(stands, rules)
    if seat is None:
        return GauntletReply(seats=places)
    outlaws = tuple(rules.outlaws[one.outlaw] for one in request.seats)
    challenge, retire = _value_choices(outlaws, stands, seat, rules)
    return GauntletReply(
        seats=places,
        seat=seat,
        tiers=tuple(_describe_tiers(outlaws[seat], rules)),
        challenge=challenge,
        retire=retire,
    )


def _value_choices(
    outlaws: tuple[Character, ...], stands: tuple[Standing, ...], seat: Seat, rules: Rules
) -> tuple[GauntletChoice, GauntletChoice | None]:
    """Return the values of a challenge and of retirement of the seat whose turn it is."""
    from oddsmith.games.destiny.gauntlet_odds import points_values, win_values

    points = None if rules.redraws.times else points_values(outlaws[seat], stands[seat], rules)
    wins = None
    with suppress(InputError):  # the other numbers are exact without it
        wins = win_values(outlaws, stands, rules) if len(outlaws) > 1 else None
    challenge = GauntletChoice(points=points and points.challenge, win=wins and wins.challenge)
    if not may_retire(stands[seat]):
        return challenge, None
    return challenge, GauntletChoice(points=points and points.retire, win=wins and wins.retire)


def _describe_tiers(outlaw: Character, rules: Rules) -> Iterator[GauntletTier]:
    from oddsmith.games.destiny.gauntlet_odds import bout_chances

    before = Points(0)
    for place, (tier, one) in enumerate(zip(tiers(rules), bout_chances(outlaw, rules), strict=True), start=1):
        after = gauntlet_points(Standing(beaten=place), rules)
        yield GauntletTier(
            npc=tier,
            points=after - before,
            success=Share.of(one.won, one.total),
            success_exact=one.chance,
        )
        before = after


def _read_standings(request: GauntletRequest, rules: Rules) -> tuple[Standing, ...]:
    """Return the standings of a request; raise `InputError` where an outlaw or a standing is impossible."""
    if not 1 <= len(rules.npcs) <= MOST_TIERS:
        raise InputError(
            "bad_tiers",
            f"a gauntlet needs from 1 to {MOST_TIERS} tiers, not {len(rules.npcs)}",
            paragraph="8.11",
        )
    stands = tuple(Standing(one.beaten, one.lost, one.retired) for one in request.seats)
    for place, (one, standing) in enumerate(zip(request.seats, stands, strict=True)):
        if one.outlaw not in rules.outlaws:
            sentence = f"unknown outlaw '{one.outlaw}'{nearest(one.outlaw, list(rules.outlaws))}"
            raise InputError("unknown_outlaw", sentence, where=f"seats[{place}].outlaw")
        if one.beaten > len(rules.npcs) or one.lost > rules.gauntlet.lives:
            sentence = (
                f"a seat beats at most {len(rules.npcs)} tiers and loses at most {rules.gauntlet.lives} times, "
                f"not {one.beaten} and {one.lost}"
            )
            raise InputError("bad_standing", sentence, where=f"seats[{place}]", paragraph="8.12")
        active = standing._replace(has_retired=False)
        if one.retired and (is_done(active, rules) or not may_retire(active)):
            raise InputError(
                "bad_standing",
                "a seat that has not fought, is out, or has beaten every tier does not retire",
                where=f"seats[{place}].retired",
                paragraph="8.12",
            )
    return stands


GAUNTLET: Final = Question(
    name="gauntlet", request=GauntletRequest, reply=GauntletReply, answer=value_gauntlet, is_command=False
)

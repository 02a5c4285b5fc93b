"""Questions about two sides: a contest, a gang war, and the odds of each."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.destiny.characters import (
    MOST_MEMBERS,
    AnyCharacter,
    AnyHand,
    At,
    DefenseBonus,
    Gang,
    Member,
    draw_hand,
    gang_bonuses,
    read_bonuses,
    read_character,
    read_gang,
    read_hand,
    write_out_character,
)
from oddsmith.games.destiny.model import Contest, GangWar, Hand, Side
from oddsmith.games.destiny.rule_types import Moment
from oddsmith.games.destiny.rules import Character, GangScore, Rules
from oddsmith.games.destiny.scoring import (
    NOTHING,
    Bonuses,
    contest,
    gang_war,
    require_no_exchange,
    score_with,
)
from oddsmith.points import Points
from oddsmith.question import Context, Question, Request, Share, option
from oddsmith.reply_figures import CHANCE, NO_FIGURE

MOST_WORK: Final = 25_000_000
"""The most work of a gang war's odds on a server: six a side, more where only the best count."""

Hands: TypeAlias = Annotated[tuple[AnyHand, ...], Meta(max_length=MOST_MEMBERS)]
ContenderOption: TypeAlias = Annotated[
    AnyCharacter, option('As in "stealth=40 clubs=2.5 frontera", or elite.', metavar="CHARACTER")
]
MEMBERS: Final = 'A member, or several: "3x elite"; repeat.'


# --- requests and replies --------------------------------------------------------------------------------------------


class ContestRequest(Request, frozen=True, kw_only=True):
    """A contest: with the attacker's and the defender's hand, or with hands that are drawn."""

    attacker: AnyCharacter
    defender: AnyCharacter
    defense_bonus: Points = NOTHING
    at: Moment = 0
    hands: tuple[AnyHand, AnyHand] | None = None


class ContestOddsRequest(Request, frozen=True, kw_only=True):
    """A contest to compute the odds of; `draw` adds one that is drawn."""

    attacker: ContenderOption
    defender: ContenderOption
    defense_bonus: DefenseBonus = NOTHING
    draw: Annotated[bool, option("Also draw the hands and say who won.")] = False
    damage: Annotated[bool, option("Also the damage that each side deals.")] = False
    at: At = 0


class SideDamage(msgspec.Struct, frozen=True, kw_only=True):
    """The damage that a side deals, 0 where it loses: its mean, the chance of the most, every damage with its pairs of draws."""

    mean: Fraction
    most: Share
    distribution: Annotated[tuple[tuple[Points, int], ...], NO_FIGURE]


class ContestDamage(msgspec.Struct, frozen=True, kw_only=True):
    """The damage that each side deals in a contest, over all pairs of draws (§8.7)."""

    attacker: SideDamage
    defender: SideDamage


class ContestOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """The number of all pairs of draws that each side wins; with `damage`, the damage that it deals."""

    attacker: Annotated[Character, NO_FIGURE]
    defender: Annotated[Character, NO_FIGURE]
    defense_bonus: Annotated[Points, NO_FIGURE]
    attacker_wins: Share
    defender_wins: Share
    attacker_exact: Annotated[Fraction, CHANCE]
    drawn: Annotated[Contest | None, NO_FIGURE] = None
    damage: ContestDamage | None = None


class GangWarRequest(Request, frozen=True, kw_only=True):
    """A gang war: with the attackers' and the defenders' hands, one for each member, or with hands that are drawn."""

    attackers: Gang
    defenders: Gang
    defense_bonus: Points = NOTHING
    at: Moment = 0
    hands: tuple[Hands, Hands] | None = None


class GangOddsRequest(Request, frozen=True, kw_only=True):
    """A gang war to compute the odds of; `score` and `best` replace those of the rules, `draw` adds one that is drawn."""

    attackers: Annotated[Gang, option(MEMBERS, "--attacker", metavar="CHARACTER")] = ()
    defenders: Annotated[Gang, option(MEMBERS, "--defender", metavar="CHARACTER")] = ()
    defense_bonus: DefenseBonus = NOTHING
    score: Annotated[
        GangScore | None, option("What a side's score is.", noun="gang score", code="unknown_score")
    ] = None
    best: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_MEMBERS)] | None,
        option(
            "How many of the best count.",
            metavar="K",
            code="bad_best",
            sentence="the best {ge} to {le} of a side may count, not {value}",
            paragraph="9.2",
        ),
    ] = None
    draw: Annotated[bool, option("Also draw the hands and say who won.")] = False
    at: At = 0


class GangOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """The number of all draws of all members that each side wins; `best` members count where the score is `best`."""

    attackers: tuple[Character, ...]
    defenders: tuple[Character, ...]
    defense_bonus: Annotated[Points, NO_FIGURE]
    score: Annotated[GangScore, NO_FIGURE]
    best: Annotated[int | None, NO_FIGURE]
    attacker_wins: Share
    defender_wins: Share
    attacker_exact: Annotated[Fraction, CHANCE]
    drawn: Annotated[GangWar | None, NO_FIGURE] = None


# --- contests --------------------------------------------------------------------------------------------------------


def _contest_bonuses(request: ContestRequest | ContestOddsRequest, rules: Rules) -> tuple[Bonuses, Bonuses]:
    """Return the bonuses of the attacker and of the defender; the territory counts for the defender (§8)."""
    return (
        read_bonuses(request.attacker, rules, request.at),
        read_bonuses(request.defender, rules, request.at, request.defense_bonus),
    )


def hold_contest(request: ContestRequest, context: Context[Rules]) -> Contest:
    """Hold a contest with the hands of the request, or with drawn hands."""
    attacker, defender = _contest_bonuses(request, context.rules)
    if request.hands is None:
        return _hold_contest((attacker, defender), None, context)
    attack, defense = (read_hand(hand, context.rules, where="hands") for hand in request.hands)
    return _hold_contest((attacker, defender), (attack, defense), context)


def _hold_contest(
    bonuses: tuple[Bonuses, Bonuses], hands: tuple[Hand, Hand] | None, context: Context[Rules]
) -> Contest:
    held = hands or (draw_hand(context.draw, context.rules), draw_hand(context.draw, context.rules))
    attack, defense = (score_with(hand, own, context.rules) for hand, own in zip(held, bonuses, strict=True))
    return contest(attack, defense, context.rules)


def prove_contest(request: ContestOddsRequest, context: Context[Rules]) -> ContestOddsReply:
    """Compute the exact odds of a contest.

    A character is written as skills, suit bonuses and names of items, places, buffs, outlaws or NPC tiers.
    """
    from oddsmith.games.destiny.odds import contest_odds

    rules = context.rules
    require_no_exchange(rules, "the chance of a contest")
    attacker, defender = (
        read_character(one, rules, request.at) for one in (request.attacker, request.defender)
    )
    bonuses = _contest_bonuses(request, rules)
    drawn = _hold_contest(bonuses, None, context) if request.draw else None
    result = contest_odds(*bonuses, rules)
    return ContestOddsReply(
        attacker=attacker,
        defender=defender,
        defense_bonus=request.defense_bonus,
        attacker_wins=Share.of(result.attacker, result.total),
        defender_wins=Share.of(result.defender, result.total),
        attacker_exact=result.chance(Side.ATTACKER),
        drawn=drawn,
        damage=_damage_of_contest(*bonuses, rules) if request.damage else None,
    )


def _damage_of_contest(attacker: Bonuses, defender: Bonuses, rules: Rules) -> ContestDamage:
    from oddsmith.games.destiny.damage import damage_odds

    dealt = damage_odds(attacker, defender, rules)
    sides = (
        SideDamage(
            mean=one.map(lambda damage: damage.fraction).mean,
            most=Share.of(one.weight(rules.damage.most), one.total),
            distribution=tuple(one.items()),
        )
        for one in (dealt.attacker, dealt.defender)
    )
    return ContestDamage(attacker=next(sides), defender=next(sides))


def _contest_wins(requests: Sequence[ContestOddsRequest], context: Context[Rules]) -> list[Share]:
    """Return the chance of the attacker in each contest."""
    from oddsmith.games.destiny.pairings import many_contests

    require_no_exchange(context.rules, "the chance of a contest")
    bonuses = [_contest_bonuses(request, context.rules) for request in requests]
    return [Share.of(result.attacker, result.total) for result in many_contests(bonuses, context.rules)]


def _exact_wins(requests: Sequence[ContestOddsRequest], context: Context[Rules]) -> list[Fraction]:
    return [Fraction(share.count, share.total) for share in _contest_wins(requests, context)]


# --- gang wars -------------------------------------------------------------------------------------------------------


def _read_gangs(
    request: GangWarRequest | GangOddsRequest, rules: Rules
) -> tuple[Sequence[Member], Sequence[Member]]:
    """Return the members of the attackers and of the defenders (§9.4)."""
    return (
        read_gang(request.attackers, rules, request.at, where="attackers"),
        read_gang(request.defenders, rules, request.at, where="defenders"),
    )


def hold_gang_war(request: GangWarRequest, context: Context[Rules]) -> GangWar:
    """Hold a gang war with the hands of the request, or with drawn hands, the attackers' first."""
    rules = context.rules
    gangs = _read_gangs(request, rules)
    for where, gang, held in zip(("attackers", "defenders"), gangs, request.hands or gangs, strict=True):
        if len(gang) != len(held):
            raise InputError(
                "bad_hands", f"{len(gang)} {where} have {len(gang)} hands, not {len(held)}", where="hands"
            )
    bonuses = (
        gang_bonuses(gangs[0], rules, request.at),
        gang_bonuses(gangs[1], rules, request.at, request.defense_bonus),
    )
    hands = (
        None
        if request.hands is None
        else [[read_hand(hand, rules, where="hands") for hand in side] for side in request.hands]
    )
    return _hold_gang_war(bonuses, hands, context)


def _hold_gang_war(
    bonuses: tuple[Sequence[Bonuses], Sequence[Bonuses]],
    hands: Sequence[Sequence[Hand]] | None,
    context: Context[Rules],
) -> GangWar:
    held = hands or [[draw_hand(context.draw, context.rules) for _ in side] for side in bonuses]
    attack, defense = (
        [score_with(hand, own, context.rules) for hand, own in zip(side_hands, side, strict=True)]
        for side_hands, side in zip(held, bonuses, strict=True)
    )
    return gang_war(attack, defense, context.rules)


def prove_gang_war(request: GangOddsRequest, context: Context[Rules]) -> GangOddsReply:
    """Compute the exact odds of a gang war, up to ten a side."""
    from oddsmith.games.destiny.odds import gang_odds, gang_work

    rules = gang_rules(request, context.rules)
    require_no_exchange(rules, "the chance of a gang war")
    gangs = _read_gangs(request, rules)
    bonuses = (
        gang_bonuses(gangs[0], rules, request.at),
        gang_bonuses(gangs[1], rules, request.at, request.defense_bonus),
    )
    if context.is_limited and gang_work(*bonuses, rules) > MOST_WORK:
        raise WorkLimitError(
            "gang_too_large",
            f"all draws of {len(gangs[0])} against {len(gangs[1])} are too many for a server to count: "
            "ask for fewer members or more of a kind; the command line has no such limit",
        )
    with context.progress("counting every draw of every member") as progress:
        result = gang_odds(*bonuses, rules, progress=progress)
    own = msgspec.structs.replace(context, rules=rules)
    return GangOddsReply(
        attackers=_characters(gangs[0]),
        defenders=_characters(gangs[1]),
        defense_bonus=request.defense_bonus,
        score=rules.gang_score,
        best=rules.gang_best if rules.gang_score is GangScore.BEST else None,
        attacker_wins=Share.of(result.attacker, result.total),
        defender_wins=Share.of(result.defender, result.total),
        attacker_exact=result.chance(Side.ATTACKER),
        drawn=_hold_gang_war(bonuses, None, own) if request.draw else None,
    )


def _characters(gang: Sequence[Member]) -> tuple[Character, ...]:
    return tuple(member.character for member in gang)


def gang_rules(request: GangOddsRequest, rules: Rules) -> Rules:
    """Return the rules with the gang score of the request (§9.2)."""
    if request.best is not None:
        if request.score not in {None, GangScore.BEST}:
            raise InputError("best_without_best", f"--best goes with --score best, not {request.score}")
        return rules.replace(gang_score=GangScore.BEST, gang_best=request.best)
    return rules if request.score is None else rules.replace(gang_score=request.score)


# --- the questions ---------------------------------------------------------------------------------------------------


CONTEST: Final = Question(
    name="contest",
    request=ContestRequest,
    reply=Contest,
    answer=hold_contest,
    is_quick=True,
    draws=True,
    has_figures=False,
    is_command=False,
)
VERSUS: Final = Question(
    name="versus",
    request=ContestOddsRequest,
    reply=ContestOddsReply,
    answer=prove_contest,
    example="oddsmith destiny versus --attacker iron_jack --defender elite",
    draws=True,
    seed_implies={"draw": True},
    text_fields={"attacker": write_out_character, "defender": write_out_character},
    shortcuts={"attacker_wins": _contest_wins, "attacker_exact": _exact_wins},
)
GANG_WAR: Final = Question(
    name="gang_war",
    request=GangWarRequest,
    reply=GangWar,
    answer=hold_gang_war,
    is_quick=True,
    draws=True,
    has_figures=False,
    is_command=False,
)
GANG: Final = Question(
    name="gang",
    request=GangOddsRequest,
    reply=GangOddsReply,
    answer=prove_gang_war,
    example='oddsmith destiny gang --attacker "3x elite" --defender "5x rookie"',
    draws=True,
    seed_implies={"draw": True},
)

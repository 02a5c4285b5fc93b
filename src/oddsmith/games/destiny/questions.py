"""What the Destiny Deck answers without a match: a check, a contest or a gang war, thousands of them, and their odds."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Final, TypeAlias, assert_never

import msgspec
from msgspec import Meta

from oddsmith.cards import Suit
from oddsmith.chance import Draw
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.destiny import odds as exact
from oddsmith.games.destiny.asking import (
    LARGEST_GANG,
    Aim,
    Asked,
    Gang,
    Who,
    brought_by,
    character_of,
    contest_sides,
    gang_sides,
    target_of,
)
from oddsmith.games.destiny.curves import (
    CheckCurveQuestion,
    CheckCurveReply,
    ContestCurveQuestion,
    ContestCurveReply,
    check_curve,
    contest_curve,
)
from oddsmith.games.destiny.engine import DRAW
from oddsmith.games.destiny.many import (
    ManyChecked,
    ManyChecks,
    ManyContests,
    ManyFought,
    ManyGangWars,
    resolve_many,
)
from oddsmith.games.destiny.model import Check, Contest, Degree, GangWar, Hand, Reward, Side
from oddsmith.games.destiny.outcomes import Target, check, contest, gang_war, reward
from oddsmith.games.destiny.prospects import (
    RosterQuestion,
    RosterReply,
    RunQuestion,
    RunReply,
    prospects,
)
from oddsmith.games.destiny.rules import Character, GangScore, Rules
from oddsmith.games.destiny.scoring import NOTHING, Sheet, score_with
from oddsmith.points import Points
from oddsmith.questions import Question, Questions, Share, rules_of

__all__ = [
    "QUESTIONS",
    "CheckOddsQuestion",
    "CheckQuestion",
    "Checked",
    "ContestOddsQuestion",
    "ContestQuestion",
    "GangOddsQuestion",
    "GangQuestion",
    "GangReply",
    "OddsReply",
    "VersusReply",
    "check_odds",
    "checked",
    "gang_reply",
    "versus_odds",
]

QUANTILES: Final = ("0.05", "0.25", "0.5", "0.75", "0.95")
LAST_REWARDS: Final = 1_000
MOST_WORK: Final = 25_000_000
"""So much is counted of a gang war while somebody waits: six a side, and fewer where only the best count."""

Hands: TypeAlias = Annotated[tuple[Hand, ...], Meta(max_length=LARGEST_GANG)]


class CheckQuestion(Asked, frozen=True, kw_only=True, tag="check"):
    """How a check goes: with this hand, or with one that is drawn."""

    character: Who
    target: Aim
    hand: Hand | None = None


class ContestQuestion(Asked, frozen=True, kw_only=True, tag="contest"):
    """How a contest goes: with the attacker's and the defender's hand, or with hands that are drawn."""

    attacker: Who
    defender: Who
    defense_bonus: Points = NOTHING
    hands: tuple[Hand, Hand] | None = None


class CheckOddsQuestion(Asked, frozen=True, kw_only=True, tag="check"):
    """Which odds a check has; `full` lists every total."""

    character: Who
    target: Aim
    full: bool = False


class ContestOddsQuestion(Asked, frozen=True, kw_only=True, tag="contest"):
    """Which odds a contest has."""

    attacker: Who
    defender: Who
    defense_bonus: Points = NOTHING


class GangQuestion(Asked, frozen=True, kw_only=True, tag="gang"):
    """How a gang war goes: with the attackers' and the defenders' hands, one for each, or with hands that are drawn."""

    attackers: Gang
    defenders: Gang
    defense_bonus: Points = NOTHING
    hands: tuple[Hands, Hands] | None = None


class GangOddsQuestion(Asked, frozen=True, kw_only=True, tag="gang"):
    """Which odds a gang war has."""

    attackers: Gang
    defenders: Gang
    defense_bonus: Points = NOTHING


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A hand held against a target; only crimes have a reward."""

    target: Target
    check: Check
    reward: Reward | None


class OddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """Integer counts over all `total` hands."""

    target: Target
    bonuses: Mapping[Suit, Points]
    total: int
    degrees: Mapping[Degree, int]
    success: Share
    success_exact: Fraction
    mean: Fraction
    deviation: Points
    quantiles: Mapping[str, Points]
    distribution: tuple[tuple[Points, int], ...] | None = None


class VersusReply(msgspec.Struct, frozen=True, kw_only=True):
    """In how many of all pairs of draws each side wins."""

    attacker: Character
    defender: Character
    defense_bonus: Points
    attacker_wins: Share
    defender_wins: Share
    attacker_exact: Fraction
    drawn: Contest | None = None


class GangReply(msgspec.Struct, frozen=True, kw_only=True):
    """In how many of all draws of all members each side wins; `best` says how many count, where the best do."""

    attackers: tuple[Character, ...]
    defenders: tuple[Character, ...]
    defense_bonus: Points
    score: GangScore
    best: int | None
    attacker_wins: Share
    defender_wins: Share
    attacker_exact: Fraction
    drawn: GangWar | None = None


# --- how things turn out ---------------------------------------------------------------------------------------------


def resolve(asked: CheckQuestion | ContestQuestion | GangQuestion, draw: Draw) -> Checked | Contest | GangWar:
    """Say how a check, a contest or a gang war goes.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.chance import System
    >>> royal = CheckQuestion(character="greenhorn", target="train_heist", hand=cards("A♠ K♠ Q♠ J♠ 10♠"))
    >>> resolve(royal, System()).check.degree
    <Degree.CRITICAL_SUCCESS: 'critical_success'>
    """
    rules = rules_of(Rules, asked.rules)
    if isinstance(asked, CheckQuestion):
        brought = brought_by(asked.character, rules, asked.at)
        hand = DRAW.sample(draw) if asked.hand is None else asked.hand
        return checked(hand, brought, target_of(asked.target, rules), rules)
    if isinstance(asked, GangQuestion):
        return _gang_fought(asked, rules, draw)
    sides = contest_sides(asked, rules)
    hands = (DRAW.sample(draw), DRAW.sample(draw)) if asked.hands is None else asked.hands
    attack, defense = (score_with(hand, side, rules) for hand, side in zip(hands, sides, strict=True))
    return contest(attack, defense, rules)


def _gang_fought(asked: GangQuestion, rules: Rules, draw: Draw) -> GangWar:
    """Let every member draw, attackers first, or take the hands that are given."""
    gangs = gang_sides(asked, rules)
    hands = asked.hands or tuple([DRAW.sample(draw) for _ in gang] for gang in gangs)
    for where, gang, held in zip(("attackers", "defenders"), gangs, hands, strict=True):
        if len(gang) != len(held):
            raise InputError(
                "bad_hands", f"{len(gang)} {where} have {len(gang)} hands, not {len(held)}", where="hands"
            )
    attack, defense = (
        [score_with(hand, member, rules) for hand, member in zip(held, gang, strict=True)]
        for gang, held in zip(gangs, hands, strict=True)
    )
    return gang_war(attack, defense, rules)


def checked(hand: Hand, brought: Sheet, aim: Target, rules: Rules) -> Checked:
    """Hold a hand against a target, and say what that earns (§7, §10)."""
    result = check(score_with(hand, brought, rules), aim.threshold, rules)
    earned = None if aim.name not in rules.crimes else _reward(aim.name, result.degree, rules)
    return Checked(target=aim, check=result, reward=earned)


@lru_cache(maxsize=LAST_REWARDS)
def _reward(crime: str, achieved: Degree, rules: Rules) -> Reward:
    return reward(rules.crimes[crime], achieved, rules)


# --- odds ------------------------------------------------------------------------------------------------------------


def odds(
    asked: CheckOddsQuestion
    | ContestOddsQuestion
    | GangOddsQuestion
    | CheckCurveQuestion
    | ContestCurveQuestion
    | RunQuestion
    | RosterQuestion,
    draw: Draw,  # noqa: ARG001  nothing is drawn
) -> OddsReply | VersusReply | GangReply | CheckCurveReply | ContestCurveReply | RunReply | RosterReply:
    """Say which odds a check, a contest or a gang war has, also level by level of a skill, or each choice of a run.

    >>> from oddsmith.chance import System
    >>> odds(CheckOddsQuestion(character="calamity_rose", target="bank_robbery"), System()).success_exact
    Fraction(677, 6664)
    """
    rules = rules_of(Rules, asked.rules)
    match asked:
        case CheckOddsQuestion():
            brought = brought_by(asked.character, rules, asked.at)
            return check_odds(brought, target_of(asked.target, rules), rules, full=asked.full)
        case ContestOddsQuestion():
            characters = character_of(asked.attacker, rules), character_of(asked.defender, rules)
            return versus_odds(characters, contest_sides(asked, rules), asked.defense_bonus, rules)
        case GangOddsQuestion():
            return _quick_gang_odds(asked, rules)
        case CheckCurveQuestion():
            return check_curve(asked, rules)
        case ContestCurveQuestion():
            return contest_curve(asked, rules)
        case RunQuestion() | RosterQuestion():
            return prospects(asked, rules)
        case _ as never:
            assert_never(never)


def check_odds(brought: Sheet, aim: Target, rules: Rules, *, full: bool = False) -> OddsReply:
    """Count the hands that meet a target to each degree, and describe the totals."""
    drawn = exact.totals(brought, rules)
    degrees = exact.degree_odds(brought, aim.threshold, rules)
    met = sum(degrees.weight(degree) for degree in Degree if degree.succeeded)
    return OddsReply(
        target=aim,
        bonuses=brought.bonuses,
        total=degrees.total,
        degrees={degree: degrees.weight(degree) for degree in Degree},
        success=Share.of(met, degrees.total),
        success_exact=Fraction(met, degrees.total),
        mean=drawn.mean,
        deviation=drawn.deviation,
        quantiles={share: drawn.quantile(Fraction(share)) for share in QUANTILES},
        distribution=tuple(drawn.items()) if full else None,
    )


def versus_odds(
    characters: tuple[Character, Character],
    brought: tuple[Sheet, Sheet],
    defense_bonus: Points,
    rules: Rules,
    *,
    drawn: Contest | None = None,
) -> VersusReply:
    """Count the pairs of draws that each side wins; a contest that was drawn may stand beside them."""
    result = exact.contest_odds(*brought, rules)
    return VersusReply(
        attacker=characters[0],
        defender=characters[1],
        defense_bonus=defense_bonus,
        attacker_wins=Share.of(result.attacker, result.total),
        defender_wins=Share.of(result.defender, result.total),
        attacker_exact=result.chance(Side.ATTACKER),
        drawn=drawn,
    )


def _quick_gang_odds(asked: GangOddsQuestion, rules: Rules) -> GangReply:
    """Count a gang war, refused where somebody would have to wait for it."""
    brought = gang_sides(asked, rules)
    if exact.gang_work(*brought, rules) > MOST_WORK:
        raise WorkLimitError(
            "gang_too_large",
            f"all draws of {len(brought[0])} against {len(brought[1])} are too many to count while somebody waits: "
            "ask for fewer members or more of a kind; the command line takes its time",
        )
    attackers, defenders = (
        tuple(character_of(member, rules) for member in gang) for gang in (asked.attackers, asked.defenders)
    )
    return gang_reply((attackers, defenders), exact.gang_odds(*brought, rules), asked.defense_bonus, rules)


def gang_reply(
    characters: tuple[tuple[Character, ...], tuple[Character, ...]],
    result: exact.ContestOdds,
    defense_bonus: Points,
    rules: Rules,
    *,
    drawn: GangWar | None = None,
) -> GangReply:
    """Say in how many of all draws each side wins; a gang war that was drawn may stand beside them."""
    return GangReply(
        attackers=characters[0],
        defenders=characters[1],
        defense_bonus=defense_bonus,
        score=rules.gang_score,
        best=rules.gang_best if rules.gang_score is GangScore.BEST else None,
        attacker_wins=Share.of(result.attacker, result.total),
        defender_wins=Share.of(result.defender, result.total),
        attacker_exact=result.chance(Side.ATTACKER),
        drawn=drawn,
    )


QUESTIONS: Final = Questions(
    resolve=Question(
        request=CheckQuestion | ContestQuestion | GangQuestion,
        reply=Checked | Contest | GangWar,
        answer=resolve,
        quick=True,
    ),
    batch=Question(
        request=ManyChecks | ManyContests | ManyGangWars,
        reply=ManyChecked | ManyFought,
        answer=resolve_many,
        quick=True,
    ),
    odds=Question(
        request=CheckOddsQuestion
        | ContestOddsQuestion
        | GangOddsQuestion
        | CheckCurveQuestion
        | ContestCurveQuestion
        | RunQuestion
        | RosterQuestion,
        reply=OddsReply
        | VersusReply
        | GangReply
        | CheckCurveReply
        | ContestCurveReply
        | RunReply
        | RosterReply,
        answer=odds,
    ),
)
"""What may be asked of the Destiny Deck."""

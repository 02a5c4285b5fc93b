"""What the Destiny Deck answers without a match: a check or a contest, its odds, and thousands of checks at once."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import Suit
from oddsmith.chance import Draw
from oddsmith.errors import InputError, nearest
from oddsmith.games.destiny import bulk
from oddsmith.games.destiny import odds as exact
from oddsmith.games.destiny.classes import RANKS, class_of_hands, hand_classes
from oddsmith.games.destiny.engine import DRAW
from oddsmith.games.destiny.model import Check, Contest, Degree, Hand, Reward, Side
from oddsmith.games.destiny.outcomes import Target, check, contest, reward, target
from oddsmith.games.destiny.rules import Character, Moment, Rules
from oddsmith.games.destiny.scoring import NOTHING, Sheet, npc, score_with, sheet
from oddsmith.points import Points
from oddsmith.poker import FULL_HAND, HandRank
from oddsmith.questions import MOST_ASKED, GivenRules, Question, Questions, Share, rules_of

__all__ = [
    "QUESTIONS",
    "CheckOddsQuestion",
    "CheckQuestion",
    "Checked",
    "ContestOddsQuestion",
    "ContestQuestion",
    "ManyChecked",
    "ManyChecks",
    "OddsReply",
    "VersusReply",
    "check_odds",
    "checked",
    "versus_odds",
]

QUANTILES: Final = ("0.05", "0.25", "0.5", "0.75", "0.95")
LAST_SHEETS: Final = 1_000
DEGREES: Final = tuple(Degree)

Who: TypeAlias = Annotated[str, Meta(max_length=40)] | Character
"""The name of an outlaw or of a kind of NPC, or a character sheet."""

Aim: TypeAlias = Annotated[str, Meta(max_length=60)] | int | float
"""The name of a crime or a skill check, or a threshold."""


class _Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Under which rules something is asked, and at which second."""

    rules: GivenRules = "default"
    at: Moment = 0


class CheckQuestion(_Asked, frozen=True, kw_only=True, tag="check"):
    """How a check goes: with this hand, or with one that is drawn."""

    character: Who
    target: Aim
    hand: Hand | None = None


class ContestQuestion(_Asked, frozen=True, kw_only=True, tag="contest"):
    """How a contest goes: with the attacker's and the defender's hand, or with hands that are drawn."""

    attacker: Who
    defender: Who
    defense_bonus: Points = NOTHING
    hands: tuple[Hand, Hand] | None = None


class CheckOddsQuestion(_Asked, frozen=True, kw_only=True, tag="check"):
    """Which odds a check has; `full` lists every total."""

    character: Who
    target: Aim
    full: bool = False


class ContestOddsQuestion(_Asked, frozen=True, kw_only=True, tag="contest"):
    """Which odds a contest has."""

    attacker: Who
    defender: Who
    defense_bonus: Points = NOTHING


class ManyChecks(_Asked, frozen=True, kw_only=True, tag="check"):
    """How many checks of one character go: with these hands, five letters each, or with so many that are drawn.

    Letters are the 52 cards from 2 to ace, first spades, then hearts, clubs, diamonds: `A` is 2♠, `M` is A♠, `z` is A♦.
    """

    character: Who
    target: Aim
    hands: Annotated[str, Meta(max_length=FULL_HAND * MOST_ASKED)] | None = None
    count: Annotated[int, Meta(ge=1, le=MOST_ASKED)] | None = None


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A hand held against a target; only crimes have a reward."""

    target: Target
    check: Check
    reward: Reward | None


class ManyChecked(msgspec.Struct, frozen=True, kw_only=True):
    """Hands held against a target: columns with a value for each hand, in their order.

    `totals` are whole hundredths. `ranks` and `degrees` are places, from 0, in the lists of names beside them.
    """

    target: Target
    count: int
    rank_names: tuple[HandRank, ...]
    degree_names: tuple[Degree, ...]
    hands: str
    ranks: list[int]
    totals: list[int]
    degrees: list[int]


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


# --- how things turn out ---------------------------------------------------------------------------------------------


def resolve(asked: CheckQuestion | ContestQuestion, draw: Draw) -> Checked | Contest:
    """Say how a check or a contest goes.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.chance import System
    >>> royal = CheckQuestion(character="greenhorn", target="train_heist", hand=cards("A♠ K♠ Q♠ J♠ 10♠"))
    >>> resolve(royal, System()).check.degree
    <Degree.CRITICAL_SUCCESS: 'critical_success'>
    """
    rules = rules_of(Rules, asked.rules)
    if isinstance(asked, CheckQuestion):
        brought = _brought(asked.character, rules, asked.at)
        hand = DRAW.sample(draw) if asked.hand is None else asked.hand
        return checked(hand, brought, _target(asked.target, rules), rules)
    sides = _sides(asked, rules)
    hands = (DRAW.sample(draw), DRAW.sample(draw)) if asked.hands is None else asked.hands
    attack, defense = (score_with(hand, side, rules) for hand, side in zip(hands, sides, strict=True))
    return contest(attack, defense, rules)


def checked(hand: Hand, brought: Sheet, aim: Target, rules: Rules) -> Checked:
    """Hold a hand against a target, and say what that earns (§7, §10)."""
    result = check(score_with(hand, brought, rules), aim.threshold, rules)
    earned = None if aim.name not in rules.crimes else _reward(aim.name, result.degree, rules)
    return Checked(target=aim, check=result, reward=earned)


@lru_cache(maxsize=LAST_SHEETS)
def _reward(crime: str, achieved: Degree, rules: Rules) -> Reward:
    return reward(rules.crimes[crime], achieved, rules)


@lru_cache(maxsize=LAST_SHEETS)
def _target(given: str | float, rules: Rules) -> Target:
    return target(str(given), rules)


def _character(given: str | Character, rules: Rules) -> Character:
    """Return the character that is given, or the outlaw or NPC of that name."""
    if isinstance(given, Character):
        return given
    if given in rules.outlaws:
        return rules.outlaws[given]
    if given in rules.npcs:
        return npc(given, rules)
    known = [*rules.outlaws, *rules.npcs]
    raise InputError("unknown_character", f"unknown outlaw or NPC '{given[:40]}'{nearest(given[:40], known)}")


@lru_cache(maxsize=LAST_SHEETS)
def _brought(who: str | Character, rules: Rules, at: int, defense_bonus: Points = NOTHING) -> Sheet:
    return sheet(_character(who, rules), rules, at=at, defense_bonus=defense_bonus)


def _sides(asked: ContestQuestion | ContestOddsQuestion, rules: Rules) -> tuple[Sheet, Sheet]:
    return (
        _brought(asked.attacker, rules, asked.at),
        _brought(asked.defender, rules, asked.at, asked.defense_bonus),
    )


def resolve_many(asked: ManyChecks, draw: Draw) -> ManyChecked:
    """Say how many checks go, by the classes of their hands.

    >>> from oddsmith.chance import System
    >>> reply = resolve_many(ManyChecks(character="greenhorn", target="easy", hands="IJKLMABCDf"), System())
    >>> reply.totals, [reply.rank_names[place] for place in reply.ranks]
    ([50000, 1600], [<HandRank.ROYAL_FLUSH: 'royal_flush'>, <HandRank.HIGH_CARD: 'high_card'>])
    """
    rules = rules_of(Rules, asked.rules)
    aim = _target(asked.target, rules)
    brought = _brought(asked.character, rules, asked.at)
    hands = _hands(asked, draw)
    classes = class_of_hands(hands)
    return ManyChecked(
        target=aim,
        count=len(hands),
        rank_names=RANKS,
        degree_names=DEGREES,
        hands=bulk.write_hands(hands),
        ranks=hand_classes().rank[classes].tolist(),
        totals=exact.class_totals(brought, rules)[classes].tolist(),
        degrees=exact.class_degrees(brought, aim.threshold, rules)[classes].tolist(),
    )


def _hands(asked: ManyChecks, draw: Draw) -> bulk.Integers:
    if asked.hands is None and asked.count is not None:
        return bulk.draw_hands(asked.count, draw)
    if asked.hands is not None and asked.count is None:
        return bulk.read_hands(asked.hands)
    raise InputError("hands_or_count", "give `hands`, or the `count` of hands to draw, and not both")


# --- odds ------------------------------------------------------------------------------------------------------------


def odds(asked: CheckOddsQuestion | ContestOddsQuestion, draw: Draw) -> OddsReply | VersusReply:  # noqa: ARG001  nothing is drawn
    """Say which odds a check or a contest has.

    >>> from oddsmith.chance import System
    >>> odds(CheckOddsQuestion(character="calamity_rose", target="bank_robbery"), System()).success_exact
    Fraction(677, 6664)
    """
    rules = rules_of(Rules, asked.rules)
    if isinstance(asked, CheckOddsQuestion):
        brought = _brought(asked.character, rules, asked.at)
        return check_odds(brought, _target(asked.target, rules), rules, full=asked.full)
    characters = _character(asked.attacker, rules), _character(asked.defender, rules)
    return versus_odds(characters, _sides(asked, rules), asked.defense_bonus, rules)


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


QUESTIONS: Final = Questions(
    resolve=Question(
        request=CheckQuestion | ContestQuestion,
        reply=Checked | Contest,
        answer=resolve,
        quick=True,
    ),
    batch=Question(request=ManyChecks, reply=ManyChecked, answer=resolve_many, quick=True),
    odds=Question(
        request=CheckOddsQuestion | ContestOddsQuestion,
        reply=OddsReply | VersusReply,
        answer=odds,
    ),
)
"""What may be asked of the Destiny Deck."""

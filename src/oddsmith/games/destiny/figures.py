"""The figures of the Destiny Deck: all are exact except the deviation, which is bounded."""

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import Annotated, Any, ClassVar, Final, Self, TypeAlias

from msgspec import Meta

from oddsmith.cards import Suit
from oddsmith.errors import InputError, Refusal, nearest
from oddsmith.figure import Basis, Figure, Reading, Unit
from oddsmith.games.destiny import odds
from oddsmith.games.destiny.characters import (
    AnyCharacter,
    AnyHand,
    AnyTarget,
    read_bonuses,
    read_hand,
)
from oddsmith.games.destiny.decks import ranks_of
from oddsmith.games.destiny.model import Degree, Side
from oddsmith.games.destiny.questions.checks import (
    CHECK,
    ODDS,
    SCORE,
    THRESHOLD,
    CheckOddsRequest,
    count_degrees,
)
from oddsmith.games.destiny.questions.contests import GANG, VERSUS
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.rule_types import Level, Moment
from oddsmith.games.destiny.rules import Curve, DeckRules, Rules
from oddsmith.games.destiny.run_figures import RUN_FIGURES
from oddsmith.games.destiny.scoring import (
    NOTHING,
    Bonuses,
    contest,
    npc,
    require_no_exchange,
    reward,
    score_with,
    skill_bonus,
)
from oddsmith.points import Points
from oddsmith.question import Context
from oddsmith.reply_figures import name_figure

Word: TypeAlias = Annotated[str, Meta(max_length=40)]

ROOT_DIGITS: Final = 10**6
ANY_DECK: Final = Rules(deck=DeckRules(decks=5, jokers=4))
"""Rules with every hand that some deck has."""


# --- numbers of replies ----------------------------------------------------------------------------------------------

BRIEF: Final[dict[str, Any]] = {"full": False}
UNDRAWN: Final[dict[str, Any]] = {"draw": False}
NO_TARGET: Final[dict[str, Any]] = {"full": False, "target": 0}
GIVEN_HAND: Final[dict[str, Any]] = {"energy": None, "with_odds": False, "full": False}

CheckSuccess: Final = name_figure(
    "check.success",
    ODDS,
    "success",
    "The chance that a character meets a crime, a skill check or a threshold.",
    values=BRIEF,
)
ContestWin: Final = name_figure(
    "contest.win", VERSUS, "attacker_wins", "The chance that the attacker wins a contest.", values=UNDRAWN
)
ContestDamage: Final = name_figure(
    "contest.damage",
    VERSUS,
    "damage.attacker.mean",
    "The mean damage that the attacker deals in a contest, 0 where it loses.",
    values={"draw": False, "damage": True},
)
GangWin: Final = name_figure(
    "gang.win", GANG, "attacker_wins", "The chance that the attackers win a gang war.", values=UNDRAWN
)
ScoreMean: Final = name_figure(
    "score.mean", ODDS, "mean", "The mean of the total that a character draws.", values=NO_TARGET
)
NeededThreshold: Final = name_figure(
    "needed.threshold",
    THRESHOLD,
    "threshold",
    "The highest threshold that a character meets with a wanted chance.",
    absent=Refusal("no_threshold", "every threshold is met {success} of the time"),
)
RankOfHand: Final = name_figure(
    "hand.rank", SCORE, "rank", "The rank of five cards: `straight`, `high_card`."
)
HandBase: Final = name_figure(
    "hand.base",
    SCORE,
    "base",
    "The score of five cards before suits and modifiers, the kicker or the top three included.",
)
HandSuits: Final = name_figure(
    "hand.suits", SCORE, "suit", "The points that the suits of five cards add for a character."
)
HandScore: Final = name_figure("hand.score", SCORE, "total", "The whole score of five cards for a character.")
HandMargin: Final = name_figure(
    "hand.margin",
    CHECK,
    "check.margin",
    "The margin by which five cards of a character meet a target; below 0 where they do not.",
    values=GIVEN_HAND,
    required=("hand",),
)
HandDegree: Final = name_figure(
    "hand.degree",
    CHECK,
    "check.degree",
    "The degree to which five cards of a character meet a target: `critical_success`, `failure`.",
    values=GIVEN_HAND,
    required=("hand",),
)
SuitCards: Final = name_figure(
    "hand.suit_count",
    SCORE,
    "suit_counts.{suit}",
    "The number of five cards that are of a suit.",
    arguments={"suit": Suit},
)
SuitBonus: Final = name_figure(
    "suit.bonus",
    ODDS,
    "bonuses.{suit}",
    "The points that each card of a suit adds for a character.",
    values=NO_TARGET,
    arguments={"suit": Suit},
)


# --- other numbers ---------------------------------------------------------------------------------------------------


class _DrawFigure(Figure, frozen=True, kw_only=True):
    """A figure of one draw: an outlaw or an NPC by name, or a character as text or as an object."""

    character: AnyCharacter
    at: Moment = 0

    def bonuses(self, rules: Rules) -> Bonuses:
        return read_bonuses(self.character, rules, self.at)


class CheckDegree(_DrawFigure, frozen=True, kw_only=True, tag="check.degree"):
    """The chance that a check goes to one degree: `critical_success`, `success`, `failure` or `critical_failure`."""

    unit: ClassVar[Unit] = Unit.CHANCE
    target: AnyTarget
    degree: Degree

    def read(self, rules: Rules) -> Reading:
        return self.read_all([self], rules)[0]

    @classmethod
    def read_all(cls, figures: Sequence[Self], rules: Rules) -> list[Reading]:
        requests = [
            CheckOddsRequest(target=figure.target, character=figure.character, at=figure.at)
            for figure in figures
        ]
        return [
            Reading(Fraction(degrees[figure.degree], sum(degrees.values())))
            for figure, degrees in zip(figures, count_degrees(requests, Context(rules=rules)), strict=True)
        ]


class ScoreDeviation(_DrawFigure, frozen=True, kw_only=True, tag="score.deviation"):
    """The standard deviation of the total that a character draws, within a millionth of a point."""

    def read(self, rules: Rules) -> Reading:
        require_no_exchange(rules, "the deviation of a total")
        variance = odds.totals(self.bonuses(rules), rules).variance
        root = isqrt(int(variance * ROOT_DIGITS**2))
        half = Fraction(1, 2 * ROOT_DIGITS)
        return Reading(Fraction(root, ROOT_DIGITS) + half, half, Basis.BOUNDED)


class ScoreAtLeast(_DrawFigure, frozen=True, kw_only=True, tag="score.at_least"):
    """The chance that a character draws at least a total."""

    unit: ClassVar[Unit] = Unit.CHANCE
    total: Points

    def read(self, rules: Rules) -> Reading:
        require_no_exchange(rules, "the chance of a total")
        return Reading(odds.totals(self.bonuses(rules), rules).at_least(self.total))


class _ContestFigure(Figure, frozen=True, kw_only=True):
    """A figure of one contest; the defence bonus is that of a territory."""

    attacker: AnyCharacter
    defender: AnyCharacter
    defense_bonus: Points = NOTHING
    at: Moment = 0

    def bonuses(self, rules: Rules) -> tuple[Bonuses, Bonuses]:
        return (
            read_bonuses(self.attacker, rules, self.at),
            read_bonuses(self.defender, rules, self.at, self.defense_bonus),
        )


class RankWins(_ContestFigure, frozen=True, kw_only=True, tag="rank.wins"):
    """The chance that the attacker wins a contest, given a hand of this rank."""

    unit: ClassVar[Unit] = Unit.CHANCE
    rank: HandRank

    def read(self, rules: Rules) -> Reading:
        require_no_exchange(rules, "the chance of a contest")
        if self.rank not in ranks_of(rules.deck):
            raise InputError("no_such_hand", f"no hand of the deck is {self.rank.words}", paragraph="1.6")
        result = odds.contest_odds(*self.bonuses(rules), rules, having=self.rank)
        return Reading(result.chance(Side.ATTACKER))


class RankChance(Figure, frozen=True, kw_only=True, tag="rank.chance"):
    """The chance to draw a hand of this rank; jokers are read for a character without bonuses."""

    unit: ClassVar[Unit] = Unit.CHANCE
    rank: HandRank

    def read(self, rules: Rules) -> Reading:
        require_no_exchange(rules, "the chance of a rank")
        drawn = odds.hand_odds(rules)
        return Reading(Fraction(drawn.weight(self.rank), drawn.total))


class HandsWinner(_ContestFigure, frozen=True, kw_only=True, tag="hands.winner"):
    """The winner of a contest with these two hands: `attacker` or `defender`."""

    unit: ClassVar[Unit] = Unit.NAME
    attacker_hand: AnyHand
    defender_hand: AnyHand

    def check(self) -> None:
        for hand in (self.attacker_hand, self.defender_hand):
            read_hand(hand, ANY_DECK)

    def read(self, rules: Rules) -> Reading:
        attacker, defender = self.bonuses(rules)
        attack, defense = (
            score_with(read_hand(hand, rules), bonuses, rules)
            for hand, bonuses in ((self.attacker_hand, attacker), (self.defender_hand, defender))
        )
        return Reading(name=contest(attack, defense, rules).winner.value)


class SkillBonus(Figure, frozen=True, kw_only=True, tag="skill.bonus"):
    """The points that a skill of a level adds to its suits: by the curve of the rules, or by `curve`."""

    level: Level
    curve: Curve | None = None

    def read(self, rules: Rules) -> Reading:
        changed = rules if self.curve is None else rules.replace(curve=self.curve)
        return Reading(skill_bonus(self.level, changed).fraction)


class NpcBonus(Figure, frozen=True, kw_only=True, tag="npc.bonus"):
    """The points that each card adds for an NPC of a tier."""

    tier: Word

    def read(self, rules: Rules) -> Reading:
        return Reading(npc(self.tier, rules).bonuses[Suit.SPADES].fraction)


class CrimeGold(_DrawFigure, frozen=True, kw_only=True, tag="crime.gold"):
    """The mean gold of an attempt of a crime by a character whose purse can pay every penalty."""

    crime: Word

    def read(self, rules: Rules) -> Reading:
        if self.crime not in rules.crimes:
            raise InputError(
                "unknown_crime", f"unknown crime '{self.crime}'{nearest(self.crime, rules.crimes)}"
            )
        require_no_exchange(rules, "the mean gold of a crime")
        crime = rules.crimes[self.crime]
        achieved = odds.degree_odds(self.bonuses(rules), crime.threshold, rules)
        return Reading(achieved.map(lambda degree: reward(crime, degree, rules).gold.fraction).mean)


FIGURES: Final[tuple[type[Figure], ...]] = (
    CheckSuccess,
    CheckDegree,
    ContestWin,
    ContestDamage,
    GangWin,
    ScoreMean,
    ScoreDeviation,
    ScoreAtLeast,
    NeededThreshold,
    RankChance,
    RankWins,
    RankOfHand,
    HandBase,
    HandSuits,
    HandScore,
    HandMargin,
    HandDegree,
    HandsWinner,
    SuitCards,
    SuitBonus,
    SkillBonus,
    NpcBonus,
    CrimeGold,
    *RUN_FIGURES,
)

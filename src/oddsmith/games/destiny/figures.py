"""The figures of the Destiny Deck, all of them exact but the deviation, which is bounded."""

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import Annotated, ClassVar, Final, Self, TypeAlias

from msgspec import Meta

from oddsmith.cards import Card, Suit, cards
from oddsmith.errors import InputError, nearest
from oddsmith.figure import Basis, Figure, Reading, Unit
from oddsmith.games.destiny import odds
from oddsmith.games.destiny.asking import (
    Aim,
    Gang,
    Who,
    brought_by,
    contest_sides,
    gang_sides,
    target_of,
)
from oddsmith.games.destiny.model import Degree, Score, Side
from oddsmith.games.destiny.outcomes import check, contest, reward
from oddsmith.games.destiny.pairings import many_checks, many_contests
from oddsmith.games.destiny.rules import Character, Curve, Level, Moment, Rules
from oddsmith.games.destiny.scoring import NOTHING, Sheet, npc, require_hand, score_with, skill_bonus
from oddsmith.parsing import number_of
from oddsmith.points import Points
from oddsmith.poker import HandRank, classify

__all__ = ["FIGURES"]

Hand: TypeAlias = Annotated[str, Meta(max_length=60)] | Annotated[tuple[Card, ...], Meta(max_length=5)]
"""Five cards as players write them, `"A♠ K♠ Q♠ J♠ 10♠"`, or as a list."""
Word: TypeAlias = Annotated[str, Meta(max_length=40)]
Chance: TypeAlias = Annotated[str, Meta(max_length=40)] | float
"""A wanted chance: `"35%"`, `"1/3"` or 0.35."""

UNSKILLED: Final = Character()
ROOT_DIGITS: Final = 10**6


class _Drawn(Figure, frozen=True, kw_only=True):
    """A draw of somebody: an outlaw or an NPC by name, or a character sheet."""

    character: Who
    at: Moment = 0

    def brought(self, rules: Rules) -> Sheet:
        return brought_by(self.character, rules, self.at)


class _Checked(_Drawn, frozen=True, kw_only=True):
    """A check of somebody: against a crime or a skill check by name, or a threshold."""

    unit: ClassVar[Unit] = Unit.CHANCE
    target: Aim

    def threshold(self, rules: Rules) -> Points:
        return target_of(self.target, rules).threshold


class CheckSuccess(_Checked, frozen=True, kw_only=True, tag="check.success"):
    """The chance that somebody meets a crime, a skill check or a threshold."""

    def read(self, rules: Rules) -> Reading:
        return Reading(odds.success_chance(self.brought(rules), self.threshold(rules), rules))

    @classmethod
    def read_all(cls, figures: Sequence[Self], rules: Rules) -> list[Reading]:
        met = _degrees(figures, rules)
        succeeded = [place for place, degree in enumerate(Degree) if degree.succeeded]
        return [Reading(Fraction(sum(row[place] for place in succeeded), sum(row))) for row in met]


class CheckDegree(_Checked, frozen=True, kw_only=True, tag="check.degree"):
    """The chance that a check goes to one degree: `critical_success`, `success`, `failure` or `critical_failure`."""

    degree: Degree

    def read(self, rules: Rules) -> Reading:
        achieved = odds.degree_odds(self.brought(rules), self.threshold(rules), rules)
        return Reading(Fraction(achieved.weight(self.degree), achieved.total))

    @classmethod
    def read_all(cls, figures: Sequence[Self], rules: Rules) -> list[Reading]:
        places = {degree: place for place, degree in enumerate(Degree)}
        return [
            Reading(Fraction(row[places[figure.degree]], sum(row)))
            for figure, row in zip(figures, _degrees(figures, rules), strict=True)
        ]


def _degrees(figures: Sequence[_Checked], rules: Rules) -> list[list[int]]:
    """Return how many hands meet each check to each degree."""
    rows: list[list[int]] = many_checks(
        [(figure.brought(rules), figure.threshold(rules)) for figure in figures], rules
    ).tolist()
    return rows


class ScoreMean(_Drawn, frozen=True, kw_only=True, tag="score.mean"):
    """The mean of the total that somebody draws."""

    def read(self, rules: Rules) -> Reading:
        return Reading(odds.totals(self.brought(rules), rules).mean)


class ScoreDeviation(_Drawn, frozen=True, kw_only=True, tag="score.deviation"):
    """The standard deviation of the total that somebody draws, within a millionth of a point."""

    def read(self, rules: Rules) -> Reading:
        variance = odds.totals(self.brought(rules), rules).variance
        root = isqrt(int(variance * ROOT_DIGITS**2))
        half = Fraction(1, 2 * ROOT_DIGITS)
        return Reading(Fraction(root, ROOT_DIGITS) + half, half, Basis.BOUNDED)


class ScoreAtLeast(_Drawn, frozen=True, kw_only=True, tag="score.at_least"):
    """The chance that somebody draws at least a total."""

    unit: ClassVar[Unit] = Unit.CHANCE
    total: Points

    def read(self, rules: Rules) -> Reading:
        return Reading(odds.totals(self.brought(rules), rules).at_least(self.total))


class NeededThreshold(_Drawn, frozen=True, kw_only=True, tag="needed.threshold"):
    """The highest threshold that somebody still meets with a wanted chance."""

    success: Chance

    def read(self, rules: Rules) -> Reading:
        needed = odds.needed_threshold(self.brought(rules), number_of(self.success)[0], rules)
        if needed.threshold is None:
            raise InputError("no_threshold", f"every threshold is met {self.success} of the time")
        return Reading(needed.threshold.fraction)


class _Contested(Figure, frozen=True, kw_only=True):
    """A contest of two; the defence bonus is that of a territory."""

    unit: ClassVar[Unit] = Unit.CHANCE
    attacker: Who
    defender: Who
    defense_bonus: Points = NOTHING
    at: Moment = 0


class ContestWin(_Contested, frozen=True, kw_only=True, tag="contest.win"):
    """The chance that the attacker wins a contest."""

    def read(self, rules: Rules) -> Reading:
        return Reading(odds.contest_odds(*contest_sides(self, rules), rules).chance(Side.ATTACKER))

    @classmethod
    def read_all(cls, figures: Sequence[Self], rules: Rules) -> list[Reading]:
        sides = [contest_sides(figure, rules) for figure in figures]
        return [Reading(result.chance(Side.ATTACKER)) for result in many_contests(sides, rules)]


class RankWins(_Contested, frozen=True, kw_only=True, tag="rank.wins"):
    """The chance that the attacker wins a contest once a hand of this rank is drawn."""

    rank: HandRank

    def read(self, rules: Rules) -> Reading:
        result = odds.contest_odds(*contest_sides(self, rules), rules, having=self.rank)
        return Reading(result.chance(Side.ATTACKER))


class GangWin(Figure, frozen=True, kw_only=True, tag="gang.win"):
    """The chance that the attackers win a gang war."""

    unit: ClassVar[Unit] = Unit.CHANCE
    attackers: Gang
    defenders: Gang
    defense_bonus: Points = NOTHING
    at: Moment = 0

    def read(self, rules: Rules) -> Reading:
        return Reading(odds.gang_odds(*gang_sides(self, rules), rules).chance(Side.ATTACKER))


class RankChance(Figure, frozen=True, kw_only=True, tag="rank.chance"):
    """The chance to draw a hand of this rank."""

    unit: ClassVar[Unit] = Unit.CHANCE
    rank: HandRank

    def read(self, rules: Rules) -> Reading:  # noqa: ARG002  the deck is the same under all rules
        drawn = odds.hand_odds()
        return Reading(Fraction(drawn.weight(self.rank), drawn.total))


def _five(given: Hand) -> tuple[Card, ...]:
    """Return the five cards that are given, or refuse what is no hand."""
    hand = cards(given) if isinstance(given, str) else given
    require_hand(hand)
    return hand


class _Cards(Figure, frozen=True, kw_only=True):
    """Five cards."""

    hand: Hand

    def check(self) -> None:
        _five(self.hand)


class _Held(_Cards, frozen=True, kw_only=True):
    """Five cards that somebody holds; nobody in particular unless told."""

    character: Who = UNSKILLED
    defense_bonus: Points = NOTHING
    at: Moment = 0

    def scored(self, rules: Rules) -> Score:
        return score_with(
            _five(self.hand), brought_by(self.character, rules, self.at, self.defense_bonus), rules
        )


class RankOfHand(_Cards, frozen=True, kw_only=True, tag="hand.rank"):
    """What five cards are called: `straight`, `high_card`."""

    unit: ClassVar[Unit] = Unit.NAME

    def read(self, rules: Rules) -> Reading:  # noqa: ARG002  hands have the same names under all rules
        return Reading(name=classify(_five(self.hand)).rank.value)


class HandBase(_Held, frozen=True, kw_only=True, tag="hand.base"):
    """What five cards score before suits and modifiers, the kicker or the top three included."""

    def read(self, rules: Rules) -> Reading:
        return Reading(self.scored(rules).base.fraction)


class HandSuits(_Held, frozen=True, kw_only=True, tag="hand.suits"):
    """What the suits of five cards add for somebody."""

    def read(self, rules: Rules) -> Reading:
        return Reading(self.scored(rules).suit.fraction)


class HandScore(_Held, frozen=True, kw_only=True, tag="hand.score"):
    """What five cards score for somebody in all."""

    def read(self, rules: Rules) -> Reading:
        return Reading(self.scored(rules).total.fraction)


class HandMargin(_Held, frozen=True, kw_only=True, tag="hand.margin"):
    """By how much five cards of somebody meet a target; below 0 where they do not."""

    target: Aim

    def read(self, rules: Rules) -> Reading:
        threshold = target_of(self.target, rules).threshold
        return Reading(check(self.scored(rules), threshold, rules).margin.fraction)


class HandDegree(_Held, frozen=True, kw_only=True, tag="hand.degree"):
    """To which degree five cards of somebody meet a target: `critical_success`, `failure`."""

    unit: ClassVar[Unit] = Unit.NAME
    target: Aim

    def read(self, rules: Rules) -> Reading:
        threshold = target_of(self.target, rules).threshold
        return Reading(name=check(self.scored(rules), threshold, rules).degree.value)


class HandsWinner(Figure, frozen=True, kw_only=True, tag="hands.winner"):
    """Who wins a contest with these two hands: `attacker` or `defender`."""

    unit: ClassVar[Unit] = Unit.NAME
    attacker: Who
    defender: Who
    attacker_hand: Hand
    defender_hand: Hand
    defense_bonus: Points = NOTHING
    at: Moment = 0

    def check(self) -> None:
        for hand in (self.attacker_hand, self.defender_hand):
            _five(hand)

    def read(self, rules: Rules) -> Reading:
        attacker, defender = contest_sides(self, rules)
        attack, defense = (
            score_with(_five(hand), brought, rules)
            for hand, brought in ((self.attacker_hand, attacker), (self.defender_hand, defender))
        )
        return Reading(name=contest(attack, defense, rules).winner.value)


class SuitCards(_Cards, frozen=True, kw_only=True, tag="hand.suit_count"):
    """How many of five cards are of a suit."""

    suit: Suit

    def read(self, rules: Rules) -> Reading:  # noqa: ARG002  cards have the same suits under all rules
        return Reading(Fraction(sum(held.suit is self.suit for held in _five(self.hand))))


class SuitBonus(_Drawn, frozen=True, kw_only=True, tag="suit.bonus"):
    """What each card of a suit adds for somebody."""

    suit: Suit

    def read(self, rules: Rules) -> Reading:
        return Reading(self.brought(rules).bonuses[self.suit].fraction)


class SkillBonus(Figure, frozen=True, kw_only=True, tag="skill.bonus"):
    """What a skill of a level adds to its suits: by the curve in force, or by the one that is named."""

    level: Level
    curve: Curve | None = None

    def read(self, rules: Rules) -> Reading:
        asked = rules if self.curve is None else rules.replace(curve=self.curve)
        return Reading(skill_bonus(self.level, asked).fraction)


class NpcBonus(Figure, frozen=True, kw_only=True, tag="npc.bonus"):
    """What each card adds for an NPC of a tier."""

    tier: Word

    def read(self, rules: Rules) -> Reading:
        return Reading(npc(self.tier, rules).bonuses[Suit.SPADES].fraction)


class CrimeGold(_Drawn, frozen=True, kw_only=True, tag="crime.gold"):
    """The gold that an attempt of a crime brings somebody on average, with a purse that can pay every penalty."""

    crime: Word

    def read(self, rules: Rules) -> Reading:
        if self.crime not in rules.crimes:
            raise InputError(
                "unknown_crime", f"unknown crime '{self.crime}'{nearest(self.crime, rules.crimes)}"
            )
        crime = rules.crimes[self.crime]
        achieved = odds.degree_odds(self.brought(rules), crime.threshold, rules)
        return Reading(achieved.map(lambda degree: reward(crime, degree, rules).gold.fraction).mean)


FIGURES: Final[tuple[type[Figure], ...]] = (
    CheckSuccess,
    CheckDegree,
    ContestWin,
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
)

"""The figures of the Combat Duel: those of cards and rewards are exact, those of whole duels have an error."""

from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Annotated, ClassVar, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import STANDARD_DECK, Card, require_in_deck, write_cards
from oddsmith.errors import InputError
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.games.duel.classes import hand_kinds
from oddsmith.games.duel.model import Result, SteadyPolicy
from oddsmith.games.duel.odds import solve
from oddsmith.games.duel.optional_rules import Gear
from oddsmith.games.duel.rules import DeckKind, Fighter, Rules
from oddsmith.games.duel.scoring import (
    attack,
    damage,
    defense,
    final_house_result,
    gold_factor,
    house_flight_result,
    skill_modifier,
)
from oddsmith.games.duel.summaries import make_reading, simulate_policy, summarize_policy
from oddsmith.games.duel.tally import DuelSummary
from oddsmith.poker import FULL_HAND, HandRank, classify

Cards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=FULL_HAND)]
"""Up to five cards, each by its rank and suit: `["10♠", "A♦", "7♥"]`."""
Difficulty: TypeAlias = Annotated[int, Meta(ge=1, le=100)]
Skill: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
Round: TypeAlias = Annotated[int, Meta(ge=1, le=100)]
SuitCards: TypeAlias = Annotated[int, Meta(ge=0, le=FULL_HAND)]
Strength: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]
Duels: TypeAlias = Annotated[int, Meta(ge=2, le=1_000_000)]
Side: TypeAlias = Literal["attack", "defense"]
PaidEnding: TypeAlias = Literal["victory", "timeout", "defeat", "flight"]
"""How a duel ended, for its pay: `timeout` is a victory on the clock."""


class _FighterFigure(Figure, frozen=True, kw_only=True):
    """A fighter with the player's gear and skill of the rules, except for those given."""

    weapon: Gear | None = None
    armor: Gear | None = None
    skill: Skill | None = None

    def fighter(self, rules: Rules) -> Fighter:
        """Return the rules' player with the given gear and skill."""
        changes = {"weapon": self.weapon, "armor": self.armor, "skill": self.skill}
        given = {name: value for name, value in changes.items() if value is not None}
        return msgspec.structs.replace(rules.player, **given)


class _DuelFigure(_FighterFigure, frozen=True, kw_only=True):
    """Duels with the house from their start, computed with decks that are fresh in every round.

    With `deck = "depleting"`, `duels` duels of a fixed seed are simulated instead: the answer is an estimate.
    """

    difficulty: Difficulty | None = None
    deck: DeckKind = DeckKind.FRESH
    duels: Duels = 2_000

    def duel_rules(self, rules: Rules) -> Rules:
        """Return the rules with the difficulty, the fighter and the deck of the figure."""
        return _at_difficulty(self.difficulty, rules).replace(player=self.fighter(rules), deck=self.deck)


class _PolicyFigure(_DuelFigure, frozen=True, kw_only=True):
    """Duels of a fighter who splits by a fixed policy."""

    policy: SteadyPolicy = "best_trade"

    def ends(self, rules: Rules) -> DuelSummary:
        """Return the summary of these duels."""
        rules = self.duel_rules(rules)
        if self.deck is DeckKind.DEPLETING:
            return simulate_policy(self.policy, rules, self.duels)
        return summarize_policy(self.policy, rules)


class Win(_DuelFigure, frozen=True, kw_only=True, tag="win"):
    """The chance to win a duel with the house by a policy; `optimal` is perfect play, which may take long to solve."""

    unit: ClassVar[Unit] = Unit.CHANCE
    policy: SteadyPolicy | Literal["optimal"] = "best_trade"

    def read(self, rules: Rules) -> Reading:
        rules, policy = self.duel_rules(rules), self.policy
        if self.deck is DeckKind.DEPLETING:
            ends = simulate_policy(policy, rules, self.duels)
        elif policy == "optimal":
            solution = solve(rules)
            return make_reading(solution.value(), solution.error)
        else:
            ends = summarize_policy(policy, rules)
        return make_reading(ends.win, ends.error, ends.duels)


class RoundsMean(_PolicyFigure, frozen=True, kw_only=True, tag="rounds.mean"):
    """The mean number of rounds of a duel."""

    def read(self, rules: Rules) -> Reading:
        ends = self.ends(rules)
        return make_reading(ends.rounds, ends.rounds_error, ends.duels)


class RoundsShare(_PolicyFigure, frozen=True, kw_only=True, tag="rounds.share"):
    """The share of duels that end within some rounds, the first and the last included."""

    unit: ClassVar[Unit] = Unit.CHANCE
    first: Round
    last: Round

    def check(self) -> None:
        """Raise `InputError` where the first round comes after the last."""
        if self.first > self.last:
            raise InputError(
                "bad_rounds",
                f"the first round, {self.first}, comes after the last, {self.last}",
                where="first",
            )

    def read(self, rules: Rules) -> Reading:
        ends = self.ends(rules)
        error = ends.error if ends.duels is None else 1 / sqrt(ends.duels)
        return make_reading(sum(ends.ends[self.first - 1 : self.last]), error, ends.duels)


class TimeoutShare(_PolicyFigure, frozen=True, kw_only=True, tag="timeout.share"):
    """The share of duels that last until the clock ends them, won or not."""

    unit: ClassVar[Unit] = Unit.CHANCE

    def read(self, rules: Rules) -> Reading:
        ends = self.ends(rules)
        return make_reading(ends.timeout, ends.error, ends.duels)


class GoldMean(_PolicyFigure, frozen=True, kw_only=True, tag="gold.mean"):
    """The mean gold of a duel, won or lost."""

    def read(self, rules: Rules) -> Reading:
        ends = self.ends(rules)
        return make_reading(ends.gold, ends.gold_error, ends.duels)


class _CardsFigure(_FighterFigure, frozen=True, kw_only=True):
    """Cards on one side of a split."""

    cards: Cards

    def check(self) -> None:
        """Raise `InputError` for a card that is given twice."""
        require_in_deck(self.cards, STANDARD_DECK)


class Attack(_CardsFigure, frozen=True, kw_only=True, tag="attack"):
    """The attack of cards, gear and skill included."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(attack(self.cards, self.fighter(rules), rules).total))


class Defense(_CardsFigure, frozen=True, kw_only=True, tag="defense"):
    """The defence of cards, gear and skill included."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(defense(self.cards, self.fighter(rules), rules).total))


class RankOfCards(_CardsFigure, frozen=True, kw_only=True, tag="hand.rank"):
    """The name of the hand that the cards on a side make: `pair`, `high_card`."""

    unit: ClassVar[Unit] = Unit.NAME

    def read(self, rules: Rules) -> Reading:
        return Reading(name=attack(self.cards, rules.player, rules).rank.value)


class HandBonus(Figure, frozen=True, kw_only=True, tag="hand.bonus"):
    """The bonus of a hand on a side."""

    rank: HandRank
    side: Side = "attack"

    def read(self, rules: Rules) -> Reading:
        bonuses = rules.hand_bonuses if self.side == "attack" else rules.defense_bonuses
        return Reading(Fraction(bonuses[self.rank]))


class SkillModifier(Figure, frozen=True, kw_only=True, tag="skill.modifier"):
    """The number that a level of skill adds to both sides."""

    skill: Skill

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(skill_modifier(self.skill, rules)))


class DamageDealt(Figure, frozen=True, kw_only=True, tag="damage.dealt"):
    """The damage of the player's attack against a defence of the house."""

    attack: Strength
    defense: Strength

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(damage(self.attack, self.defense, rules.least_dealt)))


class DamageTaken(Figure, frozen=True, kw_only=True, tag="damage.taken"):
    """The damage of the house's attack against a defence of the player."""

    attack: Strength
    defense: Strength

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(damage(self.attack, self.defense, rules.least_taken)))


class OpponentHP(Figure, frozen=True, kw_only=True, tag="opponent.hp"):
    """The hit points of the house's fighter."""

    difficulty: Difficulty | None = None

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(_at_difficulty(self.difficulty, rules).opponent_hp))


class _RewardFigure(Figure, frozen=True, kw_only=True):
    """The rewards of a duel that ended this way, with `suit_cards` cards of the relevant suit in the last hand."""

    difficulty: Difficulty | None = None
    suit_cards: SuitCards = 0
    ending: PaidEnding = "victory"

    def result(self, rules: Rules) -> Result:
        """Return the result: a victor has all hit points left, and after a timeout the opponent has one."""
        rules = _at_difficulty(self.difficulty, rules)
        if self.ending == "flight":
            return house_flight_result(rules)
        own, other, last = rules.player_hp, rules.opponent_hp, rules.rounds
        left, others, number = {
            "victory": (own, 0, 1),
            "timeout": (own, 1, last),
            "defeat": (0, other, 1),
        }[self.ending]
        return final_house_result(left, others, number, self.suit_cards, rules)


class RewardGold(_RewardFigure, frozen=True, kw_only=True, tag="reward.gold"):
    """The gold that the end of a duel pays."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(self.result(rules).gold))


class RewardExperience(_RewardFigure, frozen=True, kw_only=True, tag="reward.experience"):
    """The experience that the end of a duel pays."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(self.result(rules).experience))


class RewardScore(_RewardFigure, frozen=True, kw_only=True, tag="reward.score"):
    """The score of the end of a duel; a victory is won with all hit points left."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(self.result(rules).score))


class RewardGrowth(Figure, frozen=True, kw_only=True, tag="reward.growth"):
    """The factor by which difficulty multiplies gold."""

    difficulty: Difficulty | None = None

    def read(self, rules: Rules) -> Reading:
        return Reading(gold_factor(_at_difficulty(self.difficulty, rules)))


def _at_difficulty(difficulty: int | None, rules: Rules) -> Rules:
    return rules if difficulty is None else rules.replace(difficulty=difficulty)


FIGURES: Final[tuple[type[Figure], ...]] = (
    Win,
    RoundsMean,
    RoundsShare,
    TimeoutShare,
    GoldMean,
    Attack,
    Defense,
    RankOfCards,
    HandBonus,
    SkillModifier,
    DamageDealt,
    DamageTaken,
    OpponentHP,
    RewardGold,
    RewardExperience,
    RewardScore,
    RewardGrowth,
)


class HandChance(NamedTuple):
    """The chance of a hand, and cards that make it as text."""

    chance: Fraction
    example: str


@cache
def hand_chances() -> dict[HandRank, HandChance]:
    """Return the chance and an example of every hand of five cards from a full deck, the strongest first.

    >>> hand_chances()[HandRank.ROYAL_FLUSH].chance
    Fraction(1, 649740)
    """
    kinds = hand_kinds()
    ranks = [classify(hand).rank for hand in kinds.hands]
    ways = dict.fromkeys(HandRank, 0)
    for rank, times in zip(ranks, kinds.ways.sum(axis=1).tolist(), strict=True):
        ways[rank] += times
    total = sum(ways.values())
    return {
        rank: HandChance(Fraction(times, total), write_cards(kinds.hands[ranks.index(rank)]))
        for rank, times in ways.items()
    }

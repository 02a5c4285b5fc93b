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
from oddsmith.games.duel.fights import SteadyPolicy, make_reading, simulate_policy, summarize_policy
from oddsmith.games.duel.model import Result
from oddsmith.games.duel.odds import solve
from oddsmith.games.duel.rules import DeckKind, Fighter, Gear, Rules
from oddsmith.games.duel.scoring import (
    attack,
    damage,
    defense,
    fled_from_house,
    gold_factor,
    house_result,
    skill_modifier,
)
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
Paid: TypeAlias = Literal["victory", "timeout", "defeat", "flight"]
"""How a duel ended, for its pay: `timeout` is a victory on the clock."""


class _Geared(Figure, frozen=True, kw_only=True):
    """A fighter with the player's gear of the rules, unless told."""

    weapon: Gear | None = None
    armor: Gear | None = None
    skill: Skill | None = None

    def fighter(self, rules: Rules) -> Fighter:
        """Return the player's fighter, with what is told otherwise."""
        told = {"weapon": self.weapon, "armor": self.armor, "skill": self.skill}
        given = {name: value for name, value in told.items() if value is not None}
        return msgspec.structs.replace(rules.player, **given)


class _Duel(_Geared, frozen=True, kw_only=True):
    """Duels with the house from their start, computed with decks that are fresh in every round.

    With `deck = "depleting"` so many `duels` are played instead, always the same ones: the answer is an estimate.
    """

    difficulty: Difficulty | None = None
    deck: DeckKind = DeckKind.FRESH
    duels: Duels = 2_000

    def meant(self, rules: Rules) -> Rules:
        """Return the rules of the duel that is meant."""
        return _at(self.difficulty, rules).replace(player=self.fighter(rules), deck=self.deck)


class _SteadyDuel(_Duel, frozen=True, kw_only=True):
    """Duels of one who splits by a simple policy."""

    policy: SteadyPolicy = "best_trade"

    def ends(self, rules: Rules) -> DuelSummary:
        """Return how these duels end."""
        meant = self.meant(rules)
        played = self.deck is DeckKind.DEPLETING
        return (
            simulate_policy(self.policy, meant, self.duels)
            if played
            else summarize_policy(self.policy, meant)
        )


class Win(_Duel, frozen=True, kw_only=True, tag="win"):
    """The chance to win a duel with the house by a policy; `optimal` is perfect play, which may take long to solve."""

    unit: ClassVar[Unit] = Unit.CHANCE
    policy: SteadyPolicy | Literal["optimal"] = "best_trade"

    def read(self, rules: Rules) -> Reading:
        meant, policy = self.meant(rules), self.policy
        if self.deck is DeckKind.DEPLETING:
            ends = simulate_policy(policy, meant, self.duels)
        elif policy == "optimal":
            solved = solve(meant)
            return make_reading(solved.value(), solved.error)
        else:
            ends = summarize_policy(policy, meant)
        return make_reading(ends.win, ends.error, ends.duels)


class RoundsMean(_SteadyDuel, frozen=True, kw_only=True, tag="rounds.mean"):
    """The mean number of rounds of a duel."""

    def read(self, rules: Rules) -> Reading:
        ends = self.ends(rules)
        return make_reading(ends.rounds, ends.rounds_error, ends.duels)


class RoundsShare(_SteadyDuel, frozen=True, kw_only=True, tag="rounds.share"):
    """The share of duels that end within some rounds, the first and the last included."""

    unit: ClassVar[Unit] = Unit.CHANCE
    first: Round
    last: Round

    def check(self) -> None:
        """Refuse rounds upside down."""
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


class TimeoutShare(_SteadyDuel, frozen=True, kw_only=True, tag="timeout.share"):
    """The share of duels that last until the clock ends them, won or not."""

    unit: ClassVar[Unit] = Unit.CHANCE

    def read(self, rules: Rules) -> Reading:
        ends = self.ends(rules)
        return make_reading(ends.timeout, ends.error, ends.duels)


class GoldMean(_SteadyDuel, frozen=True, kw_only=True, tag="gold.mean"):
    """The mean gold of a duel, won or lost."""

    def read(self, rules: Rules) -> Reading:
        ends = self.ends(rules)
        return make_reading(ends.gold, ends.gold_error, ends.duels)


class _Held(_Geared, frozen=True, kw_only=True):
    """Cards on one side of a split."""

    cards: Cards

    def check(self) -> None:
        """Refuse a card that stands twice."""
        require_in_deck(self.cards, STANDARD_DECK)


class Attack(_Held, frozen=True, kw_only=True, tag="attack"):
    """What cards come to on the attacking side, gear and skill included."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(attack(self.cards, self.fighter(rules), rules).total))


class Defense(_Held, frozen=True, kw_only=True, tag="defense"):
    """What cards come to on the defending side, gear and skill included."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(defense(self.cards, self.fighter(rules), rules).total))


class RankOfCards(_Held, frozen=True, kw_only=True, tag="hand.rank"):
    """What the cards on a side are called: `pair`, `high_card`."""

    unit: ClassVar[Unit] = Unit.NAME

    def read(self, rules: Rules) -> Reading:
        return Reading(name=attack(self.cards, rules.player, rules).rank.value)


class HandBonus(Figure, frozen=True, kw_only=True, tag="hand.bonus"):
    """What a hand adds to a side."""

    rank: HandRank
    side: Side = "attack"

    def read(self, rules: Rules) -> Reading:
        bonuses = rules.hand_bonuses if self.side == "attack" else rules.defense_bonuses
        return Reading(Fraction(bonuses[self.rank]))


class SkillModifier(Figure, frozen=True, kw_only=True, tag="skill.modifier"):
    """What a level of skill adds to both sides."""

    skill: Skill

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(skill_modifier(self.skill, rules)))


class DamageDealt(Figure, frozen=True, kw_only=True, tag="damage.dealt"):
    """What an attack of the player does to a defence of the house."""

    attack: Strength
    defense: Strength

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(damage(self.attack, self.defense, rules.least_dealt)))


class DamageTaken(Figure, frozen=True, kw_only=True, tag="damage.taken"):
    """What an attack of the house does to a defence of the player."""

    attack: Strength
    defense: Strength

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(damage(self.attack, self.defense, rules.least_taken)))


class OpponentHP(Figure, frozen=True, kw_only=True, tag="opponent.hp"):
    """The hit points of the house's fighter."""

    difficulty: Difficulty | None = None

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(_at(self.difficulty, rules).opponent_hp))


class _Reward(Figure, frozen=True, kw_only=True):
    """What a duel pays: a victory with so many cards of the relevant suit in the last hand, unless it ended otherwise."""

    difficulty: Difficulty | None = None
    suit_cards: SuitCards = 0
    ending: Paid = "victory"

    def result(self, rules: Rules) -> Result:
        """Return the end of the duel: a victor has all hit points left, and one on the clock leaves one to the other."""
        meant = _at(self.difficulty, rules)
        if self.ending == "flight":
            return fled_from_house(meant)
        own, other, last = meant.player_hp, meant.opponent_hp, meant.rounds
        left, others, number = {
            "victory": (own, 0, 1),
            "timeout": (own, 1, last),
            "defeat": (0, other, 1),
        }[self.ending]
        ended = house_result(left, others, number, self.suit_cards, meant)
        assert ended is not None  # noqa: S101  somebody is knocked out, or the rounds are over
        return ended


class RewardGold(_Reward, frozen=True, kw_only=True, tag="reward.gold"):
    """The gold that the end of a duel pays."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(self.result(rules).gold))


class RewardExperience(_Reward, frozen=True, kw_only=True, tag="reward.experience"):
    """The experience that the end of a duel pays."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(self.result(rules).experience))


class RewardScore(_Reward, frozen=True, kw_only=True, tag="reward.score"):
    """The score of the end of a duel; a victory is won with all hit points left."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(self.result(rules).score))


class RewardGrowth(Figure, frozen=True, kw_only=True, tag="reward.growth"):
    """The factor by which difficulty multiplies gold."""

    difficulty: Difficulty | None = None

    def read(self, rules: Rules) -> Reading:
        return Reading(gold_factor(_at(self.difficulty, rules)))


def _at(difficulty: int | None, rules: Rules) -> Rules:
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


class Dealt(NamedTuple):
    """The chance of a hand, and cards that make it."""

    chance: Fraction
    example: str


@cache
def hands_dealt() -> dict[HandRank, Dealt]:
    """Return every hand of five cards from a full deck, the strongest first.

    >>> hands_dealt()[HandRank.ROYAL_FLUSH].chance
    Fraction(1, 649740)
    """
    kinds = hand_kinds()
    ranks = [classify(hand).rank for hand in kinds.hands]
    ways = dict.fromkeys(HandRank, 0)
    for rank, times in zip(ranks, kinds.ways.sum(axis=1).tolist(), strict=True):
        ways[rank] += times
    total = sum(ways.values())
    return {
        rank: Dealt(Fraction(times, total), write_cards(kinds.hands[ranks.index(rank)]))
        for rank, times in ways.items()
    }

"""The figures of the Fate Deck; all are exact, and all are of a fresh deck.

Figures of draws are those of the cards, before talents; `check.with_talents` is that of a player's check.
"""

from fractions import Fraction
from typing import Annotated, ClassVar, Final, TypeAlias

from msgspec import Meta

from oddsmith.errors import InputError, nearest
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.games.fate.odds import CheckOdds, check_odds, checks_to_reshuffle, fresh_memory
from oddsmith.games.fate.rule_types import NO_TARGET, CheckKind
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.talent_odds import talent_odds

Cards: TypeAlias = Annotated[int, Meta(ge=1, le=5)]
Number: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]
Percent: TypeAlias = Annotated[int, Meta(ge=0, le=100)]
Expression: TypeAlias = Annotated[str, Meta(min_length=1, max_length=500)]
PlayerNumber: TypeAlias = Annotated[int, Meta(ge=1, le=9)]
CheckName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]


class _DrawFigure(Figure, frozen=True, kw_only=True):
    """A draw from a fresh deck, by default of as many cards as on turn."""

    cards: Cards | None = None
    modifier: Number = 0

    def odds(self, rules: Rules, *triggers: str) -> CheckOdds:
        return check_odds(
            fresh_memory(rules), rules, count=self.cards, modifier=self.modifier, triggers=triggers
        )


class DrawMean(_DrawFigure, frozen=True, kw_only=True, tag="draw.mean"):
    """The mean of a draw's total."""

    def read(self, rules: Rules) -> Reading:
        return Reading(self.odds(rules).totals.mean)


class DrawVariance(_DrawFigure, frozen=True, kw_only=True, tag="draw.variance"):
    """The variance of a draw's total."""

    def read(self, rules: Rules) -> Reading:
        return Reading(self.odds(rules).totals.variance)


class DrawSuccess(_DrawFigure, frozen=True, kw_only=True, tag="draw.success"):
    """The chance that a draw's total reaches a target."""

    unit: ClassVar[Unit] = Unit.CHANCE
    target: Number

    def read(self, rules: Rules) -> Reading:
        return Reading(self.odds(rules).at_least(self.target))


class DrawAtMost(_DrawFigure, frozen=True, kw_only=True, tag="draw.at_most"):
    """The chance that a draw's total is a number or less."""

    unit: ClassVar[Unit] = Unit.CHANCE
    total: Number

    def read(self, rules: Rules) -> Reading:
        return Reading(1 - self.odds(rules).at_least(self.total + 1))


class DrawChance(_DrawFigure, frozen=True, kw_only=True, tag="draw.chance"):
    """The chance that a draw's total is exactly a number."""

    unit: ClassVar[Unit] = Unit.CHANCE
    total: Number

    def read(self, rules: Rules) -> Reading:
        odds = self.odds(rules)
        return Reading(odds.at_least(self.total) - odds.at_least(self.total + 1))


class TriggerChance(_DrawFigure, frozen=True, kw_only=True, tag="trigger.chance"):
    """The chance that a trigger fires, such as `single(spade)`."""

    unit: ClassVar[Unit] = Unit.CHANCE
    trigger: Expression

    def read(self, rules: Rules) -> Reading:
        return Reading(self.odds(rules, self.trigger).fires(0))


class SuccessWithTrigger(_DrawFigure, frozen=True, kw_only=True, tag="success.with_trigger"):
    """The chance that a draw's total reaches a target while a trigger fires."""

    unit: ClassVar[Unit] = Unit.CHANCE
    target: Number
    trigger: Expression

    def read(self, rules: Rules) -> Reading:
        return Reading(self.odds(rules, self.trigger).both(self.target, 0))


class CheckSuccess(_DrawFigure, frozen=True, kw_only=True, tag="check.success"):
    """The chance that the cards of a check of the rules, such as `hard`, reach its target, before talents."""

    unit: ClassVar[Unit] = Unit.CHANCE
    target: CheckName

    def read(self, rules: Rules) -> Reading:
        return Reading(self.odds(rules).at_least(_find_target(self.target, rules)[1]))


class TalentChance(Figure, frozen=True, kw_only=True, tag="talent.chance"):
    """The chance that a talent of the rules, such as `keen_edge`, fires in a check, by default on turn."""

    unit: ClassVar[Unit] = Unit.CHANCE
    talent: CheckName
    cards: Cards | None = None

    def read(self, rules: Rules) -> Reading:
        if self.talent not in rules.talents:
            known = nearest(self.talent, rules.talents)
            raise InputError("unknown_talent", f"unknown talent '{self.talent}'{known}", where="talent")
        triggers = [rules.talents[self.talent].trigger]
        return Reading(check_odds(fresh_memory(rules), rules, count=self.cards, triggers=triggers).fires(0))


class PlayerSuccess(Figure, frozen=True, kw_only=True, tag="check.with_talents"):
    """The chance that a player reaches the target of a check of the rules, with its character's numbers and talents."""

    unit: ClassVar[Unit] = Unit.CHANCE
    target: CheckName
    player: PlayerNumber = 1
    cards: Cards | None = None

    def read(self, rules: Rules) -> Reading:
        kind, target = _find_target(self.target, rules)
        odds = talent_odds(
            fresh_memory(rules),
            rules,
            talents=rules.talents_of(self.player),
            count=self.cards,
            modifier=rules.check_modifier(self.player, kind),
            target=target,
        )
        return Reading(odds.at_least(target))


def _find_target(name: str, rules: Rules) -> tuple[CheckKind, int]:
    """Return a check of the rules and its target, or raise `InputError` where there is none."""
    if name not in rules.checks:
        raise InputError(
            "unknown_check", f"unknown check '{name}'{nearest(name, rules.checks)}", where="target"
        )
    kind = rules.checks[name]
    if kind.target == NO_TARGET:
        raise InputError("no_target", f"{name} has no target to reach", where="target")
    return kind, kind.target


class DeckSize(Figure, frozen=True, kw_only=True, tag="deck.size"):
    """The number of cards in the deck."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(len(rules.deck)))


class ChecksToReshuffle(Figure, frozen=True, kw_only=True, tag="deck.checks"):
    """The expected checks until the deck is reshuffled, with this percentage of them on turn, before talents that draw."""

    on_turn_percent: Percent = 100

    def read(self, rules: Rules) -> Reading:
        return Reading(checks_to_reshuffle(len(rules.deck), Fraction(self.on_turn_percent, 100), rules))


FIGURES: Final[tuple[type[Figure], ...]] = (
    DrawMean,
    DrawVariance,
    DrawSuccess,
    DrawAtMost,
    DrawChance,
    TriggerChance,
    SuccessWithTrigger,
    CheckSuccess,
    TalentChance,
    PlayerSuccess,
    DeckSize,
    ChecksToReshuffle,
)

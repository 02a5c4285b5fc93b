"""The figures of the Fate Deck; all are exact, and all are of a fresh deck."""

from fractions import Fraction
from typing import Annotated, ClassVar, Final, TypeAlias

from msgspec import Meta

from oddsmith.errors import InputError, nearest
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.games.fate.odds import CheckOdds, check_odds, checks_to_reshuffle, fresh_memory
from oddsmith.games.fate.rules import NO_TARGET, Rules

Cards: TypeAlias = Annotated[int, Meta(ge=1, le=5)]
Number: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]
Percent: TypeAlias = Annotated[int, Meta(ge=0, le=100)]
Expression: TypeAlias = Annotated[str, Meta(min_length=1, max_length=500)]
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
    """The chance that a check of the rules, such as `hard`, reaches its target, whatever its trigger does."""

    unit: ClassVar[Unit] = Unit.CHANCE
    target: CheckName

    def read(self, rules: Rules) -> Reading:
        if self.target not in rules.checks:
            known = nearest(self.target, rules.checks)
            raise InputError("unknown_check", f"unknown check '{self.target}'{known}", where="target")
        target = rules.checks[self.target].target
        if target == NO_TARGET:
            raise InputError("no_target", f"{self.target} has no target to reach", where="target")
        return Reading(self.odds(rules).at_least(target))


class DeckSize(Figure, frozen=True, kw_only=True, tag="deck.size"):
    """The number of cards in the deck."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(len(rules.deck)))


class ChecksToReshuffle(Figure, frozen=True, kw_only=True, tag="deck.checks"):
    """The expected number of checks until the deck is reshuffled, with this percentage of them on turn."""

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
    DeckSize,
    ChecksToReshuffle,
)

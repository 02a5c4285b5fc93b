"""Metrics of the Fate Deck: values and triggers of cards as drawn, and results of checks."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from oddsmith.driver import PlayedGame
from oddsmith.errors import InputError, WorkLimitError, nearest
from oddsmith.figure import Reading, Unit
from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.deck import FateDeck
from oddsmith.games.fate.model import Check, Resolved, State
from oddsmith.games.fate.odds import CheckOdds, check_odds, fresh_memory, known_memory
from oddsmith.games.fate.rule_types import NO_TARGET, CheckKind
from oddsmith.games.fate.rules import Rules
from oddsmith.metric import ExactCell, MetricKind, NullDistribution, Observation, Progress, Resolution

Name: TypeAlias = Annotated[str, Meta(max_length=40)]
Names: TypeAlias = Annotated[tuple[Name, ...], Meta(max_length=200)]
DrawnNames: TypeAlias = Annotated[tuple[Name, ...], Meta(min_length=1, max_length=10)]
Number: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]

ODDS_CACHED: Final = 4_096
CERTAIN: Final = NullDistribution.of_chance(Fraction(1))
CONDITIONAL: Final = (
    " Each draw has the chances of the cards that were left; p is exact where each is from a fresh deck, and in the"
    " limit where a deck is drawn down."
)

METRICS: Final = (
    MetricKind(
        name="draw.value",
        title="mean value of a draw",
        unit=Unit.NUMBER,
        about="What the cards of a draw came to, before modifiers, by how many were drawn." + CONDITIONAL,
    ),
    MetricKind(
        name="draw.values",
        title="values of draws",
        unit=Unit.CHANCE,
        about="How often a draw came to each value, by how many cards were drawn." + CONDITIONAL,
    ),
    MetricKind(
        name="draw.success",
        title="checks met as drawn",
        unit=Unit.CHANCE,
        about="How often the first cards of a check reached its target, before any ability or talent."
        + CONDITIONAL,
    ),
    MetricKind(
        name="draw.trigger",
        title="triggers fired as drawn",
        unit=Unit.CHANCE,
        about="How often the first cards of a check fired its trigger, before any ability or talent."
        + CONDITIONAL,
    ),
    MetricKind(
        name="check.success",
        title="checks met in the end",
        unit=Unit.CHANCE,
        about="How often a check was met after all abilities; what they are worth is what this is above the draws.",
    ),
    MetricKind(
        name="resolved.as_ruled",
        title="resolved as the rules say",
        unit=Unit.CHANCE,
        about="Checks whose cards lead to what the log says; if these are not all, other rules were played.",
    ),
)


class DrawMade(Resolution, frozen=True, kw_only=True, tag="draw"):
    """The first cards of a check, and what was known of the deck; a deck of which nothing is known is fresh.

    `seen` are on the discard pile, `top` and `bottom` at the ends of the deck, and `unseen_discards` were discarded
    unseen. The check is one of the rules by its name, or a target and a trigger.
    """

    cards: DrawnNames
    seen: Names = ()
    top: Names = ()
    bottom: Names = ()
    unseen_discards: Annotated[int, Meta(ge=0, le=200)] = 0
    check: Name | None = None
    target: Number | None = None
    trigger: Annotated[str, Meta(max_length=500)] = ""
    modifier: Number = 0

    def observations(self, rules: Rules) -> Iterator[Observation]:
        """Yield the value of the cards, and whether target and trigger were met."""
        kind = _find_kind(self, rules)
        cards = _read_cards(self.cards, rules)
        result = judge(cards, rules, modifier=self.modifier, target=kind.target, trigger=kind.expression)
        odds = _count_odds(
            rules,
            seen=self.seen,
            top=self.top,
            bottom=self.bottom,
            unseen_discards=self.unseen_discards,
            count=len(cards),
            trigger=kind.trigger,
        )
        yield from _value_observations(len(cards), result.value, odds)
        cell = self.check or _describe_kind(kind)
        if kind.target != NO_TARGET:
            chance = None if odds is None else odds.at_least(kind.target - self.modifier)
            yield Observation(
                "draw.success", cell, int(result.total >= kind.target), _chance_distribution(chance)
            )
        if result.triggered is not None:
            chance = None if odds is None else odds.fires(0)
            yield Observation("draw.trigger", cell, int(result.triggered), _chance_distribution(chance))


class CheckResolved(Resolution, frozen=True, kw_only=True, tag="check"):
    """A check after all abilities: the cards that counted, and the result that the game recorded."""

    cards: DrawnNames
    success: bool | None = None
    triggered: bool | None = None
    total: Number | None = None
    check: Name | None = None
    target: Number | None = None
    trigger: Annotated[str, Meta(max_length=500)] = ""
    modifier: Number = 0

    def observations(self, rules: Rules) -> Iterator[Observation]:
        """Yield whether the check succeeded, and whether the rules give the same result."""
        kind = _find_kind(self, rules)
        cards = _read_cards(self.cards, rules)
        expected = judge(cards, rules, modifier=self.modifier, target=kind.target, trigger=kind.expression)
        if self.success is not None:
            yield Observation("check.success", self.check or _describe_kind(kind), int(self.success))
        agrees = (
            self.success in (None, expected.success)
            and self.triggered in (None, expected.triggered)
            and self.total in (None, expected.total)
        )
        yield Observation("resolved.as_ruled", "checks", int(agrees), CERTAIN)


RESOLUTIONS: TypeAlias = DrawMade | CheckResolved


def resolutions(played: PlayedGame[Any, Any, Any]) -> Iterator[Resolution]:
    """Yield the first draw and the result of every check of a replayed game."""
    called: FateDeck | None = None
    for ply in played.plies:
        before, after = ply.before, ply.after
        if before.check is None and after.check is not None:
            called = after.deck
        if called is not None and after.check is not None and not after.check.due:
            yield from _first_draw(called, after, after.check)
            called = None
        for event in ply.events:
            if isinstance(event, Resolved):
                yield CheckResolved(
                    cards=event.result.cards,
                    success=event.result.success,
                    triggered=None if event.result.talents else event.result.triggered,
                    total=event.result.total,
                    check=event.check,
                    modifier=event.result.modifier + event.result.bonus,
                )


def exact_cells(rules: Rules, progress: Progress) -> Iterator[ExactCell]:
    """Yield the exact values of draws from a fresh deck, and the chances of the rules' checks on turn."""
    fresh = fresh_memory(rules)
    counts = sorted({rules.on_turn, rules.off_turn})
    for count in counts:
        odds = check_odds(fresh, rules, count=count)
        yield ExactCell("draw.value", _card_count_cell(count), Reading(odds.totals.mean))
        for value in odds.totals:
            yield ExactCell(
                "draw.values", f"{_card_count_cell(count)}, {value}", Reading(odds.totals.probability(value))
            )
    progress(0.5)
    for name, kind in rules.checks.items():
        odds = check_odds(fresh, rules, triggers=[kind.trigger] if kind.trigger else [])
        if kind.target != NO_TARGET:
            yield ExactCell("draw.success", name, Reading(odds.at_least(kind.target)))
        if kind.trigger:
            yield ExactCell("draw.trigger", name, Reading(odds.fires(0)))
    progress(1)


def _first_draw(deck: FateDeck, after: State, check: Check) -> Iterator[DrawMade]:
    """Yield the first draw of a check from the deck at the time of the call.

    The draw is left out where a card in the middle of the deck is known, which `DrawMade` cannot express.
    """
    known = [*deck.deck]
    top = next((place for place, card in enumerate(known) if card is None), len(known))
    below = next((place for place, card in enumerate(reversed(known[top:])) if card is None), 0)
    end = len(known) - below
    if any(card is not None for card in known[top:end]):
        return
    discarded = [*deck.discard]
    yield DrawMade(
        cards=check.hand,
        seen=tuple(card for card in discarded if card is not None),
        top=tuple(card for card in known[:top] if card is not None),
        bottom=tuple(card for card in known[end:] if card is not None),
        unseen_discards=discarded.count(None),
        check=check.name,
        modifier=after.rules.check_modifier(check.player, after.rules.checks[check.name]),
    )


def _value_observations(count: int, value: int, odds: CheckOdds | None) -> Iterator[Observation]:
    distribution = None if odds is None else _value_distribution(odds)
    yield Observation("draw.value", _card_count_cell(count), value, distribution)
    chances = {} if odds is None else {one: odds.totals.probability(one) for one in odds.totals}
    for one in sorted({value, *chances}):
        distribution = None if odds is None else NullDistribution.of_chance(chances.get(one, Fraction(0)))
        yield Observation("draw.values", f"{_card_count_cell(count)}, {one}", int(one == value), distribution)


def _value_distribution(odds: CheckOdds) -> NullDistribution:
    return NullDistribution(tuple(odds.totals.items()))


def _card_count_cell(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _read_cards(names: Names, rules: Rules) -> tuple[str, ...]:
    """Return the rules' names of cards, or raise `InputError` for more copies of a card than the deck has."""
    cards = tuple(rules.card(name) for name in names)
    for card in cards:
        if cards.count(card) > rules.deck.count(card):
            raise InputError("card_too_often", f"{card} occurs more often than the deck holds it")
    return cards


def _chance_distribution(chance: Fraction | None) -> NullDistribution | None:
    return None if chance is None else NullDistribution.of_chance(chance)


def _find_kind(resolution: DrawMade | CheckResolved, rules: Rules) -> CheckKind:
    """Return the check of a resolution: one of the rules by its name, or its target and trigger."""
    if resolution.check is not None and resolution.target is None and not resolution.trigger:
        if resolution.check not in rules.checks:
            raise InputError(
                "unknown_check",
                f"unknown check '{resolution.check}'{nearest(resolution.check, rules.checks)}",
                where="check",
            )
        return rules.checks[resolution.check]
    return CheckKind(
        target=NO_TARGET if resolution.target is None else resolution.target, trigger=resolution.trigger
    )


def _describe_kind(kind: CheckKind) -> str:
    target = "" if kind.target == NO_TARGET else f"target {kind.target}"
    return ", ".join(part for part in (target, kind.trigger) if part)


@lru_cache(maxsize=ODDS_CACHED)
def _count_odds(
    rules: Rules, *, seen: Names, top: Names, bottom: Names, unseen_discards: int, count: int, trigger: str
) -> CheckOdds | None:
    """Return the odds of a draw from what was known; None where there are too many ways to count."""
    memory = known_memory(rules, seen=seen, top=top, bottom=bottom, unseen_discards=unseen_discards)
    try:
        return check_odds(memory, rules, count=count, triggers=[trigger] if trigger else [])
    except WorkLimitError:
        return None

"""Checks of whole games: actions that are never or always best, numbers without effect, length, and luck."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from oddsmith.balance.formatting import format_reading
from oddsmith.balance.linting.findings import Finding, Severity, check
from oddsmith.exhibit import ActionUse, GameLength, LuckPart, NumberUse
from oddsmith.figure import Unit

NEVER: Final = Fraction(12, 100)
"""An action that was never best is reported where its chance to be best is below this, with its error."""
MOST_CHOICES: Final = 100
"""The most choices of a seat in a game that is not too long."""
NEARLY_ALL: Final = Fraction(95, 100)
"""The share of luck above which choices hardly matter."""


@check("action-never-best", Severity.NOTE, ActionUse, "An action that is never the best")
def _action_never_best(action: ActionUse) -> Iterator[Finding]:
    """Test whether an action that is possible is never the best one, within the error."""
    if action.best.value or action.best.high >= NEVER:
        return
    yield _action_finding(
        action,
        "action-never-best",
        "is never the best",
        f"let {action.name} gain something in some positions, or remove it",
    )


@check("action-always-best", Severity.NOTE, ActionUse, "An action that is always the best")
def _action_always_best(action: ActionUse) -> Iterator[Finding]:
    """Test whether an action is better than all others wherever there are others, within the error: then nothing is chosen."""
    if action.alone.value < 1 or action.alone.low <= 1 - NEVER:
        return
    yield _action_finding(
        action,
        "action-always-best",
        "is always the best where another action is possible",
        f"let {action.name} cost something in some positions",
    )


def _action_finding(action: ActionUse, name: str, what: str, suggestion: str) -> Finding:
    return Finding(
        check=name,
        severity=Severity.NOTE,
        where=action.where,
        sentence=f"{action.about}: {action.name} {what} ({format_reading(action.best, Unit.CHANCE)} of the choices, "
        f"{action.best.basis}) where all {action.players}; it is possible in {format_reading(action.possible, Unit.CHANCE)}",
        evidence={
            "possible": action.possible,
            "best": action.best,
            "alone": action.alone,
            "players": action.players,
        },
        suggestion=suggestion,
    )


@check("number-without-effect", Severity.WARNING, NumberUse, "A number that changes nothing")
def _number_without_effect(number: NumberUse) -> Iterator[Finding]:
    """Test whether games differ at all where a number of the rules has another value; a note where not all were compared."""
    if number.is_used:
        return
    tried = ", ".join(f"{value.normalize():f}" for value in number.tried)
    yield Finding(
        check="number-without-effect",
        severity=Severity.WARNING if number.is_exact else Severity.NOTE,
        where=number.where,
        sentence=f"{number.about} changes nothing: with {number.value.normalize():f} and with {tried}, {number.measured} "
        "are the same",
        evidence={"value": number.value, "tried": number.tried, "measured": number.measured},
        suggestion=f"let {number.where} matter{'' if number.is_exact else ' more often'}, or remove it",
    )


@check("game-too-long", Severity.WARNING, GameLength, "Games that are too long, or do not end")
def _game_too_long(length: GameLength) -> Iterator[Finding]:
    """Test whether a seat makes more than 100 choices in the mean game, beyond the error, and whether all games end."""
    if length.unfinished:
        sentence = f"{length.unfinished:,} of {length.games:,} games did not end"
    elif length.choices.low > MOST_CHOICES:
        sentence = f"a seat makes {format_reading(length.choices, Unit.NUMBER)} choices in a game ({length.choices.basis})"
    else:
        return
    yield Finding(
        check="game-too-long",
        severity=Severity.WARNING,
        where=length.where,
        sentence=f"{length.about}, all {length.players}: {sentence}",
        evidence={"choices": length.choices, "games": length.games, "unfinished": length.unfinished},
        suggestion="lower the goal, or end the game after a number of rounds",
    )


@check("decided-by-luck", Severity.WARNING, LuckPart, "A result that luck decides")
def _decided_by_luck(luck: LuckPart) -> Iterator[Finding]:
    """Test whether luck decides 95 % of the variance of the result or more, beyond the error."""
    if luck.share.low < NEARLY_ALL:
        return
    sources = sorted(luck.sources.items(), key=lambda source: -source[1].value)
    most = f", most of it the {sources[0][0]}" if len(sources) > 1 else ""
    yield Finding(
        check="decided-by-luck",
        severity=Severity.WARNING,
        where=luck.where,
        sentence=f"{luck.about}, all {luck.players}: luck decides {format_reading(luck.share, Unit.CHANCE)} of the result "
        f"({luck.share.basis}){most}",
        evidence={"share": luck.share, "sources": luck.sources, "players": luck.players},
        suggestion="give players a choice after the luck that decides most, or more often",
    )

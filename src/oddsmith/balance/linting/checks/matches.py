"""What is selected, and what could have been: first matches, outcomes out of reach, effects without effect."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from oddsmith.balance.linting.findings import Finding, Severity, check
from oddsmith.balance.wording import as_number, shown
from oddsmith.exhibit import Effect, FirstMatch, Outcome
from oddsmith.figure import Unit
from oddsmith.text import percent

__all__: list[str] = []


@check("first-match-pays-less", Severity.WARNING, FirstMatch, "The first match pays less than another")
def _first_match_pays_less(match: FirstMatch) -> Iterator[Finding]:
    """Count the rolls or hands in which another category matches too, and would pay more than the first in order."""
    if match.share.low <= 0 or match.worst is None:
        return
    worst = match.worst
    given = f" ({match.circumstances})" if match.circumstances else ""
    lost = as_number(worst.better_worth - worst.worth)
    yield Finding(
        check="first-match-pays-less",
        severity=Severity.WARNING,
        where=match.where,
        sentence=f"{match.about}{given}: in {shown(match.share, Unit.CHANCE)} of all cases, {match.share.basis}, "
        f"the first match pays less than another: {worst.text} is {worst.selected} for {as_number(worst.worth)}, "
        f"and would be {worst.better} for {as_number(worst.better_worth)}",
        evidence={"share": match.share, "worst": worst, "circumstances": match.circumstances},
        suggestion=f"take the match that pays most, put {worst.better} before {worst.selected}, "
        f"or let {worst.selected} pay {lost} more",
    )


@check("unreachable", Severity.WARNING, Outcome, "Something that nobody can reach")
def _unreachable(outcome: Outcome) -> Iterator[Finding]:
    """Look for the one to whom it is most likely: where even that chance is 0, nobody can reach it."""
    if outcome.most > 0:
        return
    yield _extreme(
        outcome,
        "unreachable",
        f"cannot be reached, not even with {outcome.most_for}" if outcome.most_for else "cannot be reached",
        "bring it within reach, or take it out",
    )


@check("certain", Severity.WARNING, Outcome, "Something that is certain for everybody")
def _certain(outcome: Outcome) -> Iterator[Finding]:
    """Look for the one to whom it is least likely: where even that chance is 1, nothing is at stake."""
    if outcome.least < 1:
        return
    yield _extreme(
        outcome,
        "certain",
        f"is certain, even with {outcome.least_for}" if outcome.least_for else "is certain",
        "make it harder, or take the test out",
    )


def _extreme(outcome: Outcome, name: str, what: str, suggestion: str) -> Finding:
    reason = f": {outcome.reason}" if outcome.reason else ""
    return Finding(
        check=name,
        severity=Severity.NOTE if outcome.expected else Severity.WARNING,
        where=outcome.where,
        sentence=f"{outcome.about} {what}{reason}",
        evidence={
            "least": outcome.least,
            "least_for": outcome.least_for,
            "most": outcome.most,
            "most_for": outcome.most_for,
            "reason": outcome.reason,
        },
        suggestion=suggestion,
    )


@check("no-effect", Severity.WARNING, Effect, "An effect without effect")
def _no_effect(effect: Effect) -> Iterator[Finding]:
    """Compare what happens without it and with it: two equal distributions are one and the same."""
    without = _possible(effect.without)
    if without != _possible(effect.having):
        return
    outcomes = ", ".join(f"{name} {percent(chance)}" for name, chance in list(without.items())[:6])
    more = ", …" if len(without) > 6 else ""  # noqa: PLR2004  as many as are told
    yield Finding(
        check="no-effect",
        severity=Severity.WARNING,
        where=effect.where,
        sentence=f"{effect.about} changes nothing: with it and without it, {outcomes}{more}",
        evidence={"without": effect.without, "having": effect.having},
        suggestion="let it change a chance, or take it out",
    )


def _possible(chances: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return {name: chance for name, chance in chances.items() if chance}

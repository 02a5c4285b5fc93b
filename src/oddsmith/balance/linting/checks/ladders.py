"""Checks of ladders: a rarer category should be worth more, and a higher one should beat a lower one."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from oddsmith.balance.formatting import format_number
from oddsmith.balance.linting.findings import Finding, Severity, check
from oddsmith.exhibit import Example, Ladder, Rung, Sets
from oddsmith.text import format_percent


class _Category(NamedTuple):
    """A category that can occur."""

    name: str
    where: str
    chance: Fraction | None
    worst: Example
    best: Example


@check("rarer-scores-less", Severity.WARNING, Ladder, "A rarer category is worth less than a commoner one")
def _rarer_scores_less(ladder: Ladder) -> Iterator[Finding]:
    """Compare the worst with the worst, and the best with the best.

    If a rarer category is worth no more in either case, and less in one, the rarer hand is punished. Categories of
    which one has the wider range at both ends are not judged.
    """
    categories = _reachable_categories(ladder.rungs)
    for rare in categories:
        overpaid = [
            common for common in categories if _is_rarer(rare, common) and _is_worth_less(rare, common)
        ]
        if not overpaid:
            continue
        common = max(overpaid, key=lambda one: (one.best.worth, one.worst.worth))
        gap = max(_gap(rare, one) for one in overpaid)
        others = f" ({len(overpaid)} commoner ones are worth more)" if len(overpaid) > 1 else ""
        yield Finding(
            check="rarer-scores-less",
            severity=Severity.WARNING,
            where=rare.where,
            sentence=f"{ladder.about}: {rare.name} comes in {_format_chance(rare)} and is worth {_format_range(rare)}, "
            f"but {common.name}, which comes in {_format_chance(common)}, is worth {_format_range(common)}{others}",
            evidence={
                "rarer": _evidence(rare),
                "commoner": [_evidence(one) for one in overpaid],
            },
            suggestion=f"let {rare.name} be worth at least {format_number(gap)} more, or {common.name} less",
        )


@check("lower-beats-higher", Severity.WARNING, Ladder, "A lower category beats a higher one")
def _lower_beats_higher(ladder: Ladder) -> Iterator[Finding]:
    """Compare the worst case of each category with the best case of every category below it."""
    categories = _reachable_categories(ladder.rungs)
    for place, higher in enumerate(categories[:-1]):
        lower = max(categories[place + 1 :], key=_best_worth)
        if lower.best.worth <= higher.worst.worth:
            continue
        always = lower.worst.worth > higher.best.worth
        gap = lower.best.worth - higher.worst.worth
        yield Finding(
            check="lower-beats-higher",
            severity=Severity.WARNING,
            where=higher.where,
            sentence=f"{ladder.about}: {lower.name} ranks below {higher.name}, and "
            f"{'always beats' if always else 'can beat'} it: "
            f"{_format_example(lower.best)} against {_format_example(higher.worst)}",
            evidence={"higher": _evidence(higher), "lower": _evidence(lower), "always": always},
            suggestion=f"let {higher.name} be worth at least {format_number(gap)} more, or the best {lower.name} less",
        )


@check("set-ignored", Severity.WARNING, Sets, "A matched set counts for nothing, and a worse one wins")
def _set_ignored(sets: Sets) -> Iterator[Finding]:
    """Compare two cases of one category: the one with the better set must not be worth less."""
    better, worse = sets.better, sets.worse
    if better.worth >= worse.worth:
        return
    yield Finding(
        check="set-ignored",
        severity=Severity.WARNING,
        where=sets.where,
        sentence=f"{sets.about}: the worse {sets.category} wins, because what is matched counts for too little: "
        f"{_format_example(worse)} beats {_format_example(better)}",
        evidence={"category": sets.category, "better": better, "worse": worse},
        suggestion=f"count the matched set itself: the better one lacks {format_number(worse.worth - better.worth)}",
    )


def _reachable_categories(rungs: Sequence[Rung]) -> list[_Category]:
    return [
        _Category(rung.name, rung.where, rung.chance, rung.worst, rung.best)
        for rung in rungs
        if rung.worst is not None and rung.best is not None
    ]


def _is_rarer(one: _Category, other: _Category) -> bool:
    return one.chance is not None and other.chance is not None and one.chance < other.chance


def _is_worth_less(one: _Category, other: _Category) -> bool:
    ends = (one.worst.worth, one.best.worth), (other.worst.worth, other.best.worth)
    return ends[0] != ends[1] and all(mine <= its for mine, its in zip(*ends, strict=True))


def _gap(one: _Category, other: _Category) -> Fraction:
    return max(other.worst.worth - one.worst.worth, other.best.worth - one.best.worth)


def _best_worth(category: _Category) -> Fraction:
    return category.best.worth


def _format_chance(category: _Category) -> str:
    return format_percent(category.chance or Fraction(0))


def _format_range(category: _Category) -> str:
    if category.worst.worth == category.best.worth:
        return format_number(category.best.worth)
    return f"{format_number(category.worst.worth)} to {format_number(category.best.worth)}"


def _format_example(example: Example) -> str:
    return f"{example.text} ({format_number(example.worth)})"


def _evidence(category: _Category) -> dict[str, object]:
    return {"name": category.name, "chance": category.chance, "worst": category.worst, "best": category.best}

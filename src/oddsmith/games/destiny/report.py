"""Charts, figures and rule keys of the Destiny Deck for a report."""

from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Final

from oddsmith.cards import Suit
from oddsmith.chart import Chart, ChartKind, ReportContents, Series
from oddsmith.figure import Figure, Unit
from oddsmith.games.destiny.characters import CharacterInput
from oddsmith.games.destiny.figures import CheckDegree, CheckSuccess, ContestWin, ScoreMean
from oddsmith.games.destiny.model import Degree
from oddsmith.games.destiny.odds import totals
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.scoring import character_bonuses, skill_bonus
from oddsmith.points import Points

STEP: Final = 10
"""The distance between the points of a curve of totals, multiplied where that is more than `MOST_POINTS` points."""
MOST_POINTS: Final = 200
MOST_TOTAL: Final = 10_000_000
"""An upper bound of all totals."""
RARE: Final = Fraction(1, 10_000)
"""The chance below which a curve of totals ends."""
GAPS: Final = 21
KEYS: Final = (
    "hand_scores.*",
    "curve_linear",
    "curve_coefficient",
    "curve_exponent",
    "crimes.*.threshold",
    "critical_margin",
    "failure_margin",
)


def make_report(rules: Rules) -> ReportContents:
    """Return the charts, figures and keys of a ruleset; where hands may be exchanged, only totals as they are dealt."""
    keys = tuple(key for key in KEYS if rules.crimes or not key.startswith("crimes."))
    if rules.redraws.times:
        return ReportContents(charts=(_totals_chart(rules),), figures={}, keys=keys)
    return ReportContents(charts=tuple(_charts(rules)), figures=_figures(rules), keys=keys)


def _charts(rules: Rules) -> Iterator[Chart]:
    yield _totals_chart(rules)
    for name in _extremes(rules) if rules.crimes else ():
        yield _degrees_chart(name, rules)
    yield _contest_chart(rules)


def _totals_chart(rules: Rules) -> Chart:
    drawn = {name: totals(character_bonuses(outlaw, rules), rules) for name, outlaw in rules.outlaws.items()}
    steps = bisect_left(
        range(MOST_TOTAL // STEP),
        True,
        key=lambda step: all(one.at_least(Points(step * STEP)) < RARE for one in drawn.values()),
    )
    stride = ceil((steps + 1) / MOST_POINTS) * STEP
    places = range(0, steps * STEP + stride, stride)
    return Chart(
        title="Totals that are reached" + " as hands are dealt" * bool(rules.redraws.times),
        about="The chance of each outlaw to draw at least a total; at the threshold of a crime it is the chance to meet it.",
        kind=ChartKind.CURVES,
        unit=Unit.CHANCE,
        x_label="total",
        places=tuple(map(str, places)),
        series=tuple(
            Series(name=_words(name), values=tuple(one.at_least(Points(place)) for place in places))
            for name, one in drawn.items()
        ),
    )


def _extremes(rules: Rules) -> list[str]:
    """Return the outlaws with the highest and the lowest mean total."""
    means = {
        name: totals(character_bonuses(outlaw, rules), rules).mean for name, outlaw in rules.outlaws.items()
    }
    ordered = sorted(means, key=lambda name: (-means[name], name))
    return list(dict.fromkeys((ordered[0], ordered[-1])))


def _degrees_chart(name: str, rules: Rules) -> Chart:
    crimes = tuple(rules.crimes)
    figures = [
        CheckDegree(character=name, target=crime, degree=degree) for degree in Degree for crime in crimes
    ]
    readings = iter(CheckDegree.read_all(figures, rules))
    return Chart(
        title=f"How crimes go for {_words(name)}",
        about="All degrees of a check, by crime.",
        kind=ChartKind.STACKED,
        unit=Unit.CHANCE,
        x_label="crime",
        places=tuple(_words(crime) for crime in crimes),
        series=tuple(
            Series(name=_words(degree), values=tuple(next(readings).value for _ in crimes))
            for degree in Degree
        ),
    )


def _contest_chart(rules: Rules) -> Chart:
    """Return the chance of attackers of many levels against a defender of the middle level."""
    middle = (rules.max_level + 1) // 2
    levels = sorted(
        {1 + round(Fraction(place * (rules.max_level - 1), GAPS - 1)) for place in range(GAPS)} | {middle}
    )
    series = []
    for name, suits in (("in one suit", (Suit.CLUBS,)), ("in all four suits", tuple(Suit))):
        figures = [
            ContestWin(attacker=_specialist(level, suits, rules), defender=_specialist(middle, suits, rules))
            for level in levels
        ]
        series.append(
            Series(name=name, values=tuple(one.value for one in ContestWin.read_all(figures, rules)))
        )
    return Chart(
        title="Contests by skill gap",
        about=f"The chance of an attacker to win against a defender of level {middle}, ties and the same hand included.",
        kind=ChartKind.CURVES,
        unit=Unit.CHANCE,
        x_label="levels above the defender",
        places=tuple(str(level - middle) for level in levels),
        series=tuple(series),
    )


def _specialist(level: int, suits: tuple[Suit, ...], rules: Rules) -> CharacterInput:
    bonus = skill_bonus(level, rules)
    return CharacterInput(bonuses=dict.fromkeys(suits, bonus))


def _figures(rules: Rules) -> dict[str, Figure]:
    best, worst = (_extremes(rules) * 2)[:2]
    figures: dict[str, Figure] = {f"mean total, {_words(best)}": ScoreMean(character=best)}
    figures |= {
        f"{_words(crime)}, {_words(best)}": CheckSuccess(character=best, target=crime)
        for crime in rules.crimes
    }
    figures[f"{_words(best)} beats {_words(worst)}"] = ContestWin(attacker=best, defender=worst)
    figures |= {
        f"{_words(best)} beats the {_words(tier)} NPC": ContestWin(attacker=best, defender=tier)
        for tier in rules.npcs
    }
    return figures


def _words(name: str) -> str:
    return name.replace("_", " ")

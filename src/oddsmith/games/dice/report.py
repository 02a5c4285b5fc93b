"""Charts, figures and keys of Dice Hands for reports."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from oddsmith.chart import Chart, ChartKind, ReportContents, Series
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.games.dice.builds import format_name
from oddsmith.games.dice.figures import FirstMatchMissed, HandChance, RoundChance, ScoreMean
from oddsmith.games.dice.model import Build
from oddsmith.games.dice.odds import RollOdds, roll_odds
from oddsmith.games.dice.rules import Rules

MOST_ROUNDS: Final = 8
CURVE_POINTS: Final = 40
KEYS: Final = ("hands.*.base", "hands.*.multiplier", "first_target", "target_growth", "rerolls")


def make_report(rules: Rules) -> ReportContents:
    """Return the charts, figures and rules keys that a report on a ruleset shows."""
    return ReportContents(charts=tuple(_charts(rules)), figures=_figures(rules), keys=KEYS)


def _charts(rules: Rules) -> Iterator[Chart]:
    rolled = roll_odds(Build(dice=tuple(map(rules.die, rules.pool))), rules)
    hands = [name for name in rules.hands_in_order if name in rolled.hands]
    yield Chart(
        title="Hands of one roll",
        about=f"How often {_describe_pool(rules)} are scored as each hand, the strongest first.",
        kind=ChartKind.BARS,
        unit=Unit.CHANCE,
        x_label="hand",
        places=tuple(map(format_name, hands)),
        series=(Series(name="one roll", values=tuple(map(rolled.hands.probability, hands))),),
    )
    yield Chart(
        title="Scores that one roll reaches",
        about="The chance to reach each score without a reroll.",
        kind=ChartKind.CURVES,
        unit=Unit.CHANCE,
        x_label="score",
        places=tuple(map(str, _scores(rolled))),
        series=(Series(name="one roll", values=tuple(map(rolled.at_least, _scores(rolled)))),),
    )
    yield _rounds_chart(rolled, rules)


def _scores(rolled: RollOdds) -> list[int]:
    most = max(rolled.scores)
    return sorted({round(Fraction(place * most, CURVE_POINTS)) for place in range(CURVE_POINTS + 1)})


def _rounds_chart(rolled: RollOdds, rules: Rules) -> Chart:
    numbers = range(1, min(MOST_ROUNDS, rules.rounds) + 1)
    played = [RoundChance(round=number).read(rules) for number in numbers]
    return Chart(
        title="Rounds that are won with the first pool",
        about="The chance to reach each round's target with nothing bought: under best play with all rerolls, and with one roll.",
        kind=ChartKind.CURVES,
        unit=Unit.CHANCE,
        x_label="round",
        places=tuple(map(str, numbers)),
        series=(
            Series.of("best play", played),
            Series(
                name="one roll", values=tuple(rolled.at_least(rules.target(number)) for number in numbers)
            ),
        ),
        basis=max(played, key=_error).basis,
    )


def _error(reading: Reading) -> Fraction:
    return reading.error


def _figures(rules: Rules) -> dict[str, Figure]:
    commonest = rules.hands_in_order[-2:]
    return {
        "mean score of one roll": ScoreMean(),
        "mean score under best play": ScoreMean(rerolls=rules.rerolls),
        "a better hand is missed": FirstMatchMissed(),
        **{f"{format_name(name)} in one roll": HandChance(hand=name) for name in commonest},
        **{
            f"round {number} is won": RoundChance(round=number)
            for number in range(1, min(4, rules.rounds) + 1)
        },
    }


def _describe_pool(rules: Rules) -> str:
    return f"the {len(rules.pool)} dice that a run begins with"

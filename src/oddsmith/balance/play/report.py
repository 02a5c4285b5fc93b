"""The contents of a report on a game that has none of its own: charts and figures of play."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from oddsmith.balance.play.best import MOST_VALUED, read_best
from oddsmith.balance.play.figures import Advantage, Chosen, Drawn, Plies, Score, ScoreSpread, Win
from oddsmith.balance.play.luck import read_luck
from oddsmith.balance.play.statistics import (
    PlayStatistics,
    Series,
    make_series,
    play_lengths,
    read_statistics,
)
from oddsmith.balance.rule_keys import keys_of
from oddsmith.chart import Chart, ChartKind, ReportContents
from oddsmith.chart import Series as ChartSeries
from oddsmith.defaults.greedy import GREEDY
from oddsmith.figure import Basis, Figure, Reading, Unit
from oddsmith.rules import Ruleset

MOST_KEYS: Final = 6
"""The most numbers of the rules whose effect a report shows."""
MOST_BARS: Final = 15
"""The most bars of the lengths of games."""
MOST_ACTIONS: Final = 3
GAMES: Final = 200
NAME: Final = "at random"


def make_report(rules: Ruleset) -> ReportContents:
    """Return the charts, figures and keys of a report on play at random, with the least number of seats."""
    series = make_series(rules, games=GAMES)
    found = read_statistics(series)
    return ReportContents(
        charts=tuple(_charts(series, found)),
        figures=_figures(series, found),
        keys=tuple(list(keys_of(rules))[:MOST_KEYS]),
    )


def _figures(series: Series, found: PlayStatistics) -> dict[str, Figure]:
    of_all: dict[str, Figure] = {
        "length in plies": Plies(games=GAMES),
        "score of seat 0": Score(games=GAMES),
        "spread of the score of seat 0": ScoreSpread(games=GAMES),
    }
    if series.seats > 1:
        seats: dict[str, Figure] = {
            "seat 0 wins": Win(games=GAMES),
            "advantage of seat 0": Advantage(games=GAMES),
            "no seat wins alone": Drawn(games=GAMES),
        }
        return seats | of_all
    actions = {
        f"{name} is chosen": Chosen(action=name, games=GAMES) for name in list(found.actions)[:MOST_ACTIONS]
    }
    return {"seat 0 wins": Win(games=GAMES), **of_all, **actions}


def _charts(series: Series, found: PlayStatistics) -> Iterator[Chart]:
    yield Chart(
        title="Who wins",
        about=f"How often each of {series.seats} seats wins where all play at random; a shared win counts as a share.",
        kind=ChartKind.BARS,
        unit=Unit.CHANCE,
        x_label="seat",
        places=tuple(f"seat {seat}" for seat in range(series.seats)),
        series=(ChartSeries.of(NAME, found.wins),),
        basis=found.basis,
    )
    yield _lengths_chart(play_lengths(series))
    if found.actions:
        yield _actions_chart(series, found)
    yield from _luck_chart(series)


def _lengths_chart(lengths: Mapping[int, int]) -> Chart:
    least, most, total = min(lengths), max(lengths), sum(lengths.values())
    width = max(1, -(-(most + 1 - least) // MOST_BARS))
    counts: dict[str, int] = {}
    for first in range(least, most + 1, width):
        last = first + width - 1
        place = str(first) if width == 1 else f"{first}–{last}"
        counts[place] = sum(lengths.get(length, 0) for length in range(first, last + 1))
    return Chart(
        title="How long a game lasts",
        about=f"Moves of seats and of luck, in {total:,} games at random.",
        kind=ChartKind.BARS,
        unit=Unit.CHANCE,
        x_label="plies",
        places=tuple(counts),
        series=(ChartSeries(name=NAME, values=tuple(Fraction(count, total) for count in counts.values())),),
        basis=Basis.ESTIMATED,
    )


def _actions_chart(series: Series, found: PlayStatistics) -> Chart:
    best = read_best(make_series(series.rules, play=GREEDY, games=MOST_VALUED))
    nothing = Reading(Fraction(0))
    return Chart(
        title="What is possible, chosen and best",
        about="In games at random, the share of choices in which each kind of action is possible, and how often it is chosen "
        "then; in games of greedy, how often it is best where another kind is possible.",
        kind=ChartKind.BARS,
        unit=Unit.CHANCE,
        x_label="action",
        places=tuple(found.actions),
        series=(
            ChartSeries.of("possible", (share.possible for share in found.actions.values())),
            ChartSeries.of("chosen", (share.chosen for share in found.actions.values())),
            ChartSeries.of("best", (best[name].best if name in best else nothing for name in found.actions)),
        ),
        basis=Basis.ESTIMATED,
    )


def _luck_chart(series: Series) -> Iterator[Chart]:
    found = read_luck(series)
    if found.total is None or not found.sources:
        return
    places = {"all luck": found.total, **found.sources}
    yield Chart(
        title="What luck decides",
        about="The share of the variance of the result that luck adds, in all and by its source; the rest is decided by choices.",
        kind=ChartKind.BARS,
        unit=Unit.CHANCE,
        x_label="luck",
        places=tuple(places),
        series=(ChartSeries.of(NAME, places.values()),),
        basis=found.total.basis,
    )

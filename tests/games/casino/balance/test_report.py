"""What a report shows of Casino is counted in games, and says how far it may be off."""

from typing import Any

import pytest

from oddsmith.figure import Basis
from oddsmith.games.casino import figures
from oddsmith.games.casino.game_statistics import GameStatistics, Habit, collect_statistics
from oddsmith.games.casino.report import make_report
from oddsmith.games.casino.rules import DEFAULT, Rules

pytestmark = pytest.mark.usefixtures("plain")


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play three decks, however many are asked for."""

    def cached_statistics(rules: Rules, players: int, habit: Habit, *_: Any) -> GameStatistics:  # noqa: ANN401  how many, and of which seed
        return collect_statistics(rules, players, habit=habit, decks=3)

    monkeypatch.setattr(figures, "cached_statistics", cached_statistics)


def test_seats_share_every_victory_and_all_charts_are_estimates() -> None:
    """At every table the shares add up to one, and each has an error."""
    shown = make_report(DEFAULT)
    seats = [chart.series[0] for chart in shown.charts if chart.title.startswith("Who wins among")]

    assert [1, 1, 1] == [sum(series.values) for series in seats]
    assert [2, 3, 4] == [len(series.errors) for series in seats]
    assert {Basis.ESTIMATED} == {chart.basis for chart in shown.charts}


def test_points_by_source_are_all_points() -> None:
    """What is stacked is what a seat makes, two seats and no more."""
    (stacked,) = [chart for chart in make_report(DEFAULT).charts if chart.title == "Where points come from"]
    made = [figures.PointsMean(seat=seat).read(DEFAULT).value for seat in range(2)]

    assert made == [sum(series.values[seat] for series in stacked.series) for seat in range(2)]

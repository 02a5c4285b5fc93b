"""The report on Casino is made from games and states its errors."""

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
    """Play three decks, whatever number is requested."""

    def cached_statistics(rules: Rules, players: int, habit: Habit, *_: Any) -> GameStatistics:  # noqa: ANN401  number of decks and seed
        return collect_statistics(rules, players, habit=habit, decks=3)

    monkeypatch.setattr(figures, "cached_statistics", cached_statistics)


def test_seats_share_every_victory_and_all_charts_are_estimates() -> None:
    """With any number of players the shares add up to one, and each has an error."""
    report = make_report(DEFAULT)
    seats = [chart.series[0] for chart in report.charts if chart.title.startswith("Who wins among")]

    assert [1, 1, 1] == [sum(series.values) for series in seats]
    assert [2, 3, 4] == [len(series.errors) for series in seats]
    assert {Basis.ESTIMATED} == {chart.basis for chart in report.charts}


def test_points_by_source_add_up() -> None:
    """The stacked parts are the points of each of two seats."""
    (stacked,) = [chart for chart in make_report(DEFAULT).charts if chart.title == "Where points come from"]
    made = [figures.PointsMean(seat=seat).read(DEFAULT).value for seat in range(2)]

    assert made == [sum(series.values[seat] for series in stacked.series) for seat in range(2)]

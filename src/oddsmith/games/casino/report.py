"""Charts, figures and rule keys of Casino for a report; all seats play greedily."""

from collections.abc import Iterator
from typing import Final

from oddsmith.chart import Chart, ChartKind, ReportContents, Series
from oddsmith.figure import Basis, Figure, Unit
from oddsmith.games.casino.figures import (
    BuildsMade,
    BuildsTakenByOthers,
    BuildsTakenByOwner,
    CapturesMean,
    MovesMean,
    PointsMean,
    SeatWin,
    Source,
    SweepsMean,
)
from oddsmith.games.casino.model import MoveKind
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules

KEYS: Final = ("capture_targets", "sweep_points")


def make_report(rules: Rules) -> ReportContents:
    """Return the charts, figures and keys of a ruleset."""
    return ReportContents(charts=tuple(_charts(rules)), figures=_figures(), keys=KEYS)


def _charts(rules: Rules) -> Iterator[Chart]:
    for players in range(FEWEST_SEATS, MOST_SEATS + 1):
        yield _seats(players, rules)
    yield Chart(
        title="Where points come from",
        about="The mean points of each seat in a game of two, by what they are for.",
        kind=ChartKind.STACKED,
        unit=Unit.NUMBER,
        x_label="seat",
        places=tuple(f"seat {seat}" for seat in range(FEWEST_SEATS)),
        series=tuple(
            Series.of(
                source.replace("_", " "),
                [PointsMean(seat=seat, source=source).read(rules) for seat in range(FEWEST_SEATS)],
            )
            for source in Source
        ),
        basis=Basis.ESTIMATED,
    )
    yield Chart(
        title="What moves are made",
        about="The mean number of moves of each kind in a game of two.",
        kind=ChartKind.BARS,
        unit=Unit.NUMBER,
        x_label="move",
        places=tuple(kind.replace("_", " ") for kind in MoveKind),
        series=(Series.of("moves", [MovesMean(kind=kind).read(rules) for kind in MoveKind]),),
        basis=Basis.ESTIMATED,
    )


def _seats(players: int, rules: Rules) -> Chart:
    wins = [SeatWin(seat=seat, players=players).read(rules) for seat in range(players)]
    return Chart(
        title=f"Who wins among {players}",
        about="How often each seat wins when all play alike; seat 0 leads.",
        kind=ChartKind.BARS,
        unit=Unit.CHANCE,
        x_label="seat",
        places=tuple(f"seat {seat}" for seat in range(players)),
        series=(Series.of("wins", wins),),
        basis=Basis.ESTIMATED,
    )


def _figures() -> dict[str, Figure]:
    return {
        "the leading seat wins, of two": SeatWin(seat=0),
        "the leading seat wins, of four": SeatWin(seat=0, players=MOST_SEATS),
        "builds made": BuildsMade(),
        "builds taken by their owner": BuildsTakenByOwner(),
        "builds taken by others": BuildsTakenByOthers(),
        "captures": CapturesMean(),
        "sweeps": SweepsMean(),
    }

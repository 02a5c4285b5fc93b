"""`--plot` draws a chart of the answer."""

from pathlib import Path

from oddsmith.cards import Suit
from tests.cli.running import run

ODDS = ("destiny", "odds", "bank_robbery", "--outlaw", "calamity_rose")


def test_a_chart_of_one_total(folder: Path) -> None:
    """If every hand has the same total, the chart has one bar."""
    nothing = [f"--bonus={suit}=-500" for suit in Suit]
    result = run("destiny", "odds", "0", *nothing, "--plot", "odds.svg")

    assert "0 –  100 %  " + "█" * 40 == result.lines[-1]
    assert ["odds.svg"] == [made.name for made in folder.iterdir()]

"""`--plot` draws a chart beside the answer."""

import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from oddsmith.cards import Suit
from tests.cli.running import run

ODDS = ("destiny", "odds", "bank_robbery", "--outlaw", "calamity_rose")


def test_a_chart_is_an_svg(folder: Path) -> None:
    """The file is XML with an svg at its root, and the answer is the same as without."""
    said = run(*ODDS, "--plot", "odds.svg")

    assert run(*ODDS) == said
    assert "{http://www.w3.org/2000/svg}svg" == ET.parse(folder / "odds.svg").getroot().tag  # noqa: S314  our own file


def test_a_chart_is_the_same_every_time(folder: Path) -> None:
    """No date and no chance are in the file; drawing again replaces it."""
    drawn = []
    for _ in range(2):
        run(*ODDS, "--plot", "odds.svg")
        drawn.append((folder / "odds.svg").read_bytes())

    assert drawn[0] == drawn[1]


def test_a_chart_is_a_png(folder: Path) -> None:
    """The file opens as a picture; the ending may be in capitals, the name may have brackets."""
    run(*ODDS, "--plot", "[red].PNG", "--json")
    with Image.open(folder / "[red].PNG") as picture:
        kind, size = picture.format, picture.size

    assert ("PNG", (800, 450)) == (kind, size)


def test_a_chart_of_one_total(folder: Path) -> None:
    """Where every hand totals nothing, there is one bar, and it says so."""
    nothing = [f"--bonus={suit}=-500" for suit in Suit]
    said = run("destiny", "odds", "0", *nothing, "--plot", "odds.svg")

    assert "0 –  100 %  " + "█" * 40 == said.lines[-1]
    assert ["odds.svg"] == [made.name for made in folder.iterdir()]


def test_a_chart_needs_matplotlib(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, the refusal says what to install."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    said = run(*ODDS, "--plot", "odds.svg")

    assert (2, "", "error: charts need matplotlib: install oddsmith[plot]\n") == said
    assert [] == [*folder.iterdir()]

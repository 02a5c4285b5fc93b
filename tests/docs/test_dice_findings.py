"""The findings about Dice Hands are what is computed: every exact table of the page is made anew."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.dice_tables import TABLES, filled

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "dice-findings.md"


def cell(name: str, row: str, column: str) -> str:
    """Return what stands in a table."""
    lines = [line.strip("| ").split(" | ") for line in TABLES[name]().splitlines()]
    return next(line for line in lines if line[0] == row)[lines[0].index(column)]


def test_tables_are_what_is_computed(up_to_date: Callable[[Path, str], None]) -> None:
    """Scores, frequencies and chances stand in the page as the rules make them."""
    up_to_date(PAGE, filled(PAGE.read_text(encoding="utf-8")))


def test_every_table_has_its_place() -> None:
    """The page has a place for each table, and no other."""
    places = re.findall(r"^<!-- exact: ([a-z-]+) -->$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(TABLES) == sorted(places)


@pytest.mark.parametrize(
    ("row", "column", "written"),
    [
        ("pyramid", "10 dice", "2440"),
        ("full run", "6 dice", "454"),
        ("large straight", "5 dice", "180, 195"),
        ("small straight", "5 dice", "100, 110, 120"),
        ("pair", "5 dice", "18–33"),
        ("all even", "6 dice", "unreachable"),
    ],
)
def test_ranges_are_those_of_the_errata(row: str, column: str, written: str) -> None:
    """What hands score at level 0 is what the errata say, whatever the source printed."""
    assert written == cell("ranges", row, column)


def test_frequencies_are_those_of_the_rules_page() -> None:
    """Five dice make 300 full houses of 7776 rolls, six none of all even."""
    assert "300 (3.86 %)" == cell("frequencies", "full house", "5 dice")
    assert "–" == cell("frequencies", "all even", "6 dice")

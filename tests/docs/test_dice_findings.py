"""The findings about Dice Hands are what is computed."""

import pytest

from tests.docs.dice_tables import TABLES
from tests.docs.exact_tables import cell


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
    assert written == cell(TABLES["ranges"](), row, column)


def test_frequencies_are_those_of_the_rules_page() -> None:
    """Five dice make 300 full houses of 7776 rolls, six none of all even."""
    assert "300 (3.86 %)" == cell(TABLES["frequencies"](), "full house", "5 dice")
    assert "–" == cell(TABLES["frequencies"](), "all even", "6 dice")

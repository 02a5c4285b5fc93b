"""The findings about Dice Hands agree with the game."""

import pytest

from tests.docs.dice_tables import TABLES
from tests.docs.exact_tables import cell_of


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
def test_ranges_agree_with_the_errata(row: str, column: str, written: str) -> None:
    """Scores of hands at level 0, where the source document is wrong."""
    assert written == cell_of(TABLES["ranges"](), row, column)


def test_frequencies_agree_with_the_rules_page() -> None:
    """Five dice make 300 full houses of 7776 rolls, six none of all even."""
    assert "300 (3.86 %)" == cell_of(TABLES["frequencies"](), "full house", "5 dice")
    assert "–" == cell_of(TABLES["frequencies"](), "all even", "6 dice")

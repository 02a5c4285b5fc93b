"""Pages of findings are what is computed: every exact table of them is made anew."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.docs import dice_tables, fate_tables
from tests.docs.exact_tables import filled, places

FOLDER: Final = Path(__file__).parents[2] / "docs" / "explanation"
PAGES: Final = {"dice-findings.md": dice_tables.TABLES, "fate-findings.md": fate_tables.TABLES}

Tables = Mapping[str, Callable[[], str]]


@pytest.mark.parametrize(("page", "tables"), PAGES.items(), ids=PAGES)
def test_tables_are_what_is_computed(
    page: str, tables: Tables, up_to_date: Callable[[Path, str], None]
) -> None:
    """Scores, frequencies, chances and abilities stand in the page as the rules make them."""
    up_to_date(FOLDER / page, filled((FOLDER / page).read_text(encoding="utf-8"), tables))


@pytest.mark.parametrize(("page", "tables"), PAGES.items(), ids=PAGES)
def test_every_table_has_its_place(page: str, tables: Tables) -> None:
    """The page has a place for each table, and no other."""
    assert sorted(tables) == sorted(places((FOLDER / page).read_text(encoding="utf-8")))

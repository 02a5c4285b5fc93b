"""Every exact table in the pages of findings is computed again."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.docs import dice_tables, fate_tables
from tests.docs.exact_tables import fill_tables, table_names

FOLDER: Final = Path(__file__).parents[2] / "docs" / "explanation"
PAGES: Final = {"dice-findings.md": dice_tables.TABLES, "fate-findings.md": fate_tables.TABLES}

Tables = Mapping[str, Callable[[], str]]


@pytest.mark.parametrize(("page", "tables"), PAGES.items(), ids=PAGES)
def test_tables_agree_with_the_rules(
    page: str, tables: Tables, check_page: Callable[[Path, str], None]
) -> None:
    """Scores, frequencies, chances and abilities."""
    check_page(FOLDER / page, fill_tables((FOLDER / page).read_text(encoding="utf-8"), tables))


@pytest.mark.parametrize(("page", "tables"), PAGES.items(), ids=PAGES)
def test_the_page_has_exactly_the_computed_tables(page: str, tables: Tables) -> None:
    assert sorted(tables) == sorted(table_names((FOLDER / page).read_text(encoding="utf-8")))

"""The page about design files has the lines of logs, the exhibits and every key of the files."""

import re
from collections.abc import Callable
from pathlib import Path

from oddsmith.balance.linting import claims
from oddsmith.balance.sweeping import plan, sweep_files
from oddsmith.balance.tuning import targets
from oddsmith.balance.tuning.targets import COMPARISON_KEYS
from oddsmith.registry import mechanic_names
from tests.docs.design_tables import fill_tables, games_in

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "design-files.md"


def test_lines_and_exhibits_agree_with_the_source(check_page: Callable[[Path, str], None]) -> None:
    """Types, keys, what they expect and their defaults."""
    check_page(PAGE, fill_tables(PAGE.read_text(encoding="utf-8")))


def test_every_game_has_its_lines_in_the_page() -> None:
    assert sorted(mechanic_names()) == sorted(games_in(PAGE.read_text(encoding="utf-8")))


def test_every_key_of_a_file_is_in_its_table() -> None:
    """The page names every key that the parser accepts."""
    text = PAGE.read_text(encoding="utf-8")
    named = {
        key
        for row in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
        for key in re.findall(r"`([a-z_.]+)`", row)
    }
    taken = {
        *COMPARISON_KEYS,
        *claims.KEYS,
        *targets.KEYS,
        *(f"change.{key}" for key in targets.CHANGE_KEYS),
        *sweep_files.KEYS,
        *(f"vary.{key}" for key in plan.KEYS),
    }

    assert set() == taken - named
    assert all(f"`{key}`" in text for key in plan.Sample.__struct_fields__)

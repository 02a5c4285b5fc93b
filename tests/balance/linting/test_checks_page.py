"""The page about checks has every check with an example that trips it."""

import re
from pathlib import Path

import pytest

from oddsmith.balance.design_files import gather_designs
from oddsmith.balance.linting.claims import exhibits_of
from oddsmith.balance.linting.findings import known_checks
from oddsmith.balance.linting.lint import lint

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "checks.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([a-z-]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def test_the_page_has_exactly_one_section_for_each_check() -> None:
    assert sorted(known_checks()) == sorted(SECTIONS)


@pytest.mark.parametrize("check", sorted(SECTIONS))
def test_every_section_has_an_example_that_trips_its_check(check: str, tmp_path: Path) -> None:
    """Each example below the name of a check is found by it."""
    [example] = re.findall(r"^```toml\n(.*?)^```$", SECTIONS[check], re.MULTILINE | re.DOTALL)
    path = tmp_path / "example.toml"
    path.write_text(example, encoding="utf-8")
    [design] = gather_designs([str(path)])
    claims = [exhibit for one in design.claims for exhibit in exhibits_of(one, design.rules)]

    assert check in {finding.check for finding in lint(design.rules, claims=claims, only=[check]).findings}

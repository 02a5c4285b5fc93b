"""The workbench: settings change exact odds at once, and links, charts and downloads contain them."""

import csv
import re
import tomllib
from fractions import Fraction
from io import StringIO
from typing import Final

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from oddsmith.games import destiny
from oddsmith.games.destiny.odds import degree_odds, success_chance
from tests.web.visitors import Visitors

HEADLINES: Final = {
    "destiny": "Succeeds",
    "duel": "Chance to win",
    "dice": "Reaches the target",
    "fate": "Reaches the target",
    "casino": "After the safest move, the next can capture",
}
ROSE: Final = destiny.DEFAULT.outlaws["calamity_rose"]
THRESHOLD: Final = destiny.DEFAULT.crimes["bank_robbery"].threshold


def percent(chance: Fraction) -> str:
    """Format a chance as the pages do."""
    return f"{float(100 * chance):.2f} %"


def rose_with(lockpicking: int) -> destiny.Bonuses:
    """Return the bonuses of Calamity Rose with another level of lockpicking; 0 removes the skill."""
    others = {skill: level for skill, level in ROSE.skills.items() if skill != "lockpicking"}
    skills = others | ({"lockpicking": lockpicking} if lockpicking else {})
    return destiny.character_bonuses(
        destiny.Character(skills=skills, items=ROSE.items, location=ROSE.location)
    )


def headline(page: Page) -> Locator:
    """Return the headline number."""
    return page.locator(".headline")


def text_of(coming: Download) -> str:
    """Return the text of a downloaded file."""
    return coming.path().read_text(encoding="utf-8")


@pytest.mark.parametrize("game", HEADLINES)
def test_every_mechanic_has_a_workbench(page: Page, game: str) -> None:
    """Each shows its headline number and its charts."""
    page.goto("/workbench")
    page.locator(f"a[href='/workbench/{game}']").click()

    expect(headline(page)).to_contain_text(re.compile(rf"{HEADLINES[game]}.*\d", re.DOTALL))
    expect(page.locator("[data-drawn]").first).to_be_visible()


def test_a_slider_changes_numbers_chart_and_address_and_the_link_restores_them(
    visitors: Visitors, page: Page
) -> None:
    """The numbers are exact, and a second visitor with the same address sees the same."""
    page.goto("/workbench/destiny")
    expect(headline(page)).to_contain_text(
        percent(success_chance(destiny.character_bonuses(ROSE), THRESHOLD))
    )
    chart = page.locator("[data-drawn]").first
    drawn = chart.get_attribute("data-drawn")
    page.get_by_role("slider", name="Lockpicking").fill("80")

    moved = percent(success_chance(rose_with(80), THRESHOLD))
    expect(headline(page)).to_contain_text(moved)
    expect(chart).not_to_have_attribute("data-drawn", drawn or "")
    expect(page).to_have_url(re.compile(r"\?s=[\w-]+$"))
    other = visitors.open_page()
    other.goto(page.url)
    expect(headline(other)).to_contain_text(moved)
    expect(other.get_by_role("slider", name="Lockpicking")).to_have_value("80")


def test_two_settings_are_compared(page: Page) -> None:
    """Both numbers and their difference are shown."""
    page.goto("/workbench/destiny")
    page.get_by_role("switch", name="Compare two").check()
    page.get_by_role("region", name="Setting B").get_by_role("slider", name="Lockpicking").fill("0")

    expect(headline(page)).to_contain_text(
        percent(success_chance(destiny.character_bonuses(ROSE), THRESHOLD))
    )
    expect(headline(page)).to_contain_text(percent(success_chance(rose_with(0), THRESHOLD)))
    expect(page.get_by_role("columnheader", name="B − A").first).to_be_visible()


def test_downloaded_numbers_are_exact(page: Page) -> None:
    """The CSV has the exact fractions that Python computes."""
    page.goto("/workbench/destiny")
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download as CSV: How well it goes").click()
    rows = list(csv.reader(StringIO(text_of(coming.value))))

    counted = degree_odds(destiny.character_bonuses(ROSE), THRESHOLD)
    assert [
        [degree.value.replace("_", " ").capitalize(), f"{counted.probability(degree)}"]
        for degree in (
            destiny.Degree.CRITICAL_SUCCESS,
            destiny.Degree.SUCCESS,
            destiny.Degree.FAILURE,
            destiny.Degree.CRITICAL_FAILURE,
        )
    ] == [[name, f"{Fraction(exact)}"] for name, _, exact in rows[1:]]


def test_a_chart_is_downloaded_as_svg(page: Page) -> None:
    """The file is complete and loads nothing."""
    page.goto("/workbench/dice")
    with page.expect_download() as coming:
        page.get_by_role("button", name=re.compile("^Download as SVG")).first.click()
    picture = text_of(coming.value)

    assert picture.startswith("<svg")
    assert "</svg>" in picture
    assert "<script" not in picture
    assert "<image" not in picture


def test_rules_are_downloaded_as_toml_with_changes(page: Page) -> None:
    page.goto("/workbench/dice")
    page.get_by_role("button", name=re.compile("^All rules")).click()
    page.get_by_role("spinbutton", name="First target").fill("61")
    page.get_by_role("button", name="Done").click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download TOML").click()

    assert 61 == tomllib.loads(text_of(coming.value))["first_target"]


def test_invalid_rules_are_reported_at_their_field(visitors: Visitors, page: Page) -> None:
    """A valid value removes the error."""
    page.goto("/workbench/destiny")
    page.get_by_role("button", name=re.compile("^All rules")).click()
    field = page.get_by_role("dialog").get_by_role("spinbutton", name="Critical margin")
    with visitors.allow_complaints("400"):
        field.fill("-1")

        expect(field).to_have_attribute("aria-invalid", "true")
        field.fill("90")
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_a_truncated_link_is_reported(page: Page) -> None:
    """The page shows the default setting."""
    page.goto("/workbench/fate?s=eyJhIjp7InMi")

    expect(page.get_by_role("alert")).to_contain_text("This link cannot be read")
    expect(headline(page)).to_contain_text("Reaches the target")

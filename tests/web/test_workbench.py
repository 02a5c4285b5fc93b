"""The workbench: what is moved changes the exact odds at once, and a link, a picture and a table keep them."""

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
from tests.web.browsing import Visitors

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
    """Return a chance as the pages show it."""
    return f"{float(100 * chance):.2f} %"


def rose_with(lockpicking: int) -> destiny.Bonuses:
    """Return what Calamity Rose brings along with another level of a skill, 0 being none."""
    others = {skill: level for skill, level in ROSE.skills.items() if skill != "lockpicking"}
    skills = others | ({"lockpicking": lockpicking} if lockpicking else {})
    return destiny.character_bonuses(
        destiny.Character(skills=skills, items=ROSE.items, location=ROSE.location)
    )


def headline(page: Page) -> Locator:
    """Return the one number that is looked at."""
    return page.locator(".headline")


def text_of(coming: Download) -> str:
    """Return what a downloaded file says."""
    return coming.path().read_text(encoding="utf-8")


@pytest.mark.parametrize("game", HEADLINES)
def test_every_mechanic_lies_on_the_workbench(page: Page, game: str) -> None:
    """Each shows its one number and its charts, with how certain they are."""
    page.goto("/workbench")
    page.locator(f"a[href='/workbench/{game}']").click()

    expect(headline(page)).to_contain_text(re.compile(rf"{HEADLINES[game]}.*\d", re.DOTALL))
    expect(page.locator("[data-drawn]").first).to_be_visible()


def test_a_slider_changes_numbers_chart_and_address_and_the_link_brings_them_back(
    visitors: Visitors, page: Page
) -> None:
    """What is moved is counted anew, exactly; who opens the address sees the same."""
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
    other = visitors.arrive()
    other.goto(page.url)
    expect(headline(other)).to_contain_text(moved)
    expect(other.get_by_role("slider", name="Lockpicking")).to_have_value("80")


def test_two_settings_are_compared(page: Page) -> None:
    """Both numbers and their difference stand side by side."""
    page.goto("/workbench/destiny")
    page.get_by_role("switch", name="Compare two").check()
    page.get_by_role("region", name="Setting B").get_by_role("slider", name="Lockpicking").fill("0")

    expect(headline(page)).to_contain_text(
        percent(success_chance(destiny.character_bonuses(ROSE), THRESHOLD))
    )
    expect(headline(page)).to_contain_text(percent(success_chance(rose_with(0), THRESHOLD)))
    expect(page.get_by_role("columnheader", name="B − A").first).to_be_visible()


def test_numbers_are_downloaded_as_they_are_counted(page: Page) -> None:
    """The CSV has the counts that Python has, to the last hand."""
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


def test_a_chart_is_downloaded_as_a_picture(page: Page) -> None:
    """The SVG is a whole one, and loads nothing."""
    page.goto("/workbench/dice")
    with page.expect_download() as coming:
        page.get_by_role("button", name=re.compile("^Download as SVG")).first.click()
    picture = text_of(coming.value)

    assert picture.startswith("<svg")
    assert "</svg>" in picture
    assert "<script" not in picture
    assert "<image" not in picture


def test_rules_are_downloaded_as_toml_with_what_was_changed(page: Page) -> None:
    """Rules that were changed in the form are in the text, and in the odds."""
    page.goto("/workbench/dice")
    page.get_by_role("button", name=re.compile("^All rules")).click()
    page.get_by_role("spinbutton", name="First target").fill("61")
    page.get_by_role("button", name="Done").click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download TOML").click()

    assert 61 == tomllib.loads(text_of(coming.value))["first_target"]


def test_rules_that_do_not_validate_are_said_where_they_are(visitors: Visitors, page: Page) -> None:
    """The field has the reason; the odds come back when it is right."""
    page.goto("/workbench/destiny")
    page.get_by_role("button", name=re.compile("^All rules")).click()
    field = page.get_by_role("dialog").get_by_role("spinbutton", name="Critical margin")
    with visitors.expecting("400"):
        field.fill("-1")

        expect(field).to_have_attribute("aria-invalid", "true")
        field.fill("90")
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_a_link_that_is_cut_off_is_said(page: Page) -> None:
    """A link that cannot be read shows the usual setting, and says so."""
    page.goto("/workbench/fate?s=eyJhIjp7InMi")

    expect(page.get_by_role("alert")).to_contain_text("This link cannot be read")
    expect(headline(page)).to_contain_text("Reaches the target")

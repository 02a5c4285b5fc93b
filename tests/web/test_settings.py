"""Settings and dialogs: keyboard control, stored values, and focus."""

import re

from playwright.sync_api import Page, expect

from tests.web.gestures import reach
from tests.web.visitors import Visitors


def test_colours_and_motion_are_stored(page: Page) -> None:
    """Settings apply at once and after a reload; sound is off by default."""
    page.goto("/")
    body = page.locator("body")
    light = body.evaluate("body => getComputedStyle(body).backgroundColor")
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Settings")
    expect(dialog.get_by_role("checkbox", name="Play sounds")).not_to_be_checked()
    dialog.get_by_label("Colours").select_option("Dark")
    dialog.get_by_label("Movement").select_option("Reduced")
    dialog.get_by_label("Your name at tables").fill("Calamity Rose")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(body).not_to_have_css("background-color", light)
    dialog.get_by_role("button", name="Close").last.click()
    page.reload()

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("data-motion", "reduced")
    expect(body).not_to_have_css("background-color", light)
    page.goto("/new/dice")
    expect(page.get_by_role("textbox", name="Your name")).to_have_value("Calamity Rose")


def test_colours_follow_the_system_unless_set(visitors: Visitors) -> None:
    shades = []
    for dark in (False, True):
        page = visitors.open_page(dark=dark)
        page.goto("/")
        ground = page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
        shades.append(sum(float(part) for part in re.findall(r"[\d.]+", ground)[:3]))

    assert shades[0] > shades[1]


def test_a_dialog_traps_the_focus_and_restores_it(page: Page) -> None:
    """Tab stays inside, Escape closes, and the focus is where it was before."""
    page.goto("/")
    gear = page.get_by_role("button", name="Settings")
    reach(page, gear)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(gear).to_be_focused()


def test_the_first_tab_stop_skips_the_menu(page: Page) -> None:
    page.goto("/matches")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the table")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.get_by_role("main")).to_be_focused()

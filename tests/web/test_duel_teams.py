"""A team duel in the browser: splits and targets by click and by keyboard, to the end of a duel (§9)."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.servers import RunningServer, Seat
from tests.web.visitors import Visitors

SHORT: Final = {"player_hp": 60, "teams": {"size": 2}}
"""Rules of a team duel of a few rounds."""


@pytest.fixture
def seat(server: RunningServer) -> Seat:
    """Open a team duel with three bots and join it."""
    bots = ("best_trade", "all_attack", "random")
    return server.join(server.open_match("duel", None, *bots, rules=SHORT, practice="teams"))


def cards(page: Page, name: str) -> Locator:
    """Return the cards on one side of the split."""
    return page.get_by_role("region", name=name).locator("[data-place]")


def test_a_team_duel_is_fought_by_mouse_and_keyboard(visitors: Visitors, seat: Seat) -> None:
    """A card and a target by click, then all by keys; the fighters are on the screen with their hit points, to the end."""
    page = visitors.open_seat(seat)
    expect(cards(page, "You: Attack")).to_have_count(5)
    expect(page.get_by_role("meter")).to_have_count(4)
    cards(page, "You: Attack").first.click()
    expect(cards(page, "You: Defence")).to_have_count(1)
    expect(page.get_by_role("button", name="Attack all_attack")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Attack random").click()
    expect(page.get_by_role("button", name="Attack random")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("t")
    expect(page.get_by_role("button", name="Attack all_attack")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("t")
    page.get_by_role("button", name="Fight").click()
    expect(page.get_by_text("Round 2 of 20")).to_be_visible()
    expect(page.get_by_role("region", name="You", exact=True)).to_contain_text("to random, took")
    result = page.get_by_role("region", name=re.compile("^(Victory|Defeat|Draw)"))
    fight = page.get_by_role("button", name="Fight")
    for _ in range(20):
        expect(
            result.or_(fight).or_(page.get_by_text("You are knocked out. Your side")).first
        ).to_be_visible()
        if result.is_visible() or not fight.is_visible():
            break
        page.keyboard.press("a")
        page.keyboard.press("Enter")
        expect(fight.and_(page.locator(":enabled")).or_(result).first).to_be_visible()

    expect(result).to_be_visible()
    expect(page.get_by_role("heading", name="The match is over")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_all_fighters_of_four_a_side_are_on_the_screen(
    visitors: Visitors, server: RunningServer, width: int
) -> None:
    """Eight fighters, side by side, without scrolling sideways; the odds say how likely each falls."""
    match = server.open_match("duel", None, *["best_trade"] * 7, rules="teams_of_four", practice="four")
    page = visitors.open_seat(server.join(match), width=width)

    expect(page.get_by_role("meter")).to_have_count(8)
    expect(page.get_by_text("falls").or_(page.get_by_text("knocked out")).first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for meter in page.get_by_role("meter").all():
        box = meter.bounding_box()
        assert box is not None
        assert 0 <= box["x"]
        assert box["x"] + box["width"] <= width


def test_a_spectator_sees_a_team_duel(page: Page, server: RunningServer) -> None:
    """The result names the winning side; no hand is shown in words."""
    match = server.open_match("duel", *["all_attack"] * 4, rules=SHORT, practice="watch")
    view = server.wait_for_end(match)["view"]
    page.goto(f"/matches/{match}")

    if view["result"]["winner"] is None:
        expect(page.get_by_role("region", name="Draw")).to_be_visible()
    else:
        expect(
            page.get_by_role("region", name=re.compile("^all_attack [13] and all_attack [24] win$"))
        ).to_be_visible()
    expect(page.get_by_role("meter")).to_have_count(4)

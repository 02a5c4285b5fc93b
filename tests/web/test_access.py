"""Everybody can use every page: axe-core finds nothing serious, light or dark, and nothing is wider than a phone."""

from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tests.web.browsing import Visitors
from tests.web.houses import House
from tests.web.test_replay import played

AXE: Final = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
RUN: Final = """
  async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target}: ${failureSummary}`).join(" | ")}`);
  }
"""
IS_SEEN: Final = """
  (scheme) => {
    const [red] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);
    return (red < 128 ? "dark" : "light") === scheme;
  }
"""
WIDE: Final = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
PAGES: Final = (
    "/", "/new", "/new/destiny", "/new/fate", "/matches", "/replay", "/workbench", "/nowhere",
    "/workbench/destiny", "/workbench/duel", "/workbench/dice", "/workbench/fate", "/workbench/casino",
)  # fmt: skip
SEATS: Final[dict[str, tuple[str | None, ...]]] = {
    "destiny": (None,),
    "duel": (None,),
    "dice": (None,),
    "fate": ("random", None),
    "casino": (None, "greedy"),
}


def expect_access(page: Page) -> None:
    """Expect that axe-core finds nothing serious, light or dark, and that a phone need not scroll sideways."""
    page.locator("main h1").first.wait_for()
    page.wait_for_load_state("networkidle")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(IS_SEEN, arg=scheme)
        found[scheme] = page.evaluate(RUN)
    page.set_viewport_size({"width": 360, "height": 780})

    assert {"light": [], "dark": []} == found
    assert not page.evaluate(WIDE)


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_for_everybody(visitors: Visitors, page: Page, address: str) -> None:
    """No page has anything that axe-core calls serious."""
    with visitors.expecting("404"):
        page.goto(address)
    expect_access(page)


@pytest.mark.parametrize("game", SEATS)
def test_a_table_is_for_everybody(visitors: Visitors, house: House, game: str) -> None:
    """Nor has a table at which somebody plays, with the coach beside it."""
    seat = house.joined(house.opened(game, *SEATS[game], practice="access"))
    house.awaited(seat)
    with visitors.expecting("duel/split"):
        expect_access(visitors.seated(seat, kept={"coach": True}))


def test_a_room_that_waits_for_players_is_for_everybody(visitors: Visitors, house: House) -> None:
    """Nor has the room in which one waits, with the link for a friend, nor the one in which a friend joins."""
    match = house.opened("casino", None, None)
    expect_access(visitors.seated(house.joined(match)))
    friend = visitors.arrive("Bob")
    friend.goto(f"/matches/{match}")
    expect_access(friend)


@pytest.mark.parametrize("game", SEATS)
def test_a_replay_is_for_everybody(page: Page, house: House, game: str) -> None:
    """Nor has a table at its end, with the proof of its luck."""
    page.goto(f"/replay/{played(house, game, practice='access')}?verify")
    page.get_by_role("button", name="To the end").click()
    page.get_by_role("heading", name="The match is over").wait_for()
    expect_access(page)

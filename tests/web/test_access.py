"""Accessibility: axe-core finds nothing serious on any page, light or dark, and no page is wider than a phone."""

from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tests.web.servers import RunningServer
from tests.web.test_replay import play_bots
from tests.web.visitors import Visitors

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
    """Assert that axe-core finds nothing serious, light or dark, and that a phone need not scroll sideways."""
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
def test_a_page_is_accessible(visitors: Visitors, page: Page, address: str) -> None:
    with visitors.allow_complaints("404"):
        page.goto(address)
    expect_access(page)


@pytest.mark.parametrize("game", SEATS)
def test_a_match_page_is_accessible(visitors: Visitors, server: RunningServer, game: str) -> None:
    """A player's page of a match, with the coach shown."""
    seat = server.join(server.open_match(game, *SEATS[game], practice="access"))
    server.wait_for_turn(seat)
    with visitors.allow_complaints("duel/split"):
        expect_access(visitors.open_seat(seat, local_storage={"coach": True}))


def test_the_page_of_a_match_that_waits_for_players_is_accessible(
    visitors: Visitors, server: RunningServer
) -> None:
    """Both for the player who waits, with the link to share, and for a visitor who may join."""
    match = server.open_match("casino", None, None)
    expect_access(visitors.open_seat(server.join(match)))
    friend = visitors.open_page("Bob")
    friend.goto(f"/matches/{match}")
    expect_access(friend)


@pytest.mark.parametrize("game", SEATS)
def test_a_replay_is_accessible(page: Page, server: RunningServer, game: str) -> None:
    """The last position of a match, with the proof of its luck."""
    page.goto(f"/replay/{play_bots(server, game, practice='access')}?verify")
    page.get_by_role("button", name="To the end").click()
    page.get_by_role("heading", name="The match is over").wait_for()
    expect_access(page)

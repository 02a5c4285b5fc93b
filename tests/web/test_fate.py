"""The Fate Deck in the browser: a game master and a player in one match, by mouse and by keyboard."""

from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.gestures import drag, reach
from tests.web.servers import RunningServer
from tests.web.visitors import Visitors

SHORT: Final = {"turns": 1, "checks_per_turn": 2}
Pair = tuple[Page, Page, str]


@pytest.fixture
def pages(visitors: Visitors, server: RunningServer) -> Pair:
    """Open a match with a game master and a player; return their pages and the match's id."""
    match = server.open_match("fate", None, None, rules=SHORT)
    master, player = server.join(match, "Mara", 0), server.join(match, "Pit", 1)
    return visitors.open_seat(master), visitors.open_seat(player), match


def button(page: Page, name: str) -> Locator:
    """Return a button by its name once it is enabled."""
    found = page.get_by_role("button", name=name).first
    expect(found).to_be_enabled()
    return found


def count_successes(server: RunningServer, match: str) -> int:
    """Return the number of checks that the player passed, as the server has it."""
    successes: int = server.get(f"/matches/{match}")["view"]["successes"][0]
    return successes


def expect_the_end(page: Page, successes: int) -> None:
    """Assert that the page shows the number of successes at the end."""
    ending = page.get_by_role("region", name="How the fates fell")
    expect(ending).to_contain_text("1 success" if successes == 1 else f"{successes} successes")


def test_a_game_is_played_to_its_end_by_mouse(server: RunningServer, pages: Pair) -> None:
    """The player peeks, reorders and is ready; the master calls a check; the player draws and takes cards; both pages show the end."""
    master, player, match = pages
    button(player, "Peek at 3 cards").click()
    slips = player.get_by_role("button", name="Arrow keys move it.")
    first = slips.nth(0).get_attribute("aria-label") or ""
    drag(player, slips.nth(0), slips.nth(2))
    expect(slips.nth(2)).to_have_accessible_name(first.replace("number 1 of 3", "number 3 of 3"))
    button(player, "Put them back in this order").click()
    expect(player.get_by_text("Reorder").first).to_be_visible()
    button(player, "I am ready").click()
    button(master, "Call hard for Pit").click()
    button(player, "Draw an extra card").click()
    slips = player.get_by_role("list", name="Which cards count?").get_by_role("button")
    slips.nth(0).click()
    slips.nth(1).click()
    player.get_by_role("region", name="Your choices").locator("button.primary").click()
    button(player, "Take these cards").click()
    button(master, "Call omen for Pit").click()
    button(player, "Take these cards").click()
    button(master, "End the turn").click()

    for page in (master, player):
        expect_the_end(page, count_successes(server, match))


def test_a_game_is_played_to_its_end_by_keyboard(server: RunningServer, pages: Pair) -> None:
    """Tab, Enter, Space and arrow keys are enough for both players."""
    master, player, match = pages

    def press(page: Page, name: str) -> None:
        reach(page, button(page, name))
        page.keyboard.press("Enter")

    press(player, "Peek at 2 cards")
    slips = player.get_by_role("button", name="Arrow keys move it.")
    first = slips.nth(0).get_attribute("aria-label") or ""
    reach(player, slips.nth(0))
    player.keyboard.press("ArrowRight")
    expect(slips.nth(1)).to_have_accessible_name(first.replace("number 1 of 2", "number 2 of 2"))
    expect(slips.nth(1)).to_be_focused()
    press(player, "Put them back in this order")
    press(player, "I am ready")
    press(master, "Call fair for Pit")
    press(player, "Redraw")
    press(player, "Take these cards")
    press(master, "End the turn")

    for page in (master, player):
        expect_the_end(page, count_successes(server, match))


def test_peeked_cards_are_shown_to_their_owner_alone(pages: Pair) -> None:
    """The master sees only that the player peeked; the odds of each page follow what its player knows."""
    master, player, _ = pages
    button(player, "Peek at 3 cards").click()

    expect(player.get_by_role("region", name="You just peeked")).to_be_visible()
    expect(master.get_by_text("Pit peeks at 3 cards.").first).to_be_visible()
    expect(master.get_by_text("On top you see")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)], ids=["desktop", "phone"])
def test_what_to_do_next_is_visible_without_scrolling(
    visitors: Visitors, server: RunningServer, width: int, height: int
) -> None:
    """In the first turn of a match with bots: first the peek, then to be ready, then the answer to the check."""
    match = server.open_match("fate", "sensible", None, "sensible", "sensible", rules="adventure")
    page = visitors.open_seat(server.join(match, "Pit", 1), width=width, height=height)

    def expect_in_view(name: str) -> None:
        found = page.get_by_role("region", name="What to do now").get_by_role("button", name=name)
        expect(found).to_be_enabled()
        expect(found).to_be_in_viewport(ratio=1)

    expect(page.get_by_text("Your first turn")).to_be_in_viewport(ratio=1)
    expect_in_view("Peek at 3 cards")
    button(page, "Peek at 3 cards").click()
    expect_in_view("I am ready")
    button(page, "I am ready").click()
    for name in ("Take these cards", "Draw an extra card", "Redraw"):
        expect_in_view(name)
    assert 0 == page.evaluate("scrollY")

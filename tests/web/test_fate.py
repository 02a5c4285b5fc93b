"""The Fate Deck in the browser: a game master and a player at one table, by mouse and by keyboard."""

from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.browsing import Visitors
from tests.web.fingers import drag, reach
from tests.web.houses import House

SHORT: Final = {"turns": 1, "checks_per_turn": 2}
Pair = tuple[Page, Page, str]


@pytest.fixture
def started(visitors: Visitors, house: House) -> Pair:
    """Let a game master and a player sit down."""
    match = house.opened("fate", None, None, rules=SHORT)
    master, player = house.joined(match, "Mara", 0), house.joined(match, "Pit", 1)
    return visitors.seated(master), visitors.seated(player), match


def button(page: Page, name: str) -> Locator:
    """Return a choice once it can be made."""
    found = page.get_by_role("button", name=name).first
    expect(found).to_be_enabled()
    return found


def told_successes(house: House, match: str) -> int:
    """Return how many checks of the player succeeded, as the server says."""
    successes: int = house.get(f"/matches/{match}")["view"]["successes"][0]
    return successes


def expect_the_end(page: Page, successes: int) -> None:
    """Expect that the end says how it went."""
    ending = page.get_by_role("region", name="How the fates fell")
    expect(ending).to_contain_text("1 success" if successes == 1 else f"{successes} successes")


def test_a_game_is_played_to_its_end_by_mouse(house: House, started: Pair) -> None:
    """The player peeks, reorders and is ready; the master calls; cards are taken; both see the end."""
    master, player, match = started
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
    player.get_by_role("region", name="What to do now").locator("button.primary").click()
    button(player, "Take these cards").click()
    button(master, "Call omen for Pit").click()
    button(player, "Take these cards").click()
    button(master, "End the turn").click()

    for page in (master, player):
        expect_the_end(page, told_successes(house, match))


def test_a_game_is_played_to_its_end_by_keyboard(house: House, started: Pair) -> None:
    """Tab, Enter, Space and arrows are enough for both."""
    master, player, match = started

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
        expect_the_end(page, told_successes(house, match))


def test_what_was_peeked_at_is_its_owners_alone(started: Pair) -> None:
    """The player sees the cards, the master only that somebody peeked; odds follow what is known."""
    master, player, _ = started
    button(player, "Peek at 3 cards").click()

    expect(player.get_by_role("region", name="You just peeked")).to_be_visible()
    expect(master.get_by_text("Pit peeks at 3 cards.").first).to_be_visible()
    expect(master.get_by_text("On top you see")).to_have_count(0)

"""The pages themselves: found, small, quiet, and the same for everybody."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import Visitors
from tests.web.houses import House

LARGEST_FIRST_LOAD: Final = 200_000
CHARTS: Final = "/assets/echarts-"
API: Final = "/api/"
SEATS: Final = {
    "destiny": ["random"],
    "duel": ["best_trade"],
    "dice": ["greedy"],
    "fate": ["random", "random"],
    "casino": ["random", "random"],
}
ADDRESSES: Final = ("/", "/new", "/new/duel", "/matches", "/replay", "/workbench", "/workbench/dice")


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_has_a_title_a_heading_and_no_complaint(page: Page, address: str) -> None:
    """Each page of the client opens by its address, says what it is, and asks nobody but its own server."""
    page.goto(address)

    expect(page).to_have_title(re.compile("oddsmith"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_what_is_not_there_is_said_with_the_way_on(visitors: Visitors, page: Page) -> None:
    """An address that leads nowhere shows a page that leads home."""
    with visitors.expecting("404"):
        page.goto("/nowhere/at/all")
        page.get_by_role("link", name="Go to the games").click()

    expect(page.get_by_role("heading", name="Casino")).to_be_visible()


def test_a_match_that_is_not_there_is_said_with_the_way_on(visitors: Visitors, page: Page) -> None:
    """A stale link says that there is no such match."""
    with visitors.expecting("404"):
        page.goto("/matches/0123456789abcdef0123")

        expect(page.get_by_role("alert")).to_contain_text("There is no such match")
    page.get_by_role("link", name="Go to the games").click()

    expect(page).to_have_url(re.compile("/$"))


@pytest.mark.parametrize("room", ["home", "destiny", "duel", "dice", "fate", "casino"])
def test_the_first_load_is_small(visitors: Visitors, house: House, room: str) -> None:
    """The pages' own files that a first visit loads, packed as they were sent, are less than 200 kB.

    Charts come after them, and what the server answers depends on how far the bots have come.
    """
    page = visitors.arrive()
    addresses: dict[str, str] = {}
    sent: dict[str, float] = {}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def asked(told: dict[str, Any]) -> None:
        addresses[told["requestId"]] = told["request"]["url"]

    def finished(told: dict[str, Any]) -> None:
        sent[addresses[told["requestId"]]] = told["encodedDataLength"]

    session.on("Network.requestWillBeSent", asked)
    session.on("Network.loadingFinished", finished)
    address = "/" if room == "home" else f"/matches/{house.opened(room, *SEATS[room])}"
    page.goto(address, wait_until="networkidle")

    files = {url: size for url, size in sent.items() if CHARTS not in url and API not in url}
    assert 0 < sum(files.values()) < LARGEST_FIRST_LOAD

"""All pages: titles, headings, missing addresses, and the size of the first load."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.web.servers import RunningServer
from tests.web.visitors import Visitors

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
    """Every address of the client opens a page with a title and a heading, and sends requests to its own server alone."""
    page.goto(address)

    expect(page).to_have_title(re.compile("oddsmith"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_an_unknown_address_shows_a_page_that_links_home(visitors: Visitors, page: Page) -> None:
    with visitors.allow_complaints("404"):
        page.goto("/nowhere/at/all")
        page.get_by_role("link", name="Go to the games").click()

    expect(page.get_by_role("heading", name="Casino")).to_be_visible()


def test_an_unknown_match_shows_a_page_that_links_home(visitors: Visitors, page: Page) -> None:
    with visitors.allow_complaints("404"):
        page.goto("/matches/0123456789abcdef0123")

        expect(page.get_by_role("alert")).to_contain_text("There is no such match")
    page.get_by_role("link", name="Go to the games").click()

    expect(page).to_have_url(re.compile("/$"))


@pytest.mark.parametrize("start", ["home", "destiny", "duel", "dice", "fate", "casino"])
def test_the_first_load_is_small(visitors: Visitors, server: RunningServer, start: str) -> None:
    """The client's own files that a first visit loads, compressed as they were sent, are less than 200 kB.

    Charts are loaded later, and the size of the server's replies depends on how far the bots have come.
    """
    page = visitors.open_page()
    addresses: dict[str, str] = {}
    sent: dict[str, float] = {}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def on_request(event: dict[str, Any]) -> None:
        addresses[event["requestId"]] = event["request"]["url"]

    def on_finished(event: dict[str, Any]) -> None:
        sent[addresses[event["requestId"]]] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", on_request)
    session.on("Network.loadingFinished", on_finished)
    address = "/" if start == "home" else f"/matches/{server.open_match(start, *SEATS[start])}"
    page.goto(address, wait_until="networkidle")

    files = {url: size for url, size in sent.items() if CHARTS not in url and API not in url}
    assert 0 < sum(files.values()) < LARGEST_FIRST_LOAD

"""Below a prefix of another site, tables are played, reloaded and shared as at an address of their own."""

import re
from typing import Final

from playwright.sync_api import expect

from tests.server.hosts import PREFIX
from tests.web.browsing import Visitors

LOCKED: Final = (1, 2, 3)
MATCH: Final = re.compile(rf"{PREFIX}/matches/[0-9a-f]{{20}}$")


def test_a_match_is_played_and_its_address_reloaded(site_visitors: Visitors) -> None:
    """From the first page to the table, some moves, and the same table again when its deep address is loaded anew."""
    page = site_visitors.arrive("Ann")
    page.goto(f"{PREFIX}/")
    page.get_by_role("link", name=re.compile("Play now.*Dice Hands")).click()
    expect(page).to_have_url(MATCH)
    address = page.url
    for die in LOCKED:
        page.get_by_role("button", name=f"Lock die {die}").click()
        expect(page.get_by_role("button", name=re.compile(f"Lock die {die}.*locked"))).to_be_visible()
    page.reload()

    for die in LOCKED:
        expect(page.get_by_role("button", name=re.compile(f"Lock die {die}.*locked"))).to_be_visible()
    assert address == page.url

    page.get_by_role("link", name="Matches", exact=True).click()
    expect(page).to_have_url(re.compile(rf"{PREFIX}/matches$"))
    page.go_back()
    expect(page).to_have_url(address)
    expect(page.get_by_role("button", name=re.compile("Lock die 1.*locked"))).to_be_visible()


def test_a_link_that_is_shared_has_the_prefix(site_visitors: Visitors) -> None:
    """Who gets it joins the same match."""
    ann, bob = site_visitors.arrive("Ann"), site_visitors.arrive("Bob")
    ann.goto(f"{PREFIX}/new/duel?friend")
    ann.get_by_role("button", name="Open the match").click()
    link = ann.get_by_role("textbox", name="Send this link to a friend").input_value()
    bob.goto(link)
    bob.get_by_role("button", name="Join this match").click()

    assert MATCH.search(link)
    expect(ann.get_by_text("Your turn").first).to_be_visible()
    expect(bob.get_by_text("Your turn").first).to_be_visible()


def test_the_workbench_opens_by_a_deep_address_and_keeps_it(site_visitors: Visitors) -> None:
    """Charts and forms load their parts from below the prefix; what is set stands in the address."""
    page = site_visitors.arrive()
    page.goto(f"{PREFIX}/workbench/dice/odds")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("link", name="Workbench", exact=True).click()
    expect(page).to_have_url(re.compile(rf"{PREFIX}/workbench$"))
    page.goto(f"{PREFIX}/workbench/dice")

    expect(page.locator("canvas").first).to_be_visible()
    expect(page).to_have_url(re.compile(rf"{PREFIX}/workbench/dice"))


def test_what_is_not_there_leads_to_the_games_and_not_to_the_site(site_visitors: Visitors) -> None:
    """The way home ends at the prefix."""
    page = site_visitors.arrive()
    with site_visitors.expecting("404"):
        page.goto(f"{PREFIX}/nowhere/at/all")
    page.get_by_role("link", name="Go to the games").click()

    expect(page).to_have_url(re.compile(rf"{PREFIX}/$"))
    expect(page.get_by_role("heading", name="Casino")).to_be_visible()

"""A server that is mounted under a prefix: matches are played, reloaded and shared as at the root."""

import re
from typing import Final

from playwright.sync_api import expect

from tests.server.hosts import PREFIX
from tests.web.visitors import Visitors

LOCKED: Final = (1, 2, 3)
MATCH: Final = re.compile(rf"{PREFIX}/matches/[0-9a-f]{{20}}$")


def test_a_match_is_played_and_its_address_reloaded_below_a_prefix(mounted_visitors: Visitors) -> None:
    """From the home page to a match, a few moves, and the same position after its address is reloaded.

    A die looks locked at once; what happened lists what the server has stored.
    """
    page = mounted_visitors.open_page("Ann")
    page.goto(f"{PREFIX}/")
    page.get_by_role("link", name=re.compile("Play now.*Dice Hands")).click()
    expect(page).to_have_url(MATCH)
    address = page.url
    for die in LOCKED:
        page.get_by_role("button", name=f"Lock die {die}").click()
        expect(
            page.get_by_role("list", name="What happened").get_by_text(f"Die {die} locked.")
        ).to_be_visible()
    page.reload()

    for die in LOCKED:
        expect(page.get_by_role("button", name=re.compile(f"Lock die {die}.*locked"))).to_be_visible()
    assert address == page.url

    page.get_by_role("link", name="Matches", exact=True).click()
    expect(page).to_have_url(re.compile(rf"{PREFIX}/matches$"))
    page.go_back()
    expect(page).to_have_url(address)
    expect(page.get_by_role("button", name=re.compile("Lock die 1.*locked"))).to_be_visible()


def test_a_shared_link_has_the_prefix(mounted_visitors: Visitors) -> None:
    """A second visitor joins the same match with it."""
    ann, bob = mounted_visitors.open_page("Ann"), mounted_visitors.open_page("Bob")
    ann.goto(f"{PREFIX}/new/duel?friend")
    ann.get_by_role("button", name="Open the match").click()
    link = ann.get_by_role("textbox", name="Send this link to a friend").input_value()
    bob.goto(link)
    bob.get_by_role("button", name="Join this match").click()

    assert MATCH.search(link)
    expect(ann.get_by_text("Your turn").first).to_be_visible()
    expect(bob.get_by_text("Your turn").first).to_be_visible()


def test_the_workbench_opens_by_its_address_below_a_prefix(mounted_visitors: Visitors) -> None:
    """Charts and forms load their files from below the prefix; settings are stored in the address."""
    page = mounted_visitors.open_page()
    page.goto(f"{PREFIX}/workbench/dice/odds")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("link", name="Workbench", exact=True).click()
    expect(page).to_have_url(re.compile(rf"{PREFIX}/workbench$"))
    page.goto(f"{PREFIX}/workbench/dice")

    expect(page.locator("canvas").first).to_be_visible()
    expect(page).to_have_url(re.compile(rf"{PREFIX}/workbench/dice"))


def test_an_unknown_address_below_a_prefix_links_to_the_games(mounted_visitors: Visitors) -> None:
    """The link leads to the prefix, not to the root of the host."""
    page = mounted_visitors.open_page()
    with mounted_visitors.allow_complaints("404"):
        page.goto(f"{PREFIX}/nowhere/at/all")
    page.get_by_role("link", name="Go to the games").click()

    expect(page).to_have_url(re.compile(rf"{PREFIX}/$"))
    expect(page.get_by_role("heading", name="Casino")).to_be_visible()

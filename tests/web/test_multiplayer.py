"""Several visitors of one match: private views, joining by link, and recovery when the server or the network fails."""

import re
from typing import Final

from playwright.sync_api import Page, expect

from tests.web.gestures import drag
from tests.web.servers import RunningServer
from tests.web.visitors import Visitors

AWAY: Final = (
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE",
    "ERR_INTERNET_DISCONNECTED",
)
"""What Chromium reports about a server that does not answer."""
HAND: Final = "[data-key^='hand:']"


def play_first(page: Page) -> None:
    """Make the first move of the list of all moves."""
    moves = page.get_by_text(re.compile(r"^All moves \(\d+\)$"))
    expect(moves).to_be_visible()
    if not page.locator("details.all[open]").count():
        moves.click()
    page.locator("details.all section button").first.click()


def test_two_players_and_a_spectator_see_one_match_with_their_own_views(
    visitors: Visitors, server: RunningServer
) -> None:
    """A hand is on its owner's page and on no other; a move is on all pages; giving up ends the match for all."""
    match = server.open_match("casino", None, None, rules="short")
    ann = visitors.open_seat(server.join(match, "Ann", 0))
    bob = visitors.open_seat(server.join(match, "Bob", 1))
    eve = visitors.open_page("Eve")
    eve.goto(f"/matches/{match}")

    expect(ann.locator(HAND)).to_have_count(10)
    expect(bob.locator(HAND)).to_have_count(10)
    expect(eve.get_by_text("You are watching. Every seat is taken.")).to_be_visible()
    expect(eve.locator(HAND)).to_have_count(0)
    hands = [{card.get_attribute("data-key") for card in player.locator(HAND).all()} for player in (ann, bob)]
    assert set() == hands[0] & hands[1]

    play_first(ann)
    for looking in (ann, bob, eve):
        expect(looking.get_by_role("list", name="Last moves")).to_contain_text(
            "You" if looking is ann else "Ann"
        )
    play_first(bob)
    expect(ann.locator(HAND)).to_have_count(9)
    bob.get_by_role("button", name="Leave the match").click()
    bob.get_by_role("dialog").get_by_role("button", name="Leave the match").click()

    expect(ann.get_by_text("You won.")).to_be_visible()
    expect(eve.get_by_text("Ann won.")).to_be_visible()
    expect(bob).to_have_url(re.compile("/matches$"))


def test_a_stack_is_seen_by_everybody_until_it_is_cancelled_or_the_match_goes_on(
    visitors: Visitors, server: RunningServer
) -> None:
    """The other player and a spectator see the cards that were put together, and the table without them."""
    match = server.open_match("casino", None, None)
    ann = visitors.open_seat(server.join(match, "Ann", 0))
    bob = visitors.open_seat(server.join(match, "Bob", 1))
    eve = visitors.open_page("Eve")
    eve.goto(f"/matches/{match}")
    loose = ann.get_by_role("group", name="Table").get_by_role("button")
    expect(loose).to_have_count(4)
    drag(ann, loose.nth(0), loose.nth(1))
    own = ann.get_by_role("region", name="Your stack")
    expect(own).to_be_visible()

    for viewer in (bob, eve):
        expect(viewer.get_by_role("region", name="Ann's stack").get_by_role("listitem")).to_have_count(2)
        expect(viewer.get_by_role("group", name="Table").get_by_role("button")).to_have_count(2)
    own.get_by_role("button", name="Cancel stack").click()
    for viewer in (bob, eve):
        expect(viewer.get_by_role("region", name="Ann's stack")).to_have_count(0)
        expect(viewer.get_by_role("group", name="Table").get_by_role("button")).to_have_count(4)
    drag(ann, loose.nth(0), loose.nth(1))
    expect(bob.get_by_role("region", name="Ann's stack")).to_be_visible()
    play_first(ann)
    expect(bob.get_by_role("region", name="Ann's stack")).to_have_count(0)


def test_a_friend_joins_by_the_link(visitors: Visitors, server: RunningServer) -> None:
    """The visitor who opens a match gets a link; another one enters a name, joins, and both see the match."""
    ann = visitors.open_page("Ann")
    ann.goto("/new/duel?friend")
    ann.get_by_role("button", name="Open the match").click()
    link = ann.get_by_role("textbox", name="Send this link to a friend").input_value()
    bob = visitors.open_page("")
    bob.goto(link)
    bob.get_by_role("textbox", name="Your name at tables").fill("Bob")
    bob.get_by_role("button", name="Join this match").click()

    expect(bob.get_by_role("listitem").filter(has_text=re.compile(r"^\s*Bob\s*you"))).to_be_visible()
    expect(ann.get_by_text("Your turn").first).to_be_visible()
    expect(bob.get_by_text("Your turn").first).to_be_visible()
    assert [None, None] == [chair["bot"] for chair in server.get(link[link.index("/matches/") :])["chairs"]]


def test_a_seat_that_was_taken_in_the_meantime_is_reported(visitors: Visitors, server: RunningServer) -> None:
    """The late visitor becomes a spectator, and the page says so."""
    match = server.open_match("casino", None, "random")
    page = visitors.open_page("Late")
    page.goto(f"/matches/{match}")
    expect(page.get_by_role("button", name="Join this match")).to_be_visible()
    server.join(match, "Ann")

    expect(page.get_by_text("You are watching. Every seat is taken. You can watch.")).to_be_visible()
    expect(page.get_by_role("button", name="Join this match")).to_have_count(0)


def test_a_token_that_is_no_longer_valid_is_reported(visitors: Visitors, server: RunningServer) -> None:
    """The visitor can watch, or take a free seat."""
    match = server.open_match("casino", None, None)
    seat = server.join(match, "Ann", 0)
    with visitors.allow_complaints("403"):
        page = visitors.open_seat(seat._replace(token="0" * 64))

        expect(page.get_by_role("alert")).to_contain_text("This browser's seat is no longer valid here.")
    page.get_by_role("button", name="Join this match").click()
    expect(page.get_by_role("group", name="Your hand")).to_be_visible()


def test_a_choice_is_made_once_if_the_server_is_killed_before_it_answers(
    killable_server_visitors: Visitors, killable_server: RunningServer
) -> None:
    """The page reports the lost connection, reconnects by itself, says so, and repeats the unanswered choice."""
    seat = killable_server.join(killable_server.open_match("dice", None, practice="power-cut"))
    page = killable_server_visitors.open_seat(seat)
    lock = page.get_by_role("button", name="Lock die 2")
    expect(lock).to_have_attribute("aria-disabled", "false")
    version = killable_server.get(f"/matches/{seat.match}")["version"]
    page.wait_for_load_state("networkidle")
    killable_server.suspend()
    lock.click()
    with killable_server_visitors.allow_complaints(*AWAY):
        killable_server.kill()
        expect(page.get_by_text("Connection lost.")).to_be_visible()
        page.get_by_role("button", name="Try now").click()
        killable_server.start()
        expect(page.get_by_text("Connected again: nothing was lost.")).to_be_visible()

    expect(page.get_by_text("Connection lost.")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("Lock die 2.*locked"))).to_be_visible()
    # The page locks before the server answers; the log and the announcement come from the server.
    expect(page.get_by_text("Die 2 locked.").first).to_be_attached()
    assert version + 1 == killable_server.get(f"/matches/{seat.match}")["version"]
    assert [1] == killable_server.get(f"/matches/{seat.match}")["view"]["locked"]


def test_a_match_page_reconnects_when_the_device_is_online_again(
    killable_server_visitors: Visitors, killable_server: RunningServer
) -> None:
    """The page says that the device is offline, and reconnects without a click."""
    page = killable_server_visitors.open_seat(killable_server.join(killable_server.open_match("dice", None)))
    expect(page.get_by_role("button", name="Lock die 1")).to_be_visible()
    with killable_server_visitors.allow_complaints(*AWAY):
        page.context.set_offline(True)
        killable_server.kill()
        expect(page.get_by_text("This device is offline.")).to_be_visible()
        killable_server.start()
        page.context.set_offline(False)

        expect(page.get_by_text("Connected again: nothing was lost.")).to_be_visible()
    expect(page.get_by_role("button", name="Lock die 1")).to_have_attribute("aria-disabled", "false")


def test_pages_report_a_server_that_does_not_answer(
    killable_server_visitors: Visitors, killable_server: RunningServer
) -> None:
    """Lists and pages show an error, and their contents after a retry."""
    page = killable_server_visitors.open_page()
    page.goto("/matches")
    expect(page.get_by_text("Nobody has opened a match yet.")).to_be_visible()
    with killable_server_visitors.allow_complaints(*AWAY):
        killable_server.kill()
        page.get_by_role("button", name="Look again").click()
        expect(page.get_by_text("The list could not be brought up to date")).to_be_visible()
        page.get_by_role("link", name="Workbench").click()
        expect(page.get_by_role("alert")).to_be_visible()
        killable_server.start()
        page.get_by_role("button", name="Try again").click()

        expect(page.get_by_role("heading", name="Odds workbench")).to_be_visible()

"""People at one table: each sees what is theirs, joins by a link, and loses nothing when the server or the line does."""

import re
from typing import Final

from playwright.sync_api import Page, expect

from tests.web.browsing import Visitors
from tests.web.houses import House

AWAY: Final = (
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE",
    "ERR_INTERNET_DISCONNECTED",
)
"""What a browser says of a server that is not there."""
HAND: Final = "[data-key^='hand:']"


def play_first(page: Page) -> None:
    """Make the first move of the list of all moves."""
    moves = page.get_by_text(re.compile(r"^All moves \(\d+\)$"))
    expect(moves).to_be_visible()
    if not page.locator("details.all[open]").count():
        moves.click()
    page.locator("details.all section button").first.click()


def test_two_players_and_a_spectator_see_one_match_each_with_their_own_eyes(
    visitors: Visitors, house: House
) -> None:
    """A hand is on its owner's screen and nowhere else; a move is on all of them; who gives up ends it for all."""
    match = house.opened("casino", None, None, rules="short")
    ann = visitors.seated(house.joined(match, "Ann", 0))
    bob = visitors.seated(house.joined(match, "Bob", 1))
    eve = visitors.arrive("Eve")
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


def test_a_friend_joins_by_the_link(visitors: Visitors, house: House) -> None:
    """Who opens a match for a friend gets a link; the friend types a name, joins, and both are at the table."""
    ann = visitors.arrive("Ann")
    ann.goto("/new/duel?friend")
    ann.get_by_role("button", name="Open the match").click()
    link = ann.get_by_role("textbox", name="Send this link to a friend").input_value()
    bob = visitors.arrive("")
    bob.goto(link)
    bob.get_by_role("textbox", name="Your name at tables").fill("Bob")
    bob.get_by_role("button", name="Join this match").click()

    expect(bob.get_by_role("listitem").filter(has_text=re.compile(r"^\s*Bob\s*you"))).to_be_visible()
    expect(ann.get_by_text("Your turn").first).to_be_visible()
    expect(bob.get_by_text("Your turn").first).to_be_visible()
    assert [None, None] == [chair["bot"] for chair in house.get(link[link.index("/matches/") :])["chairs"]]


def test_a_seat_that_was_taken_meanwhile_is_said(visitors: Visitors, house: House) -> None:
    """Who comes too late watches, and is told so."""
    match = house.opened("casino", None, "random")
    page = visitors.arrive("Late")
    page.goto(f"/matches/{match}")
    expect(page.get_by_role("button", name="Join this match")).to_be_visible()
    house.joined(match, "Ann")

    expect(page.get_by_text("You are watching. Every seat is taken. You can watch.")).to_be_visible()
    expect(page.get_by_role("button", name="Join this match")).to_have_count(0)


def test_a_seat_that_proves_nothing_any_more_is_said(visitors: Visitors, house: House) -> None:
    """With a wrong token one watches, or takes a free seat."""
    match = house.opened("casino", None, None)
    seat = house.joined(match, "Ann", 0)
    with visitors.expecting("403"):
        page = visitors.seated(seat._replace(token="0" * 64))

        expect(page.get_by_role("alert")).to_contain_text("This browser's seat is no longer valid here.")
    page.get_by_role("button", name="Join this match").click()
    expect(page.get_by_role("group", name="Your hand")).to_be_visible()


def test_a_choice_is_made_once_though_the_server_is_killed_before_it_answers(
    frail_visitors: Visitors, frail_house: House
) -> None:
    """The loss is said, the table connects again by itself, says so, and repeats what was not answered."""
    seat = frail_house.joined(frail_house.opened("dice", None, practice="power-cut"))
    page = frail_visitors.seated(seat)
    lock = page.get_by_role("button", name="Lock die 2")
    expect(lock).to_have_attribute("aria-disabled", "false")
    version = frail_house.get(f"/matches/{seat.match}")["version"]
    page.wait_for_load_state("networkidle")
    frail_house.freeze()
    lock.click()
    with frail_visitors.expecting(*AWAY):
        frail_house.kill()
        expect(page.get_by_text("Connection lost.")).to_be_visible()
        page.get_by_role("button", name="Try now").click()
        frail_house.open()
        expect(page.get_by_text("Connected again: nothing was lost.")).to_be_visible()

    expect(page.get_by_text("Connection lost.")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("Lock die 2.*locked"))).to_be_visible()
    expect(page.get_by_text("Die 2 locked.")).to_have_count(1)  # an event of the server: the page locks before
    assert version + 1 == frail_house.get(f"/matches/{seat.match}")["version"]
    assert [1] == frail_house.get(f"/matches/{seat.match}")["view"]["locked"]


def test_a_table_goes_on_by_itself_when_the_device_is_online_again(
    frail_visitors: Visitors, frail_house: House
) -> None:
    """Being offline is said as such; when the line is back, so is the table, without a press."""
    page = frail_visitors.seated(frail_house.joined(frail_house.opened("dice", None)))
    expect(page.get_by_role("button", name="Lock die 1")).to_be_visible()
    with frail_visitors.expecting(*AWAY):
        page.context.set_offline(True)
        frail_house.kill()
        expect(page.get_by_text("This device is offline.")).to_be_visible()
        frail_house.open()
        page.context.set_offline(False)

        expect(page.get_by_text("Connected again: nothing was lost.")).to_be_visible()
    expect(page.get_by_role("button", name="Lock die 1")).to_have_attribute("aria-disabled", "false")


def test_a_server_that_is_away_is_said_with_the_way_on(frail_visitors: Visitors, frail_house: House) -> None:
    """Lists and pages that cannot be had say so in words, and come when they are tried again."""
    page = frail_visitors.arrive()
    page.goto("/matches")
    expect(page.get_by_text("Nobody has opened a match yet.")).to_be_visible()
    with frail_visitors.expecting(*AWAY):
        frail_house.kill()
        page.get_by_role("button", name="Look again").click()
        expect(page.get_by_text("The list could not be brought up to date")).to_be_visible()
        page.get_by_role("link", name="Workbench").click()
        expect(page.get_by_role("alert")).to_be_visible()
        frail_house.open()
        page.get_by_role("button", name="Try again").click()

        expect(page.get_by_role("heading", name="Odds workbench")).to_be_visible()

"""Casino in the browser: matches by mouse and by keyboard, stacks, ambiguous drops and scores."""

import re
from time import monotonic
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from tests.web.gestures import drag, drop, reach, start_drag
from tests.web.servers import SECONDS, RunningServer, Seat
from tests.web.visitors import Visitors

YOUR_TURN: Final = "Drag a card, or pick one"
IS_TURN_OR_END: Final = """
  words => document.querySelector(".outcome") || document.querySelector(".hint-line")?.innerText.startsWith(words)
"""
IS_PLAYED_OR_ASKED: Final = """
  key => !document.querySelector(`[data-key="${key}"]`) || document.querySelector("dialog[open]")
"""


def start_match(server: RunningServer, **more: Any) -> Seat:  # noqa: ANN401  other fields of the request
    """Open a match with three bots and a short deck, and join it."""
    return server.join(server.open_match("casino", None, *["greedy"] * 3, rules="short", **more))


def hand(page: Page) -> Locator:
    """Return the cards of the player's own hand."""
    return page.locator("[data-key^='hand:']")


def is_over(page: Page) -> bool:
    """Wait until it is the player's turn or the match is over; return whether it is over."""
    page.wait_for_function(IS_TURN_OR_END, arg=YOUR_TURN)
    return page.locator(".outcome").is_visible()


def is_played(page: Page, key: str) -> bool:
    """Wait until a card has left the hand or a dialog asks which move was meant; return whether the card was played."""
    page.wait_for_function(IS_PLAYED_OR_ASKED, arg=key)
    return not page.locator("dialog").is_visible()


def move_by_mouse(page: Page) -> None:
    """Drag the first playable card to its first target."""
    targets = page.locator('[data-target="move"]')
    for card in hand(page).all():
        start_drag(page, card)
        key = card.get_attribute("data-key") or ""
        if targets.count():
            drop(page, targets.first)
            if not is_played(page, key):
                page.locator("dialog button.primary").first.click()
                assert is_played(page, key)
            return
        page.mouse.up()
    raise AssertionError("no card can be played")


def move_by_keys(page: Page) -> None:
    """Pick the first playable card with the keyboard and play it on its first target, which gets the focus."""
    targets = page.locator('[data-target="move"]')
    for card in hand(page).all():
        reach(page, card)
        key = card.get_attribute("data-key") or ""
        page.keyboard.press("Enter")
        if targets.count():
            reach(page, targets.first)
            page.keyboard.press("Enter")
            if not is_played(page, key):
                page.keyboard.press("Enter")
                assert is_played(page, key)
            return
        page.keyboard.press("Escape")
    raise AssertionError("no card can be played")


def shown_points(page: Page) -> list[int]:
    """Return the points of each seat as the final score shows them."""
    cells = page.get_by_role("region", name="Score").locator("tfoot td")
    return [int(points) for points in cells.all_inner_texts()]


def test_a_match_is_played_to_its_end_by_mouse(visitors: Visitors, server: RunningServer) -> None:
    """Every card is dragged to a highlighted target, and the final score equals the server's."""
    seat = start_match(server, practice="by-mouse")
    page = visitors.open_seat(seat)
    while not is_over(page):
        move_by_mouse(page)

    expect(page.get_by_role("heading", name="The match is over")).to_be_visible()
    assert server.wait_for_turn(seat)["outcome"]["scores"] == shown_points(page)


def test_a_match_is_played_to_its_end_by_keyboard(visitors: Visitors, server: RunningServer) -> None:
    """Every card is played with Tab, Enter and Escape, and the final score equals the server's."""
    seat = start_match(server, practice="by-keys")
    page = visitors.open_seat(seat)
    while not is_over(page):
        move_by_keys(page)

    expect(page.get_by_role("heading", name="The match is over")).to_be_visible()
    scores = server.wait_for_turn(seat)["outcome"]["scores"]
    until = monotonic() + SECONDS
    while shown_points(page) != scores and monotonic() < until:
        page.wait_for_timeout(50)  # the page asks the server for the points of the piles

    assert scores == shown_points(page)


def test_an_ambiguous_drop_opens_a_dialog(visitors: Visitors, server: RunningServer) -> None:
    """The dialog lists the possible moves and why others are not; Escape, or closing it by the browser, plays nothing."""
    seat = server.join(server.open_match("casino", None, "greedy", practice="felt-8"))
    page = visitors.open_seat(seat)
    expect(page.get_by_text(YOUR_TURN)).to_be_visible()
    card, target = page.locator("[data-key='hand:2♥']"), page.locator("[data-key='loose:2♦']")
    drag(page, card, target)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Capture with 2♥")).to_be_focused()
    expect(dialog.get_by_role("heading", name="Not possible here")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(card).to_be_visible()
    drag(page, card, target)
    expect(dialog).to_be_visible()
    page.locator("dialog").evaluate("dialog => dialog.close()")
    expect(page.locator("dialog")).to_have_count(0)
    drag(page, card, target)
    dialog.get_by_role("button", name="Build 4 with 2♥").click()

    expect(page.get_by_role("list", name="What happened")).to_contain_text("You build with")
    assert "2♥" not in server.wait_for_turn(seat)["view"]["hand"]


def test_loose_cards_are_gathered_in_a_stack_and_put_back(visitors: Visitors, server: RunningServer) -> None:
    """A stack changes nothing on the server until it is played; it shows what it can become."""
    seat = server.join(server.open_match("casino", None, "greedy", practice="felt-8"))
    page = visitors.open_seat(seat)
    expect(page.get_by_text(YOUR_TURN)).to_be_visible()
    table = page.get_by_role("group", name="Table").get_by_role("button")
    names = [card.get_attribute("data-key") or "" for card in table.all()]
    drag(page, table.nth(0), table.nth(1))
    stack = page.get_by_role("region", name="Your stack")
    expect(stack).to_be_visible()
    expect(table).to_have_count(len(names) - 2)
    stack.get_by_role("button", name="What can I do?").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    stack.get_by_role("button", name=re.compile("^Take back")).first.click()
    expect(table).to_have_count(len(names) - 1)
    stack.get_by_role("button", name="Cancel stack").click()

    expect(stack).to_have_count(0)
    assert sorted(names) == sorted(card.get_attribute("data-key") or "" for card in table.all())


def test_moves_of_others_are_animated_one_by_one(visitors: Visitors, server: RunningServer) -> None:
    """With motion enabled, each move is shown before the next one, and then it is the player's turn again."""
    page = visitors.open_seat(start_match(server, practice="in-flight"), moves=True)
    expect(page.get_by_text(YOUR_TURN)).to_be_visible()
    move_by_mouse(page)

    expect(page.get_by_text("Moves are shown…")).to_be_visible()
    expect(page.get_by_text(YOUR_TURN)).to_be_visible()
    expect(page.get_by_role("list", name="Last moves").get_by_role("listitem")).to_have_count(4)

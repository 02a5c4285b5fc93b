"""Dice Hands in the browser: locks, wild dice, rerolls, scores and the shop, by mouse and by keyboard."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Route, expect

from tests.web.gestures import reach
from tests.web.servers import RunningServer, Seat
from tests.web.visitors import Visitors

RULES: Final = {
    "pool": ["wild", "normal", "normal", "normal", "normal"],
    "first_target": 1,
    "rounds": 2,
    "rerolls": 1,
    "bosses": {"every": 2},
}
LOST: Final = {"first_target": 100_000, "rerolls": 1, "rounds": 1}


@pytest.fixture
def seat(server: RunningServer) -> Seat:
    """Open a run of two rounds that every score wins, with a wild die and a boss, and join it."""
    return server.join(server.open_match("dice", None, rules=RULES, practice="back-room"))


def seat_view(server: RunningServer, seat: Seat) -> dict[str, Any]:
    """Return the view of a seat from the server."""
    view: dict[str, Any] = server.get(f"/matches/{seat.match}", seat)["view"]
    return view


def test_a_run_is_played_to_its_end_by_mouse(visitors: Visitors, server: RunningServer, seat: Seat) -> None:
    """Dice are locked, a wild die is set, the rest rerolled, a free die is taken in the shop, and the last round wins the run."""
    page = visitors.open_seat(seat)
    lock = page.get_by_role("button", name="Lock die 2")
    lock.click()
    expect(lock).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name=re.compile("wild die 1$")).click()
    page.get_by_role("button", name="Set die 1 to 6").click()
    expect(page.get_by_role("button", name="Lock die 1: wild, shows 6, set")).to_be_visible()
    page.get_by_role("button", name="Reroll 3 dice").click()
    expect(page.get_by_role("button", name="No reroll left")).to_be_visible()
    page.get_by_role("button", name="Score").click()
    expect(page.get_by_role("heading", name="Round 1 won")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Take .* free$")).first.click()
    page.get_by_role("dialog").get_by_role("button", name="Replace die 5").click()
    expect(page.get_by_text("The free choice is taken.")).to_be_visible()
    page.get_by_role("button", name="Leave for the next round").click()
    expect(page.get_by_text("Round 2 of 2")).to_be_visible()
    page.get_by_role("button", name="Score").click()

    expect(page.get_by_text("Every round is won.")).to_be_visible()
    expect(page.get_by_role("heading", name="The match is over")).to_be_visible()
    assert "all_rounds_won" == seat_view(server, seat)["result"]
    assert "normal" != seat_view(server, seat)["build"]["dice"][4]


def test_a_run_is_played_to_its_end_by_keyboard(
    visitors: Visitors, server: RunningServer, seat: Seat
) -> None:
    """Digits lock, R rerolls, S scores, Enter buys; the focus never has to be moved by hand."""
    page = visitors.open_seat(seat)
    expect(page.get_by_role("button", name="Lock die 3")).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("3")
    expect(page.get_by_role("button", name="Lock die 3")).to_have_attribute("aria-pressed", "true")
    reach(page, page.get_by_role("button", name=re.compile("wild die 1$")))
    page.keyboard.press("Enter")
    reach(page, page.get_by_role("button", name="Set die 1 to 5"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Lock die 1: wild, shows 5, set")).to_be_visible()
    page.keyboard.press("r")
    expect(page.get_by_role("button", name="No reroll left")).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_role("heading", name="Round 1 won")).to_be_focused()
    reach(page, page.get_by_role("button", name=re.compile("^Take .* free$")).first)
    page.keyboard.press("Enter")
    reach(page, page.get_by_role("dialog").get_by_role("button", name="Replace die 2"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Leave for the next round")).to_be_focused()
    expect(page.get_by_text("The free choice is taken.")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Round 2 of 2")).to_be_visible()
    page.keyboard.press("s")

    expect(page.get_by_text("Every round is won.")).to_be_visible()
    assert "all_rounds_won" == seat_view(server, seat)["result"]


def test_a_score_below_the_target_asks_for_confirmation(visitors: Visitors, server: RunningServer) -> None:
    """Escape returns to the dice; a confirmed score ends the run, and its seed can be shared."""
    page = visitors.open_seat(server.join(server.open_match("dice", None, rules=LOST, practice="too-little")))
    page.get_by_role("button", name="Score").click()
    expect(page.get_by_role("dialog", name="Score below the target?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("s")
    page.get_by_role("button", name="Score anyway").click()

    expect(page.get_by_text("The run ended in round 1.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Link to the same run")).to_have_value(
        f"{server.url}/new/dice?practice=too-little"
    )


def test_a_score_before_the_odds_are_known_asks_for_confirmation_too(
    visitors: Visitors, server: RunningServer
) -> None:
    """The key press is neither lost nor executed at once: it waits for the odds."""
    page = visitors.open_seat(server.join(server.open_match("dice", None, rules=LOST, practice="too-early")))
    held: list[Route] = []
    page.route("**/dice/score", lambda route: held.append(route))  # noqa: PLW0108  Playwright sets attributes of the handler, which a bound method does not allow
    page.reload()
    score = page.get_by_role("button", name="Score")
    score.click()
    expect(score).to_have_attribute("aria-busy", "true")
    expect(page.get_by_role("dialog")).to_have_count(0)
    for route in held:
        route.continue_()

    expect(page.get_by_role("dialog", name="Score below the target?")).to_be_visible()


def test_the_coach_locks_the_best_dice(visitors: Visitors, seat: Seat) -> None:
    """The best dice to keep are exact, and one click locks them."""
    page = visitors.open_seat(seat)
    page.get_by_role("switch", name="Coach").check()
    expect(page.get_by_role("button", name="Lock die 1")).to_have_attribute("aria-disabled", "false")
    first = page.get_by_role("button", name="lock these").first
    first.click()

    expect(page.get_by_text("locked now").first).to_be_visible()
    expect(page.get_by_text("exact").first).to_be_visible()

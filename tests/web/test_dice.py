"""Dice Hands in the browser: locked, set, rerolled, scored and shopped for, by mouse and by keyboard."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Route, expect

from tests.web.browsing import Visitors
from tests.web.fingers import reach
from tests.web.houses import House, Seat

RULES: Final = {
    "pool": ["wild", "normal", "normal", "normal", "normal"],
    "first_target": 1,
    "rounds": 2,
    "rerolls": 1,
    "bosses": {"every": 2},
}
LOST: Final = {"first_target": 100_000, "rerolls": 1, "rounds": 1}


@pytest.fixture
def started(house: House) -> Seat:
    """Begin a run of two rounds that every score wins, with a wild die and a boss."""
    return house.joined(house.opened("dice", None, rules=RULES, practice="back-room"))


def seen(house: House, seat: Seat) -> dict[str, Any]:
    """Return what the seat sees."""
    view: dict[str, Any] = house.get(f"/matches/{seat.match}", seat)["view"]
    return view


def test_a_run_is_played_to_its_end_by_mouse(visitors: Visitors, house: House, started: Seat) -> None:
    """Dice are locked, a wild one is set, the rest rerolled; the shop gives a die for free; the last round wins the run."""
    page = visitors.seated(started)
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
    assert "all_rounds_won" == seen(house, started)["result"]
    assert "normal" != seen(house, started)["build"]["dice"][4]


def test_a_run_is_played_to_its_end_by_keyboard(visitors: Visitors, house: House, started: Seat) -> None:
    """Digits lock, R rerolls, S scores, Enter buys; the focus never has to be searched."""
    page = visitors.seated(started)
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
    assert "all_rounds_won" == seen(house, started)["result"]


def test_a_score_below_the_target_is_asked_about_first(visitors: Visitors, house: House) -> None:
    """Escape goes back to the dice; who scores anyway ends the run, and may send its seed to a friend."""
    page = visitors.seated(house.joined(house.opened("dice", None, rules=LOST, practice="too-little")))
    page.get_by_role("button", name="Score").click()
    expect(page.get_by_role("dialog", name="Score below the target?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("s")
    page.get_by_role("button", name="Score anyway").click()

    expect(page.get_by_text("The run ended in round 1.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Link to the same run")).to_have_value(
        f"{house.url}/new/dice?practice=too-little"
    )


def test_who_scores_before_the_score_is_known_is_asked_all_the_same(visitors: Visitors, house: House) -> None:
    """A press is not lost and not taken at once: it waits for what it is about."""
    page = visitors.seated(house.joined(house.opened("dice", None, rules=LOST, practice="too-early")))
    held: list[Route] = []
    page.route("**/dice/score", lambda route: held.append(route))  # noqa: PLW0108 (the browser's driver marks what it calls)
    page.reload()
    score = page.get_by_role("button", name="Score")
    score.click()
    expect(score).to_have_attribute("aria-busy", "true")
    expect(page.get_by_role("dialog")).to_have_count(0)
    for route in held:
        route.continue_()

    expect(page.get_by_role("dialog", name="Score below the target?")).to_be_visible()


def test_the_coach_locks_what_is_best_kept(visitors: Visitors, started: Seat) -> None:
    """The best dice to keep are exact, and locked by one press."""
    page = visitors.seated(started)
    page.get_by_role("switch", name="Coach").check()
    expect(page.get_by_role("button", name="Lock die 1")).to_have_attribute("aria-disabled", "false")
    first = page.get_by_role("button", name="lock these").first
    first.click()

    expect(page.get_by_text("locked now").first).to_be_visible()
    expect(page.get_by_text("exact").first).to_be_visible()

"""The Combat Duel in the browser: splits are dragged, pressed and fought, until somebody falls."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.browsing import Visitors
from tests.web.fingers import drag, reach
from tests.web.houses import House, Seat

SHORT: Final = {"difficulty": 1, "house": {"hp": 25}, "player_hp": 200}
"""A duel of a few rounds."""


@pytest.fixture
def started(house: House) -> Seat:
    """Stand before the house."""
    return house.joined(house.opened("duel", None, rules=SHORT, practice="arena"))


def zone(page: Page, name: str) -> Locator:
    """Return the cards that lie on one side."""
    return page.get_by_role("region", name=name).locator("[data-card]")


def is_over(page: Page) -> bool:
    """Wait until blows were exchanged, and say whether they were the last."""
    result = page.get_by_role("region", name=re.compile("^(Victory|Defeat|Draw)"))
    expect(result.or_(page.get_by_role("button", name="Next round")).first).to_be_visible()
    return result.is_visible()


def shown_result(page: Page) -> dict[str, int]:
    """Return the figures of the result."""
    result = page.get_by_role("region", name=re.compile("^(Victory|Defeat|Draw)"))
    names, figures = result.locator("dt").all_inner_texts(), result.locator("dd").all_inner_texts()
    return {name.lower(): int(figure) for name, figure in zip(names, figures, strict=True)}


def told_result(house: House, seat: Seat) -> dict[str, int]:
    """Return what the server says of the same."""
    view: dict[str, Any] = house.get(f"/matches/{seat.match}", seat)["view"]
    paid = {name: view["result"][name] for name in ("score", "gold", "experience")}
    return paid | {"rounds": view["round"], "hp left": view["sides"][0]["hp"]}


def test_a_duel_is_fought_to_its_end_by_mouse(visitors: Visitors, house: House, started: Seat) -> None:
    """Cards are dragged and clicked from side to side; the result is the server's."""
    page = visitors.seated(started)
    expect(zone(page, "You: Attack")).to_have_count(5)
    drag(page, zone(page, "You: Attack").first, page.get_by_role("region", name="You: Defence"))
    expect(zone(page, "You: Defence")).to_have_count(1)
    zone(page, "You: Attack").first.click()
    expect(zone(page, "You: Defence")).to_have_count(2)
    zone(page, "You: Defence").first.click()
    expect(zone(page, "You: Attack")).to_have_count(4)
    page.get_by_role("button", name="Fight").click()
    while not is_over(page):
        page.get_by_role("button", name="Next round").click()
        page.get_by_role("button", name="All attack").click()
        page.get_by_role("button", name="Fight").click()

    expect(page.get_by_role("heading", name="The match is over")).to_be_visible()
    assert told_result(house, started) == shown_result(page)


def test_a_duel_is_fought_to_its_end_by_keyboard(visitors: Visitors, house: House, started: Seat) -> None:
    """Digits move cards, D and A all of them, Enter fights and goes on; the result is the server's."""
    page = visitors.seated(started)
    expect(zone(page, "You: Attack")).to_have_count(5)
    page.keyboard.press("2")
    expect(zone(page, "You: Defence")).to_have_count(1)
    page.keyboard.press("d")
    expect(zone(page, "You: Defence")).to_have_count(5)
    reach(page, page.locator("[data-place='0']"))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(zone(page, "You: Attack")).to_have_count(2)
    page.keyboard.press("a")
    expect(zone(page, "You: Attack")).to_have_count(5)
    reach(page, page.get_by_role("button", name="Fight"))
    page.keyboard.press("Enter")
    while not is_over(page):
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Fight")).to_be_enabled()
        page.keyboard.press("a")
        page.keyboard.press("Enter")

    assert told_result(house, started) == shown_result(page)


def test_who_flees_is_asked_first(visitors: Visitors, house: House, started: Seat) -> None:
    """F asks, Escape stays, and who flees anyway has fled."""
    page = visitors.seated(started)
    expect(page.get_by_role("button", name="Flee")).to_be_visible()
    page.keyboard.press("f")
    expect(page.get_by_role("dialog", name="Flee from this duel?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Flee").click()
    page.get_by_role("dialog").get_by_role("button", name="Flee").click()

    expect(page.get_by_role("region", name="Fled")).to_be_visible()
    assert "flight" == house.get(f"/matches/{started.match}")["view"]["result"]["why"]


def test_splits_of_two_players_stay_hidden_until_both_are_ready(visitors: Visitors, house: House) -> None:
    """The first to be ready waits, and shows nothing; then both splits lie open on both screens."""
    match = house.opened("duel", None, None, rules={"player_hp": 300})
    ann = visitors.seated(house.joined(match, "Ann", 0))
    bob = visitors.seated(house.joined(match, "Bob", 1))
    ann.get_by_role("button", name="Fight").click()
    expect(ann.get_by_text("You are ready.").first).to_be_visible()
    expect(bob.get_by_role("region", name="Ann: Attack")).to_contain_text("hidden")
    bob.get_by_role("button", name="All defend").click()
    bob.get_by_role("button", name="Fight").click()

    for page, other in ((ann, "Bob"), (bob, "Ann")):
        expect(page.get_by_role("button", name="Next round")).to_be_visible()
        expect(page.get_by_role("region", name=f"{other}: Attack")).not_to_contain_text("hidden")


def test_the_coach_ranks_splits_and_takes_one_over(visitors: Visitors, started: Seat) -> None:
    """The best split is taken with one press; that perfect play is not solved is said, and no fault."""
    with visitors.expecting("duel/split"):
        page = visitors.seated(started)
        page.get_by_role("switch", name="Coach").check()
        best = page.get_by_role("button", name=re.compile("^Take this split")).first
        best.click()

        expect(best).to_have_attribute("aria-pressed", "true")
        expect(page.get_by_text(re.compile(r"^1 of \d+"))).to_be_visible()

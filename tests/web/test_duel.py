"""The Combat Duel in the browser: splits by dragging, by click and by keyboard, to the end of a duel."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.gestures import drag, reach
from tests.web.servers import RunningServer, Seat
from tests.web.visitors import Visitors

SHORT: Final = {"difficulty": 1, "house": {"hp": 25}, "player_hp": 200}
"""Rules of a duel of a few rounds."""


@pytest.fixture
def seat(server: RunningServer) -> Seat:
    """Open a duel against the house and join it."""
    return server.join(server.open_match("duel", None, rules=SHORT, practice="arena"))


def zone(page: Page, name: str) -> Locator:
    """Return the cards on one side of a split."""
    return page.get_by_role("region", name=name).locator("[data-card]")


def is_over(page: Page) -> bool:
    """Wait until a round has been fought, and return whether the duel is over."""
    result = page.get_by_role("region", name=re.compile("^(Victory|Defeat|Draw)"))
    expect(result.or_(page.get_by_role("button", name="Next round")).first).to_be_visible()
    return result.is_visible()


def shown_result(page: Page) -> dict[str, int]:
    """Return the numbers of the result as the page shows them."""
    result = page.get_by_role("region", name=re.compile("^(Victory|Defeat|Draw)"))
    names, figures = result.locator("dt").all_inner_texts(), result.locator("dd").all_inner_texts()
    return {name.lower(): int(figure) for name, figure in zip(names, figures, strict=True)}


def final_result(server: RunningServer, seat: Seat) -> dict[str, int]:
    """Return the same numbers as the server has them."""
    view: dict[str, Any] = server.get(f"/matches/{seat.match}", seat)["view"]
    paid = {name: view["result"][name] for name in ("score", "gold", "experience")}
    return paid | {"rounds": view["round"], "hp left": view["sides"][0]["hp"]}


def test_a_duel_is_fought_to_its_end_by_mouse(visitors: Visitors, server: RunningServer, seat: Seat) -> None:
    """Cards are dragged and clicked from side to side; the result equals the server's."""
    page = visitors.open_seat(seat)
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
    assert final_result(server, seat) == shown_result(page)


def test_a_duel_is_fought_to_its_end_by_keyboard(
    visitors: Visitors, server: RunningServer, seat: Seat
) -> None:
    """Digits move cards, D and A all of them, Enter fights and continues; the result equals the server's."""
    page = visitors.open_seat(seat)
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

    assert final_result(server, seat) == shown_result(page)


def test_fleeing_asks_for_confirmation(visitors: Visitors, server: RunningServer, seat: Seat) -> None:
    """F asks, Escape cancels, and a confirmed flight ends the duel."""
    page = visitors.open_seat(seat)
    expect(page.get_by_role("button", name="Flee")).to_be_visible()
    page.keyboard.press("f")
    expect(page.get_by_role("dialog", name="Flee from this duel?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Flee").click()
    page.get_by_role("dialog").get_by_role("button", name="Flee").click()

    expect(page.get_by_role("region", name="Fled")).to_be_visible()
    assert "flight" == server.get(f"/matches/{seat.match}")["view"]["result"]["why"]


def test_splits_of_two_players_stay_hidden_until_both_are_ready(
    visitors: Visitors, server: RunningServer
) -> None:
    """The page of the first player to be ready shows nothing; then both splits are shown on both pages."""
    match = server.open_match("duel", None, None, rules={"player_hp": 300})
    ann = visitors.open_seat(server.join(match, "Ann", 0))
    bob = visitors.open_seat(server.join(match, "Bob", 1))
    ann.get_by_role("button", name="Fight").click()
    expect(ann.get_by_text("You are ready.").first).to_be_visible()
    expect(bob.get_by_role("region", name="Ann: Attack")).to_contain_text("hidden")
    bob.get_by_role("button", name="All defend").click()
    bob.get_by_role("button", name="Fight").click()

    for page, other in ((ann, "Bob"), (bob, "Ann")):
        expect(page.get_by_role("button", name="Next round")).to_be_visible()
        expect(page.get_by_role("region", name=f"{other}: Attack")).not_to_contain_text("hidden")


def test_the_coach_ranks_splits_and_applies_one(visitors: Visitors, seat: Seat) -> None:
    """The best split is applied with one click; a duel that is not solved is reported without a warning."""
    with visitors.allow_complaints("duel/split"):
        page = visitors.open_seat(seat)
        page.get_by_role("switch", name="Coach").check()
        best = page.get_by_role("button", name=re.compile("^Take this split")).first
        best.click()

        expect(best).to_have_attribute("aria-pressed", "true")
        expect(page.get_by_text(re.compile(r"^1 of \d+"))).to_be_visible()


def test_optional_rules_are_shown_where_they_are_in_force(visitors: Visitors, server: RunningServer) -> None:
    """Abilities and the environment from the start; after a round worn gear and a combo."""
    optional = {
        "player": {"weapon": 6, "skill": 50},
        "player_hp": 500,
        "house": {"hp": 1000},
        "abilities": {"enabled": True},
        "environment": "rain",
        "durability": {"weapon_wear": 2},
        "combos": {"rank": "high_card", "bonus": 4},
    }
    page = visitors.open_seat(server.join(server.open_match("duel", None, rules=optional, practice="arena")))
    fighter = page.get_by_role("region", name="You", exact=True)

    expect(page.get_by_text("Rain: attack × 0.9.")).to_be_visible()
    for text in ("Weapon 6", "Skill 50", "Guard", "Riposte"):
        expect(fighter.get_by_text(text, exact=True)).to_be_visible()

    page.get_by_role("button", name="All attack").click()
    page.get_by_role("button", name="Fight").click()
    page.get_by_role("button", name="Next round").click()
    page.get_by_role("button", name="All attack").click()

    expect(fighter.get_by_text("Weapon 4 of 6", exact=True)).to_be_visible()
    expect(fighter.get_by_text("Combo 1", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="You: Attack").get_by_text("4 combo")).to_be_visible()

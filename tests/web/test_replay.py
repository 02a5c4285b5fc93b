"""A match is seen again as it was, from the server or from its record, and its luck is proven or not."""

import re
from pathlib import Path
from time import monotonic
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import Visitors
from tests.web.houses import SECONDS, House

BOTS: Final[dict[str, tuple[tuple[str, ...], dict[str, Any]]]] = {
    "destiny": (("random",), {"run": {"duration": 1200}}),
    "duel": (("best_trade",), {"rounds": 2}),
    "dice": (("greedy",), {"rounds": 2}),
    "fate": (("random", "random"), {"turns": 1}),
    "casino": (("greedy", "greedy", "greedy"), {"deck": "short"}),
}

BOARD: Final = """
  () => [...document.querySelectorAll("section.board > :not(.outcome)")].map((part) => part.innerText).join(" ").replace(/\\s+/g, " ")
"""


def played(house: House, game: str, **more: Any) -> str:  # noqa: ANN401  of the opening
    """Let bots play a game to its end."""
    bots, rules = BOTS[game]
    match = house.opened(game, *bots, rules=rules, **more)
    house.ended(match)
    return match


def board(page: Page) -> str:
    """Return all that the table shows, without what leads on from there."""
    page.get_by_role("heading", name="The match is over").wait_for()
    shown: str = page.evaluate(BOARD)
    return shown


@pytest.mark.parametrize("game", BOTS)
def test_a_replay_ends_as_the_match_did(visitors: Visitors, house: House, game: str) -> None:
    """With the scrubber at its end, the same screen shows what who watched the match saw at its end."""
    match = played(house, game)
    live, replay = visitors.arrive(), visitors.arrive()
    live.goto(f"/matches/{match}")
    replay.goto(f"/replay/{match}")
    replay.get_by_role("button", name="To the end").click()
    until = monotonic() + SECONDS
    while board(live) != board(replay) and monotonic() < until:
        live.wait_for_timeout(50)  # each page shows the answers to its questions when they come

    assert board(live) == board(replay)


def test_a_replay_is_led_by_keys_step_by_step(page: Page, house: House) -> None:
    """Arrows go one move, Home and End to the ends, Space plays; the slider says where it is."""
    page.goto(f"/replay/{played(house, 'casino')}")
    slider = page.get_by_role("slider", name="Position in the match")
    expect(slider).to_have_attribute("aria-valuetext", "Before the first move")
    plies = int(slider.get_attribute("max") or 0)
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^Move 1 of {plies},"))
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^Move {plies} of {plies}"))
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^Move {plies - 1} of {plies}"))
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "Before the first move")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()

    expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^Move [1-9] of {plies},"))


def test_a_replay_shows_what_each_seat_saw(page: Page, house: House) -> None:
    """A hand is seen by its owner's eyes alone."""
    page.goto(f"/replay/{played(house, 'casino')}")
    page.get_by_role("slider", name="Position in the match").fill("6")
    expect(page.locator("[data-key^='hand:']")).to_have_count(0)
    page.get_by_label("Seen as").select_option(index=1)

    expect(page.get_by_role("group", name="Your hand").get_by_role("button").first).to_be_visible()


def test_the_luck_of_a_match_is_proven(page: Page, house: House) -> None:
    """Every card is drawn again from the seeds; the commitment and the seeds are shown."""
    match = played(house, "casino")
    page.goto(f"/replay/{match}?verify")

    expect(
        page.get_by_text("Proven: every card and every die was drawn again from the seeds")
    ).to_be_visible()
    expect(
        page.get_by_text("This browser counted it itself: the server's seed gives the commitment.")
    ).to_be_visible()
    expect(page.get_by_text(house.get(f"/matches/{match}")["commitment"])).to_be_visible()


def test_a_record_is_downloaded_and_shown_again(page: Page, house: House, tmp_path: Path) -> None:
    """The record is the server's own; chosen as a file, it is shown anywhere."""
    match = played(house, "dice")
    page.goto(f"/replay/{match}")
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download the record").click()
    kept = tmp_path / coming.value.suggested_filename
    coming.value.save_as(kept)
    assert house.get(f"/matches/{match}/record") == kept.read_text(encoding="utf-8")
    page.goto("/replay")
    page.get_by_label("Choose a file").set_input_files(kept)

    expect(page.get_by_role("heading", name="Dice Hands", level=1)).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_role("heading", name="The match is over")).to_be_visible()


def test_a_record_that_was_changed_is_refused_with_its_place(
    visitors: Visitors, page: Page, house: House
) -> None:
    """Moves that cannot have been are said, with the ply at which they stand."""
    record = house.get(f"/matches/{played(house, 'duel')}/record")
    page.goto("/replay")
    page.get_by_text("Paste a record").click()
    page.get_by_role("textbox", name="Text of a record").fill(
        re.sub(r"(?m)^(digest = ).*$", r'\1"0"', record)
    )
    with visitors.expecting("400"):
        page.get_by_role("button", name="Show it").click()

        expect(page.get_by_role("alert")).to_contain_text("This record cannot be shown")


def test_a_match_that_is_not_over_is_said_with_the_way_on(
    visitors: Visitors, page: Page, house: House
) -> None:
    """A replay comes when it is over; until then one can watch."""
    match = house.joined(house.opened("dice", None)).match
    with visitors.expecting("409"):
        page.goto(f"/replay/{match}")

        expect(page.get_by_role("alert")).to_contain_text("This match is still being played")
    page.get_by_role("link", name="Watch it").click()
    expect(page.get_by_role("heading", name="Dice Hands", level=1)).to_be_visible()

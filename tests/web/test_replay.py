"""Replays from the server or from a record, and the verification of their luck."""

import re
from pathlib import Path
from time import monotonic
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.web.servers import SECONDS, RunningServer
from tests.web.visitors import Visitors

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


def play_bots(server: RunningServer, game: str, **more: Any) -> str:  # noqa: ANN401  other fields of the request
    """Let bots play a match to its end, and return its id."""
    bots, rules = BOTS[game]
    match = server.open_match(game, *bots, rules=rules, **more)
    server.wait_for_end(match)
    return match


def board(page: Page) -> str:
    """Return the text of the board, without links to other pages."""
    page.get_by_role("heading", name="The match is over").wait_for()
    shown: str = page.evaluate(BOARD)
    return shown


@pytest.mark.parametrize("game", BOTS)
def test_a_replay_ends_as_the_match_did(visitors: Visitors, server: RunningServer, game: str) -> None:
    """At its last position, the replay shows what a spectator's page of the match shows at the end."""
    match = play_bots(server, game)
    live, replay = visitors.open_page(), visitors.open_page()
    live.goto(f"/matches/{match}")
    replay.goto(f"/replay/{match}")
    replay.get_by_role("button", name="To the end").click()
    until = monotonic() + SECONDS
    while board(live) != board(replay) and monotonic() < until:
        live.wait_for_timeout(50)  # each page shows the replies to its questions when they arrive

    assert board(live) == board(replay)


def test_a_replay_is_controlled_by_keys(page: Page, server: RunningServer) -> None:
    """Arrow keys go one move, Home and End to the ends, Space plays; the slider shows the position."""
    page.goto(f"/replay/{play_bots(server, 'casino')}")
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


def test_a_replay_shows_the_view_of_each_seat(page: Page, server: RunningServer) -> None:
    """A hand is shown only in its owner's view."""
    page.goto(f"/replay/{play_bots(server, 'casino')}")
    page.get_by_role("slider", name="Position in the match").fill("6")
    expect(page.locator("[data-key^='hand:']")).to_have_count(0)
    page.get_by_label("Seen as").select_option(index=1)

    expect(page.get_by_role("group", name="Your hand").get_by_role("button").first).to_be_visible()


def test_the_luck_of_a_match_is_verified(page: Page, server: RunningServer) -> None:
    """Every card is drawn again from the seeds; the commitment and the seeds are shown."""
    match = play_bots(server, "casino")
    page.goto(f"/replay/{match}?verify")

    expect(
        page.get_by_text("Proven: every card and every die was drawn again from the seeds")
    ).to_be_visible()
    expect(
        page.get_by_text("This browser counted it itself: the server's seed gives the commitment.")
    ).to_be_visible()
    expect(page.get_by_text(server.get(f"/matches/{match}")["commitment"])).to_be_visible()


def test_a_record_is_downloaded_and_replayed_from_the_file(
    page: Page, server: RunningServer, tmp_path: Path
) -> None:
    """The downloaded file equals the server's record."""
    match = play_bots(server, "dice")
    page.goto(f"/replay/{match}")
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download the record").click()
    kept = tmp_path / coming.value.suggested_filename
    coming.value.save_as(kept)
    assert server.get(f"/matches/{match}/record") == kept.read_text(encoding="utf-8")
    page.goto("/replay")
    page.get_by_label("Choose a file").set_input_files(kept)

    expect(page.get_by_role("heading", name="Dice Hands", level=1)).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_role("heading", name="The match is over")).to_be_visible()


def test_a_forged_record_is_refused(visitors: Visitors, page: Page, server: RunningServer) -> None:
    record = server.get(f"/matches/{play_bots(server, 'duel')}/record")
    page.goto("/replay")
    page.get_by_text("Paste a record").click()
    page.get_by_role("textbox", name="Text of a record").fill(
        re.sub(r"(?m)^(digest = ).*$", r'\1"0"', record)
    )
    with visitors.allow_complaints("400"):
        page.get_by_role("button", name="Show it").click()

        expect(page.get_by_role("alert")).to_contain_text("This record cannot be shown")


def test_a_running_match_has_no_replay_and_a_link_to_watch_it(
    visitors: Visitors, page: Page, server: RunningServer
) -> None:
    match = server.join(server.open_match("dice", None)).match
    with visitors.allow_complaints("409"):
        page.goto(f"/replay/{match}")

        expect(page.get_by_role("alert")).to_contain_text("This match is still being played")
    page.get_by_role("link", name="Watch it").click()
    expect(page.get_by_role("heading", name="Dice Hands", level=1)).to_be_visible()

"""The default board: every mechanic from a file is played, watched and replayed in the browser, without a line of its own."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect

from oddsmith import wire
from tests.mechanics.subjects import EXAMPLE_FILES, EXAMPLES, seats_of, settings_of
from tests.web.servers import RunningServer, Seat
from tests.web.test_access import expect_access
from tests.web.test_replay import BOTS, play_bots
from tests.web.visitors import Visitors

NAMES: Final = tuple(mechanic.name for mechanic in EXAMPLES)
MOST_CHOICES: Final = 60
OTHER: Final = "no_folder"
"""A name that no game has."""
IS_IN_SIGHT: Final = """
  (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return scrollY === 0 && top >= 0 && bottom <= innerHeight;
  }
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Return a running server with the example mechanics."""
    running = RunningServer(tmp_path_factory.mktemp("examples"), *EXAMPLE_FILES)
    running.start()
    yield running
    running.close()


def open_seat(
    server: RunningServer, name: str, *, bots_only: bool = False, practice: str | None = None
) -> Seat:
    """Open a short match, and take its first seat; bots have the others. Equal `practice` gives equal luck."""
    mechanic = next(one for one in EXAMPLES if one.name == name)
    rules = json.loads(wire.to_json(mechanic.rules_type().with_settings(settings_of(mechanic))))
    bots = ["random"] * (seats_of(mechanic) - 1)
    match = server.open_match(name, "random" if bots_only else None, *bots, rules=rules, practice=practice)
    return Seat(match, name, 0, "", "Ann") if bots_only else server.join(match)


def dock(page: Page) -> Locator:
    """Return the part of the board that has the viewer's choices."""
    return page.get_by_role("region", name="Your choices")


def choices(page: Page) -> Locator:
    """Return the numbered buttons that can be pressed."""
    return dock(page).locator("button[aria-keyshortcuts][aria-disabled='false']")


def pieces(page: Page) -> Locator:
    """Return the cards and dice that can be picked."""
    return page.locator("button[aria-pressed='false'][aria-disabled='false']")


def play_to_the_end(page: Page, choose: Callable[[Page], None]) -> None:
    """Choose whenever the viewer is asked, until the match is over."""
    over = page.get_by_role("heading", name="The match is over")
    for _ in range(MOST_CHOICES):
        expect(over.or_(choices(page).first).first).to_be_visible()
        if over.is_visible():
            return
        choose(page)
    raise AssertionError(f"the match is not over after {MOST_CHOICES} choices")


def click_a_choice(page: Page) -> None:
    """Pick a card or die, if any can be picked, and click the last button, which is in sight without scrolling."""
    if pieces(page).count():
        pieces(page).first.click()
        expect(page.locator("button[aria-pressed='true']")).to_have_count(1)
    last = choices(page).last
    assert last.evaluate(IS_IN_SIGHT)
    last.click()


def press_a_choice(page: Page) -> None:
    """Pick a card or die by arrow keys and the space bar, if any can be picked, and press the digit of the last button."""
    if pieces(page).count():
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        expect(page.locator("button[aria-pressed='true']")).to_be_focused()
    last = choices(page).last
    digit = last.get_attribute("aria-keyshortcuts")
    assert digit is not None
    assert last.evaluate(IS_IN_SIGHT)
    page.keyboard.press(digit)


@pytest.mark.parametrize("name", NAMES)
def test_a_match_is_played_to_its_end_by_mouse_on_a_phone(
    visitors: Visitors, server: RunningServer, name: str
) -> None:
    """No choice is below the fold; at the end, the board has the score of every seat."""
    seat = open_seat(server, name)
    page = visitors.open_seat(seat, width=390, height=844)
    play_to_the_end(page, click_a_choice)
    outcome = server.get(f"/matches/{seat.match}")["outcome"]
    scores = page.get_by_role("table", name="Final scores").get_by_role("row")

    expect(scores).to_have_count(len(outcome["scores"]) + 1)
    assert sorted(outcome["scores"]) == sorted(
        float(text.replace("\u2212", "-")) for text in scores.get_by_role("cell").all_inner_texts()
    )
    expect(page.get_by_text(re.compile(outcome["why"], re.IGNORECASE))).to_be_visible()


@pytest.mark.parametrize("name", NAMES)
def test_a_match_is_played_to_its_end_by_keys(visitors: Visitors, server: RunningServer, name: str) -> None:
    """Digits choose, arrows and the space bar pick; what happened is said in sentences, and the end is accessible."""
    page = visitors.open_seat(open_seat(server, name), height=800)
    play_to_the_end(page, press_a_choice)
    lines = page.get_by_role("list", name="What happened").get_by_role("listitem").all_inner_texts()

    assert lines
    assert all(re.fullmatch(r"\S.* .*\.", line) for line in lines)
    expect(page.get_by_role("link", name="Play again")).to_be_visible()
    expect_access(page)


@pytest.mark.parametrize("name", NAMES)
def test_a_match_of_bots_is_watched_and_replayed(
    visitors: Visitors, server: RunningServer, name: str
) -> None:
    """A spectator has no choices; at its last position the replay shows the board of the match, at its first it does not."""
    match = open_seat(server, name, bots_only=True).match
    server.wait_for_end(match)
    live, replay = visitors.open_page("Eve"), visitors.open_page("Bob")
    live.goto(f"/matches/{match}")
    expect(live.get_by_role("heading", name="The match is over")).to_be_visible()
    shown = live.locator(".playfield").inner_text()
    replay.goto(f"/replay/{match}")
    replay.get_by_role("button", name="To the end").click()

    expect(dock(live)).to_have_count(0)
    expect(replay.locator(".playfield")).to_have_text(live.locator(".playfield").text_content() or "")
    replay.get_by_role("button", name="To the beginning").click()
    expect(replay.get_by_role("heading", name="The match is over")).to_have_count(0)
    assert shown != replay.locator(".playfield").inner_text()


@pytest.mark.parametrize("name", NAMES)
def test_a_board_with_choices_and_its_help_are_accessible(
    visitors: Visitors, server: RunningServer, name: str
) -> None:
    """The help has every rule."""
    seat = open_seat(server, name, practice="choices")
    server.wait_for_turn(seat)
    page = visitors.open_seat(seat)
    choices(page).first.wait_for()
    expect_access(page)
    page.get_by_role("button", name="How to play").click()
    for rule in server.get(f"/games/{name}/schema")["properties"]:
        expect(page.get_by_role("rowheader", name=rule.replace("_", " "))).to_be_visible()
    if name == NAMES[0]:
        expect_access(page)


@pytest.mark.parametrize("name", BOTS)
def test_views_without_words_for_showing_are_drawn_too(
    visitors: Visitors, server: RunningServer, name: str
) -> None:
    """A game with a board of its own, under a name that has none: every position of a replay is drawn, and said in sentences."""
    match = play_bots(server, name)
    page = visitors.open_page()

    def rename(route: Route) -> None:
        reply = route.fetch().json()
        route.fulfill(
            json=reply | {"game": OTHER, "frames": [one | {"game": OTHER} for one in reply["frames"]]}
        )

    page.route(re.compile(f"/matches/{match}/replay"), rename)
    page.route(
        f"**/games/{OTHER}/types", lambda route: route.fulfill(json=server.get(f"/games/{name}/types"))
    )
    page.route(f"**/games/{OTHER}/questions", lambda route: route.fulfill(json=[]))
    page.goto(f"/replay/{match}")
    board = page.locator(".playfield")
    expect(board).to_be_visible()
    first = board.inner_text()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_role("heading", name="The match is over")).to_be_visible()
    lines = page.get_by_role("list", name="What happened").get_by_role("listitem").all_inner_texts()

    assert first != board.inner_text()
    assert all(re.fullmatch(r"\S.*\.", line) for line in lines)
    assert "[object" not in board.inner_text() + " ".join(lines)


def test_a_choice_after_the_secret_one_of_another_is_sent_again(
    visitors: Visitors, server: RunningServer
) -> None:
    """Both choose at the same version: the second is refused as stale, and sent again without another click."""
    match = server.open_match("cave", None, None)
    page = visitors.open_seat(server.join(match, "Ann", 0))
    bob = server.join(match, "Bob", 1)
    sent: list[str | bytes] = []

    def let_bob_choose_first(socket: WebSocketRoute) -> None:
        onward = socket.connect_to_server()

        def forward(message: str | bytes) -> None:
            if '"act"' in str(message):
                sent.append(message)
                if len(sent) == 1:
                    server.act(bob, "leave")
            onward.send(message)

        socket.on_message(forward)

    page.route_web_socket(re.compile("/socket$"), let_bob_choose_first)
    page.reload()
    page.get_by_role("button", name="Leave", exact=True).click()

    expect(page.get_by_role("heading", name="The match is over")).to_be_visible()
    assert len(sent) == 2
    assert server.get(f"/matches/{match}")["outcome"]["why"] == "nobody is in the cave"


def test_games_without_a_folder_are_listed_and_opened(visitors: Visitors) -> None:
    """The tile has title, summary and links; the page of a new match has every rule with its bounds."""
    page = visitors.open_page()
    page.goto("/")
    tile = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Pig", exact=True))
    expect(tile.get_by_text("a 1 loses the points of the turn")).to_be_visible()
    tile.get_by_role("link", name="Choose the rules (Pig)").click()
    page.get_by_role("button", name="Change the rules").click()

    expect(page.get_by_role("spinbutton", name="Goal")).to_have_value("100")
    expect(page.get_by_text("1 to 1000")).to_be_visible()
    page.get_by_role("button", name="Start the match").click()
    expect(page.get_by_role("button", name="Roll")).to_be_visible()

"""The home page and the lobby: matches are opened, found, watched and found again; errors are shown where they belong."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.servers import RunningServer
from tests.web.visitors import Visitors

GAMES: Final = {
    "destiny": "Destiny Deck",
    "duel": "Combat Duel",
    "dice": "Dice Hands",
    "fate": "Fate Deck",
    "casino": "Casino",
}
TABLE: Final = re.compile(r"/matches/[0-9a-f]{20}$")


@pytest.mark.parametrize("name", GAMES.values(), ids=GAMES)
def test_play_now_opens_a_match_with_one_click(page: Page, name: str) -> None:
    page.goto("/")
    page.get_by_role("link", name=re.compile(f"^Play now.*{name}")).click()

    expect(page).to_have_url(TABLE)
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text=re.compile(r"^\s*Ann\s*you"))).to_be_visible()


def test_invalid_rules_are_refused_at_their_field(
    visitors: Visitors, page: Page, server: RunningServer
) -> None:
    """The field shows the reason, and no match can be opened until it is valid; then the match has these rules."""
    page.goto("/new/dice")
    page.get_by_role("button", name="Change the rules").click()
    field = page.get_by_role("spinbutton", name="First target")
    with visitors.allow_complaints("400"):
        field.fill("-5")
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_role("alert")).to_contain_text("These rules cannot be played yet.")
        expect(page.get_by_role("button", name="Start the match")).to_be_disabled()
    page.get_by_role("button", name="Go to it").click()
    expect(field).to_be_focused()
    field.fill("77")
    expect(page.get_by_text("These rules can be played.")).to_be_visible()
    page.get_by_role("button", name="Start the match").click()

    expect(page).to_have_url(TABLE)
    assert 77 == server.get(f"/matches/{page.url[-20:]}/rules")["first_target"]


def test_rules_as_text_are_applied_or_refused(visitors: Visitors, page: Page) -> None:
    """Pasted TOML fills the form; invalid TOML shows an error, and the form is unchanged."""
    page.goto("/new/dice")
    page.get_by_role("button", name="Change the rules").click()
    page.get_by_role("button", name="Rules as text").click()
    text = page.get_by_role("textbox", name="Text of the rules")
    expect(text).to_have_value(re.compile("first_target = 40"))
    with visitors.allow_complaints("400"):
        text.fill("first_target = [")
        page.get_by_role("button", name="Use these rules").click()
        expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
    text.fill("first_target = 55")
    page.get_by_role("button", name="Use these rules").click()

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("spinbutton", name="First target")).to_have_value("55")


def test_a_practice_link_opens_a_match_with_its_seed(page: Page, server: RunningServer) -> None:
    """A link with a seed gives everyone the same luck, and the page says that it is practice."""
    page.goto("/new/dice?practice=tucson-7")
    expect(page.get_by_role("textbox", name="Seed", exact=True)).to_have_value("tucson-7")
    page.get_by_role("button", name="Start the match").click()

    expect(page.get_by_text("Practice with the seed tucson-7")).to_be_visible()
    assert "tucson-7" == server.get(f"/matches/{page.url[-20:]}")["practice"]


def test_matches_are_listed_by_their_status(
    killable_server_visitors: Visitors, killable_server: RunningServer
) -> None:
    """Open matches can be joined, running ones watched, finished ones replayed; private matches are in no list."""
    open_one = killable_server.open_match("casino", None, None)
    private = killable_server.open_match("casino", None, None, private=True)
    running = killable_server.join(killable_server.open_match("dice", None)).match
    over = killable_server.open_match("duel", "best_trade", rules={"rounds": 1})
    page = killable_server_visitors.open_page()
    page.goto("/matches")

    expect(page.get_by_role("link", name=re.compile(f"^Join.*{open_one}"))).to_be_visible()
    expect(page.get_by_role("link", name=re.compile(f"^Watch.*{running}"))).to_be_visible()
    expect(page.get_by_role("link", name=re.compile(f"^Replay.*{over}"))).to_be_visible()
    expect(page.get_by_role("link", name=private)).to_have_count(0)
    page.get_by_role("radio", name="Running").check()
    expect(page.get_by_role("link", name=re.compile(r"the match [0-9a-f]{20}"))).to_have_count(1)
    expect(page).to_have_url(re.compile(r"status=playing"))
    page.get_by_label("Game").select_option("Fate Deck")
    expect(page.get_by_text("No match fits what you look for.")).to_be_visible()
    page.get_by_role("button", name="Show all matches").click()
    expect(page.get_by_role("link", name=re.compile(r"the match [0-9a-f]{20}"))).to_have_count(3)


def test_a_visitor_s_own_matches_are_listed(visitors: Visitors, server: RunningServer) -> None:
    """A seat that was taken in this browser is listed on the home page and in the lobby, private or not."""
    seat = server.join(server.open_match("dice", None, private=True), "Ann")
    page = visitors.open_seat(seat)
    page.goto("/")
    page.get_by_role("link", name=re.compile(f"^Go on.*{seat.match}")).click()
    expect(page.get_by_role("button", name="Lock die 1")).to_be_visible()
    page.goto("/matches")

    expect(page.get_by_role("link", name=re.compile(f"^Go on.*{seat.match}"))).to_be_visible()


def test_a_pasted_link_opens_its_match_and_other_text_is_refused(page: Page, server: RunningServer) -> None:
    """A link or an id opens a match."""
    match = server.open_match("casino", None, None)
    page.goto("/matches")
    field = page.get_by_role("textbox", name="Open a match by its link")
    field.fill("not a link")
    page.get_by_role("button", name="Go there").click()
    expect(page.get_by_text("This is neither a link to a match nor an id")).to_be_visible()
    field.fill(f"  {server.url}/matches/{match}  ")
    page.get_by_role("button", name="Go there").click()

    expect(page.get_by_role("button", name="Join this match")).to_be_visible()


def test_the_address_of_an_unknown_game_shows_an_error(visitors: Visitors, page: Page) -> None:
    """The page links to the games."""
    with visitors.allow_complaints("404"):
        page.goto("/new/whist")

        expect(page.get_by_role("main")).to_contain_text(re.compile("nothing here|no game called"))


def test_a_game_without_a_folder_in_the_client_is_listed_as_the_server_describes_it(page: Page) -> None:
    """Its tile has the server's title and summary, and no link to a workbench."""

    def add_one(route: Route) -> None:
        reply = route.fetch()
        games = reply.json()
        route.fulfill(
            response=reply,
            json=[*games, games[0] | {"game": "no_such_game", "title": "Hogs", "summary": "Roll or hold."}],
        )

    page.route("**/api/v1/games", add_one)
    page.goto("/")
    tile = page.get_by_role("article").filter(has_text="Roll or hold.")

    expect(tile.get_by_role("heading", name="Hogs")).to_be_visible()
    expect(tile.get_by_role("link", name=re.compile("^Play now"))).to_be_visible()
    expect(tile.get_by_role("link", name=re.compile("^Odds"))).to_have_count(0)
    page.get_by_role("link", name="Workbench", exact=True).click()
    expect(page.get_by_role("link", name=re.compile("^Casino"))).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^Hogs"))).to_have_count(0)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_page_loads_no_code_of_other_games(
    visitors: Visitors, server: RunningServer, game: str
) -> None:
    """Files are named after the game whose board is in them."""
    seats = ["random", None] if game == "fate" else [None, "random"] if game == "casino" else [None]
    page, fetched = visitors.open_page(), set[str]()
    page.on("request", lambda request: fetched.add(request.url.rpartition("/")[2].partition("-")[0]))
    page.goto(f"/matches/{server.join(server.open_match(game, *seats)).match}")

    expect(page.get_by_role("heading", name=GAMES[game], level=1)).to_be_visible()
    assert fetched & GAMES.keys() == {game}

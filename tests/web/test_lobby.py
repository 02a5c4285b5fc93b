"""The front rooms: a match is found, made, watched and found again, and what cannot be is said at its place."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.browsing import Visitors
from tests.web.houses import House

GAMES: Final = {
    "destiny": "Destiny Deck",
    "duel": "Combat Duel",
    "dice": "Dice Hands",
    "fate": "Fate Deck",
    "casino": "Casino",
}
TABLE: Final = re.compile(r"/matches/[0-9a-f]{20}$")


@pytest.mark.parametrize("name", GAMES.values(), ids=GAMES)
def test_play_now_is_one_press_to_a_table(page: Page, name: str) -> None:
    """From the first page one press leads to a table at which one plays."""
    page.goto("/")
    page.get_by_role("link", name=re.compile(f"^Play now.*{name}")).click()

    expect(page).to_have_url(TABLE)
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text=re.compile(r"^\s*Ann\s*you"))).to_be_visible()


def test_rules_that_do_not_validate_are_refused_at_the_field(
    visitors: Visitors, page: Page, house: House
) -> None:
    """The field says why, nothing can be opened until it is right, and then the match has these rules."""
    page.goto("/new/dice")
    page.get_by_role("button", name="Change the rules").click()
    field = page.get_by_role("spinbutton", name="First target")
    with visitors.expecting("400"):
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
    assert 77 == house.get(f"/matches/{page.url[-20:]}/rules")["first_target"]


def test_rules_as_text_are_taken_over_or_refused_in_words(visitors: Visitors, page: Page) -> None:
    """TOML that is pasted becomes the form's; TOML that is wrong is said, and the form stays as it was."""
    page.goto("/new/dice")
    page.get_by_role("button", name="Change the rules").click()
    page.get_by_role("button", name="Rules as text").click()
    text = page.get_by_role("textbox", name="Text of the rules")
    expect(text).to_have_value(re.compile("first_target = 40"))
    with visitors.expecting("400"):
        text.fill("first_target = [")
        page.get_by_role("button", name="Use these rules").click()
        expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
    text.fill("first_target = 55")
    page.get_by_role("button", name="Use these rules").click()

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("spinbutton", name="First target")).to_have_value("55")


def test_a_practice_begins_with_the_seed_of_its_link(page: Page, house: House) -> None:
    """A link with a seed gives the same luck to everybody, and says that it is practice."""
    page.goto("/new/dice?practice=tucson-7")
    expect(page.get_by_role("textbox", name="Seed", exact=True)).to_have_value("tucson-7")
    page.get_by_role("button", name="Start the match").click()

    expect(page.get_by_text("Practice with the seed tucson-7")).to_be_visible()
    assert "tucson-7" == house.get(f"/matches/{page.url[-20:]}")["practice"]


def test_matches_are_listed_by_how_they_stand(frail_visitors: Visitors, frail_house: House) -> None:
    """Open matches are joined, running ones watched, those that are over replayed; private ones are in no list."""
    open_one = frail_house.opened("casino", None, None)
    private = frail_house.opened("casino", None, None, private=True)
    running = frail_house.joined(frail_house.opened("dice", None)).match
    over = frail_house.opened("duel", "best_trade", rules={"rounds": 1})
    page = frail_visitors.arrive()
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


def test_my_matches_are_found_again(visitors: Visitors, house: House) -> None:
    """A seat that was taken in this browser is there again on the first page and in the list, private or not."""
    seat = house.joined(house.opened("dice", None, private=True), "Ann")
    page = visitors.seated(seat)
    page.goto("/")
    page.get_by_role("link", name=re.compile(f"^Go on.*{seat.match}")).click()
    expect(page.get_by_role("button", name="Lock die 1")).to_be_visible()
    page.goto("/matches")

    expect(page.get_by_role("link", name=re.compile(f"^Go on.*{seat.match}"))).to_be_visible()


def test_a_link_is_pasted_and_what_is_none_is_said(page: Page, house: House) -> None:
    """A link, or an id, opens a match; anything else is refused in words."""
    match = house.opened("casino", None, None)
    page.goto("/matches")
    field = page.get_by_role("textbox", name="Open a match by its link")
    field.fill("not a link")
    page.get_by_role("button", name="Go there").click()
    expect(page.get_by_text("This is neither a link to a match nor an id")).to_be_visible()
    field.fill(f"  {house.url}/matches/{match}  ")
    page.get_by_role("button", name="Go there").click()

    expect(page.get_by_role("button", name="Join this match")).to_be_visible()


def test_a_game_that_is_not_there_is_said(visitors: Visitors, page: Page) -> None:
    """An address with the name of no game says so, and leads on."""
    with visitors.expecting("404"):
        page.goto("/new/whist")

        expect(page.get_by_role("main")).to_contain_text(re.compile("nothing here|no game called"))


def test_a_game_that_the_pages_have_no_folder_for_is_listed_as_the_server_says(page: Page) -> None:
    """Its tile has the server's title and summary, and leads to no workbench, since there is none."""

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
def test_a_table_loads_no_code_of_other_games(visitors: Visitors, house: House, game: str) -> None:
    """Files are named after the game whose board is in them; only those of this game are fetched."""
    seats = ["random", None] if game == "fate" else [None, "random"] if game == "casino" else [None]
    page, fetched = visitors.arrive(), set[str]()
    page.on("request", lambda request: fetched.add(request.url.rpartition("/")[2].partition("-")[0]))
    page.goto(f"/matches/{house.joined(house.opened(game, *seats)).match}")

    expect(page.get_by_role("heading", name=GAMES[game], level=1)).to_be_visible()
    assert fetched & GAMES.keys() == {game}

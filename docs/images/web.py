"""Take screenshots of the browser client, in three sizes, light and dark: `python -m docs.images.web [SCENE ...]`.

Matches are practice matches with fixed seeds, so that the pictures are reproducible.
"""  # noqa: INP001  a script next to its pictures

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image
from playwright.sync_api import Error, Page, expect, sync_playwright
from tests.web.browsing import Visitors, launched
from tests.web.fingers import drag
from tests.web.houses import House, Seat

FOLDER: Final = Path(__file__).with_name("web")
SIZES: Final = {360: 780, 768: 1024, 1280: 900}
SCHEMES: Final = ("light", "dark")
QUALITY: Final = 85
CALM: Final = 600
"""Milliseconds for a page to redraw its charts."""
TO_THE_TABLE: Final = """
  (isPhone) => {
    const table = isPhone ? document.querySelector("section.board") : null;
    scrollTo(0, table ? table.getBoundingClientRect().top + scrollY - 8 : 0);
  }
"""
"""Script that scrolls to the board on a phone, and to the top of the page elsewhere."""


def seated(house: House, game: str, *seats: str | None, **more: Any) -> Seat:  # noqa: ANN401  keyword arguments of the request that opens a match
    """Open a match, join it and return the seat."""
    return house.joined(house.opened(game, *seats, **more), "Rose", seats.index(None))


def home(visitors: Visitors, house: House) -> Page:
    """Show the home page, with a match to resume."""
    page = visitors.seated(seated(house, "casino", None, "greedy", practice="felt-36"))
    page.goto("/")
    expect(page.get_by_role("heading", name="Go on")).to_be_visible()
    return page


def lobby(visitors: Visitors, house: House) -> Page:
    """Show the lobby with matches of several games."""
    house.joined(house.opened("casino", None, None, None), "Ann")
    house.joined(house.opened("duel", None, None), "Bob")
    house.opened("duel", "best_trade", rules="example")
    house.opened("dice", "greedy")
    page = visitors.seated(seated(house, "dice", None, practice="back-room"))
    page.goto("/matches")
    expect(page.get_by_text("waits for players").first).to_be_visible()
    return page


def new(visitors: Visitors, _: House) -> Page:
    """Show the form that opens a match."""
    page = visitors.arrive("Rose")
    page.goto("/new/casino?friend")
    page.get_by_role("button", name="Change the rules").click()
    expect(page.get_by_label("Sweep points")).to_be_visible()
    return page


def destiny(visitors: Visitors, house: House) -> Page:
    """Show the result of a crime."""
    seat = seated(house, "destiny", None, practice="heist")
    house.acted(seat, {"type": "choose", "outlaw": "calamity_rose"})
    page = visitors.seated(seat)
    attempt = page.get_by_role("button", name="Attempt: Burglary")
    expect(attempt).to_have_attribute("aria-disabled", "false")
    attempt.click()
    expect(page.get_by_text("Margin")).to_be_visible()
    return page


def duel(visitors: Visitors, house: House) -> Page:
    """Show a split before it is chosen."""
    seat = seated(house, "duel", None, practice="arena", rules="example")
    house.acted(seat, {"type": "execute_turn"})
    page = visitors.seated(seat)
    expect(page.get_by_role("button", name="Fight")).to_be_enabled()
    for key in "24":
        page.keyboard.press(key)
    return page


def dice(visitors: Visitors, house: House) -> Page:
    """Show locked dice, and the advice of the coach."""
    page = visitors.seated(seated(house, "dice", None, practice="back-room"), kept={"coach": True})
    page.get_by_role("button", name="lock these").first.click()
    expect(page.get_by_text("locked now").first).to_be_visible()
    return page


def fate(visitors: Visitors, house: House) -> Page:
    """Show a check that waits for its player."""
    match = house.opened("fate", None, None, None)
    master, player = house.joined(match, "Mara", 0), house.joined(match, "Rose", 1)
    house.joined(match, "Bob", 2)
    house.acted(player, {"type": "peek", "count": 3})
    house.acted(player, {"type": "ready"})
    house.acted(master, {"type": "call", "player": 1, "check": "omen"})
    house.awaited(player)
    page = visitors.seated(player, kept={"coach": True})
    expect(page.get_by_role("button", name="Take these cards")).to_be_enabled()
    return page


def casino(visitors: Visitors, house: House) -> Page:
    """Show a picked card, and its drop targets."""
    page = visitors.seated(half_played(house))
    expect(page.get_by_text("Drag a card, or pick one")).to_be_visible()
    page.locator("[data-key='hand:4♥']").click()
    expect(page.locator("[data-target]").first).to_be_visible()
    return page


def casino_dialog(visitors: Visitors, house: House) -> Page:
    """Show the dialog for a drop with several meanings."""
    page = visitors.seated(half_played(house))
    expect(page.get_by_text("Drag a card, or pick one")).to_be_visible()
    drag(page, page.locator("[data-key='hand:4♥']"), page.locator("[data-key='loose:4♠']"))
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


def half_played(house: House) -> Seat:
    """Return a seat of a match after four choices, with a build on the table."""
    seat = seated(house, "casino", None, "greedy", practice="felt-35")
    for _ in range(4):
        actions = house.awaited(seat)["actions"]
        kinds = [action["kind"] for action in actions]
        wanted = next((kind for kind in ("build", "trail") if kind in kinds), kinds[0])
        house.acted(seat, actions[kinds.index(wanted)])
    house.awaited(seat)
    return seat


def workbench(visitors: Visitors, _: House) -> Page:
    """Show two settings side by side."""
    page = visitors.arrive("Rose")
    page.goto("/workbench/destiny")
    page.get_by_role("switch", name="Compare two").check()
    page.get_by_role("region", name="Setting B").get_by_role("slider", name="Lockpicking").fill("80")
    expect(page.locator(".headline .gap")).to_be_visible()
    return page


def replay(visitors: Visitors, house: House) -> Page:
    """Show the replay of a match, in its middle."""
    match = house.opened("casino", "greedy", "greedy", practice="felt-4")
    house.ended(match)
    page = visitors.arrive("Rose")
    page.goto(f"/replay/{match}")
    page.get_by_label("Seen as").select_option(index=1)
    page.get_by_role("slider", name="Position in the match").fill("28")
    return page


SCENES: Final[dict[str, Callable[[Visitors, House], Page]]] = {
    scene.__name__.replace("_", "-"): scene
    for scene in (
        home,
        lobby,
        new,
        destiny,
        duel,
        dice,
        fate,
        casino,
        casino_dialog,
        workbench,
        replay,
    )
}


def pictures(page: Page) -> Iterator[tuple[str, bytes]]:
    """Yield screenshots of a page in every size and colour scheme, with their names."""
    for width, height in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            with suppress(Error):
                page.wait_for_load_state("networkidle")
            page.wait_for_timeout(CALM)
            page.evaluate(TO_THE_TABLE, width == min(SIZES))
            yield f"{width}-{scheme}", small(page.screenshot(caret="hide"))


def small(picture: bytes) -> bytes:
    """Return a picture compressed as WebP, in full colour."""
    file = BytesIO()
    Image.open(BytesIO(picture)).convert("RGB").save(file, "WEBP", quality=QUALITY, method=6)
    return file.getvalue()


def taken(wanted: list[str]) -> None:
    """Write the screenshots of the named scenes, or of all."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder))
        house.open()
        browser = launched(playwright)
        visitors = Visitors(browser, house.url)
        try:
            for name in wanted or SCENES:
                page = SCENES[name](visitors, house)
                for kind, picture in pictures(page):
                    (FOLDER / f"{name}-{kind}.webp").write_bytes(picture)
                page.context.close()
        finally:
            browser.close()
            house.close()


if __name__ == "__main__":
    taken(sys.argv[1:])

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
from tests.web.gestures import drag
from tests.web.servers import RunningServer, Seat
from tests.web.visitors import Visitors, launch_browser

PIG: Final = Path(__file__).parents[2] / "examples" / "mechanics" / "pig.py"
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


def open_and_join(server: RunningServer, game: str, *seats: str | None, **more: Any) -> Seat:  # noqa: ANN401  other fields of the request
    """Open a match, join it and return the seat."""
    return server.join(server.open_match(game, *seats, **more), "Rose", seats.index(None))


def home(visitors: Visitors, server: RunningServer) -> Page:
    """Show the home page, with a match to resume."""
    page = visitors.open_seat(open_and_join(server, "casino", None, "greedy", practice="felt-36"))
    page.goto("/")
    expect(page.get_by_role("heading", name="Go on")).to_be_visible()
    return page


def lobby(visitors: Visitors, server: RunningServer) -> Page:
    """Show the lobby with matches of several games."""
    server.join(server.open_match("casino", None, None, None), "Ann")
    server.join(server.open_match("duel", None, None), "Bob")
    server.open_match("duel", "best_trade", rules="example")
    server.open_match("dice", "greedy")
    page = visitors.open_seat(open_and_join(server, "dice", None, practice="back-room"))
    page.goto("/matches")
    expect(page.get_by_text("waits for players").first).to_be_visible()
    return page


def new(visitors: Visitors, _: RunningServer) -> Page:
    """Show the form that opens a match."""
    page = visitors.open_page("Rose")
    page.goto("/new/casino?friend")
    page.get_by_role("button", name="Change the rules").click()
    expect(page.get_by_label("Sweep points")).to_be_visible()
    return page


def destiny(visitors: Visitors, server: RunningServer) -> Page:
    """Show the result of a crime."""
    seat = open_and_join(server, "destiny", None, practice="heist")
    server.act(seat, {"type": "choose", "outlaw": "calamity_rose"})
    page = visitors.open_seat(seat)
    attempt = page.get_by_role("button", name="Attempt: Burglary")
    expect(attempt).to_have_attribute("aria-disabled", "false")
    attempt.click()
    expect(page.get_by_text("Margin")).to_be_visible()
    return page


def duel(visitors: Visitors, server: RunningServer) -> Page:
    """Show a split before it is chosen."""
    seat = open_and_join(server, "duel", None, practice="arena", rules="example")
    server.act(seat, {"type": "execute_turn"})
    page = visitors.open_seat(seat)
    expect(page.get_by_role("button", name="Fight")).to_be_enabled()
    for key in "24":
        page.keyboard.press(key)
    return page


def dice(visitors: Visitors, server: RunningServer) -> Page:
    """Show locked dice, and the advice of the coach."""
    page = visitors.open_seat(
        open_and_join(server, "dice", None, practice="back-room"), local_storage={"coach": True}
    )
    page.get_by_role("button", name="lock these").first.click()
    expect(page.get_by_text("locked now").first).to_be_visible()
    return page


def fate(visitors: Visitors, server: RunningServer) -> Page:
    """Show a check that waits for its player."""
    match = server.open_match("fate", None, None, None)
    master, player = server.join(match, "Mara", 0), server.join(match, "Rose", 1)
    server.join(match, "Bob", 2)
    server.act(player, {"type": "peek", "count": 3})
    server.act(player, {"type": "ready"})
    server.act(master, {"type": "call", "player": 1, "check": "omen"})
    server.wait_for_turn(player)
    page = visitors.open_seat(player, local_storage={"coach": True})
    expect(page.get_by_role("button", name="Take these cards")).to_be_enabled()
    return page


def casino(visitors: Visitors, server: RunningServer) -> Page:
    """Show a picked card, and its drop targets."""
    page = visitors.open_seat(play_half(server))
    expect(page.get_by_text("Drag a card, or pick one")).to_be_visible()
    page.locator("[data-key='hand:4♥']").click()
    expect(page.locator("[data-target]").first).to_be_visible()
    return page


def casino_dialog(visitors: Visitors, server: RunningServer) -> Page:
    """Show the dialog for a drop with several meanings."""
    page = visitors.open_seat(play_half(server))
    expect(page.get_by_text("Drag a card, or pick one")).to_be_visible()
    drag(page, page.locator("[data-key='hand:4♥']"), page.locator("[data-key='loose:4♠']"))
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


def play_half(server: RunningServer) -> Seat:
    """Return a seat of a match after four choices, with a build on the table."""
    seat = open_and_join(server, "casino", None, "greedy", practice="felt-35")
    for _ in range(4):
        actions = server.wait_for_turn(seat)["actions"]
        kinds = [action["kind"] for action in actions]
        wanted = next((kind for kind in ("build", "trail") if kind in kinds), kinds[0])
        server.act(seat, actions[kinds.index(wanted)])
    server.wait_for_turn(seat)
    return seat


def pig(visitors: Visitors, server: RunningServer) -> Page:
    """Show the default board: Pig, from its file, in the middle of a turn."""
    page = visitors.open_seat(open_and_join(server, "pig", None, "greedy", practice="sty"))
    for action in ("Roll", "Hold", "Roll", "Roll"):
        page.get_by_role("button", name=action).and_(page.locator("[aria-disabled='false']")).click()
        expect(page.get_by_text("Your turn").first).to_be_visible()
    return page


def workbench(visitors: Visitors, _: RunningServer) -> Page:
    """Show two settings side by side."""
    page = visitors.open_page("Rose")
    page.goto("/workbench/destiny")
    page.get_by_role("switch", name="Compare two").check()
    page.get_by_role("region", name="Setting B").get_by_role("slider", name="Lockpicking").fill("80")
    expect(page.locator(".headline .gap")).to_be_visible()
    return page


def replay(visitors: Visitors, server: RunningServer) -> Page:
    """Show the replay of a match, in its middle."""
    match = server.open_match("casino", "greedy", "greedy", practice="felt-4")
    server.wait_for_end(match)
    page = visitors.open_page("Rose")
    page.goto(f"/replay/{match}")
    page.get_by_label("Seen as").select_option(index=1)
    page.get_by_role("slider", name="Position in the match").fill("28")
    return page


SCENES: Final[dict[str, Callable[[Visitors, RunningServer], Page]]] = {
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
        pig,
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
            yield f"{width}-{scheme}", compress_picture(page.screenshot(caret="hide"))


def compress_picture(picture: bytes) -> bytes:
    """Return a picture compressed as WebP, in full colour."""
    file = BytesIO()
    Image.open(BytesIO(picture)).convert("RGB").save(file, "WEBP", quality=QUALITY, method=6)
    return file.getvalue()


def take_pictures(wanted: list[str]) -> None:
    """Write the screenshots of the named scenes, or of all."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = RunningServer(Path(folder), PIG)
        server.start()
        browser = launch_browser(playwright)
        visitors = Visitors(browser, server.url)
        try:
            for name in wanted or SCENES:
                page = SCENES[name](visitors, server)
                for kind, picture in pictures(page):
                    (FOLDER / f"{name}-{kind}.webp").write_bytes(picture)
                page.context.close()
        finally:
            browser.close()
            server.close()


if __name__ == "__main__":
    take_pictures(sys.argv[1:])

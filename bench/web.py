"""Speed of the browser client in a real browser, against a bare page in the same browser.

The bare page has one element. It is painted again after a pointer step or a key press, or for every frame that the browser
requests: no page in this browser on this machine can be faster.
"""

import re
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from playwright.sync_api import Page, expect, sync_playwright
from tests.web.gestures import middle, start_drag
from tests.web.servers import RunningServer, Seat
from tests.web.visitors import Visitors, launch_browser

from bench.rows import Row, Unit, against_floor

LOOSE: Final = 12
"""Loose cards on the table of a match."""
DRAGS: Final = 6
MOVES: Final = 40
"""Positions that a drag moves over."""
STEPS: Final = 9
CALM: Final = 500
"""Milliseconds without a new chart after which the last one counts as drawn."""
PLAYED: Final = 6_000
"""Milliseconds for which a match of four is watched."""
SLIDERS: Final = {"destiny": "Lockpicking", "dice": "Target", "fate": "Modifier", "duel": "Weapon"}
MOST_OF_SLIDERS: Final = {"destiny": 5.5, "dice": 6, "fate": 5, "duel": 12}
"""By game: the most times that exact odds may cost what a bare paint costs."""
OPEN_RULES: Final = {"trail_restriction": "never"}

PAINTED: Final = """
  (begun, keep) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => keep(performance.now() - begun);
    port2.postMessage(null);
  })
"""
"""After the next frame was painted, report how long ago the event was."""
WATCH_MOVES: Final = f"""
  () => {{
    const painted = {PAINTED};
    window.moves = [];
    addEventListener("pointermove", (event) => painted(event.timeStamp, (took) => moves.push(took)), true);
  }}
"""
WATCH_CHARTS: Final = f"""
  () => {{
    const painted = {PAINTED};
    window.took = null;
    window.drawn = 0;
    let begun = 0;
    const keep = (one) => ([took, drawn] = [one, performance.now()]);
    addEventListener("keydown", (event) => {{ begun = event.timeStamp; took = null; }}, true);
    new MutationObserver(() => painted(begun, keep))
      .observe(document.body, {{ subtree: true, attributeFilter: ["data-drawn"] }});
  }}
"""
BARE_PAGE: Final = "<!doctype html><title>bare</title><body><p id=bare>0</p>"
REPAINT_ON: Final = f"""
  (kind) => {{
    const painted = {PAINTED};
    const text = document.getElementById("bare").firstChild;
    window.moves = [];
    addEventListener(kind, (event) => {{
      text.data = String(event.timeStamp);
      painted(event.timeStamp, (took) => moves.push(took));
    }}, true);
  }}
"""
"""On the bare page, change one text after each event, and record how long it took until it was painted."""
WATCH_FRAMES: Final = """
  (enough) => new Promise((resolve) => {
    const times = [];
    const next = (now) => {
      times.push(now);
      if (now - times[0] < enough) requestAnimationFrame(next);
      else resolve(times.slice(1).map((time, index) => time - times[index]));
    };
    requestAnimationFrame(next);
  })
"""


def rows() -> Iterator[Row]:
    """Yield the benchmarks of drags, sliders and animations."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = RunningServer(Path(folder))
        server.start()
        browser = launch_browser(playwright)
        visitors = Visitors(browser, server.url)
        try:
            yield hold_paint(
                f"a drag on a Casino table of {LOOSE} cards: input to paint, 95 %",
                measure_drags(visitors, server),
                ("a bare page's paint after a pointer step, 95 %", measure_bare_moves(visitors)),
                most=3.5,
                reason="a frame is painted at the screen's next refresh, so a second one may pass before it",
            )
            bare = measure_bare_keys(visitors)
            for game, label in SLIDERS.items():
                yield hold_paint(
                    f"a slider of {game}'s workbench: exact odds redrawn, 95 %",
                    measure_sliders(visitors, game, label),
                    ("a bare page's paint after a key, 95 %", bare),
                    most=MOST_OF_SLIDERS[game],
                    reason="the server computes the odds and the page draws the chart before the paint",
                )
            yield hold_frames(measure_frames(visitors, server), measure_bare_frames(visitors))
        finally:
            visitors.close()
            browser.close()
            server.close()


def hold_paint(
    name: str, times: Sequence[float], bare: tuple[str, Sequence[float]], *, most: float, reason: str
) -> Row:
    """Return a row for milliseconds until a paint: the time that 19 of 20 do not exceed, on both sides."""
    return against_floor(
        name, percentile(times) / 1000, (bare[0], percentile(bare[1]) / 1000), most=most, reason=reason
    )


def percentile(times: Sequence[float]) -> float:
    """Return the time that 19 of 20 do not exceed."""
    return statistics.quantiles(times, n=20, method="inclusive")[-1]


def hold_frames(gaps: Sequence[float], bare: Sequence[float]) -> Row:
    """Return a row for frames per second, from the milliseconds between frames."""
    return against_floor(
        "four players' Casino, cards in flight",
        1000 / statistics.fmean(gaps),
        ("a bare page that requests frames", 1000 / statistics.fmean(bare)),
        most=1.05,
        reason="a frame that is dropped is seen; a screen shows no more frames than a bare page gets",
        unit=Unit.FRAMES,
    )


def open_bare_page(visitors: Visitors) -> Page:
    """Open a page with one element, in a context like that of the others."""
    page = visitors.open_page(moves=True)
    page.set_content(BARE_PAGE)
    return page


def measure_bare_moves(visitors: Visitors) -> list[float]:
    """Move the pointer over a bare page, and return the delay of each step until its paint."""
    page = open_bare_page(visitors)
    page.evaluate(REPAINT_ON, "pointermove")
    for step in range(DRAGS * MOVES):
        page.mouse.move(100 + step * 7 % 400, 100 + step * 5 % 300)
    times: list[float] = page.evaluate("moves")
    page.context.close()
    return times


def measure_bare_keys(visitors: Visitors) -> list[float]:
    """Press a key on a bare page, and return the delays until its paint."""
    page = open_bare_page(visitors)
    page.evaluate(REPAINT_ON, "keydown")
    for number in range(4 * STEPS):
        page.keyboard.press("ArrowRight")
        page.wait_for_function("number => moves.length > number", arg=number)
    times: list[float] = page.evaluate("moves")
    page.context.close()
    return times


def measure_bare_frames(visitors: Visitors) -> list[float]:
    """Return the gaps between the frames of a bare page."""
    page = open_bare_page(visitors)
    gaps: list[float] = page.evaluate(WATCH_FRAMES, PLAYED)
    page.context.close()
    return gaps


def measure_drags(visitors: Visitors, server: RunningServer) -> list[float]:
    """Drag cards over the table, and return the delay of each pointer step until its paint."""
    page = visitors.open_seat(open_middle_sized_match(server), moves=True)
    expect(page.get_by_text("Drag a card, or pick one")).to_be_visible()
    page.evaluate(WATCH_MOVES)
    cards = page.get_by_role("group", name="Your hand").get_by_role("button")
    targets = page.locator("[data-drop^='loose:']")
    for drag in range(DRAGS):
        start_drag(page, cards.nth(drag % cards.count()))
        for step in range(MOVES):
            page.mouse.move(*middle(targets.nth(step * 5 % LOOSE)))
        page.mouse.move(4, 4)
        page.mouse.up()
    times: list[float] = page.evaluate("moves")
    page.context.close()
    return times


def open_middle_sized_match(server: RunningServer) -> Seat:
    """Let two players trail until `LOOSE` cards lie on the table, and return the seat to move."""
    match = server.open_match("casino", None, None, rules=OPEN_RULES)
    seats = [server.join(match, name) for name in ("Ann", "Bob")]
    for turn in range(LOOSE):
        seat = seats[turn % 2]
        frame: dict[str, Any] = server.wait_for_turn(seat)
        if len(frame["view"]["loose"]) >= LOOSE:
            return seat
        server.act(seat, next(action for action in frame["actions"] if action["kind"] == "trail"))
    raise AssertionError(f"the cards are played before {LOOSE} lie open")


def measure_sliders(visitors: Visitors, game: str, label: str) -> list[float]:
    """Press an arrow key on a slider repeatedly, and return the delays until the last chart was redrawn."""
    page = visitors.open_page(moves=True)
    page.goto(f"/workbench/{game}")
    expect(page.locator("[data-drawn]").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.evaluate(WATCH_CHARTS)
    slider = page.get_by_role("slider", name=label).first
    slider.focus()
    measure_key(page, "ArrowRight")
    times = [measure_key(page, "ArrowRight") for _ in range(STEPS)]
    page.context.close()
    return times


def measure_key(page: Page, key: str) -> float:
    """Press a key, wait until nothing is drawn any more, and return the delay of the last chart."""
    page.keyboard.press(key)
    page.wait_for_function("calm => took !== null && performance.now() - drawn > calm", arg=CALM)
    took: float = page.evaluate("took")
    return took


def measure_frames(visitors: Visitors, server: RunningServer) -> list[float]:
    """Replay a match of four at the highest speed, and return the gaps between frames."""
    match = server.open_match("casino", *["greedy"] * 4)
    server.wait_for_end(match)
    page = visitors.open_page(moves=True)
    page.goto(f"/replay/{match}")
    expect(page.get_by_role("slider", name="Position in the match")).to_be_visible()
    page.get_by_label("Speed").select_option("4×")
    page.get_by_role("button", name=re.compile("^Play$")).click()
    gaps: list[float] = page.evaluate(WATCH_FRAMES, PLAYED)
    page.context.close()
    return gaps

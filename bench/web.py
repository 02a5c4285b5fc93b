"""Speed of the browser client in a real browser: input to paint, slider to exact odds, and frames per second."""

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

from bench.measure import Row

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
INPUT_TO_PAINT: Final = 50
SLIDER_TO_ODDS: Final = 100
FRAMES: Final = 60
TOLERANCE: Final = 0.98
"""A screen of 60 hertz shows sixty frames a second or a few less, never more."""
SLIDERS: Final = {"destiny": "Lockpicking", "dice": "Target", "fate": "Modifier", "duel": "Weapon"}
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
    """Yield the benchmarks of drags, sliders and animations; medians and the worst."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = RunningServer(Path(folder))
        server.start()
        browser = launch_browser(playwright)
        visitors = Visitors(browser, server.url)
        try:
            yield within(
                f"a drag on a Casino table of {LOOSE} cards: input to paint",
                measure_drags(visitors, server),
                INPUT_TO_PAINT,
            )
            for game, label in SLIDERS.items():
                yield within(
                    f"a slider of {game}'s workbench: exact odds redrawn",
                    measure_sliders(visitors, game, label),
                    SLIDER_TO_ODDS,
                )
            yield frame_rate("four players' Casino, cards in flight", measure_frames(visitors, server))
        finally:
            visitors.close()
            browser.close()
            server.close()


def within(what: str, times: Sequence[float], bound: float) -> Row:
    """Return a row for times of which 19 in 20 must be within a bound, in milliseconds."""
    typical, most = statistics.median(times), statistics.quantiles(times, n=20, method="inclusive")[-1]
    figure = f"{typical:.0f} ms (95 %: {most:.0f}, worst {max(times):.0f})"
    return Row(what, figure, f"≤ {bound:.0f} ms", most <= bound)


def frame_rate(what: str, gaps: Sequence[float]) -> Row:
    """Return a row for frames per second."""
    shown = 1000 / statistics.fmean(gaps)
    figure = f"{shown:.1f} frames/s (worst gap {max(gaps):.0f} ms)"
    return Row(what, figure, f"{FRAMES} frames/s", shown >= FRAMES * TOLERANCE)


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


if __name__ == "__main__":
    from bench.measure import format_rows

    print(format_rows([*rows()]))

"""Input by keyboard and mouse: keys go to the focused element, and a drag moves the pointer over everything in between."""

from typing import Final

from playwright.sync_api import Locator, Page

MOST_STEPS: Final = 250
IS_FOCUSED: Final = "element => element === document.activeElement"
MIDDLE: Final = """
  async element => {
    const moves = document.getAnimations().filter(({ effect }) =>
      effect.getComputedTiming().endTime !== Infinity && effect.target
      && (effect.target.contains(element) || element.contains(effect.target)));
    await Promise.allSettled(moves.map((move) => move.finished));
    element.scrollIntoView({ block: "nearest", behavior: "instant" });
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  }
"""


def reach(page: Page, target: Locator, key: str = "Tab") -> None:
    """Press a key, Tab by default, until the target has the focus."""
    there = target.element_handle()
    for _ in range(MOST_STEPS):
        if there.evaluate(IS_FOCUSED):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{MOST_STEPS} times {key} do not lead to {target}")


def drag(page: Page, element: Locator, onto: Locator) -> None:
    """Drag an element onto another with the mouse."""
    start_drag(page, element)
    drop(page, onto)


def start_drag(page: Page, element: Locator) -> None:
    """Press the mouse button on an element and move the pointer far enough for it to be no click."""
    x, y = middle(element)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 20, steps=2)


def drop(page: Page, onto: Locator) -> None:
    """Move the pointer to an element and release the mouse button."""
    page.mouse.move(*middle(onto), steps=3)
    page.mouse.up()


def middle(element: Locator) -> tuple[float, float]:
    """Return the centre of an element after its animations have finished; scroll it into view if needed."""
    x, y = element.evaluate(MIDDLE)
    return x, y

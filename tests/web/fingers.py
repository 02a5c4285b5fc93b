"""What hands do at a table: a key is pressed where the focus really is, and a drag passes over what lies between."""

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
    """Go to something with the keyboard alone."""
    there = target.element_handle()
    for _ in range(MOST_STEPS):
        if there.evaluate(IS_FOCUSED):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{MOST_STEPS} times {key} do not lead to {target}")


def drag(page: Page, thing: Locator, onto: Locator) -> None:
    """Take something with the mouse, carry it, and let it go above something else."""
    lift(page, thing)
    lower(page, onto)


def lift(page: Page, thing: Locator) -> None:
    """Take something with the mouse, far enough to be no click."""
    x, y = middle(thing)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 20, steps=2)


def lower(page: Page, onto: Locator) -> None:
    """Carry what was taken, and let it go."""
    page.mouse.move(*middle(onto), steps=3)
    page.mouse.up()


def middle(thing: Locator) -> tuple[float, float]:
    """Return where the middle of something is once it has come to rest; what is outside the window is brought into it."""
    x, y = thing.evaluate(MIDDLE)
    return x, y

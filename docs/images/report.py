"""Take a screenshot of a report in a real browser: `python -m docs.images.report`."""  # noqa: INP001  a script next to its picture

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from docs.images.web import compress_picture
from playwright.sync_api import sync_playwright
from tests.web.visitors import launch_browser

from oddsmith.cli import main

PICTURE: Final = Path(__file__).with_name("report.webp")
WIDTH, HEIGHT = 1280, 1760


def take_pictures() -> None:
    """Write a report on two rulesets of the Destiny Deck, and store a screenshot of the top of the page."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / "report.html"
        main(["report", "destiny", "destiny:printed_table", "--out", str(page)])
        browser = launch_browser(playwright)
        window = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        window.goto(page.as_uri())
        PICTURE.write_bytes(compress_picture(window.screenshot()))
        browser.close()


if __name__ == "__main__":
    take_pictures()

"""The documentation at `/docs/`: search, links and modes work under the content security policy, without other origins."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.docs.site import build_site
from tests.web.visitors import Visitors


@pytest.fixture(scope="module", autouse=True)
def site() -> Path:
    """Build the documentation before a server of these tests is started."""
    return build_site()


def search_for(page: Page, text: str) -> None:
    """Type a text into the search box, which a narrow page shows on request."""
    box = page.get_by_role("textbox", name="Search")
    if not box.is_visible():
        page.locator("label[for=__search]").first.click()
    box.fill(text)


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)], ids=["wide, light", "narrow, dark"])
def test_search_finds_a_page_and_leads_to_it(
    killable_server_visitors: Visitors, width: int, *, dark: bool
) -> None:
    """Pages that people wrote come before those of the API, and the words are highlighted."""
    page = killable_server_visitors.open_page(width=width, dark=dark)
    page.goto("/docs/")
    expect(page.locator("body")).to_have_css(
        "background-color", "rgb(30, 33, 41)" if dark else "rgb(255, 255, 255)"
    )
    search_for(page, "sealed seed")
    page.locator(".md-search-result__link").first.click()

    expect(page.get_by_role("heading", name="Fairness", level=1)).to_be_visible()
    expect(page.locator("mark").first).to_be_visible()
    assert width == page.evaluate("document.documentElement.scrollWidth")


def test_the_chosen_mode_is_the_same_on_the_next_page(killable_server_visitors: Visitors) -> None:
    """The script that restores it is a file, as the policy demands."""
    page = killable_server_visitors.open_page()
    page.goto("/docs/")
    page.get_by_title("Switch to light mode").click()
    page.get_by_title("Switch to dark mode").click()
    page.get_by_role("link", name="Rules", exact=True).first.click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("Destiny")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


def test_a_public_function_has_its_signature_and_docstring(killable_server_visitors: Visitors) -> None:
    page = killable_server_visitors.open_page()
    page.goto("/docs/api/oddsmith.points/#oddsmith.points.exact_decimal")

    expect(page.locator("[id='oddsmith.points.exact_decimal']")).to_be_in_viewport()
    expect(page.get_by_text("Return the exact decimal of a number or a text").last).to_be_visible()


def test_below_a_prefix_search_and_missing_pages_work(mounted_visitors: Visitors) -> None:
    """The address without its slash is redirected; a missing page has its style, its search and its links."""
    page = mounted_visitors.open_page()
    page.goto("/games/docs")
    expect(page).to_have_url("/games/docs/")
    with mounted_visitors.allow_complaints("404 (Not Found)"):
        page.goto("/games/docs/no/such/page")
        search_for(page, "sealed seed")
        page.locator(".md-search-result__link").first.click()
        expect(page.get_by_role("heading", name="Fairness", level=1)).to_be_visible()

    assert "/games/docs/explanation/fairness/" in page.url

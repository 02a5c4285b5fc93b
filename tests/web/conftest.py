"""One server and one browser for each worker; one memory for each visitor of each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.server.hosts import hosting
from tests.web.browsing import TIMEOUT, Visitors, launched
from tests.web.houses import House

expect.set_options(timeout=TIMEOUT)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Serve, in a process of its own."""
    served = House(tmp_path_factory.mktemp("house"))
    served.open()
    yield served
    served.close()


@pytest.fixture
def frail_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Serve for one test alone, which may kill it."""
    served = House(tmp_path_factory.mktemp("frail-house"))
    served.open()
    yield served
    served.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start a browser."""
    with sync_playwright() as playwright:
        started = launched(playwright)
        yield started
        started.close()


@pytest.fixture
def visitors(browser: Browser, house: House) -> Iterator[Visitors]:
    """Let people look at the server; whatever their browsers complain about fails the test."""
    people = Visitors(browser, house.url)
    yield people
    people.leave()
    assert [] == people.troubles


@pytest.fixture
def frail_visitors(browser: Browser, frail_house: House) -> Iterator[Visitors]:
    """Let people look at a server that may be killed; all else that their browsers complain about fails the test."""
    people = Visitors(browser, frail_house.url)
    yield people
    people.leave()
    assert [] == people.troubles


@pytest.fixture
def site_visitors(browser: Browser, tmp_path: Path) -> Iterator[Visitors]:
    """Let people look at a site that the server is mounted in; whatever their browsers complain about fails the test."""
    with hosting(tmp_path) as url:
        people = Visitors(browser, url)
        yield people
        people.leave()
    assert [] == people.troubles


@pytest.fixture
def page(visitors: Visitors) -> Page:
    """Let one person come."""
    return visitors.arrive()

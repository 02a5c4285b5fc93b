"""Fixtures: one server and one browser for each worker, one browser context for each visitor of a test."""

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.server.hosts import run_host
from tests.web.servers import RunningServer
from tests.web.visitors import TIMEOUT, Visitors, launch_browser

expect.set_options(timeout=TIMEOUT)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add what the pages showed to the report of a test that fails."""
    report = yield
    if call.when == "call" and call.excinfo is not None:
        for visitors in getattr(item, "funcargs", {}).values():
            if isinstance(visitors, Visitors):
                report.sections.append(("pages", visitors.describe_pages()))
    return report


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Return a running server, which all tests of a worker share."""
    running = RunningServer(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.close()


@pytest.fixture
def killable_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Return a running server for one test, which may kill it."""
    running = RunningServer(tmp_path_factory.mktemp("killable-server"))
    running.start()
    yield running
    running.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = launch_browser(playwright)
        yield started
        started.close()


@pytest.fixture
def visitors(browser: Browser, server: RunningServer) -> Iterator[Visitors]:
    """Yield visitors of the server; the test fails if their browsers complain about anything."""
    visitors = Visitors(browser, server.url)
    yield visitors
    visitors.close()
    assert [] == visitors.complaints


@pytest.fixture
def killable_server_visitors(browser: Browser, killable_server: RunningServer) -> Iterator[Visitors]:
    """Yield visitors of a server that may be killed; the test fails if their browsers complain about anything unexpected."""
    visitors = Visitors(browser, killable_server.url)
    yield visitors
    visitors.close()
    assert [] == visitors.complaints


@pytest.fixture
def mounted_visitors(browser: Browser, tmp_path: Path) -> Iterator[Visitors]:
    """Yield visitors of a site that the server is mounted in; the test fails if their browsers complain about anything."""
    with run_host(tmp_path) as url:
        visitors = Visitors(browser, url)
        yield visitors
        visitors.close()
    assert [] == visitors.complaints


@pytest.fixture
def page(visitors: Visitors) -> Page:
    """Return a page of one visitor."""
    return visitors.open_page()

"""Browser pages whose console errors, failed requests and requests to other origins fail the test, unless it expects them."""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Request

from tests.web.servers import Seat

PROGRAMS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The shell is Chromium without windows and menus, which take half of the time."""
TIMEOUT: Final = 15_000
VIOLATIONS: Final = """
  addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy violated: ${event.violatedDirective} by ${event.blockedURI} ${event.sample}`));
"""
ABORTED: Final = "net::ERR_ABORTED"
"""The failure of a request that the page itself cancelled; it is not a fault."""


def launch_browser(playwright: Playwright) -> Browser:
    """Start Chromium: the program named by `ODDSMITH_BROWSER`, or one on the PATH."""
    named = os.environ.get("ODDSMITH_BROWSER")
    found = named or next(filter(None, map(shutil.which, PROGRAMS)), None)
    assert found, (
        "the browser tests need Chromium: 'make browser' installs it, ODDSMITH_BROWSER names another"
    )
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=found, args=[*arguments, "--disable-gpu"])


class Visitors:
    """The browser contexts of one test on one server; each context has its own local storage."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self._url = url
        self._contexts: list[BrowserContext] = []
        self._expected: list[Callable[[str], bool]] = []
        self.complaints: list[str] = []

    def open_page(
        self,
        name: str = "Ann",
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        moves: bool = False,
        local_storage: dict[str, Any] | None = None,
    ) -> Page:
        """Open a page in a new context, with the player's name and other values in local storage, and reduced motion unless `moves`."""
        context = self._browser.new_context(
            base_url=self._url,
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if moves else "reduce",
            accept_downloads=True,
            storage_state={
                "cookies": [],
                "origins": [self._storage_state({"name": name} | (local_storage or {}))],
            },
        )
        context.set_default_timeout(TIMEOUT)
        context.add_init_script(VIOLATIONS)
        self._contexts.append(context)
        page = context.new_page()
        self._listen(page)
        return page

    def open_seat(self, seat: Seat, *, local_storage: dict[str, Any] | None = None, **options: Any) -> Page:  # noqa: ANN401  the keyword arguments of `open_page`
        """Open the page of a match in a context that has the token of a seat of it in local storage."""
        entry = {"match": seat.match, "game": seat.game, "seat": seat.number, "token": seat.token}
        seats = {"seats": [entry | {"name": seat.name, "joinedAt": round(time.time() * 1000)}]}
        page = self.open_page(seat.name, local_storage=seats | (local_storage or {}), **options)
        page.goto(f"/matches/{seat.match}")
        return page

    @contextmanager
    def allow_complaints(self, *words: str) -> Iterator[None]:
        """Ignore complaints that contain one of the words while the context manager is active."""

        def is_expected(complaint: str) -> bool:
            return any(word in complaint for word in words)

        self._expected.append(is_expected)
        yield
        self._expected.remove(is_expected)

    def describe_pages(self) -> str:
        """Return the addresses and contents of all open pages, as a screen reader has them."""
        pages = (page for context in self._contexts for page in context.pages)
        return "\n\n".join(f"{page.url}\n{page.locator('body').aria_snapshot()}" for page in pages)

    def close(self) -> None:
        """Close all contexts."""
        for context in self._contexts:
            context.close()

    def _storage_state(self, local_storage: dict[str, Any]) -> Any:  # noqa: ANN401  Playwright does not export the type
        entries = [
            {"name": f"oddsmith.{name}", "value": json.dumps(value)} for name, value in local_storage.items()
        ]
        return {"origin": self._url, "localStorage": entries}

    def _listen(self, page: Page) -> None:
        def on_console(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                self._complain(f"console {message.type}: {message.text} ({message.location.get('url')})")

        def on_request_failed(request: Request) -> None:
            if request.failure != ABORTED:
                self._complain(f"request failed: {request.url}: {request.failure}")

        page.on("console", on_console)
        page.on("request", lambda request: self._require_same_origin("request", request.url))
        page.on("requestfailed", on_request_failed)
        page.on("pageerror", lambda error: self._complain(f"page error: {error}"))
        page.on("websocket", lambda socket: self._require_same_origin("socket", socket.url))

    def _require_same_origin(self, kind: str, url: str) -> None:
        target = urlsplit(url)
        if target.scheme in ("http", "https", "ws", "wss") and target.netloc != urlsplit(self._url).netloc:
            self._complain(f"{kind} to another origin: {url}")

    def _complain(self, complaint: str) -> None:
        if not any(is_expected(complaint) for is_expected in self._expected):
            self.complaints.append(complaint)

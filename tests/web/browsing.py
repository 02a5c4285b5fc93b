"""A page that is watched: whatever a browser complains about is a fault, unless a test expects it."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Request

from tests.web.houses import Seat

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome")
TIMEOUT: Final = 15_000
VIOLATIONS: Final = """
  addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy violated: ${event.violatedDirective} by ${event.blockedURI} ${event.sample}`));
"""
GIVEN_UP: Final = "net::ERR_ABORTED"
"""A question whose answer nobody waits for any more is given up; that is no trouble."""


def launched(playwright: Playwright) -> Browser:
    """Start the Chromium of this machine."""
    named = os.environ.get("ODDSMITH_BROWSER")
    found = named or next(filter(None, map(shutil.which, PROGRAMS)), None)
    assert found, (
        "the browser tests need Chromium: 'make browser' installs it, ODDSMITH_BROWSER names another"
    )
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=found, args=[*arguments, "--disable-gpu"])


class Visitors:
    """Everybody who looks at one server in one test: each has a browser context, and so a memory, of their own."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self._url = url
        self._contexts: list[BrowserContext] = []
        self._expected: list[Callable[[str], bool]] = []
        self.troubles: list[str] = []

    def arrive(
        self,
        name: str = "Ann",
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        moves: bool = False,
        kept: dict[str, Any] | None = None,
    ) -> Page:
        """Let somebody come, with a name that is shown at tables and what their browser has kept; nothing moves but what must."""
        context = self._browser.new_context(
            base_url=self._url,
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if moves else "reduce",
            accept_downloads=True,
            storage_state={"cookies": [], "origins": [self._memory({"name": name} | (kept or {}))]},
        )
        context.set_default_timeout(TIMEOUT)
        context.add_init_script(VIOLATIONS)
        self._contexts.append(context)
        page = context.new_page()
        self._watch(page)
        return page

    def seated(self, seat: Seat, *, kept: dict[str, Any] | None = None, **looks: Any) -> Page:  # noqa: ANN401  as `arrive` takes them
        """Let somebody come to the table where they have a seat already."""
        taken = {"match": seat.match, "game": seat.game, "seat": seat.number, "token": seat.token}
        seats = {"seats": [taken | {"name": seat.name, "joinedAt": 0}]}
        page = self.arrive(seat.name, kept=seats | (kept or {}), **looks)
        page.goto(f"/matches/{seat.match}")
        return page

    @contextmanager
    def expecting(self, *words: str) -> Iterator[None]:
        """Let complaints with one of these words pass meanwhile."""

        def is_expected(trouble: str) -> bool:
            return any(word in trouble for word in words)

        self._expected.append(is_expected)
        yield
        self._expected.remove(is_expected)

    def leave(self) -> None:
        """Let all go."""
        for context in self._contexts:
            context.close()

    def _memory(self, kept: dict[str, Any]) -> Any:  # noqa: ANN401  Playwright has no name for it
        entries = [{"name": f"oddsmith.{name}", "value": json.dumps(value)} for name, value in kept.items()]
        return {"origin": self._url, "localStorage": entries}

    def _watch(self, page: Page) -> None:
        def said(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                self._complain(f"console {message.type}: {message.text} ({message.location.get('url')})")

        def failed(request: Request) -> None:
            if request.failure != GIVEN_UP:
                self._complain(f"request failed: {request.url}: {request.failure}")

        page.on("console", said)
        page.on("request", lambda request: self._require_ours("request", request.url))
        page.on("requestfailed", failed)
        page.on("pageerror", lambda error: self._complain(f"page error: {error}"))
        page.on("websocket", lambda socket: self._require_ours("socket", socket.url))

    def _require_ours(self, kind: str, url: str) -> None:
        asked_of = urlsplit(url)
        if (
            asked_of.scheme in ("http", "https", "ws", "wss")
            and asked_of.netloc != urlsplit(self._url).netloc
        ):
            self._complain(f"{kind} to another origin: {url}")

    def _complain(self, trouble: str) -> None:
        if not any(is_expected(trouble) for is_expected in self._expected):
            self.troubles.append(trouble)

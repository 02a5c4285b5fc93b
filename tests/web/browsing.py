"""A page that is watched: whatever a browser complains about is a fault, unless a test expects it."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Request

__all__ = ["Visitors", "launched"]

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome")
TIMEOUT: Final = 15_000
VIOLATIONS: Final = """
  addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy violated: ${event.violatedDirective} by ${event.blockedURI} ${event.sample}`));
"""


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

    def arrive(self, name: str = "Ann", *, width: int = 1280, height: int = 900, dark: bool = False) -> Page:
        """Let somebody come, with a name that is shown at tables; nothing moves but what must."""
        context = self._browser.new_context(
            base_url=self._url,
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            accept_downloads=True,
        )
        context.set_default_timeout(TIMEOUT)
        context.add_init_script(VIOLATIONS)
        context.add_init_script(f"localStorage.setItem('oddsmith.name', JSON.stringify({name!r}))")
        self._contexts.append(context)
        page = context.new_page()
        self._watch(page)
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

    def _watch(self, page: Page) -> None:
        def said(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                self._complain(f"console {message.type}: {message.text} ({message.location.get('url')})")

        def asked(request: Request) -> None:
            asked_of = urlsplit(request.url)
            if (
                asked_of.scheme in ("http", "https", "ws", "wss")
                and asked_of.netloc != urlsplit(self._url).netloc
            ):
                self._complain(f"request to another origin: {request.url}")

        page.on("console", said)
        page.on("request", asked)
        page.on("pageerror", lambda error: self._complain(f"page error: {error}"))
        page.on("websocket", lambda socket: self._require_ours(socket.url))

    def _require_ours(self, url: str) -> None:
        if urlsplit(url).netloc != urlsplit(self._url).netloc:
            self._complain(f"socket to another origin: {url}")

    def _complain(self, trouble: str) -> None:
        if not any(is_expected(trouble) for is_expected in self._expected):
            self.troubles.append(trouble)

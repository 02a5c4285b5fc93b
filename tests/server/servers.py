"""A listening server in a thread of the tests, and matches that are played on it over HTTP."""

import json
import shutil
import socket
import threading
from collections.abc import Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import structlog
from websockets.sync.client import ClientConnection, connect

from oddsmith.server.application import Application, make_app
from oddsmith.server.docs_site import DocsSite
from oddsmith.server.pages import Pages
from oddsmith.server.run import listener_url, open_listener
from oddsmith.server.settings import Settings
from oddsmith.server.uvicorn_server import UvicornServer
from oddsmith.store import Store, open_store
from tests.store.folders import new_folder

API: Final = "/api/v1"
UNLIMITED: Final = {
    "requests_per_second": 100_000,
    "burst": 100_000,
    "failures_per_minute": 10_000,
    "connections_per_address": 10_000,
}
"""Settings without rate limits."""
SECONDS: Final = 20.0


class RunningServer:
    """A server in a thread, with its URL, its store and the lines that it logged."""

    def __init__(self, app: Application, store: Store, settings: Settings) -> None:
        self.app = app
        self.store = store
        self.logged: list[MutableMapping[str, Any]] = []
        self.may_log_errors = False
        self._settings = settings
        self._listening = open_listener(settings)
        self._listener = self._listening.__enter__()
        self.url = listener_url(self._listener)
        self.port: int = self._listener.getsockname()[1]
        self._started = threading.Event()
        self._sockets = ExitStack()
        self.uvicorn = UvicornServer(app, settings, self._started.set)
        self._thread = threading.Thread(target=self.uvicorn.run, kwargs={"sockets": [self._listener]})

    def is_this_thread(self) -> bool:
        """Return whether the caller runs in the thread of the server."""
        return threading.current_thread() is self._thread

    def start(self) -> None:
        """Start the thread, and return once the server listens."""
        self._thread.start()
        assert self._started.wait(SECONDS)
        self.http = httpx.Client(base_url=self.url, timeout=SECONDS)

    def stop(self) -> None:
        """Shut the server down and wait for its thread."""
        self.http.close()
        self.close_sockets()
        self.uvicorn.should_exit = True
        self._thread.join(SECONDS)
        self._listening.__exit__(None, None, None)
        assert not self._thread.is_alive()

    def limit_send_buffers(self) -> None:
        """Give connections a small send buffer."""
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)

    @property
    def long_callbacks(self) -> list[MutableMapping[str, Any]]:
        """The reports of callbacks that took more than 5 ms of processor time on the event loop."""
        return [line for line in self.logged if line["event"] == "long callback"]

    def close_sockets(self) -> None:
        """Close every socket that was opened with `socket`."""
        self._sockets.close()

    def socket(self, match: str, hello: object = None, **more: Any) -> ClientConnection:  # noqa: ANN401  options of `connect`
        """Open a socket of a match, and send a hello unless it is None."""
        address = f"ws://127.0.0.1:{self.port}{API}/matches/{match}/socket"
        connection: ClientConnection = self._sockets.enter_context(
            connect(address, open_timeout=SECONDS, close_timeout=1, proxy=None, **more)
        )
        if hello is not None:
            connection.send(json.dumps(hello))
        return connection

    def open_match(self, game: str = "casino", seats: Any = None, **more: Any) -> "HttpMatch":  # noqa: ANN401  fields of the request
        """Open a match and join its free seats."""
        return HttpMatch(self, game, seats, **more)


@contextmanager
def run_server(
    store: Store | None = None,
    pages: Pages | None = None,
    docs: DocsSite | None = None,
    **settings: Any,  # noqa: ANN401  settings of the server
) -> Iterator[RunningServer]:
    """Run a server on a new store, or on a given one, that answers for the host `x`, too.

    An error in its log fails the test, unless it `may_log_errors`.
    """
    folder = new_folder()
    opened_store = open_store(str(folder / "matches.db")) if store is None else store
    given: dict[str, Any] = {"log": "info", "longest_callback": 5, "hosts": ("x",)} | UNLIMITED | settings
    server_settings = Settings(port=0, **given)
    with _capture_log() as capture:
        server = RunningServer(
            make_app(server_settings, opened_store, pages, docs), opened_store, server_settings
        )
        server.logged, capture.server = capture.lines, server
        server.start()
        try:
            yield server
        finally:
            server.stop()
            shutil.rmtree(folder)
    errors = [line for line in capture.lines if line["level"] == "error"]
    assert server.may_log_errors or not errors, errors


class _LogCapture:
    """The lines that a server logs, once it is known."""

    def __init__(self) -> None:
        self.lines: list[MutableMapping[str, Any]] = []
        self.server: RunningServer | None = None

    def is_of_this_thread(self) -> bool:
        return self.server is not None and self.server.is_this_thread()


_captures: list[_LogCapture] = []
"""Servers of a module, of a worker and of a test run at the same time, and start and end in any order."""


@contextmanager
def _capture_log() -> Iterator[_LogCapture]:
    """Capture what is logged in the thread of a server, and in threads that it starts: then it is of the server started last.

    What the main thread logs is of no server: tests run in it.
    """
    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.processors.format_exc_info, _capture_line]
    )
    capture = _LogCapture()
    _captures.append(capture)
    try:
        yield capture
    finally:
        _captures.remove(capture)
        if not _captures:
            structlog.reset_defaults()


def _capture_line(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    found = next((one for one in _captures if one.is_of_this_thread()), None)
    if found is not None or threading.current_thread() is not threading.main_thread():
        (found or _captures[-1]).lines.append(dict(event))
    raise structlog.DropEvent


class Person:
    """A player or a spectator of a match, over HTTP."""

    def __init__(self, match: "HttpMatch", seat: int | None, token: str | None) -> None:
        self.match = match
        self.seat = seat
        self.token = token

    @property
    def headers(self) -> dict[str, str]:
        """The authorization header, if there is a token."""
        return {} if self.token is None else {"authorization": f"Bearer {self.token}"}

    def get_frame(self, since: int | None = None) -> Any:  # noqa: ANN401  a frame
        """Return the current frame."""
        fields = {} if since is None else {"since": since}
        reply = self.match.http.get(self.match.address, headers=self.headers, params=fields)
        assert 200 == reply.status_code, reply.text
        return reply.json()

    def act(self, action: object, version: int, command_id: str | None = None) -> httpx.Response:
        """Send a choice."""
        body = {"id": command_id or self.match.new_id(), "version": version, "act": action}
        return self.match.http.post(f"{self.match.address}/act", headers=self.headers, json=body)

    def leave(self) -> httpx.Response:
        """Leave the match."""
        return self.match.http.post(
            f"{self.match.address}/leave", headers=self.headers, json={"id": self.match.new_id()}
        )


class HttpMatch:
    """A match on a server, and the players in its seats."""

    def __init__(
        self,
        server: RunningServer,
        game: str,
        seats: list[str | None] | None,
        *,
        fill: bool = True,
        **more: Any,  # noqa: ANN401  other fields of the request
    ) -> None:
        self.server = server
        self.http = server.http
        self.random = Random(f"{game} {seats}")
        self.ids_given = 0
        reply = self.http.post(f"{API}/matches", json={"game": game, "seats": seats or [None, None], **more})
        assert 201 == reply.status_code, reply.text
        self.id: str = reply.json()["match"]
        self.commitment: str = reply.json()["commitment"]
        self.address = f"{API}/matches/{self.id}"
        self.spectator = Person(self, None, None)
        self.players: list[Person] = []
        for seat, bot in enumerate(seats or [None, None]):
            if bot is None and fill:
                self.players.append(self.join(f"Player{seat}", seat=seat, seed=f"luck-of-{seat}-{game}"))

    def new_id(self) -> str:
        """Return an id that was not used before."""
        self.ids_given += 1
        return f"c{self.ids_given}"

    def join(self, name: str, **more: Any) -> Person:  # noqa: ANN401  other fields of the request
        """Take a seat."""
        fields = {"id": f"{name}-{self.new_id()}".ljust(30, "_"), "name": name, **more}
        joined = self.http.post(f"{self.address}/join", json=fields)
        assert 200 == joined.status_code, joined.text
        return Person(self, joined.json()["seat"], joined.json()["token"])

    def move(self) -> bool:
        """Make a random choice in a seat that must choose; return whether the match is still running."""
        for person in self.players:
            frame = person.get_frame()
            if frame["outcome"] or frame["abandonment"]:
                return False
            if frame["actions"]:
                done = person.act(self.random.choice(frame["actions"]), frame["version"])
                assert done.status_code in (200, 409), done.text
                return True
        return True

    def path(self, verb: str) -> str:
        """Return the path of an operation of the match."""
        return f"{self.address}/{verb}"


def new_store() -> tuple[Path, Store]:
    """Return a store in a new folder, which the caller must remove."""
    folder = new_folder()
    return folder, open_store(str(folder / "matches.db"))

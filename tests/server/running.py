"""A server that really listens, in a thread of the tests, and people who really connect to it."""

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
from oddsmith.server.pages import Pages
from oddsmith.server.run import listener_url, open_listener
from oddsmith.server.settings import Settings
from oddsmith.server.uvicorn_server import UvicornServer
from oddsmith.store import Store, open_store
from tests.store.places import new_folder

API: Final = "/api/v1"
OPEN_HANDED: Final = {
    "requests_per_second": 100_000,
    "burst": 100_000,
    "failures_per_minute": 10_000,
    "connections_per_address": 10_000,
}
"""Settings under which nobody is asked to wait."""
SECONDS: Final = 20.0


class Running:
    """A server in a thread: where it is, what it keeps its matches in, and what it logged."""

    def __init__(self, app: Application, store: Store, settings: Settings) -> None:
        self.app = app
        self.store = store
        self.logged: list[MutableMapping[str, Any]] = []
        self._settings = settings
        self._listening = open_listener(settings)
        self._listener = self._listening.__enter__()
        self.url = listener_url(self._listener)
        self.port: int = self._listener.getsockname()[1]
        self._started = threading.Event()
        self._sockets = ExitStack()
        self.house = UvicornServer(app, settings, self._started.set)
        self._thread = threading.Thread(target=self.house.run, kwargs={"sockets": [self._listener]})

    def start(self) -> None:
        """Serve."""
        self._thread.start()
        assert self._started.wait(SECONDS)
        self.http = httpx.Client(base_url=self.url, timeout=SECONDS)

    def stop(self) -> None:
        """Stop in good order."""
        self.http.close()
        self.hang_up()
        self.house.should_exit = True
        self._thread.join(SECONDS)
        self._listening.__exit__(None, None, None)
        assert not self._thread.is_alive()

    def narrow(self) -> None:
        """Let connections hold little of what is sent and not yet read."""
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)

    def hang_up(self) -> None:
        """Close every socket that was opened."""
        self._sockets.close()

    def socket(self, match: str, hello: object = None, **more: Any) -> ClientConnection:  # noqa: ANN401  as above
        """Open a socket, and say hello unless there is nothing to say."""
        address = f"ws://127.0.0.1:{self.port}{API}/matches/{match}/socket"
        opened: ClientConnection = self._sockets.enter_context(
            connect(address, open_timeout=SECONDS, close_timeout=1, proxy=None, **more)
        )
        if hello is not None:
            opened.send(json.dumps(hello))
        return opened

    def open(self, game: str = "casino", seats: Any = None, **more: Any) -> "Party":  # noqa: ANN401  as sent
        """Open a match, and let people sit in its free seats."""
        return Party(self, game, seats, **more)


@contextmanager
def running(
    store: Store | None = None,
    pages: Pages | None = None,
    **settings: Any,  # noqa: ANN401  of the server
) -> Iterator[Running]:
    """Run a server on a new store, or on a given one; whatever fails inside it fails the test."""
    folder = new_folder()
    kept = open_store(str(folder / "matches.db")) if store is None else store
    made = Settings(port=0, **({"log": "info"} | OPEN_HANDED | settings))
    logged: list[MutableMapping[str, Any]] = []
    with _logged(logged):
        server = Running(make_app(made, kept, pages), kept, made)
        server.logged = logged
        server.start()
        try:
            yield server
        finally:
            server.stop()
            shutil.rmtree(folder)
    assert [] == [line for line in logged if line["level"] == "error"]


@contextmanager
def _logged(lines: list[MutableMapping[str, Any]]) -> Iterator[None]:
    def keep(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        lines.append(dict(event))
        raise structlog.DropEvent

    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.processors.format_exc_info, keep]
    )
    try:
        yield
    finally:
        structlog.reset_defaults()


class Person:
    """Somebody in a seat, or a spectator, who speaks HTTP."""

    def __init__(self, party: "Party", seat: int | None, token: str | None) -> None:
        self.party = party
        self.seat = seat
        self.token = token

    @property
    def headers(self) -> dict[str, str]:
        """What proves who it is."""
        return {} if self.token is None else {"authorization": f"Bearer {self.token}"}

    def look(self, since: int | None = None) -> Any:  # noqa: ANN401  a frame
        """Return what it sees."""
        asked = {} if since is None else {"since": since}
        found = self.party.http.get(self.party.place, headers=self.headers, params=asked)
        assert 200 == found.status_code, found.text
        return found.json()

    def act(self, action: object, version: int, name: str | None = None) -> httpx.Response:
        """Make a choice."""
        body = {"id": name or self.party.name(), "version": version, "act": action}
        return self.party.http.post(f"{self.party.place}/act", headers=self.headers, json=body)

    def leave(self) -> httpx.Response:
        """Give up."""
        return self.party.http.post(
            f"{self.party.place}/leave", headers=self.headers, json={"id": self.party.name()}
        )


class Party:
    """A match, and the people in its seats."""

    def __init__(
        self,
        server: Running,
        game: str,
        seats: list[str | None] | None,
        *,
        fill: bool = True,
        **more: Any,  # noqa: ANN401  as sent
    ) -> None:
        self.server = server
        self.http = server.http
        self.random = Random(f"{game} {seats}")
        self.given = 0
        opened = self.http.post(f"{API}/matches", json={"game": game, "seats": seats or [None, None], **more})
        assert 201 == opened.status_code, opened.text
        self.match: str = opened.json()["match"]
        self.commitment: str = opened.json()["commitment"]
        self.place = f"{API}/matches/{self.match}"
        self.spectator = Person(self, None, None)
        self.people: list[Person] = []
        for seat, bot in enumerate(seats or [None, None]):
            if bot is None and fill:
                self.people.append(self.join(f"Player{seat}", seat=seat, seed=f"luck-of-{seat}-{game}"))

    def name(self) -> str:
        """Return an id that was not used before."""
        self.given += 1
        return f"c{self.given}"

    def join(self, name: str, **more: Any) -> Person:  # noqa: ANN401  as sent
        """Let somebody sit down."""
        asked = {"id": f"{name}-{self.name()}".ljust(30, "_"), "name": name, **more}
        joined = self.http.post(f"{self.place}/join", json=asked)
        assert 200 == joined.status_code, joined.text
        return Person(self, joined.json()["seat"], joined.json()["token"])

    def move(self) -> bool:
        """Let somebody who must choose do anything; say whether the match goes on."""
        for person in self.people:
            frame = person.look()
            if frame["outcome"] or frame["abandonment"]:
                return False
            if frame["actions"]:
                done = person.act(self.random.choice(frame["actions"]), frame["version"])
                assert done.status_code in (200, 409), done.text
                return True
        return True

    def path(self, verb: str) -> str:
        """Return an address about the match."""
        return f"{self.place}/{verb}"


def new_store() -> tuple[Path, Store]:
    """Return a store in a new folder that whoever makes it must remove."""
    folder = new_folder()
    return folder, open_store(str(folder / "matches.db"))

"""A server for browsers: a process of its own, that can be killed and started again at the same address."""

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from signal import SIGSTOP
from subprocess import PIPE, Popen
from time import monotonic, sleep
from typing import Any, Final, NamedTuple

import httpx

SECONDS: Final = 20.0
PAUSE: Final = 0.01
PATIENT: Final = {
    "ODDSMITH_REQUESTS_PER_SECOND": "100000",
    "ODDSMITH_BURST": "100000",
    "ODDSMITH_CONNECTIONS_PER_ADDRESS": "10000",
    "ODDSMITH_LOG": "warning",
}
"""Many players of many tests come from one address."""


class Seat(NamedTuple):
    """A seat that somebody has taken, and what proves it."""

    match: str
    game: str
    number: int
    token: str
    name: str


class House:
    """`oddsmith serve` on one file at one port."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as found:
            self.port: int = found.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self._command = [sys.executable, "-m", "oddsmith", "serve", "--port", str(self.port)]
        self._command += ["--store", str(folder / "house.db")]
        self._process: Popen[str] | None = None
        self._asking = httpx.Client(base_url=f"{self.url}/api/v1", timeout=SECONDS)

    def open(self) -> None:
        """Serve, and return once the server answers; what it costs is not measured."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
        self._process = Popen(self._command, stdout=PIPE, text=True, env=kept | PATIENT, cwd=self._folder)
        assert self._process.stdout is not None
        assert self.url == self._process.stdout.readline().strip()

    def freeze(self) -> None:
        """Let it do nothing any more, without anybody being told."""
        assert self._process is not None
        self._process.send_signal(SIGSTOP)

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def close(self) -> None:
        """End it for good."""
        self.kill()
        self._asking.close()

    def get(self, path: str, seat: Seat | None = None) -> Any:  # noqa: ANN401  whatever the server tells
        """Look at something as a program does: from a seat, or as a spectator."""
        headers = {"Authorization": f"Bearer {seat.token}"} if seat else {}
        answer = self._asking.get(path, headers=headers)
        assert answer.is_success, answer.text
        return answer.json() if "json" in answer.headers["content-type"] else answer.text

    def post(self, path: str, body: dict[str, Any], seat: Seat | None = None) -> dict[str, Any]:
        """Ask the server as a program does."""
        headers = {"Authorization": f"Bearer {seat.token}"} if seat else {}
        answer = self._asking.post(path, json=body, headers=headers)
        assert answer.is_success, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def opened(self, game: str, *seats: str | None, **more: Any) -> str:  # noqa: ANN401  of the opening
        """Open a match, and return its id."""
        match: str = self.post("/matches", {"game": game, "seats": seats, **more})["match"]
        return match

    def joined(self, match: str, name: str = "Ann", seat: int | None = None) -> Seat:
        """Take a seat as a program does."""
        told = self.post(
            f"/matches/{match}/join", {"id": os.urandom(16).hex(), "name": name, "seed": name, "seat": seat}
        )
        game = self.get(f"/matches/{match}")["game"]
        return Seat(match, game, told["seat"], told["token"], name)

    def awaited(self, seat: Seat) -> dict[str, Any]:
        """Wait until a seat must choose, or it is over, and return what it sees then."""
        return self._until(seat.match, seat, lambda frame: seat.number in frame["deciding"])

    def ended(self, match: str) -> dict[str, Any]:
        """Wait until a match is over, and return what everybody sees then."""
        return self._until(match, None, lambda _: False)

    def _until(
        self, match: str, seat: Seat | None, is_there: Callable[[dict[str, Any]], bool]
    ) -> dict[str, Any]:
        end = monotonic() + SECONDS
        while monotonic() < end:
            frame: dict[str, Any] = self.get(f"/matches/{match}", seat)
            if frame["outcome"] or frame["abandonment"] or is_there(frame):
                return frame
            sleep(PAUSE)
        raise AssertionError(f"what the match {match} was waited for never came")

    def acted(self, seat: Seat, act: Any | None = None) -> dict[str, Any]:  # noqa: ANN401  an action of the game's own
        """Make a choice as a program does: the first of the list unless told."""
        frame = self.awaited(seat)
        choice = {"id": os.urandom(16).hex(), "version": frame["version"], "act": act or frame["actions"][0]}
        return self.post(f"/matches/{seat.match}/act", choice, seat)

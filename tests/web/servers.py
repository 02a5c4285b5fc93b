"""A server process for browser tests, which can be killed and started again at the same address."""

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
UNLIMITED: Final = {
    "ODDSMITH_REQUESTS_PER_SECOND": "100000",
    "ODDSMITH_BURST": "100000",
    "ODDSMITH_CONNECTIONS_PER_ADDRESS": "10000",
    "ODDSMITH_LOG": "warning",
}
"""Settings without rate limits: the players of all tests have one address."""


class Seat(NamedTuple):
    """A seat of a match, with the token that proves it."""

    match: str
    game: str
    number: int
    token: str
    name: str


class RunningServer:
    """`oddsmith serve` on one file at one port, with mechanics from files besides the installed ones."""

    def __init__(self, folder: Path, *mechanics: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port: int = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self._command = [sys.executable, "-m", "oddsmith", "serve", "--port", str(self.port)]
        self._command += ["--store", str(folder / "server.db"), *map(str, mechanics)]
        self._process: Popen[str] | None = None
        self._http = httpx.Client(base_url=f"{self.url}/api/v1", timeout=SECONDS)

    def start(self) -> None:
        """Start the process, and return once the server answers; its coverage is not measured."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
        self._process = Popen(
            self._command, stdout=PIPE, text=True, env=environment | UNLIMITED, cwd=self._folder
        )
        assert self._process.stdout is not None
        assert self.url == self._process.stdout.readline().strip()

    def suspend(self) -> None:
        """Stop the process with SIGSTOP: connections stay open, and nothing is answered."""
        assert self._process is not None
        self._process.send_signal(SIGSTOP)

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def close(self) -> None:
        """Kill the process and close the HTTP client."""
        self.kill()
        self._http.close()

    def get(self, path: str, seat: Seat | None = None) -> Any:  # noqa: ANN401  JSON or text
        """Return the reply to a GET request, as the seat or as a spectator."""
        headers = {"Authorization": f"Bearer {seat.token}"} if seat else {}
        answer = self._http.get(path, headers=headers)
        assert answer.is_success, answer.text
        return answer.json() if "json" in answer.headers["content-type"] else answer.text

    def post(self, path: str, body: dict[str, Any], seat: Seat | None = None) -> dict[str, Any]:
        """Return the reply to a POST request, as the seat or without a token."""
        headers = {"Authorization": f"Bearer {seat.token}"} if seat else {}
        answer = self._http.post(path, json=body, headers=headers)
        assert answer.is_success, answer.text
        reply: dict[str, Any] = answer.json()
        return reply

    def open_match(self, game: str, *seats: str | None, **more: Any) -> str:  # noqa: ANN401  other fields of the request
        """Open a match over HTTP and return its id."""
        match: str = self.post("/matches", {"game": game, "seats": seats, **more})["match"]
        return match

    def join(self, match: str, name: str = "Ann", seat: int | None = None) -> Seat:
        """Join a match over HTTP."""
        reply = self.post(
            f"/matches/{match}/join", {"id": os.urandom(16).hex(), "name": name, "seed": name, "seat": seat}
        )
        game = self.get(f"/matches/{match}")["game"]
        return Seat(match, game, reply["seat"], reply["token"], name)

    def wait_for_turn(self, seat: Seat) -> dict[str, Any]:
        """Return the frame of a seat once it must choose or the match is over."""
        return self._wait_until(seat.match, seat, lambda frame: seat.number in frame["deciding"])

    def wait_for_end(self, match: str) -> dict[str, Any]:
        """Return a spectator's frame once the match is over."""
        return self._wait_until(match, None, lambda _: False)

    def _wait_until(
        self, match: str, seat: Seat | None, is_reached: Callable[[dict[str, Any]], bool]
    ) -> dict[str, Any]:
        end = monotonic() + SECONDS
        while monotonic() < end:
            frame: dict[str, Any] = self.get(f"/matches/{match}", seat)
            if frame["outcome"] or frame["abandonment"] or is_reached(frame):
                return frame
            sleep(PAUSE)
        raise AssertionError(f"the match {match} did not reach the expected state in {SECONDS} seconds")

    def act(self, seat: Seat, action: Any | None = None) -> dict[str, Any]:  # noqa: ANN401  an action of any game
        """Wait for the turn of a seat and make a choice: `action`, or the first legal action."""
        frame = self.wait_for_turn(seat)
        choice = {
            "id": os.urandom(16).hex(),
            "version": frame["version"],
            "act": action or frame["actions"][0],
        }
        return self.post(f"/matches/{seat.match}/act", choice, seat)

"""A server for browsers: a process of its own, that can be killed and started again at the same address."""

import os
import socket
import sys
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any, Final

import httpx

__all__ = ["House"]

SECONDS: Final = 20.0
PATIENT: Final = {
    "ODDSMITH_REQUESTS_PER_SECOND": "100000",
    "ODDSMITH_BURST": "100000",
    "ODDSMITH_CONNECTIONS_PER_ADDRESS": "10000",
    "ODDSMITH_LOG": "warning",
}
"""Many players of many tests come from one address."""


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

    def open(self) -> None:
        """Serve, and return once the server answers; what it costs is not measured."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
        self._process = Popen(self._command, stdout=PIPE, text=True, env=kept | PATIENT, cwd=self._folder)
        assert self._process.stdout is not None
        assert self.url == self._process.stdout.readline().strip()

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Ask the server as a program does."""
        answer = httpx.post(f"{self.url}/api/v1{path}", json=body, timeout=SECONDS)
        assert answer.is_success, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def opened(self, game: str, *seats: str | None, **more: Any) -> str:  # noqa: ANN401  of the opening
        """Open a match, and return its id."""
        match: str = self.post("/matches", {"game": game, "seats": seats, **more})["match"]
        return match

    def joined(self, match: str, name: str, seat: int | None = None) -> dict[str, Any]:
        """Take a seat as a program does, and return its number and token."""
        return self.post(
            f"/matches/{match}/join", {"id": os.urandom(16).hex(), "name": name, "seed": name, "seat": seat}
        )

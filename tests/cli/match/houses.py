"""Servers for players: matches are opened there, and one of them can be killed and started again."""

import socket
import sys
from pathlib import Path
from subprocess import PIPE, Popen

from oddsmith.cli.replies import OpenReply
from tests.cli.running import environment, run


class House:
    """`oddsmith serve` on one file at one port."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as found:
            self.port = found.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "oddsmith", "serve", "--port", str(self.port)]
        self._command += ["--store", str(folder / "house.db")]
        self._process: Popen[str] | None = None

    def open(self) -> None:
        """Serve, and return once the server answers."""
        self._process = Popen(self._command, stdout=PIPE, text=True, env=environment())
        assert self._process.stdout is not None
        assert self.url == self._process.stdout.readline().strip()

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def opened(url: str, *arguments: str) -> OpenReply:
    """Open a match."""
    return run("open", *arguments, "--url", url, "--json").reply(OpenReply)

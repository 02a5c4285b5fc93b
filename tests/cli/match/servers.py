"""A server process that can be killed and restarted, and a helper that opens matches."""

import socket
import sys
from pathlib import Path
from subprocess import PIPE, Popen

from oddsmith.cli.replies import OpenReply
from tests.cli.running import environment, run


class RunningServer:
    """`oddsmith serve` on one file at one port."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "oddsmith", "serve", "--port", str(self.port)]
        self._command += ["--store", str(folder / "matches.db")]
        self._process: Popen[str] | None = None

    def start(self) -> None:
        """Start the process, and return once the server answers."""
        self._process = Popen(self._command, stdout=PIPE, text=True, env=environment())
        assert self._process.stdout is not None
        assert self.url == self._process.stdout.readline().strip()

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def open_match(url: str, *arguments: str) -> OpenReply:
    """Open a match with the command line."""
    return run("open", *arguments, "--url", url, "--json").reply(OpenReply)

"""A server process for reliability tests: started like a user's, and killed at any moment."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

ROOT: Final = Path(__file__).parents[1]
MEMORY: Final = Path("/dev/shm")  # noqa: S108  only new temporary folders are made in it
SECONDS_TO_START: Final = 60
UNLIMITED: Final = {
    "ODDSMITH_REQUESTS_PER_SECOND": "1000000",
    "ODDSMITH_BURST": "1000000",
    "ODDSMITH_FAILURES_PER_MINUTE": "10000",
    "ODDSMITH_CONNECTIONS_PER_ADDRESS": "10000",
    "ODDSMITH_BOT_MATCHES_PER_ADDRESS": "100000",
}
"""Settings without rate limits."""


@contextmanager
def temporary_folder(*, in_memory: bool = True) -> Iterator[Path]:
    """Yield a new folder, removed afterwards; in memory if possible, which survives a killed process and is faster."""
    parent = MEMORY if in_memory and os.access(MEMORY, os.W_OK) else None
    folder = Path(mkdtemp(prefix="oddsmith-chaos-", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """Return a port that is not in use."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class ServerProcess:
    """`oddsmith serve` at a port of its own; the output of all starts is appended to one log."""

    def __init__(
        self, store: str, log: Path, *, program: Sequence[str] = ("-m", "oddsmith", "serve"), **settings: str
    ) -> None:
        self.store = store
        self._program = program
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = log
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._running().pid

    def start(self) -> None:
        """Start the process, without waiting until it answers."""
        command = [sys.executable, *self._program, "--port", str(self.port), "--store", self.store]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603  our own command
                command,
                cwd=ROOT,
                env=dict(os.environ) | UNLIMITED | self._settings,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def is_ready(self) -> bool:
        """Return whether the server answers; raise `RuntimeError` if its process has ended."""
        if self._process is None or self._process.poll() is not None:
            raise RuntimeError(f"the server has ended by itself:\n{self.log()[-4_000:]}")
        try:
            with urlopen(f"{self.url}/readyz", timeout=5) as reply:  # noqa: S310  our own address
                return bool(reply.status == 200)  # noqa: PLR2004  OK
        except (URLError, OSError):
            return False

    def wait(self) -> None:
        """Wait until the server answers."""
        end = time.monotonic() + SECONDS_TO_START
        while not self.is_ready():
            if time.monotonic() > end:
                raise TimeoutError(f"the server does not answer:\n{self.log()[-4_000:]}")
            time.sleep(0.02)

    def kill(self) -> None:
        """Kill the process; raise `RuntimeError` if it had already ended."""
        process = self._running()
        process.send_signal(signal.SIGKILL)
        status = process.wait()
        if status != -signal.SIGKILL:
            raise RuntimeError(f"the server has ended by itself, with {status}:\n{self.log()[-4_000:]}")

    def stop(self) -> int:
        """Terminate the process and return its exit status."""
        process = self._running()
        process.terminate()
        return process.wait(timeout=30)

    def close(self) -> None:
        """Kill the process if it runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def memory(self) -> int:
        """Return the resident memory in bytes."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        found = re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)
        if found is None:
            raise RuntimeError("the system does not say how much memory the server holds")
        return int(found[1]) * 1024

    def descriptors(self) -> int:
        """Return the number of open file descriptors."""
        return len([*Path(f"/proc/{self.pid}/fd").iterdir()])

    def log(self) -> str:
        """Return everything that the process has printed."""
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise RuntimeError("the server was never started")
        return self._process


@contextmanager
def run_server(store: str, log: Path, **settings: str) -> Iterator[ServerProcess]:
    """Yield a server that answers."""
    server = ServerProcess(store, log, **settings)
    try:
        server.start()
        server.wait()
        yield server
    finally:
        server.close()

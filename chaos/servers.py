"""A server in a process of its own, started as a person starts it, and ended as nobody should."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

ROOT: Final = Path(__file__).parents[1]
MEMORY: Final = Path("/dev/shm")  # noqa: S108  only new folders are made in it
SECONDS_TO_START: Final = 60
OPEN_HANDED: Final = {
    "ODDSMITH_REQUESTS_PER_SECOND": "1000000",
    "ODDSMITH_BURST": "1000000",
    "ODDSMITH_FAILURES_PER_MINUTE": "10000",
    "ODDSMITH_CONNECTIONS_PER_ADDRESS": "10000",
}
"""Settings under which nobody is asked to wait: what is tried here is not patience."""


@contextmanager
def workplace(*, in_memory: bool = True) -> Iterator[Path]:
    """Lend a new folder; in memory, where that is as safe from a killed process as a disk, and faster."""
    place = MEMORY if in_memory and os.access(MEMORY, os.W_OK) else None
    folder = Path(mkdtemp(prefix="oddsmith-chaos-", dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """Return a port at which nobody listens now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class ServerProcess:
    """`oddsmith serve` at a port of its own; all that it writes goes into one log, however often it is started."""

    def __init__(self, store: str, log: Path, **settings: str) -> None:
        self.store = store
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = log
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, without waiting for it to answer."""
        command = [sys.executable, "-m", "oddsmith", "serve", "--port", str(self.port), "--store", self.store]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603  our own command
                command,
                cwd=ROOT,
                env=dict(os.environ) | OPEN_HANDED | self._settings,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def is_ready(self) -> bool:
        """Say whether it answers; one that has ended by itself never will."""
        if self._process is None or self._process.poll() is not None:
            raise RuntimeError(f"the server has ended by itself:\n{self.log()[-4_000:]}")
        try:
            with urlopen(f"{self.url}/readyz", timeout=5) as reply:  # noqa: S310  our own address
                return bool(reply.status == 200)  # noqa: PLR2004  OK
        except (URLError, OSError):
            return False

    def wait(self) -> None:
        """Wait until it answers."""
        end = time.monotonic() + SECONDS_TO_START
        while not self.is_ready():
            if time.monotonic() > end:
                raise TimeoutError(f"the server does not answer:\n{self.log()[-4_000:]}")
            time.sleep(0.02)

    def kill(self) -> None:
        """End it at once, as a power cut would; one that has ended by itself is an error."""
        process = self._running()
        process.send_signal(signal.SIGKILL)
        status = process.wait()
        if status != -signal.SIGKILL:
            raise RuntimeError(f"the server has ended by itself, with {status}:\n{self.log()[-4_000:]}")

    def stop(self) -> int:
        """Ask it to end, and return its exit status."""
        process = self._running()
        process.terminate()
        return process.wait(timeout=30)

    def close(self) -> None:
        """End it if it still runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def memory(self) -> int:
        """Return how many bytes of memory it holds now."""
        status = Path(f"/proc/{self._running().pid}/status").read_text(encoding="ascii")
        found = re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)
        if found is None:
            raise RuntimeError("the system does not say how much memory the server holds")
        return int(found[1]) * 1024

    def log(self) -> str:
        """Return all that it has written."""
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise RuntimeError("the server was never started")
        return self._process


@contextmanager
def serving(store: str, log: Path, **settings: str) -> Iterator[ServerProcess]:
    """Lend a server that answers."""
    server = ServerProcess(store, log, **settings)
    try:
        server.start()
        server.wait()
        yield server
    finally:
        server.close()

"""Count the files of oddsmith whose functions run for one question, and for one move over a socket.

A file counts if one of its functions runs outside any import: the import of a module, its classes and its decorators do
not count. A switch is a call or a return from one file of oddsmith to another. Both measure how many files a reader has to
follow; run it before and after a change of structure.

    python -m bench.files
"""

import contextlib
import io
import json
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final

import httpx
from websockets.sync.client import ClientConnection, connect

import oddsmith
from oddsmith.cli import main as run_command
from oddsmith.server import logs
from oddsmith.server.application import make_app
from oddsmith.server.run import listener_url, open_listener
from oddsmith.server.settings import Settings
from oddsmith.server.uvicorn_server import UvicornServer
from oddsmith.store import open_store

SOURCES: Final = str(Path(oddsmith.__file__).parent)
SECONDS: Final = 20.0
MATCHES: Final = 9
"""The cost of a move depends on the cards: the median of these matches is shown."""


class Trace:
    """The files that run, with their calls, and the number of switches between them."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.functions: Counter[str] = Counter()
        self.switches = 0
        self.is_counting = True
        self._imports: dict[int, int] = {}
        self._last: dict[int, str] = {}

    def on_event(self, frame: FrameType, event: str, _: object) -> None:
        """Count one event of the profiler."""
        thread, is_module = threading.get_ident(), frame.f_code.co_name == "<module>"
        if is_module and event in {"call", "return"}:
            self._imports[thread] = self._imports.get(thread, 0) + (1 if event == "call" else -1)
            return
        is_counted = self.is_counting and event == "call" and not self._imports.get(thread)
        if not is_counted or not frame.f_code.co_filename.startswith(SOURCES):
            return
        name = frame.f_code.co_filename.removeprefix(SOURCES).lstrip("/")
        self.calls[name] += 1
        self.functions[f"{name}:{frame.f_code.co_qualname}"] += 1
        if self._last.get(thread) not in {None, name}:
            self.switches += 1
        self._last[thread] = name

    @contextlib.contextmanager
    def profile(self) -> Iterator[None]:
        """Profile this thread, and those that are started meanwhile."""
        threading.setprofile(self.on_event)
        sys.setprofile(self.on_event)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


def trace_command(*words: str) -> Trace:
    """Run a command without its output."""
    trace = Trace()
    with contextlib.redirect_stdout(io.StringIO()), trace.profile():
        run_command(words)
    return trace


@contextlib.contextmanager
def _server() -> Iterator[str]:
    """Run a server on a new store in a thread, and yield its URL."""
    with (
        TemporaryDirectory() as folder,
        contextlib.closing(open_store(f"{folder}/matches.db")) as store,
        open_listener(settings := Settings(port=0, log="error")) as listener,
    ):
        started = threading.Event()
        server = UvicornServer(make_app(settings, store, None), settings, started.set)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        started.wait(SECONDS)
        try:
            yield listener_url(listener)
        finally:
            server.should_exit = True
            thread.join(SECONDS)


def trace_move() -> Trace:
    """Make the second move of a Casino match of two players over a socket, and wait until both have seen it.

    The first move warms up. Only threads of the server are profiled.
    """
    logs.configure("warning")
    trace = Trace()
    trace.is_counting = False
    threading.setprofile(trace.on_event)
    with _server() as url, httpx.Client(base_url=f"{url}/api/v1", timeout=SECONDS) as http:
        match = http.post("/matches", json={"game": "casino", "seats": [None, None]}).json()["match"]
        seats = [
            http.post(f"/matches/{match}/join", json={"id": name * 10, "name": name}).json()
            for name in ("Ann", "Ben")
        ]
        address = f"{url.replace('http', 'ws', 1)}/api/v1/matches/{match}/socket"
        with connect(address, proxy=None) as first, connect(address, proxy=None) as second:
            sockets = (first, second)
            for socket, seat in zip(sockets, seats, strict=True):
                socket.send(json.dumps({"token": seat["token"]}))
            frames = [_read_frame(socket, 0) for socket in sockets]
            frames = _move(sockets, frames, "0" * 32)
            trace.is_counting = True
            _move(sockets, frames, "1" * 32)
            trace.is_counting = False
    threading.setprofile(None)
    return trace


def _move(
    sockets: Sequence[ClientConnection], frames: Sequence[dict[str, Any]], command: str
) -> list[dict[str, Any]]:
    """Make the first legal move of the seat to move, and return the next frame of each seat."""
    mover, frame = next((mover, frame) for mover, frame in enumerate(frames) if frame["actions"])
    choice = {"id": command, "version": frame["version"], "act": frame["actions"][0]}
    sockets[mover].send(json.dumps(choice))
    return [_read_frame(socket, frame["version"] + 1) for socket in sockets]


def _read_frame(socket: ClientConnection, version: int) -> dict[str, Any]:
    """Return the next frame of at least that version; answers to choices are skipped."""
    while True:
        frame: dict[str, Any] = json.loads(socket.recv(timeout=SECONDS))
        if "actions" in frame and frame["version"] >= version:
            return frame


def print_trace(title: str, trace: Trace) -> None:
    """Print the files and the number of switches."""
    print(f"{title}: {len(trace.calls)} files, {trace.switches} switches between files")
    for name in sorted(trace.calls):
        print(f"  {trace.calls[name]:>7,}  {name}")


def main() -> None:
    """Print both traces."""
    print_trace("oddsmith destiny odds burglary", trace_command("destiny", "odds", "burglary"))
    traces = sorted((trace_move() for _ in range(MATCHES)), key=lambda trace: trace.switches)
    print_trace("a Casino move over a socket", traces[MATCHES // 2])


if __name__ == "__main__":
    main()

"""Servers that follow a script, so that a client meets what a good server never does."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec
from websockets.sync.server import ServerConnection, serve

DROPPED = 0
"""A status that is none: the connection is closed without an answer."""


class Asked(msgspec.Struct, frozen=True):
    """A request that came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@contextmanager
def answering(*answers: tuple[int, object]) -> Iterator[tuple[str, list[Asked]]]:
    """Answer requests in turn with a status and JSON, or text; yield where, and what was asked."""
    script, asked = [*answers], []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            asked.append(
                Asked(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body)
            )
            status, said = script.pop(0)
            if status == DROPPED:
                self.close_connection = True
                return
            content = said.encode() if isinstance(said, str) else msgspec.json.encode(said)
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            self.send_header("retry-after", "0")
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET  # noqa: N815  as the base class calls it

        def log_message(self, *_: Any) -> None:  # noqa: ANN401  as the base class calls it
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def showing(*visits: tuple[Sequence[object], int]) -> Iterator[tuple[str, list[Any]]]:
    """Answer each connection in turn with messages, and close it with a code; yield where, and which hellos came."""
    script, hellos = [*visits], []

    def visit(connection: ServerConnection) -> None:
        hellos.append(msgspec.json.decode(connection.recv()))
        messages, code = script.pop(0)
        for message in messages:
            connection.send(message if isinstance(message, str) else msgspec.json.encode(message).decode())
        connection.close(code, "the script says so")

    with serve(visit, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.socket.getsockname()[1]}", hellos
        finally:
            server.shutdown()
            thread.join()


def frame(version: int, *, over: bool = False) -> dict[str, Any]:
    """Return a frame of a match that has not begun."""
    return {
        "match": "05af",
        "version": version,
        "game": "duel",
        "rules_id": "ab",
        "viewer": None,
        "chairs": [],
        "deciding": [],
        "commitment": "cd",
        "clock": None,
        "due_at": None,
        "view": None,
        "actions": [],
        "outcome": None,
        "abandonment": {"why": "deserted", "seat": None, "winners": []} if over else None,
        "secret": None,
        "seeds": None,
        "events": [],
    }

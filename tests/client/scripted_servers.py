"""Servers that send scripted replies, for behaviour that the real server does not show."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec
from websockets.sync.server import ServerConnection, serve

DROPPED = 0
"""A pseudo status: the connection is closed without a response."""


class ReceivedRequest(msgspec.Struct, frozen=True):
    """A request that the server received."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@contextmanager
def serve_replies(*answers: tuple[int, object]) -> Iterator[tuple[str, list[ReceivedRequest]]]:
    """Answer requests in turn with a status and JSON, or text; yield the URL and the list of received requests."""
    script, requests = [*answers], []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            requests.append(
                ReceivedRequest(
                    self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body
                )
            )
            status, content_or_text = script.pop(0)
            if status == DROPPED:
                self.close_connection = True
                return
            content = (
                content_or_text.encode()
                if isinstance(content_or_text, str)
                else msgspec.json.encode(content_or_text)
            )
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            self.send_header("retry-after", "0")
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET  # noqa: N815  the base class's name

        def log_message(self, *_: Any) -> None:  # noqa: ANN401  the signature of the base class
            """Suppress the log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", requests
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def serve_frames(*scripts: tuple[Sequence[object], int]) -> Iterator[tuple[str, list[Any]]]:
    """Answer each connection in turn with messages and a close code; yield the URL and the list of received hellos."""
    script, hellos = [*scripts], []

    def handle(connection: ServerConnection) -> None:
        hellos.append(msgspec.json.decode(connection.recv()))
        messages, code = script.pop(0)
        for message in messages:
            connection.send(message if isinstance(message, str) else msgspec.json.encode(message).decode())
        connection.close(code, "the script says so")

    with serve(handle, "127.0.0.1", 0) as server:
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

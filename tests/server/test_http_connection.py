"""HTTP connections byte by byte: pieces, pipelines, trailers, upgrades, limits and deadlines."""

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, Final, Self

import pytest

from oddsmith import wire
from tests.server.servers import API, RunningServer, run_server
from tests.waiting import wait_until

REQUEST: Final = {
    "character": "greenhorn",
    "target": "train_heist",
    "hand": ["A♠", "K♠", "Q♠", "J♠", "10♠"],
}
"""A question without randomness."""
PATH: Final = f"{API}/destiny/check"


def request(
    body: bytes, *more: str, path: str = PATH, method: str = "POST", length: int | None = None
) -> bytes:
    """Return the bytes of a request."""
    lines = [f"{method} {path} HTTP/1.1", "host: x", "content-type: application/json", *more]
    if length is not None or not any("chunked" in line for line in more):
        lines.append(f"content-length: {len(body) if length is None else length}")
    return "\r\n".join([*lines, "", ""]).encode() + body


def question(**more: Any) -> bytes:  # noqa: ANN401  fields of the request
    """Return the body of a question, with some fields changed."""
    return json.dumps(REQUEST | more).encode()


class RawConnection:
    """A TCP connection to a server."""

    def __init__(self, server: RunningServer) -> None:
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        self._read = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def read_reply(self) -> tuple[int, dict[str, str], bytes]:
        """Return the status, the headers and the body of the next response."""
        head = self._read_head()
        while head.startswith(b"HTTP/1.1 100"):
            head = self._read_head()
        first, *lines = head.decode().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        length = int(headers["content-length"])
        while len(self._read) < length:
            self._receive()
        body, self._read = self._read[:length], self._read[length:]
        return int(first.split()[1]), headers, body

    def _read_head(self) -> bytes:
        while b"\r\n\r\n" not in self._read:
            self._receive()
        head, _, self._read = self._read.partition(b"\r\n\r\n")
        return head

    def _receive(self) -> None:
        part = self._socket.recv(65_536)
        assert part
        self._read += part

    def read_rest(self) -> bytes:
        """Return everything until the connection is closed."""
        with suppress(ConnectionError):
            while part := self._socket.recv(65_536):
                self._read += part
        return self._read


@pytest.fixture
def connection(server: RunningServer) -> Iterator[RawConnection]:
    """Connect to the shared server."""
    with RawConnection(server) as opened:
        yield opened


def stable_headers(headers: dict[str, str]) -> dict[str, str]:
    """Return the headers that are the same for equal requests."""
    return {name: value for name, value in headers.items() if name not in ("x-request-id", "date")}


@pytest.mark.parametrize(
    ("body", "more"),
    [
        (question(), ()),
        (b"{", ()),
        (b"", ()),
        (question(character="nobody"), ()),
        (question(surprise=1), ()),
        (question(), ("origin: https://evil.example",)),
        (question(), ("authorization: Basic x",)),
        (question(), ("content-encoding: gzip", "content-type: text/plain")),
    ],
    ids=["answer", "no JSON", "nothing", "unknown name", "unknown key", "origin", "authorization", "type"],
)
def test_a_response_does_not_depend_on_100_continue(
    connection: RawConnection, body: bytes, more: tuple[str, ...]
) -> None:
    """A request that expects `100 Continue` gets the same status, headers and body as another."""
    connection.send(request(body, *more))
    at_once = connection.read_reply()
    connection.send(request(body, "expect: 100-continue", *more))
    through = connection.read_reply()

    assert at_once[0] == through[0]
    assert stable_headers(at_once[1]) == stable_headers(through[1])
    assert at_once[2] == through[2]
    assert re.fullmatch(r"[0-9a-f]{12}-[0-9a-f]+", at_once[1]["x-request-id"])
    assert "date" in at_once[1]


def test_pipelined_requests_are_answered_in_order(connection: RawConnection) -> None:
    """Whichever part of the server answers them."""
    bodies = [question(character=name) for name in ("greenhorn", "calamity_rose", "nobody", "greenhorn")]
    elsewhere = request(b"", path=f"{API}/games", method="GET")
    connection.send(elsewhere + b"".join(map(request, bodies)) + elsewhere + request(b"{"))
    statuses = [connection.read_reply()[0] for _ in range(7)]

    assert [200, 200, 200, 400, 200, 200, 400] == statuses


def test_a_request_may_arrive_in_pieces(connection: RawConnection) -> None:
    """Byte by byte, and chunk by chunk."""
    body = question()
    for place in range(0, len(whole := request(body)), 40):
        connection.send(whole[place : place + 40])
        time.sleep(0.001)
    slowly = connection.read_reply()
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:50], body[50:]))
    connection.send(request(chunks + b"0\r\n\r\n", "transfer-encoding: chunked"))
    chunked = connection.read_reply()

    assert (200, 200) == (slowly[0], chunked[0])
    assert slowly[2] == chunked[2]


@pytest.mark.parametrize("path", [PATH, f"{API}/casino/classify"], ids=["at once", "in turn"])
def test_trailers_are_no_headers(connection: RawConnection, path: str) -> None:
    """A trailer cannot name the client or its origin: proxies have checked the head alone."""
    body = b"2\r\n{}\r\n0\r\norigin: https://evil.example\r\ncontent-type: text/plain\r\n\r\n"
    connection.send(request(body, "transfer-encoding: chunked", path=path))
    status, _, reply = connection.read_reply()

    assert (400, "bad_json") == (status, json.loads(reply)["error"]["code"])


@pytest.mark.parametrize("path", [PATH, f"{API}/casino/classify"], ids=["at once", "in turn"])
def test_trailers_are_bounded(server: RunningServer, path: str) -> None:
    """They may be as long as a head; a longer one is not read until the request times out."""
    with RawConnection(server) as connection:
        connection.send(request(b"2\r\n{}\r\n0\r\n", "transfer-encoding: chunked", path=path))
        with suppress(ConnectionError):
            for _ in range(100):
                connection.send(b"more: of it\r\n" * 500)
                time.sleep(0.002)
        rest = connection.read_rest()

        assert b"HTTP/1.1 431" in rest or not rest


def test_a_request_that_is_too_long_ends_the_connection(server: RunningServer) -> None:
    """It is refused before it is complete, with or without a length; what follows it is not read."""
    answers = []
    for data in (
        request(b" " * 65_537, length=10**9),
        request(b"%x\r\n" % 70_000 + b" " * 69_000, "transfer-encoding: chunked"),
    ):
        with RawConnection(server) as connection:
            connection.send(data)
            answers.append((connection.read_reply(), connection.read_rest()))

    assert [413, 413] == [read_reply[0] for read_reply, _ in answers]
    assert ["close", "close"] == [read_reply[1]["connection"] for read_reply, _ in answers]
    assert [b"", b""] == [read_rest for _, read_rest in answers]


def test_nothing_after_the_last_response_is_answered(server: RunningServer) -> None:
    """Requests that were pipelined behind one that closes the connection get no response."""
    with RawConnection(server) as connection:
        connection.send(request(question(), "content-length: 99999999")[:300] + b" " * 66_000)
        status, *_ = connection.read_reply()

        assert status in (400, 413)
        assert b"" == connection.read_rest()


def test_other_methods_and_versions_are_passed_to_the_application(connection: RawConnection) -> None:
    """A question is a POST request; HTTP/1.0 is answered and closed."""
    connection.send(request(b"", method="GET"))
    wrong = connection.read_reply()
    connection.send(request(question(), "connection: keep-alive").replace(b"HTTP/1.1", b"HTTP/1.0", 1))
    old = connection.read_reply()

    assert (405, "OPTIONS, POST") == (wrong[0], wrong[1]["allow"])
    assert 200 == old[0]
    assert b"" == connection.read_rest()


def test_every_response_is_counted_and_logged(server: RunningServer) -> None:
    """Metrics and the log have the route of a question."""

    def count_requests() -> float:
        page = server.http.get("/metrics").text
        found = re.search(r'requests_total\{method="POST",route="check",status="200"\} (\S+)', page)
        return float(found[1]) if found else 0.0

    before = count_requests()
    server.http.post(PATH, json=REQUEST)
    logged = [line for line in server.logged if line.get("route") == "check"][-1]

    assert before + 1 == count_requests()
    assert (200, PATH, "POST") == (logged["status"], logged["path"], logged["method"])


def test_an_internal_error_is_a_500(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal refers to the log; the next request is answered."""
    with run_server() as server:
        failures = iter([ZeroDivisionError()])

        def fail(value: object) -> Any:  # noqa: ANN401  bytes
            for failure in failures:
                raise failure
            return to_json(value)

        to_json = wire.to_json
        failing = SimpleNamespace(**(vars(wire) | {"to_json": fail}))
        monkeypatch.setattr("oddsmith.server.question_operations.wire", failing)
        broken = server.http.post(PATH, json=REQUEST)
        healed = server.http.post(PATH, json=REQUEST)
        errors = [line for line in server.logged if line["level"] == "error"]
        server.logged.clear()

    assert (500, "internal_error") == (broken.status_code, broken.json()["error"]["code"])
    assert 200 == healed.status_code
    assert ["failed"] == [line["event"] for line in errors]


def test_a_request_that_has_begun_is_answered_before_the_server_stops() -> None:
    """The rest of it may still arrive; then the connection is closed."""
    with run_server() as server, RawConnection(server) as connection:
        whole = request(question())
        connection.send(whole + whole[:-20])
        assert 200 == connection.read_reply()[0]
        server.uvicorn.should_exit = True
        wait_until(lambda: server.app.is_stopping, "a server that stops")
        connection.send(whole[-20:])
        status, *_ = connection.read_reply()

        assert 200 == status
        assert b"" == connection.read_rest()


def test_an_idle_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty lines are no request and do not keep a connection open."""
    monkeypatch.setattr("oddsmith.server.http_connection.SECONDS_TO_SEND", 0.2)
    monkeypatch.setattr("oddsmith.server.http_request.SECONDS_TO_SEND", 0.2)
    with run_server() as server, RawConnection(server) as connection:
        connection.send(request(question()))
        status, *_ = connection.read_reply()
        connection.send(b"\r\n")

        assert 200 == status
        assert b"slow_request" in connection.read_rest()


def test_the_idle_timeout_starts_again_with_every_response(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It does not run during a request, whichever part of the server answers it."""
    monkeypatch.setattr("oddsmith.server.http_connection.SECONDS_IDLE", 1.0)
    elsewhere = request(b"", path=f"{API}/games", method="GET")
    with run_server() as server, RawConnection(server) as connection:
        for data in (request(question()), elsewhere, request(question()), request(question())):
            connection.send(data[:30])
            time.sleep(0.3)
            connection.send(data[30:])

            assert 200 == connection.read_reply()[0]

        began = time.monotonic()

        assert b"" == connection.read_rest()
        assert 0.3 < time.monotonic() - began


def test_a_client_that_expects_100_continue_gets_it(connection: RawConnection) -> None:
    """It is sent before the body has arrived, and the response after it."""
    body = question()
    head = request(b"", "expect: 100-continue", length=len(body))
    connection.send(head)
    interim = connection._read_head()
    connection.send(body)
    status, *_ = connection.read_reply()

    assert (b"HTTP/1.1 100 Continue", 200) == (interim, status)


def test_an_upgrade_to_another_protocol_is_answered_as_a_plain_request(connection: RawConnection) -> None:
    """Only WebSocket is upgraded to; the connection is closed, because the next bytes may be of another protocol."""
    connection.send(request(b"", "connection: upgrade", "upgrade: h2c", path=f"{API}/games", method="GET"))
    status, headers, _ = connection.read_reply()

    assert (200, "close", b"") == (status, headers["connection"], connection.read_rest())


def test_a_pipelined_websocket_handshake_ends_the_connection(connection: RawConnection) -> None:
    """The request before it is answered; a WebSocket needs a connection of its own."""
    upgrade = (
        f"GET {API}/matches/x/socket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
        "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    connection.send(request(question()) + upgrade.encode())
    status, headers, _ = connection.read_reply()

    assert (200, "close", b"") == (status, headers["connection"], connection.read_rest())


def test_a_body_may_arrive_byte_by_byte(connection: RawConnection) -> None:
    body = question()
    connection.send(request(b"", length=len(body)))
    for place in range(len(body)):
        connection.send(body[place : place + 1])

    assert 200 == connection.read_reply()[0]

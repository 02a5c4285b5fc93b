"""HTTP connections byte by byte: pieces, pipelines, trailers, upgrades, limits and deadlines."""

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, Self

import pytest

from oddsmith import wire
from tests.server.running import API, Running, running

ASKED: Final = {
    "character": "greenhorn",
    "target": "train_heist",
    "hand": ["A♠", "K♠", "Q♠", "J♠", "10♠"],
}
"""A question without luck in it."""
PATH: Final = f"{API}/destiny/check"


def request(
    body: bytes, *more: str, path: str = PATH, method: str = "POST", length: int | None = None
) -> bytes:
    """Return a request as it is sent."""
    lines = [f"{method} {path} HTTP/1.1", "host: x", "content-type: application/json", *more]
    if length is not None or not any("chunked" in line for line in more):
        lines.append(f"content-length: {len(body) if length is None else length}")
    return "\r\n".join([*lines, "", ""]).encode() + body


def question(**more: Any) -> bytes:  # noqa: ANN401  as sent
    """Return a question, or another one that is like it."""
    return json.dumps(ASKED | more).encode()


class Line:
    """A connection to a server, byte by byte."""

    def __init__(self, server: Running) -> None:
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        self._read = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self._socket.sendall(data)

    def answer(self) -> tuple[int, dict[str, str], bytes]:
        """Return the status, the headers and the body of the next answer."""
        head = self._head()
        while head.startswith(b"HTTP/1.1 100"):
            head = self._head()
        first, *lines = head.decode().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        length = int(headers["content-length"])
        while len(self._read) < length:
            self._more()
        body, self._read = self._read[:length], self._read[length:]
        return int(first.split()[1]), headers, body

    def _head(self) -> bytes:
        while b"\r\n\r\n" not in self._read:
            self._more()
        head, _, self._read = self._read.partition(b"\r\n\r\n")
        return head

    def _more(self) -> None:
        part = self._socket.recv(65_536)
        assert part
        self._read += part

    def rest(self) -> bytes:
        """Return all that still comes until the connection is closed."""
        with suppress(ConnectionError):
            while part := self._socket.recv(65_536):
                self._read += part
        return self._read


@pytest.fixture
def line(server: Running) -> Iterator[Line]:
    """Connect to a server."""
    with Line(server) as connected:
        yield connected


def unlike(headers: dict[str, str]) -> dict[str, str]:
    """Return headers without those that differ from answer to answer."""
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
def test_the_answer_is_that_of_the_application(line: Line, body: bytes, more: tuple[str, ...]) -> None:
    """A request that expects `100 Continue` is answered like any other: status, headers and body are the same."""
    line.send(request(body, *more))
    at_once = line.answer()
    line.send(request(body, "expect: 100-continue", *more))
    through = line.answer()

    assert at_once[0] == through[0]
    assert unlike(at_once[1]) == unlike(through[1])
    assert at_once[2] == through[2]
    assert re.fullmatch(r"[0-9a-f]{12}-[0-9a-f]+", at_once[1]["x-request-id"])
    assert "date" in at_once[1]


def test_answers_come_in_the_order_of_the_questions(line: Line) -> None:
    """Requests that are sent ahead are answered one after the other, whoever answers them."""
    bodies = [question(character=name) for name in ("greenhorn", "calamity_rose", "nobody", "greenhorn")]
    elsewhere = request(b"", path=f"{API}/games", method="GET")
    line.send(elsewhere + b"".join(map(request, bodies)) + elsewhere + request(b"{"))
    statuses = [line.answer()[0] for _ in range(7)]

    assert [200, 200, 200, 400, 200, 200, 400] == statuses


def test_a_question_may_come_in_pieces(line: Line) -> None:
    """Byte by byte, and chunk by chunk."""
    body = question()
    for place in range(0, len(whole := request(body)), 40):
        line.send(whole[place : place + 40])
        time.sleep(0.001)
    slowly = line.answer()
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:50], body[50:]))
    line.send(request(chunks + b"0\r\n\r\n", "transfer-encoding: chunked"))
    chunked = line.answer()

    assert (200, 200) == (slowly[0], chunked[0])
    assert slowly[2] == chunked[2]


@pytest.mark.parametrize("path", [PATH, f"{API}/casino/classify"], ids=["at once", "in turn"])
def test_what_follows_a_body_is_no_header(line: Line, path: str) -> None:
    """Nobody says after a body who asks, or from where: proxies have looked at the head alone."""
    body = b"2\r\n{}\r\n0\r\norigin: https://evil.example\r\ncontent-type: text/plain\r\n\r\n"
    line.send(request(body, "transfer-encoding: chunked", path=path))
    status, _, told = line.answer()

    assert (400, "bad_json") == (status, json.loads(told)["error"]["code"])


@pytest.mark.parametrize("path", [PATH, f"{API}/casino/classify"], ids=["at once", "in turn"])
def test_what_follows_a_body_is_bounded(server: Running, path: str) -> None:
    """As much as a head may have; who sends more is not listened to until a request would be late."""
    with Line(server) as line:
        line.send(request(b"2\r\n{}\r\n0\r\n", "transfer-encoding: chunked", path=path))
        with suppress(ConnectionError):
            for _ in range(100):
                line.send(b"more: of it\r\n" * 500)
                time.sleep(0.002)
        heard = line.rest()

        assert b"HTTP/1.1 431" in heard or not heard


def test_a_question_that_is_too_long_ends_the_connection(server: Running) -> None:
    """It is refused before it is whole, with or without a length; what comes after it is not read."""
    answers = []
    for said in (
        request(b" " * 65_537, length=10**9),
        request(b"%x\r\n" % 70_000 + b" " * 69_000, "transfer-encoding: chunked"),
    ):
        with Line(server) as line:
            line.send(said)
            answers.append((line.answer(), line.rest()))

    assert [413, 413] == [answer[0] for answer, _ in answers]
    assert ["close", "close"] == [answer[1]["connection"] for answer, _ in answers]
    assert [b"", b""] == [rest for _, rest in answers]


def test_nothing_that_follows_a_last_answer_is_answered(server: Running) -> None:
    """What was sent ahead of a request that ends the connection gets no answer."""
    with Line(server) as line:
        line.send(request(question(), "content-length: 99999999")[:300] + b" " * 66_000)
        status, *_ = line.answer()

        assert status in (400, 413)
        assert b"" == line.rest()


def test_other_methods_and_other_versions_go_through_the_application(line: Line) -> None:
    """A question is a POST request; HTTP/1.0 is answered and closed, whatever it asks for."""
    line.send(request(b"", method="GET"))
    wrong = line.answer()
    line.send(request(question(), "connection: keep-alive").replace(b"HTTP/1.1", b"HTTP/1.0", 1))
    old = line.answer()

    assert (405, "OPTIONS, POST") == (wrong[0], wrong[1]["allow"])
    assert 200 == old[0]
    assert b"" == line.rest()


def test_every_answer_is_counted_and_logged(server: Running) -> None:
    """Metrics and the log know a question by its route."""

    def counted() -> float:
        page = server.http.get("/metrics").text
        found = re.search(r'requests_total\{method="POST",route="check",status="200"\} (\S+)', page)
        return float(found[1]) if found else 0.0

    before = counted()
    server.http.post(PATH, json=ASKED)
    logged = [line for line in server.logged if line.get("route") == "check"][-1]

    assert before + 1 == counted()
    assert (200, PATH, "POST") == (logged["status"], logged["path"], logged["method"])


def test_a_failure_is_not_the_askers_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """500 with a refusal that names the log; the next question is answered."""
    with running() as server:
        failures = iter([ZeroDivisionError()])

        def fail(value: object) -> Any:  # noqa: ANN401  bytes
            for failure in failures:
                raise failure
            return to_json(value)

        to_json = wire.to_json
        monkeypatch.setattr("oddsmith.server.question_operations.wire.to_json", fail)
        broken = server.http.post(PATH, json=ASKED)
        healed = server.http.post(PATH, json=ASKED)
        errors = [line for line in server.logged if line["level"] == "error"]
        server.logged.clear()

    assert (500, "internal_error") == (broken.status_code, broken.json()["error"]["code"])
    assert 200 == healed.status_code
    assert ["failed"] == [line["event"] for line in errors]


def test_a_question_that_has_begun_is_answered_before_the_server_stops() -> None:
    """The rest of it may still come; then the connection is closed."""
    with running() as server, Line(server) as line:
        whole = request(question())
        line.send(whole[:-20])
        time.sleep(0.1)
        server.house.should_exit = True
        time.sleep(0.4)
        line.send(whole[-20:])
        status, *_ = line.answer()

        assert 200 == status
        assert b"" == line.rest()


def test_who_says_nothing_between_questions_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty lines are no request, and keep no connection open."""
    monkeypatch.setattr("oddsmith.server.http_connection.SECONDS_TO_SEND", 0.2)
    monkeypatch.setattr("oddsmith.server.http_request.SECONDS_TO_SEND", 0.2)
    with running() as server, Line(server) as line:
        line.send(request(question()))
        status, *_ = line.answer()
        line.send(b"\r\n")

        assert 200 == status
        assert b"slow_request" in line.rest()


def test_a_connection_that_has_been_idle_for_long_is_closed_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The time begins anew with every answer, whoever gave it, and does not run while one is asked."""
    monkeypatch.setattr("oddsmith.server.http_connection.SECONDS_IDLE", 0.5)
    elsewhere = request(b"", path=f"{API}/games", method="GET")
    with running() as server, Line(server) as line:
        for asked in (request(question()), elsewhere, request(question()), request(question())):
            line.send(asked[:30])
            time.sleep(0.3)
            line.send(asked[30:])

            assert 200 == line.answer()[0]

        began = time.monotonic()

        assert b"" == line.rest()
        assert 0.3 < time.monotonic() - began < 5


def test_a_client_that_expects_it_is_asked_for_the_body(line: Line) -> None:
    """`100 Continue` is sent before the body has arrived, and the answer after it."""
    body = question()
    head = request(b"", "expect: 100-continue", length=len(body))
    line.send(head)
    interim = line._head()
    line.send(body)
    status, *_ = line.answer()

    assert (b"HTTP/1.1 100 Continue", 200) == (interim, status)


def test_an_upgrade_to_another_protocol_is_answered_as_a_plain_request(line: Line) -> None:
    """Only sockets are switched to; the connection is closed, because what follows may be another protocol."""
    line.send(request(b"", "connection: upgrade", "upgrade: h2c", path=f"{API}/games", method="GET"))
    status, headers, _ = line.answer()

    assert (200, "close", b"") == (status, headers["connection"], line.rest())


def test_a_socket_that_is_asked_for_behind_another_request_ends_the_connection(line: Line) -> None:
    """The request before it is answered; a socket needs a connection of its own."""
    upgrade = (
        f"GET {API}/matches/x/socket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
        "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    line.send(request(question()) + upgrade.encode())
    status, headers, _ = line.answer()

    assert (200, "close", b"") == (status, headers["connection"], line.rest())


def test_a_body_may_come_byte_by_byte(line: Line) -> None:
    """However many parts a body has, it is read as a whole."""
    body = question()
    line.send(request(b"", length=len(body)))
    for place in range(len(body)):
        line.send(body[place : place + 1])

    assert 200 == line.answer()[0]

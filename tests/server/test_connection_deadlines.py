"""The limits of a connection at their boundaries: deadlines by a clock that only the test moves, and sizes to the byte."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, Final, NamedTuple, TypeVar

import pytest
from structlog.testing import capture_logs
from uvicorn.server import ServerState

from oddsmith.server.connection_limits import LimitedConfig
from oddsmith.server.http_connection import HttpConnection
from oddsmith.server.settings import Settings
from oddsmith.server.socket_connection import SocketConnection

T = TypeVar("T")

GET: Final = b"GET /games HTTP/1.1\r\nhost: x\r\n\r\n"
POST: Final = b"POST /games HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n"
MOMENT: Final = 0.01


class ManualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes in `advance` alone."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def advance(self, seconds: float = 0.0) -> None:
        """Let time pass, and run everything that is due."""
        self.now += seconds
        for _ in range(100):
            self.call_soon(self.stop)
            self.run_forever()

    def do(self, function: Callable[[], T]) -> T:
        """Call a function in the loop, run what it starts, and return its result."""
        results: list[T] = []
        self.call_soon(lambda: results.append(function()))
        self.advance()
        return results[0]


class RecordingTransport(asyncio.Transport):
    """A transport that records what a protocol does with it."""

    def __init__(self, address: str | None = "192.0.2.1") -> None:
        super().__init__(
            {"peername": (address, 50_000), "sockname": ("127.0.0.1", 80)}
            if address
            else {"peername": "", "sockname": "/run/odds.sock"}
        )
        self.written = b""
        self.is_closed = False
        self.is_aborted = False
        self.reads = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def is_closing(self) -> bool:
        return self.is_closed or self.is_aborted

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_aborted = True

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self.limits = (high, low)

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True

    @property
    def statuses(self) -> list[bytes]:
        """The status lines of all responses."""
        return [part.partition(b"\r\n")[0] for part in self.written.split(b"HTTP/1.1 ")[1:]]


class Host:
    """A server without sockets: an application that answers when it may, and connections to it."""

    def __init__(self, loop: ManualLoop, *, connections: int = 100) -> None:
        self.loop = loop
        self.state = ServerState()
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.received: list[Any] = []
        self.scopes: list[Any] = []
        self.header = b"1"
        self.config = LimitedConfig(
            self.answer,
            Settings(connections_per_address=connections, hosts=("x",)),
            ws="none",
            log_config=None,
        )
        self.config.load()
        self.config.loaded_app = self.answer

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  as ASGI has them
        """Read the whole body, wait until an answer is allowed, and send the number of bytes of the body."""
        self.scopes.append(scope)
        size, more = 0, True
        while more:
            message = await receive()
            self.received.append(message["type"])
            size += len(message.get("body", b""))
            more = message.get("more_body", False)
        await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x-number", self.header)]})
        await send({"type": "http.response.body", "body": b"%d" % size})

    def connect(self, address: str | None = "192.0.2.1") -> "Client":
        """Open an HTTP connection."""
        transport = RecordingTransport(address)
        connection = self.loop.do(lambda: HttpConnection(self.config, self.state, {}))
        self.loop.do(lambda: connection.connection_made(transport))
        return Client(self.loop, connection, transport)


class Client(NamedTuple):
    """The client of a connection."""

    loop: ManualLoop
    connection: HttpConnection
    transport: RecordingTransport

    def send(self, data: bytes) -> None:
        """Send data, and run what it starts."""
        self.loop.do(lambda: self.connection.data_received(data))

    def disconnect(self) -> None:
        """Close the connection."""
        self.loop.do(lambda: self.connection.connection_lost(None))

    def closes_after(self, seconds: float) -> bool:
        """Return whether the server closes the connection after this time, and not a moment earlier."""
        self.loop.advance(seconds - MOMENT)
        is_early = self.transport.is_closing()
        self.loop.advance(2 * MOMENT)
        return self.transport.is_closing() and not is_early


@pytest.fixture
def loop() -> Iterator[ManualLoop]:
    with closing(ManualLoop()) as loop:
        yield loop
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.advance()


@pytest.fixture
def host(loop: ManualLoop) -> Host:
    return Host(loop)


def test_a_connection_without_a_request_is_closed_after_15_seconds(host: Host) -> None:
    client = host.connect()

    assert client.closes_after(15)
    assert [b"408 Request Timeout"] == client.transport.statuses


@pytest.mark.parametrize("part", [GET[:1], GET[:-1], POST % 9, POST % 9 + b"12345678"])
def test_a_request_must_be_complete_after_15_seconds(host: Host, part: bytes) -> None:
    """They begin with its first byte: what arrives meanwhile gives it no more time."""
    client = host.connect()
    host.loop.advance(10)
    client.send(part[:1])
    host.loop.advance(10)
    client.send(part[1:])

    assert client.closes_after(5)
    assert [b"408 Request Timeout"] == client.transport.statuses


def test_the_next_request_must_begin_after_30_seconds(host: Host) -> None:
    """They begin with the response, and the connection is closed without one more."""
    client = host.connect()
    client.send(GET)
    host.loop.advance(20)
    client.send(GET)

    assert client.closes_after(30)
    assert [b"200 OK"] * 2 == client.transport.statuses


def test_an_empty_line_begins_a_request_that_must_be_complete_after_15_seconds(host: Host) -> None:
    client = host.connect()
    client.send(GET)
    host.loop.advance(20)
    client.send(b"\r\n")

    assert client.closes_after(15)
    assert [b"200 OK", b"408 Request Timeout"] == client.transport.statuses


def test_the_answer_to_a_request_has_no_deadline(host: Host) -> None:
    host.may_answer.clear()
    client = host.connect()
    client.send(GET)
    host.loop.advance(1000)
    host.may_answer.set()
    host.loop.advance()

    assert [b"200 OK"] == client.transport.statuses
    assert client.closes_after(30)


def test_a_client_must_read_after_20_seconds(host: Host) -> None:
    """Nothing more is answered meanwhile; afterwards the connection is aborted."""
    client = host.connect()
    host.loop.do(client.connection.pause_writing)
    client.send(GET)

    assert [] == client.transport.statuses
    assert client.closes_after(20)
    assert client.transport.is_aborted


def test_a_client_that_reads_in_time_is_answered(host: Host) -> None:
    client = host.connect()
    host.loop.do(client.connection.pause_writing)
    client.send(GET)
    host.loop.advance(19)
    host.loop.do(client.connection.resume_writing)
    host.loop.advance(10)

    assert [b"200 OK"] == client.transport.statuses
    assert not client.transport.is_closing()


def test_a_head_has_at_most_16_kib(host: Host) -> None:
    begin = b"GET /games HTTP/1.1\r\nx: "
    fits, beyond = host.connect(), host.connect()
    fits.send(begin.ljust(16 * 1024, b"x"))
    beyond.send(begin.ljust(16 * 1024 + 1, b"x"))

    assert ([], False) == (fits.transport.statuses, fits.transport.is_closing())
    assert [b"431 Request Header Fields Too Large"] == beyond.transport.statuses
    assert beyond.transport.is_closed

    fits.send(b"x")

    assert [b"431 Request Header Fields Too Large"] == fits.transport.statuses


@pytest.mark.parametrize(
    "head",
    [
        b"GET /%s HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET /?%s HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\n%s: y\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\ny: %s\r\n\r\n",
    ],
    ids=["path", "query", "name", "value"],
)
def test_every_byte_of_a_head_counts_also_where_it_comes_in_one_piece(host: Host, head: bytes) -> None:
    padding = b"x" * (16 * 1024 - len(head % b""))
    fits, beyond = host.connect(), host.connect()
    fits.send(head % padding)
    beyond.send(head % (padding + b"x"))

    assert [b"200 OK"] == fits.transport.statuses
    assert [b"431 Request Header Fields Too Large"] == beyond.transport.statuses


def test_spaces_and_separators_of_a_head_count(host: Host) -> None:
    """They are in no name and in no value."""
    spaces, many = host.connect(), host.connect()
    spaces.send(b"GET / HTTP/1.1\r\nhost: x\r\ny:%s z\r\n\r\n" % (b" " * 16 * 1024))
    many.send(b"GET / HTTP/1.1\r\nhost: x\r\n%s\r\n" % (b"a: b\r\n" * 2_800))

    assert [[b"431 Request Header Fields Too Large"]] * 2 == [
        spaces.transport.statuses,
        many.transport.statuses,
    ]


def test_a_long_body_after_a_short_head_in_one_piece_is_no_long_head(host: Host) -> None:
    client = host.connect()
    client.send(POST % 60_000 + bytes(60_000) + GET)

    assert [b"200 OK"] * 2 == client.transport.statuses


def test_a_request_has_at_most_600_kib(host: Host) -> None:
    """One more byte aborts the connection, in whichever pieces they come; the next request has as many."""
    head = POST % (600 * 1024)
    client = host.connect()
    client.send(head)
    client.send(bytes(600 * 1024 - len(head)))
    is_early = client.transport.is_aborted
    client.send(b"1")

    assert (False, True) == (is_early, client.transport.is_aborted)

    again = host.connect()
    for _ in range(2):
        again.send(POST % 500_000)
        again.send(bytes(500_000))

    assert ([b"200 OK"] * 2, False) == (again.transport.statuses, again.transport.is_closing())


def test_at_most_32_requests_wait_for_a_response(host: Host) -> None:
    """Reading is paused while one waits behind another; one more than 32 aborts the connection."""
    host.may_answer.clear()
    client = host.connect()
    client.send(GET)

    assert client.transport.reads

    client.send(GET * 31)

    assert (False, False) == (client.transport.reads, client.transport.is_aborted)

    host.may_answer.set()
    host.loop.advance()

    assert [b"200 OK"] * 32 == client.transport.statuses
    assert client.transport.reads

    host.may_answer.clear()
    client.send(GET * 33)

    assert client.transport.is_aborted


def test_the_connections_of_an_address_are_counted_until_they_are_lost(loop: ManualLoop) -> None:
    host = Host(loop, connections=2)
    first, second, refused = (host.connect() for _ in range(3))
    other = host.connect("192.0.2.2")

    assert [b"429 Too Many Requests"] == refused.transport.statuses
    assert [True, False, False, False] == [one.transport.is_closed for one in (refused, first, second, other)]

    refused.disconnect()
    again = host.connect()
    first.disconnect()
    later = host.connect()

    assert ([b"429 Too Many Requests"], []) == (again.transport.statuses, later.transport.statuses)
    assert {id(one.connection) for one in (second, other, again, later)} == {*map(id, host.state.connections)}


def test_a_lost_connection_has_no_deadlines(host: Host) -> None:
    client = host.connect()
    host.loop.do(client.connection.pause_writing)
    client.disconnect()
    host.loop.advance(100)

    assert (b"", False) == (client.transport.written, client.transport.is_closing())


def test_the_application_is_notified_of_a_lost_connection(host: Host) -> None:
    client = host.connect()
    client.send(POST % 9)
    client.disconnect()

    assert ["http.disconnect"] == host.received


def test_the_parts_of_a_body_are_passed_on_as_they_arrive(host: Host) -> None:
    client = host.connect()
    client.send(POST % 9 + b"123")
    client.send(b"456")
    client.send(b"789")

    assert ["http.request"] * 3 == host.received
    assert client.transport.written.endswith(b"\r\n\r\n9")


def test_the_application_gets_the_request_and_the_addresses_of_the_connection(host: Host) -> None:
    client = host.connect()
    client.send(b"GET /a%20b?c=d HTTP/1.1\r\nHost: X\r\n\r\n")
    [scope] = host.scopes

    assert (("192.0.2.1", 50_000), ("127.0.0.1", 80)) == (scope["client"], scope["server"])
    assert ("http", "http", "1.1", "GET") == tuple(
        scope[key] for key in ("type", "scheme", "http_version", "method")
    )
    assert ("/a b", b"/a%20b", b"c=d") == (scope["path"], scope["raw_path"], scope["query_string"])
    assert [(b"host", b"X")] == scope["headers"]


def test_a_connection_through_a_file_has_no_address_and_no_limit(loop: ManualLoop) -> None:
    host = Host(loop, connections=1)
    clients = [host.connect(None) for _ in range(3)]
    for client in clients:
        client.send(GET)

    assert [[b"200 OK"]] * 3 == [client.transport.statuses for client in clients]
    assert {(None, ("/run/odds.sock", None))} == {(scope["client"], scope["server"]) for scope in host.scopes}


def test_a_server_that_stops_closes_idle_connections_and_answers_the_others(host: Host) -> None:
    idle, busy = host.connect(), host.connect()
    busy.send((POST % 3) + b"1")
    for client in (idle, busy):
        host.loop.do(client.connection.shutdown)

    assert (True, False) == (idle.transport.is_closed, busy.transport.is_closed)

    busy.send(b"23")

    assert [b"200 OK"] == busy.transport.statuses
    assert b"connection: close\r\n" in busy.transport.written
    assert busy.transport.is_closed


def test_requests_before_an_invalid_one_are_answered_and_the_last_closes_the_connection(host: Host) -> None:
    client = host.connect()
    client.send(GET + GET + b"nonsense\r\n\r\n")
    host.loop.advance()
    first, last = client.transport.written.split(b"HTTP/1.1 ")[1:]

    assert [b"200 OK"] * 2 == client.transport.statuses
    assert (False, True) == (b"connection: close" in first, b"connection: close" in last)
    assert client.transport.is_closed


def test_an_invalid_request_alone_is_refused(host: Host) -> None:
    client = host.connect()
    client.send(b"nonsense\r\n\r\n")

    assert [b"400 Bad Request"] == client.transport.statuses
    assert b"bad_request" in client.transport.written
    assert client.transport.is_closed


def test_nothing_is_read_after_the_connection_was_closed(host: Host) -> None:
    client = host.connect()
    client.send(GET.replace(b"1.1", b"1.0"))
    client.send(GET)

    assert [b"200 OK"] == client.transport.statuses
    assert (True, 1) == (client.transport.is_closed, host.state.total_requests)


def test_a_header_with_a_line_break_is_never_sent(host: Host) -> None:
    """The connection answers a failure of the application itself, and logs it."""
    host.header = b"1\r\nset-cookie: stolen"
    with capture_logs() as logged:
        client = host.connect()
        client.send(GET)

    assert [("failed", "error")] == [(entry["event"], entry["log_level"]) for entry in logged]
    assert [b"500 Internal Server Error"] == client.transport.statuses
    assert b"stolen" not in client.transport.written
    assert client.transport.is_closed


def connect_socket(host: Host) -> tuple[SocketConnection, RecordingTransport]:
    """Open a WebSocket connection before its handshake."""
    transport = RecordingTransport()
    connection = host.loop.do(lambda: SocketConnection(host.config, host.state, {}, host.loop))
    host.loop.do(lambda: connection.connection_made(transport))
    return connection, transport


def test_the_client_of_a_socket_must_read_after_20_seconds(host: Host) -> None:
    """Nothing is read from it meanwhile."""
    connection, transport = connect_socket(host)
    host.loop.do(connection.pause_writing)
    host.loop.advance(20 - MOMENT)

    assert (False, False) == (transport.reads, transport.is_aborted)

    host.loop.advance(2 * MOMENT)

    assert transport.is_aborted


def test_a_socket_that_is_read_in_time_stays_open(host: Host) -> None:
    connection, transport = connect_socket(host)
    for _ in range(3):
        host.loop.do(connection.pause_writing)
        host.loop.advance(15)
        host.loop.do(connection.resume_writing)

    assert (True, False) == (transport.reads, transport.is_aborted)
    assert connection.writable.is_set()


def test_a_lost_socket_has_no_deadline_and_is_counted_no_longer(loop: ManualLoop) -> None:
    host = Host(loop, connections=1)
    connection, transport = connect_socket(host)
    host.loop.do(connection.pause_writing)
    refused = host.connect()
    host.loop.do(lambda: connection.connection_lost(ConnectionResetError()))
    host.loop.advance(100)
    accepted = host.connect()

    assert ([b"429 Too Many Requests"], []) == (refused.transport.statuses, accepted.transport.statuses)
    assert not transport.is_aborted

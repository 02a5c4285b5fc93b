"""Rate limits, connection limits, timeouts, origins and proxies."""

import asyncio
import json
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection

from oddsmith.errors import InputError, OddsmithError
from oddsmith.server import connection_limits, http_request, sockets
from oddsmith.server.addresses import client_address, client_key, parse_networks
from oddsmith.server.buckets import Buckets, ConnectionCount
from oddsmith.server.metrics import Metrics
from oddsmith.server.middleware import rate_limits, size_limits
from oddsmith.server.middleware.origins import is_allowed_origin
from oddsmith.server.settings import Settings
from tests.server.servers import API, RunningServer, run_server
from tests.waiting import wait_until

FRIEND = "https://friend.example"


LOW_LIMITS: Final[dict[str, Any]] = {
    "requests_per_second": 1,
    "burst": 5,
    "failures_per_minute": 3,
    "connections_per_address": 8,
}


@pytest.fixture(scope="module")
def strict() -> Iterator[RunningServer]:
    """Run a server with low limits, whose buckets are never refilled; each test uses its own address, through a proxy."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rate_limits, "Buckets", partial(Buckets, clock=lambda: 0.0))
        with run_server(**LOW_LIMITS, origins=(FRIEND,), proxies=("127.0.0.1",)) as server:
            yield server


def at(address: str, **more: str) -> dict[str, str]:
    """Return the headers that the proxy sends for a client address."""
    return {"x-forwarded-for": address, **more}


def test_an_address_over_its_rate_gets_429_and_retry_after(strict: RunningServer) -> None:
    """A burst is answered, the next request has 429 and Retry-After; other addresses are not affected."""
    replies = [strict.http.get(f"{API}/games", headers=at("192.0.2.1")) for _ in range(30)]
    other = strict.http.get(f"{API}/games", headers=at("192.0.2.2"))

    assert [200] * 20 + [429] * 10 == [one.status_code for one in replies]
    assert "too_many_requests" == replies[-1].json()["error"]["code"]
    assert "1" == replies[-1].headers["retry-after"]
    assert 200 == other.status_code
    assert b"oddsmith_rate_limited_total" in strict.http.get("/metrics").content


def test_questions_in_the_event_loop_are_charged_by_their_time(strict: RunningServer) -> None:
    """A question with ever other rules takes milliseconds, and is charged as that many requests."""
    statuses = []
    for level in range(1, 19):
        outlaws = {f"o{turn}": {"skills": {"stealth": level}} for turn in range(100)}
        request = {"character": "o1", "target": 5, "rules": {"outlaws": outlaws}}
        reply = strict.http.post(f"{API}/destiny/check", headers=at("192.0.2.50"), json=request)
        statuses.append(reply.status_code)

    assert 200 == statuses[0]
    assert 429 == statuses[-1]


def test_the_rate_of_a_token_is_limited_across_addresses(strict: RunningServer) -> None:
    token = {"authorization": f"Bearer {'a' * 64}"}
    statuses = [
        strict.http.get(f"{API}/games", headers=at(f"192.0.2.{100 + turn}", **token)).status_code
        for turn in range(8)
    ]

    assert 200 == statuses[0]
    assert 429 == statuses[-1]


def test_guessing_tokens_is_limited(strict: RunningServer) -> None:
    """After a few wrong tokens an address may not use any, not even the right one; requests without a token are answered."""
    opened = strict.http.post(
        f"{API}/matches", headers=at("198.51.100.1"), json={"game": "casino", "seats": [None, None]}
    ).json()
    place = f"{API}/matches/{opened['match']}"
    joined = strict.http.post(
        f"{place}/join", headers=at("198.51.100.2"), json={"id": "j" * 30, "name": "Ann"}
    ).json()
    tried = [
        strict.http.get(place, headers=at("198.51.100.3", authorization=f"Bearer {turn:064x}")).status_code
        for turn in range(5)
    ]
    right = {"authorization": f"Bearer {joined['token']}"}

    assert [403, 403, 403, 429, 429] == tried
    assert 429 == strict.http.get(place, headers=at("198.51.100.3", **right)).status_code
    assert 200 == strict.http.get(place, headers=at("198.51.100.3")).status_code
    assert 200 == strict.http.get(place, headers=at("198.51.100.4", **right)).status_code


def test_the_sockets_of_an_address_are_limited(strict: RunningServer) -> None:
    """The next handshake is refused; after a socket is closed, one more is accepted."""
    match = strict.http.post(
        f"{API}/matches", headers=at("203.0.113.1"), json={"game": "casino", "seats": [None, None]}
    ).json()["match"]
    opened = [strict.socket(match, {}, additional_headers=at("203.0.113.2")) for _ in range(8)]
    with pytest.raises(InvalidStatus) as refused:
        strict.socket(match, {}, additional_headers=at("203.0.113.2"))
    opened[0].close()

    def connect_again() -> ClientConnection | None:
        with suppress(InvalidStatus):
            return strict.socket(match, {}, additional_headers=at("203.0.113.2"))
        return None

    again = wait_until(connect_again, "a socket in the place of the closed one")

    assert again is not None
    assert 429 == refused.value.response.status_code
    assert b"too_many_connections" in bytes(refused.value.response.body or b"")
    assert match == json.loads(again.recv(timeout=10))["match"]


def test_a_socket_that_sends_too_fast_is_slowed_down() -> None:
    """Nothing is lost and nothing refused: after a burst of 12, answers come at the permitted rate, four a second."""
    with run_server(**LOW_LIMITS | {"burst": 3}) as server:
        match = server.open_match("casino", fill=False)
        began = time.monotonic()
        connection = server.socket(match.id, {})
        connection.recv(timeout=10)
        for _ in range(16):
            connection.send("{}")
        codes = {json.loads(connection.recv(timeout=10))["error"]["code"] for _ in range(16)}
        seconds = time.monotonic() - began

    assert {"bad_json"} == codes
    assert seconds > (16 - 12) / 4


def test_the_frames_of_a_socket_wait_for_their_seat_and_their_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A seat has a burst of 2 and one token a second, its address four times that; no pause is longer than 5 seconds."""
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    def pauses_of(token: str | None, address: str, count: int) -> list[float]:
        pauses.clear()
        request: Any = SimpleNamespace(client=address)
        for _ in range(count):
            asyncio.run(limits.pause(request, token))
        return [*pauses]

    monkeypatch.setattr(rate_limits, "Buckets", partial(Buckets, clock=lambda: 0.0))
    monkeypatch.setattr(rate_limits, "asyncio", SimpleNamespace(sleep=sleep))
    limits = rate_limits.RateLimits(Settings(requests_per_second=1, burst=2), Metrics())

    assert [1.0] == pauses_of("a" * 64, "192.0.2.1", 3)
    assert [1.0] == pauses_of("a" * 64, "192.0.2.2", 1)
    assert [0.25] == pauses_of(None, "192.0.2.3", 9)

    limits = rate_limits.RateLimits(Settings(requests_per_second=1, burst=100), Metrics())
    limits._addresses.charge("192.0.2.1", 800)

    assert [5.0] == pauses_of(None, "192.0.2.1", 1)


def test_other_origins_may_not_change_anything(strict: RunningServer) -> None:
    """Requests without an origin, from the server's own and from listed ones are accepted; any other is refused, also as a socket."""
    body = {"game": "casino", "seats": [None, None]}
    origins = {
        None: 201,
        FRIEND: 201,
        strict.url: 201,
        "https://evil.example": 403,
        "null": 403,
        f"{FRIEND}.evil": 403,
    }
    statuses = {
        origin: strict.http.post(
            f"{API}/matches",
            headers=at(f"203.0.113.{30 + place}", **({"origin": origin} if origin else {})),
            json=body,
        ).status_code
        for place, origin in enumerate(origins)
    }
    with pytest.raises(InvalidStatus) as refused:
        strict.socket("x" * 20, {}, origin="https://evil.example", additional_headers=at("203.0.113.40"))

    assert origins == statuses
    assert 403 == refused.value.response.status_code
    assert b"bad_origin" in bytes(refused.value.response.body or b"")


def test_listed_origins_may_read_responses(strict: RunningServer) -> None:
    """CORS: the preflight and the response name that origin alone."""
    preflight = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    allowed = strict.http.options(f"{API}/matches", headers=at("203.0.113.50", origin=FRIEND, **preflight))
    refused = strict.http.options(
        f"{API}/matches", headers=at("203.0.113.50", origin="https://x.y", **preflight)
    )
    read = strict.http.get(f"{API}/games", headers=at("203.0.113.50", origin=FRIEND))
    strange = strict.http.get(f"{API}/games", headers=at("203.0.113.50", origin="https://x.y"))

    assert (204, FRIEND) == (allowed.status_code, allowed.headers["access-control-allow-origin"])
    assert "authorization, content-type" == allowed.headers["access-control-allow-headers"]
    assert (403, None) == (refused.status_code, refused.headers.get("access-control-allow-origin"))
    assert FRIEND == read.headers["access-control-allow-origin"]
    assert "retry-after, x-request-id" == read.headers["access-control-expose-headers"]
    assert None is strange.headers.get("access-control-allow-origin")
    assert "origin" == strange.headers["vary"]


def test_a_request_keeps_the_id_of_a_trusted_proxy(strict: RunningServer) -> None:
    """Only from a trusted proxy, and only if it is safe to log."""
    named = strict.http.get("/healthz", headers=at("203.0.113.60", **{"x-request-id": "abc-1"}))
    odd = strict.http.get("/healthz", headers=at("203.0.113.60", **{"x-request-id": "a b"}))
    alone = strict.http.get("/healthz", headers={"x-request-id": "abc-1"})

    assert "abc-1" == named.headers["x-request-id"]
    assert "a b" != odd.headers["x-request-id"]
    assert "abc-1" != alone.headers["x-request-id"]


@pytest.mark.parametrize("path", ["/socket", f"{API}/matches/{'0' * 20}", f"{API}/matches/x/y/socket"])
def test_a_socket_at_another_path_is_not_found(
    server: RunningServer, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The refusal has the usual form, and is not logged as an error."""
    from websockets.sync.client import connect  # noqa: PLC0415  only this test connects to another path

    with (
        pytest.raises(InvalidStatus) as refused,
        connect(f"ws://127.0.0.1:{server.port}{path}", proxy=None),
    ):
        pass

    assert 404 == refused.value.response.status_code
    assert b"not_found" in bytes(refused.value.response.body or b"")
    assert [] == [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize(
    ("query", "more"),
    [
        ("", "content-length: 5\r\n\r\nhello"),
        ("", "transfer-encoding: chunked\r\n\r\n0\r\n"),
        ("", "more: of it\r\n" * 300),
        ("", f"more: {'x' * 9_000}\r\n"),
        (f"?{'x' * 9_000}", ""),
    ],
    ids=["a body", "chunks", "many headers", "a long header", "a long address"],
)
def test_an_invalid_handshake_is_refused(server: RunningServer, query: str, more: str) -> None:
    """Every head gets a response, and every connection is closed."""
    match = server.open_match("casino").id
    head = (
        f"GET {API}/matches/{match}/socket{query} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\n"
        "upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    )
    answer = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
        line.sendall(f"{head}{more}\r\n".encode())
        with suppress(ConnectionError):
            while part := line.recv(65_536):
                answer += part

    assert answer.startswith(b"HTTP/1.1 400")
    assert b"bad_handshake" in answer


def test_a_token_in_the_url_of_a_socket_is_refused(server: RunningServer) -> None:
    """URLs are logged; the first frame is not."""
    from websockets.sync.client import connect  # noqa: PLC0415  only these tests connect without a helper

    place = f"{API}/matches/{'0' * 20}/socket?token={'f' * 64}"
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(f"ws://127.0.0.1:{server.port}{place}", proxy=None),
    ):
        pass

    assert 400 == refused.value.response.status_code


@pytest.fixture
def short_timeout_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningServer]:
    """Run a server with short timeouts."""
    monkeypatch.setattr("oddsmith.server.http_connection.SECONDS_TO_SEND", 0.4)
    monkeypatch.setattr("oddsmith.server.http_request.SECONDS_TO_SEND", 0.4)
    monkeypatch.setattr("oddsmith.server.http_connection.SECONDS_TO_READ", 0.4)
    monkeypatch.setattr("oddsmith.server.sockets.SECONDS_TO_HELLO", 0.4)
    with run_server(connections_per_address=4) as server:
        yield server


def test_slow_clients_are_disconnected(short_timeout_server: RunningServer) -> None:
    """An incomplete head, an incomplete body, a socket without hello, and a connection without any byte."""
    half = [
        b"",
        b"GET /healthz HTTP/1.1\r\nhost:",
        b"POST /api/v1/matches HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{",
    ]
    connections = [
        socket.create_connection(("127.0.0.1", short_timeout_server.port), timeout=10) for _ in half
    ]
    for connection, part in zip(connections, half, strict=True):
        connection.sendall(part)
    answers = [connection.recv(65_536) for connection in connections]
    for connection in connections:
        connection.close()
    match = short_timeout_server.open_match("casino", fill=False).id
    silent = short_timeout_server.socket(match)
    refusal = json.loads(silent.recv(timeout=10))["error"]["code"]

    assert [b"HTTP/1.1 408"] * 3 == [answer[:12] for answer in answers]
    assert all(b"slow_request" in answer for answer in answers)
    assert "no_hello" == refusal


def test_a_client_that_does_not_read_is_disconnected(short_timeout_server: RunningServer) -> None:
    """Unread data does not accumulate."""
    request = b"GET /api/v1/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n"
    with socket.create_connection(("127.0.0.1", short_timeout_server.port), timeout=10) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        with suppress(ConnectionError):
            for _ in range(120):
                deaf.sendall(request)
                time.sleep(0.005)
        time.sleep(0.6)
        read = 0
        with suppress(ConnectionError):
            while part := deaf.recv(1_000_000):
                read += len(part)

    assert read < 120 * 90_000


def test_the_connections_of_an_address_are_limited(short_timeout_server: RunningServer) -> None:
    """One more is refused at once and closed; pipelined requests are limited, too."""
    short_timeout_server.http.get("/healthz")
    idle = [socket.create_connection(("127.0.0.1", short_timeout_server.port), timeout=10) for _ in range(3)]
    with socket.create_connection(("127.0.0.1", short_timeout_server.port), timeout=10) as more:
        answer = more.recv(65_536)
    for connection in idle:
        connection.close()
    wait_until(
        lambda: httpx.get(f"{short_timeout_server.url}/healthz").status_code == 200, "a free connection"
    )
    with socket.create_connection(("127.0.0.1", short_timeout_server.port), timeout=10) as greedy:
        greedy.sendall(b"GET /api/v1/games HTTP/1.1\r\nhost: x\r\n\r\n" * 200)
        with suppress(ConnectionError):
            while greedy.recv(1_000_000):
                pass

    assert answer.startswith(b"HTTP/1.1 429")
    assert b"too_many_connections" in answer
    assert 200 == short_timeout_server.http.get("/healthz").status_code


def test_buckets_refill_at_their_rate_and_evict_the_oldest_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full bucket can be emptied at once, then it refills at its rate."""
    monkeypatch.setattr("oddsmith.server.buckets.MOST_KEYS", 2)
    now = 0.0
    buckets = Buckets(rate=2, burst=4, clock=lambda: now)
    taken = [buckets.take("ann") for _ in range(5)]
    waits = buckets.wait("ann")
    now = 0.25
    half = buckets.wait("ann")
    now = 10.0
    dear = buckets.take("ann", cost=100)
    buckets.take("bo")
    buckets.take("cy")

    assert [0.0, 0.0, 0.0, 0.0, 0.5] == taken
    assert (0.5, 0.25, 0.0) == (waits, half, dear)
    assert 0.0 == buckets.wait("ann") == buckets.wait("nobody")


def test_a_bucket_refills_by_the_time_since_it_was_used() -> None:
    """Whatever the clock shows, and never beyond its burst."""
    times = iter([100.0, 100.0, 100.5, 101.0, 200.0, 200.0, 200.0])
    buckets = Buckets(rate=2, burst=2, clock=lambda: next(times))

    assert [0.0, 0.0] == [buckets.take("ann") for _ in range(2)]
    assert (0.0, 0.0) == (buckets.take("ann"), buckets.take("ann"))
    assert [0.0, 0.0, 0.5] == [buckets.take("ann") for _ in range(3)]


def test_the_least_recently_used_bucket_is_evicted(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many keys as allowed are held with what they have taken; an evicted one begins with a full bucket."""
    monkeypatch.setattr("oddsmith.server.buckets.MOST_KEYS", 2)
    buckets = Buckets(rate=1, burst=1, clock=lambda: 0.0)
    for key in ("ann", "bo", "ann", "cy"):
        buckets.take(key)

    assert {"ann": 1.0, "bo": 0.0, "cy": 1.0} == {key: buckets.wait(key) for key in ("ann", "bo", "cy")}


def test_the_debt_of_a_bucket_is_limited() -> None:
    """More tokens may be taken than there are, down to a bounded debt, which must be repaid first."""
    buckets = Buckets(rate=2, burst=4, clock=lambda: 0.0)
    buckets.charge("ann", 5)
    buckets.charge("bo", 100)

    assert (1.0, 2.5, 0.0) == (buckets.take("ann"), buckets.take("bo"), buckets.take("cy"))


def test_a_turnstile_releases_as_many_as_it_admitted() -> None:
    """A key that was not admitted is not counted."""
    turnstile = ConnectionCount(most=2)
    inside = [turnstile.enter("ann") for _ in range(3)]
    turnstile.leave("ann")

    assert [True, True, False] == inside
    assert turnstile.enter("ann")


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        ("198.51.100.1", "203.0.113.9", "198.51.100.1"),
        ("10.0.0.1", None, "10.0.0.1"),
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "6.6.6.6, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", "not an address", "10.0.0.1"),
        ("10.0.0.1", "6.6.6.6, evil, 10.0.0.2", "10.0.0.2"),
        ("::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("unix", "203.0.113.9", "unix"),
    ],
)
def test_only_a_trusted_proxy_is_believed(peer: str, forwarded: str | None, expected: str) -> None:
    """The client is the right-most address that is not trusted; other forwarded headers are ignored."""
    assert expected == client_address(peer, forwarded, parse_networks(["10.0.0.0/8"]))


def test_an_ipv6_network_is_one_client_key() -> None:
    """All addresses of an IPv6 network count together, and an IPv4 address by itself."""
    assert "2001:db8::/64" == client_key("2001:db8::1") == client_key("2001:db8::ffff:1%eth0")
    assert "192.0.2.1" == client_key("192.0.2.1") == client_key("::ffff:192.0.2.1")
    assert "x:y" == client_key("x:y")


def test_a_proxy_that_is_no_address_is_refused() -> None:
    with pytest.raises(InputError, match="a proxy is an address"):
        parse_networks(["localhost"])


def test_an_origin_without_a_host_is_foreign() -> None:
    """If the host is not known, only listed origins are accepted."""
    assert not is_allowed_origin("http://a", None, ())
    assert is_allowed_origin("http://a", None, ("http://a",))


def test_the_limits_of_a_connection_are_those_of_the_security_page() -> None:
    page = (Path(__file__).parents[2] / "SECURITY.md").read_text()
    sentence = " ".join(
        page.partition("**All network input is bounded**: ")[2].partition("connections and")[0].split()
    )

    assert (
        "request heads (16 KiB), bodies (64 KiB), frames (8 KiB, 64 parts), nesting (20), lists and names, the time to receive a "
        "request (15 s), to receive the first frame of a socket (10 s) and to send a response (20 s), pipelined requests (32),"
    ) == sentence
    assert (16_384, 65_536) == (size_limits.LARGEST_HEAD, http_request.LARGEST_BODY)
    assert (8_192, 8_192, 64) == (
        sockets.LARGEST_FRAME,
        connection_limits.LARGEST_FRAME,
        connection_limits.MOST_PARTS,
    )
    assert (15.0, 10.0) == (http_request.SECONDS_TO_SEND, sockets.SECONDS_TO_HELLO)
    assert (20.0, 32) == (connection_limits.SECONDS_TO_READ, connection_limits.MOST_PIPELINED)


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 200),
        ("application/json; charset=utf-8", 200),
        ("Application/JSON ;charset=utf-8", 200),
        ("application/jsonp", 415),
        ("text/plain; application/json", 415),
        ("", 415),
    ],
)
def test_a_body_is_json_whatever_its_parameters(server: RunningServer, kind: str, status: int) -> None:
    body = b'{"character": "greenhorn", "target": 5}'
    reply = server.http.post(f"{API}/destiny/check", content=body, headers={"content-type": kind})

    assert status == reply.status_code


def size_refusal(
    *, path: str = "/", headers: Sequence[tuple[bytes, bytes]] = (), largest: int = 65_536
) -> str | None:
    """Return the code with which a request is refused for its size."""
    request: Any = SimpleNamespace(
        method="GET",
        path=path,
        query_string=b"",
        raw_headers=headers,
        headers=dict(headers),
        operation=None,
        largest_body=largest,
    )
    try:
        size_limits.check_size(request)
    except OddsmithError as error:
        return error.refusal.code
    return None


def test_a_path_and_its_headers_have_at_most_16_kib_together() -> None:
    """Names and values of all headers count, also of those that are repeated, with the method and all separators."""
    headers = ((b"a" * 1_000, b"b" * 1_000), (b"a" * 1_000, b"c" * 5_000))
    others = 8_000 + len("GET  HTTP/1.1\r\n\r\n") + 2 * len(": \r\n")

    assert size_refusal(path="/" * (16_384 - others), headers=headers) is None
    assert "head_too_large" == size_refusal(path="/" * (16_384 - others + 1), headers=headers)


def test_many_short_headers_are_as_long_as_they_are() -> None:
    """4,000 headers of two bytes take 24 KB with their separators."""
    assert "head_too_large" == size_refusal(headers=[(b"a", b"b")] * 4_000)


@pytest.mark.parametrize(
    ("length", "code"),
    [
        (b"0", None),
        (b"65536", None),
        (b"65537", "body_too_large"),
        (b"9" * 5_000, "body_too_large"),
        (b"1e3", "body_too_large"),
        (b"-5", "body_too_large"),
        (b"", "body_too_large"),
    ],
)
def test_the_announced_length_of_a_body_is_limited(length: bytes, code: str | None) -> None:
    assert code == size_refusal(headers=[(b"content-length", length)])

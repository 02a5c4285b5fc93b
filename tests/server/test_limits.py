"""Who asks too often, too slowly, for too much or from the wrong place is refused, and nobody else notices."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
from websockets.exceptions import InvalidStatus

from oddsmith.errors import InputError
from oddsmith.server.addresses import client_address, client_key, parse_networks
from oddsmith.server.buckets import Buckets, ConnectionCount
from oddsmith.server.middleware.origins import is_allowed_origin
from tests.server.running import API, Running, running

FRIEND = "https://friend.example"


@pytest.fixture(scope="module")
def strict() -> Iterator[Running]:
    """Run a server with narrow limits; each test comes from an address of its own, through a proxy."""
    with running(
        requests_per_second=1,
        burst=5,
        failures_per_minute=3,
        connections_per_address=8,
        origins=(FRIEND,),
        proxies=("127.0.0.1",),
    ) as server:
        yield server


def at(address: str, **more: str) -> dict[str, str]:
    """Return headers as the proxy sends them for somebody."""
    return {"x-forwarded-for": address, **more}


def test_an_address_that_asks_too_often_is_told_when_to_ask_again(strict: Running) -> None:
    """Four seats' worth of requests are answered, the next has 429 and Retry-After; others are answered still."""
    began = time.monotonic()
    asked = [strict.http.get(f"{API}/games", headers=at("192.0.2.1")) for _ in range(30)]
    meanwhile = 4 * (time.monotonic() - began)
    late = next(one for one in asked if one.status_code == 429)
    other = strict.http.get(f"{API}/games", headers=at("192.0.2.2"))

    assert 20 <= [one.status_code for one in asked].count(200) <= 20 + meanwhile
    assert "too_many_requests" == late.json()["error"]["code"]
    assert 1 <= int(late.headers["retry-after"]) <= 2
    assert 200 == other.status_code
    assert b"oddsmith_rate_limited_total" in strict.http.get("/metrics").content


def test_what_everybody_waits_for_counts_by_its_time(strict: Running) -> None:
    """A question that is answered at once under ever other rules takes milliseconds, and so many requests."""
    statuses = []
    for level in range(1, 19):
        outlaws = {f"o{turn}": {"skills": {"stealth": level}} for turn in range(100)}
        asked = {"character": "o1", "target": 5, "rules": {"outlaws": outlaws}}
        told = strict.http.post(f"{API}/destiny/check", headers=at("192.0.2.50"), json=asked)
        statuses.append(told.status_code)

    assert 200 == statuses[0]
    assert 429 == statuses[-1]


def test_a_token_is_used_so_often_from_wherever_it_comes(strict: Running) -> None:
    """The rate of a seat is counted over all addresses."""
    token = {"authorization": f"Bearer {'a' * 64}"}
    statuses = [
        strict.http.get(f"{API}/games", headers=at(f"192.0.2.{100 + turn}", **token)).status_code
        for turn in range(8)
    ]

    assert 200 == statuses[0]
    assert 429 == statuses[-1]


def test_guessing_tokens_is_soon_over(strict: Running) -> None:
    """After a few wrong tokens an address may not try any more, not even the right one; without a token it may look."""
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


def test_so_many_sockets_are_open_from_one_address(strict: Running) -> None:
    """The next is refused before it is one; a closed one makes room."""
    match = strict.http.post(
        f"{API}/matches", headers=at("203.0.113.1"), json={"game": "casino", "seats": [None, None]}
    ).json()["match"]
    opened = [strict.socket(match, {}, additional_headers=at("203.0.113.2")) for _ in range(8)]
    with pytest.raises(InvalidStatus) as refused:
        strict.socket(match, {}, additional_headers=at("203.0.113.2"))
    opened[0].close()
    time.sleep(0.2)
    again = strict.socket(match, {}, additional_headers=at("203.0.113.2"))

    assert 429 == refused.value.response.status_code
    assert b"too_many_connections" in bytes(refused.value.response.body or b"")
    assert match == json.loads(again.recv(timeout=10))["match"]


def test_who_sends_too_much_over_a_socket_is_slowed_down(strict: Running) -> None:
    """Nothing is lost, and nothing is refused: the answers come at the rate that is allowed."""
    match = strict.http.post(
        f"{API}/matches", headers=at("203.0.113.11"), json={"game": "casino", "seats": [None, None]}
    ).json()["match"]
    heard = strict.socket(match, {}, additional_headers=at("203.0.113.12"))
    heard.recv(timeout=10)
    began = time.monotonic()
    for _ in range(19):
        heard.send("{}")
    codes = {json.loads(heard.recv(timeout=10))["error"]["code"] for _ in range(19)}
    quick = time.monotonic() - began
    heard.send("{}")
    heard.recv(timeout=10)

    assert {"bad_json"} == codes
    assert time.monotonic() - began > quick + 0.1


def test_pages_of_other_origins_may_not_change_anything(strict: Running) -> None:
    """No origin, our own and those of the list may; any other is refused, over HTTP and as a socket."""
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


def test_pages_of_the_list_may_read_what_they_are_answered(strict: Running) -> None:
    """CORS: the preflight and the answer name the origin, and no other's."""
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    allowed = strict.http.options(f"{API}/matches", headers=at("203.0.113.50", origin=FRIEND, **asked))
    refused = strict.http.options(f"{API}/matches", headers=at("203.0.113.50", origin="https://x.y", **asked))
    read = strict.http.get(f"{API}/games", headers=at("203.0.113.50", origin=FRIEND))
    strange = strict.http.get(f"{API}/games", headers=at("203.0.113.50", origin="https://x.y"))

    assert (204, FRIEND) == (allowed.status_code, allowed.headers["access-control-allow-origin"])
    assert "authorization, content-type" == allowed.headers["access-control-allow-headers"]
    assert (403, None) == (refused.status_code, refused.headers.get("access-control-allow-origin"))
    assert FRIEND == read.headers["access-control-allow-origin"]
    assert "retry-after, x-request-id" == read.headers["access-control-expose-headers"]
    assert None is strange.headers.get("access-control-allow-origin")
    assert "origin" == strange.headers["vary"]


def test_a_request_keeps_the_id_that_a_proxy_gave_it(strict: Running) -> None:
    """Only a proxy of ours names requests, and only in a way that can be logged."""
    named = strict.http.get("/healthz", headers=at("203.0.113.60", **{"x-request-id": "abc-1"}))
    odd = strict.http.get("/healthz", headers=at("203.0.113.60", **{"x-request-id": "a b"}))
    alone = strict.http.get("/healthz", headers={"x-request-id": "abc-1"})

    assert "abc-1" == named.headers["x-request-id"]
    assert "a b" != odd.headers["x-request-id"]
    assert "abc-1" != alone.headers["x-request-id"]


@pytest.mark.parametrize("path", ["/socket", f"{API}/matches/{'0' * 20}", f"{API}/matches/x/y/socket"])
def test_a_socket_elsewhere_is_not_found(
    server: Running, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    """An address that has no socket says so in the usual shape; that is no error of ours."""
    from websockets.sync.client import connect  # noqa: PLC0415  the only one that connects elsewhere

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
def test_a_socket_that_is_asked_for_wrongly_is_refused(server: Running, query: str, more: str) -> None:
    """No head is left without an answer, and no connection without an end."""
    match = server.open("casino").match
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


def test_a_token_in_the_address_of_a_socket_is_refused(server: Running) -> None:
    """Addresses are logged everywhere; the first frame is not."""
    from websockets.sync.client import connect  # noqa: PLC0415  as above

    place = f"{API}/matches/{'0' * 20}/socket?token={'f' * 64}"
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(f"ws://127.0.0.1:{server.port}{place}", proxy=None),
    ):
        pass

    assert 400 == refused.value.response.status_code


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """Run a server that waits for nobody."""
    monkeypatch.setattr("oddsmith.server.http_connection.SECONDS_TO_SEND", 0.4)
    monkeypatch.setattr("oddsmith.server.http_request.SECONDS_TO_SEND", 0.4)
    monkeypatch.setattr("oddsmith.server.http_connection.SECONDS_TO_READ", 0.4)
    monkeypatch.setattr("oddsmith.server.sockets.SECONDS_TO_HELLO", 0.4)
    with running(connections_per_address=4) as server:
        yield server


def test_who_is_slow_is_sent_away(hasty: Running) -> None:
    """Half a head, half a body and a socket without hello are ended; so is a connection that says nothing at all."""
    half = [
        b"",
        b"GET /healthz HTTP/1.1\r\nhost:",
        b"POST /api/v1/matches HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{",
    ]
    connections = [socket.create_connection(("127.0.0.1", hasty.port), timeout=10) for _ in half]
    for connection, part in zip(connections, half, strict=True):
        connection.sendall(part)
    answers = [connection.recv(65_536) for connection in connections]
    for connection in connections:
        connection.close()
    match = hasty.open("casino", fill=False).match
    silent = hasty.socket(match)
    refusal = json.loads(silent.recv(timeout=10))["error"]["code"]

    assert [b"HTTP/1.1 408"] * 3 == [answer[:12] for answer in answers]
    assert all(b"slow_request" in answer for answer in answers)
    assert "no_hello" == refusal


def test_who_does_not_read_is_dropped(hasty: Running) -> None:
    """What is sent and never read does not pile up: the connection is cut."""
    asked = b"GET /api/v1/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n"
    with socket.create_connection(("127.0.0.1", hasty.port), timeout=10) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        with suppress(ConnectionError):
            for _ in range(120):
                deaf.sendall(asked)
                time.sleep(0.005)
        time.sleep(0.6)
        read = 0
        with suppress(ConnectionError):
            while part := deaf.recv(1_000_000):
                read += len(part)

    assert read < 120 * 90_000


def test_so_many_connections_are_open_from_one_address(hasty: Running) -> None:
    """One more is told so at once, and closed; requests ahead of their answers are bounded, too."""
    hasty.http.get("/healthz")
    idle = [socket.create_connection(("127.0.0.1", hasty.port), timeout=10) for _ in range(3)]
    time.sleep(0.1)
    with socket.create_connection(("127.0.0.1", hasty.port), timeout=10) as more:
        answer = more.recv(65_536)
    for connection in idle:
        connection.close()
    time.sleep(0.1)
    with socket.create_connection(("127.0.0.1", hasty.port), timeout=10) as greedy:
        greedy.sendall(b"GET /api/v1/games HTTP/1.1\r\nhost: x\r\n\r\n" * 200)
        with suppress(ConnectionError):
            while greedy.recv(1_000_000):
                pass

    assert answer.startswith(b"HTTP/1.1 429")
    assert b"too_many_connections" in answer
    assert 200 == hasty.http.get("/healthz").status_code


def test_buckets_fill_at_their_rate_and_forget_who_came_longest_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there can be taken at once, then as fast as it fills."""
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


def test_what_is_owed_to_a_bucket_is_waited_for() -> None:
    """More may be taken than is there, but never more than a bucket is owed."""
    buckets = Buckets(rate=2, burst=4, clock=lambda: 0.0)
    buckets.charge("ann", 5)
    buckets.charge("bo", 100)

    assert (1.0, 2.5, 0.0) == (buckets.take("ann"), buckets.take("bo"), buckets.take("cy"))


def test_a_turnstile_lets_as_many_in_as_went_out() -> None:
    """Nobody is counted who is not inside."""
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
def test_only_a_proxy_of_ours_is_believed(peer: str, forwarded: str | None, expected: str) -> None:
    """The right-most address that is not ours is who speaks; what a stranger says about itself is nothing."""
    assert expected == client_address(peer, forwarded, parse_networks(["10.0.0.0/8"]))


def test_a_household_is_one_client_key() -> None:
    """All addresses of an IPv6 network of a household count together, and IPv4 counts as itself."""
    assert "2001:db8::/64" == client_key("2001:db8::1") == client_key("2001:db8::ffff:1%eth0")
    assert "192.0.2.1" == client_key("192.0.2.1") == client_key("::ffff:192.0.2.1")
    assert "x:y" == client_key("x:y")


def test_a_proxy_that_is_no_address_is_refused() -> None:
    """A typing mistake does not open a door."""
    with pytest.raises(InputError, match="a proxy is an address"):
        parse_networks(["localhost"])


def test_an_origin_without_a_host_is_strange() -> None:
    """Where no host is known, only the list counts."""
    assert not is_allowed_origin("http://a", None, ())
    assert is_allowed_origin("http://a", None, ("http://a",))

"""Attacks: tokens of other seats, replayed messages, guessed tokens; and the security headers of every response."""

import json
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed, InvalidStatus

from oddsmith.errors import Refusal, StoreAwayError, StoreError, StoreFullError
from oddsmith.server.logs import WarningThrottle
from oddsmith.server.middleware.headers import HEADERS
from tests.server.faults import FaultyStore
from tests.server.servers import API, HttpMatch, Person, RunningServer, new_store, run_server

FRIEND = "https://friend.example"


def with_token(match: HttpMatch, token: str | None) -> Person:
    """Return a viewer of a match with a given token."""
    return Person(match, None, token)


def hello(match: HttpMatch, token: str | None) -> Any:  # noqa: ANN401  JSON
    """Return the reply of a socket to a hello with a token."""
    return json.loads(match.server.socket(match.id, {"token": token}).recv(timeout=10))


def test_a_token_is_valid_for_its_own_match_alone(server: RunningServer) -> None:
    """The token of the same seat of another match cannot see, choose or leave here."""
    match, other = server.open_match("casino"), server.open_match("casino")
    stranger = with_token(match, other.players[0].token)
    frame = match.players[0].get_frame()
    tried = [
        server.http.get(match.address, headers=stranger.headers),
        stranger.act(frame["actions"][0], frame["version"]),
        stranger.leave(),
    ]

    assert [(403, "bad_token")] * 3 == [(one.status_code, one.json()["error"]["code"]) for one in tried]
    assert "bad_token" == hello(match, stranger.token)["error"]["code"]
    assert frame == match.players[0].get_frame()


def test_a_seat_cannot_act_out_of_turn(server: RunningServer) -> None:
    """The token of one seat with the version and the choice of the other is refused, over a socket too."""
    match = server.open_match("casino")
    mine = match.players[0].get_frame()
    connection = server.socket(match.id, {"token": match.players[1].token})
    connection.recv(timeout=10)
    connection.send(json.dumps({"id": "not-mine", "version": mine["version"], "act": mine["actions"][0]}))
    answer = json.loads(connection.recv(timeout=10))["answer"]

    assert ("illegal", "not_your_turn") == (answer["answer"], answer["refusal"]["code"])
    assert mine == match.players[0].get_frame()


def test_command_ids_are_per_seat(server: RunningServer) -> None:
    """A second seat that uses the id of the first does not get its answer."""
    match = server.open_match("casino")
    frame = match.players[0].get_frame()
    first = match.players[0].act(frame["actions"][0], frame["version"], "once").json()
    theirs = match.players[1].get_frame()
    second = match.players[1].act(theirs["actions"][0], theirs["version"], "once").json()

    assert ("applied", "applied") == (first["answer"], second["answer"])
    assert first["version"] < second["version"]


def test_replayed_messages_change_nothing(server: RunningServer) -> None:
    """Every message of a match sent again, over a socket and HTTP, is a duplicate; the log is unchanged."""
    match = server.open_match("casino")
    messages: list[tuple[int, dict[str, Any]]] = []
    for _ in range(6):
        seat, frame = next(
            (seat, frame)
            for seat, frame in enumerate(person.get_frame() for person in match.players)
            if frame["actions"]
        )
        message = {"id": match.new_id(), "version": frame["version"], "act": frame["actions"][0]}
        assert 200 == post(match, "act", message, match.players[seat]).status_code
        messages.append((seat, message))
    log = server.store.entries(match.id)
    sockets = [server.socket(match.id, {"token": person.token}) for person in match.players]
    for opened in sockets:
        opened.recv(timeout=10)
    answers = []
    for seat, message in messages:
        sockets[seat].send(json.dumps(message))
        answers.append(json.loads(sockets[seat].recv(timeout=10))["answer"]["answer"])
        answers.append(post(match, "act", message, match.players[seat]).json()["answer"])

    assert ["duplicate"] * 12 == answers
    assert log == server.store.entries(match.id)


def test_a_repeated_join_takes_one_seat(server: RunningServer) -> None:
    """The same join id gets the same seat and token."""
    match = server.open_match("casino", fill=False)
    request = {"id": "j" * 30, "name": "Ann"}
    first, again = (server.http.post(match.path("join"), json=request).json() for _ in range(2))

    assert ("applied", "duplicate") == (first["answer"], again["answer"])
    assert (first["seat"], first["token"]) == (again["seat"], again["token"])
    assert [True, False] == [chair["name"] is not None for chair in match.spectator.get_frame()["chairs"]]


def post(match: HttpMatch, verb: str, body: object, person: Person, **more: str) -> Any:  # noqa: ANN401  JSON
    """Send a request with the token of a person."""
    return match.http.post(match.path(verb), headers=person.headers | more, json=body)


def test_wrong_tokens_count_on_every_operation() -> None:
    """Watching, choosing, leaving and hello: after a number of wrong tokens an address may use none."""
    with run_server(failures_per_minute=4, proxies=("127.0.0.1",)) as server:
        match = server.open_match("casino")
        at = {"x-forwarded-for": "198.51.100.7"}
        body = {"id": "a", "version": 1, "act": "x"}

        def greet(token: str | None) -> str:
            opened = server.socket(match.id, {"token": token}, additional_headers=at)
            code: str = json.loads(opened.recv(timeout=10)).get("error", {}).get("code", "shown")
            return code

        guessed = [
            match.http.get(match.address, headers=with_token(match, "a" * 64).headers | at).json()["error"][
                "code"
            ],
            post(match, "act", body, with_token(match, "b" * 64), **at).json()["error"]["code"],
            post(match, "leave", {"id": "a"}, with_token(match, "c" * 64), **at).json()["error"]["code"],
            greet("d" * 64),
        ]
        late = post(match, "act", body, match.players[0], **at)
        greeted = greet(match.players[0].token)
        at["x-forwarded-for"] = "198.51.100.8"
        elsewhere = greet(match.players[0].token)

    assert ["bad_token"] * 4 == guessed
    assert (429, "too_many_failures") == (late.status_code, late.json()["error"]["code"])
    assert 1 <= int(late.headers["retry-after"]) <= 60
    assert "too_many_failures" == greeted
    assert "shown" == elsewhere


def read_headers(server: RunningServer, request: str, body: bytes = b"") -> dict[str, list[str]]:
    """Send a raw request, and return the headers and the status of the response."""
    text = request.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        answer = b""
        with suppress(ConnectionError):
            connection.sendall(text)
            while b"\r\n\r\n" not in answer and (part := connection.recv(65_536)):
                answer += part
    status, *lines = answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    headers: dict[str, list[str]] = {"status": [status.split()[1]]}
    for line in lines:
        name, _, value = line.partition(": ")
        headers.setdefault(name.lower(), []).append(value)
    return headers


UPGRADE = (
    "host: x\nconnection: upgrade\nupgrade: websocket\nsec-websocket-version: 13\n"
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="
)
SENT: list[tuple[str, str, bytes]] = [
    ("200", f"GET {API}/games HTTP/1.1\nhost: x", b""),
    ("200", "GET /metrics HTTP/1.1\nhost: x", b""),
    ("200", f"GET {API}/openapi.json HTTP/1.1\nhost: x", b""),
    (
        "200",
        f"POST {API}/dice/roll HTTP/1.1\nhost: x\ncontent-type: application/json\ncontent-length: 2",
        b"{}",
    ),
    ("204", f"OPTIONS {API}/games HTTP/1.1\nhost: x", b""),
    (
        "204",
        f"OPTIONS {API}/games HTTP/1.1\nhost: x\norigin: {FRIEND}\naccess-control-request-method: GET",
        b"",
    ),
    (
        "403",
        f"OPTIONS {API}/games HTTP/1.1\nhost: x\norigin: http://y\naccess-control-request-method: GET",
        b"",
    ),
    ("400", f"GET {API}/matches?limit=0 HTTP/1.1\nhost: x", b""),
    ("400", "hello", b""),
    (
        "400",
        f"POST {API}/dice/roll HTTP/1.1\nhost: x\ncontent-type: application/json\ncontent-length: 1",
        b"{",
    ),
    ("401", f"GET {API}/games HTTP/1.1\nhost: x\nauthorization: Basic YTpi", b""),
    ("404", "GET /nothing HTTP/1.1\nhost: x", b""),
    ("405", f"HEAD {API}/games HTTP/1.1\nhost: x", b""),
    ("405", f"GET {API}/dice/roll HTTP/1.1\nhost: x", b""),
    (
        "413",
        f"POST {API}/matches HTTP/1.1\nhost: x\ncontent-type: application/json\ncontent-length: 65537",
        b"",
    ),
    ("415", f"POST {API}/matches HTTP/1.1\nhost: x\ncontent-type: text/html\ncontent-length: 2", b"{}"),
    ("431", f"GET / HTTP/1.1\nhost: x\nx: {'y' * 20_000}", b""),
    ("408", f"POST {API}/matches HTTP/1.1\nhost: x\ncontent-type: application/json\ncontent-length: 9", b"{"),
    ("404", f"GET /socket HTTP/1.1\n{UPGRADE}", b""),
    ("403", f"GET {API}/matches/x/socket HTTP/1.1\n{UPGRADE}\norigin: https://evil.example", b""),
]


@pytest.fixture(scope="module")
def lenient_server() -> Iterator[RunningServer]:
    """Run a server with one listed origin and short timeouts."""
    with (
        pytest.MonkeyPatch.context() as patched,
        run_server(origins=(FRIEND,)) as server,
    ):
        patched.setattr("oddsmith.server.http_connection.SECONDS_TO_SEND", 0.3)
        patched.setattr("oddsmith.server.http_request.SECONDS_TO_SEND", 0.3)
        yield server


@pytest.mark.parametrize(("status", "request_", "body"), SENT, ids=lambda value: str(value)[:50])
def test_every_kind_of_response_has_the_security_headers(
    lenient_server: RunningServer, status: str, request_: str, body: bytes
) -> None:
    """Nothing may be run, framed, sniffed or cached, also in refusals; each header occurs once."""
    headers = read_headers(lenient_server, request_, body)

    assert [status] == headers["status"]
    assert {name.decode(): [value.decode()] for name, value in HEADERS} == {
        name: values for name, values in headers.items() if name.encode() in dict(HEADERS)
    }
    assert "server" not in headers


def test_the_policy_allows_nothing() -> None:
    policy = dict(HEADERS)[b"content-security-policy"].split(b"; ")

    assert {
        b"default-src 'none'",
        b"frame-ancestors 'none'",
        b"base-uri 'none'",
        b"form-action 'none'",
    } == set(policy)


def test_records_and_errors_have_the_security_headers(lenient_server: RunningServer) -> None:
    """A downloaded file, and a refusal of a stopping server."""
    match = lenient_server.open_match("duel")
    match.players[0].leave()
    record = lenient_server.http.get(match.path("record"))
    lenient_server.app.is_stopping = True
    stopping = lenient_server.http.get("/readyz")
    lenient_server.app.is_stopping = False

    assert (200, 503) == (record.status_code, stopping.status_code)
    for answer in (record, stopping):
        assert [] == [name for name, value in HEADERS if answer.headers[name.decode()] != value.decode()]


STORE_PATH = "/var/lib/oddsmith/matches.db"


@pytest.fixture
def failing_server() -> Iterator[tuple[RunningServer, FaultyStore]]:
    """Run a server on a store that fails with its path in the message."""
    folder, store = new_store()
    faulty = FaultyStore(store)
    with run_server(faulty.as_store()) as server:
        yield server, faulty
        faulty.fails_before = None
        server.close_sockets()
    shutil.rmtree(folder)


def by_request(match: HttpMatch, frame: Any) -> Any:  # noqa: ANN401  a frame, and a refusal
    """Send a choice by HTTP and return the refusal."""
    return match.players[0].act(frame["actions"][0], frame["version"]).json()["error"]


def by_socket(match: HttpMatch, frame: Any) -> Any:  # noqa: ANN401  a frame, and a refusal
    """Send a choice over a socket and return the refusal."""
    connection = match.server.socket(match.id, {"token": match.players[0].token})
    connection.recv(timeout=10)
    connection.send(json.dumps({"id": "a", "version": frame["version"], "act": frame["actions"][0]}))
    return json.loads(connection.recv(timeout=10))["error"]


@pytest.mark.parametrize("choose", [by_request, by_socket])
@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            StoreFullError("store_full", f"no room in {STORE_PATH}"),
            "the server has no space left for matches: try again later",
        ),
        (
            StoreAwayError("store_away", f"nothing at {STORE_PATH}"),
            "the server cannot reach its store of matches: try again in a moment",
        ),
    ],
    ids=["full", "away"],
)
def test_errors_do_not_reveal_where_the_store_is(
    failing_server: tuple[RunningServer, FaultyStore],
    monkeypatch: pytest.MonkeyPatch,
    choose: Callable[[HttpMatch, Any], Any],
    error: StoreError,
    sentence: str,
) -> None:
    """The refusal says that the server failed; the log has the reason and the path."""
    monkeypatch.setattr("oddsmith.server.middleware.error_responses._store_warning", WarningThrottle(10))
    server, faulty = failing_server
    match = server.open_match("casino")
    frame = match.players[0].get_frame()
    faulty.fails_before = lambda: error
    refusal = choose(match, frame)
    warned = [line for line in server.logged if line["event"] == "store failed"]

    assert {"code": error.refusal.code, "sentence": sentence} == {
        key: refusal[key] for key in ("code", "sentence")
    }
    assert [error.refusal] == [Refusal(line["code"], line["sentence"]) for line in warned]


def test_a_token_in_a_url_is_neither_logged_nor_used() -> None:
    """It is refused before anything is read, over HTTP and as a socket."""
    with run_server() as server:
        match = server.open_match("casino")
        token = str(match.players[0].token)
        reply = server.http.get(f"{match.address}?token={token}")
        with pytest.raises(InvalidStatus) as refused:
            server.socket(f"{match.id}/socket?token={token}&x=")

    assert (400, "token_in_address") == (reply.status_code, reply.json()["error"]["code"])
    assert 400 == refused.value.response.status_code
    assert match.address in [line.get("path") for line in server.logged]
    assert token not in str(server.logged)


def test_nothing_is_read_after_an_invalid_hello(server: RunningServer) -> None:
    """A valid hello behind it is ignored."""
    match = server.open_match("casino")
    frame = match.players[0].get_frame()
    connection = server.socket(match.id, {"token": "0" * 64})
    with suppress(ConnectionClosed):
        connection.send(json.dumps({"token": match.players[0].token}))
        connection.send(json.dumps({"id": "late", "version": frame["version"], "act": frame["actions"][0]}))
    code = json.loads(connection.recv(timeout=10))["error"]["code"]
    with pytest.raises(ConnectionClosed, match="1008"):
        connection.recv(timeout=10)

    assert "bad_token" == code
    assert frame == match.players[0].get_frame()


def test_repeated_errors_are_logged_once_in_a_while() -> None:
    now = 100.0
    throttle = WarningThrottle(10, clock=lambda: now)
    with capture_logs() as logged:
        throttle.warn("error", code="a", sentence="first")
        throttle.warn("error", code="a", sentence="again")
        throttle.warn("error", code="b", sentence="other")
        now = 110.0
        throttle.warn("error", code="a", sentence="later")

    assert ["first", "other", "later"] == [line["sentence"] for line in logged]

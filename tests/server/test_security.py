"""What somebody may try who means harm: another's seat, another's words, a guess; and what every answer says to browsers."""

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
from tests.server.running import API, Party, Person, Running, new_store, running

FRIEND = "https://friend.example"


def guest(party: Party, token: str | None) -> Person:
    """Return somebody who comes to a match with a token from elsewhere."""
    return Person(party, None, token)


def hello(party: Party, token: str | None) -> Any:  # noqa: ANN401  what is said first
    """Return what a socket is told first."""
    return json.loads(party.server.socket(party.match, {"token": token}).recv(timeout=10))


def test_a_token_opens_its_own_match_alone(server: Running) -> None:
    """The token of the same seat of another match sees, chooses and gives up nothing here."""
    party, other = server.open("casino"), server.open("casino")
    stranger = guest(party, other.people[0].token)
    frame = party.people[0].look()
    tried = [
        server.http.get(party.place, headers=stranger.headers),
        stranger.act(frame["actions"][0], frame["version"]),
        stranger.leave(),
    ]

    assert [(403, "bad_token")] * 3 == [(one.status_code, one.json()["error"]["code"]) for one in tried]
    assert "bad_token" == hello(party, stranger.token)["error"]["code"]
    assert frame == party.people[0].look()


def test_a_seat_chooses_only_when_it_is_its_turn(server: Running) -> None:
    """The token of one seat with the version and the choice of the other is refused, over a socket too."""
    party = server.open("casino")
    mine = party.people[0].look()
    heard = server.socket(party.match, {"token": party.people[1].token})
    heard.recv(timeout=10)
    heard.send(json.dumps({"id": "not-mine", "version": mine["version"], "act": mine["actions"][0]}))
    answer = json.loads(heard.recv(timeout=10))["answer"]

    assert ("illegal", "not_your_turn") == (answer["answer"], answer["refusal"]["code"])
    assert mine == party.people[0].look()


def test_a_name_for_a_choice_is_the_seats_own(server: Running) -> None:
    """A second seat that uses the id of the first is not answered with what the first was."""
    party = server.open("casino")
    frame = party.people[0].look()
    first = party.people[0].act(frame["actions"][0], frame["version"], "once").json()
    theirs = party.people[1].look()
    second = party.people[1].act(theirs["actions"][0], theirs["version"], "once").json()

    assert ("applied", "applied") == (first["answer"], second["answer"])
    assert first["version"] < second["version"]


def test_whoever_replays_all_that_was_said_changes_nothing(server: Running) -> None:
    """Every message of a match sent once more, through a socket and by requests, is a duplicate; the log is the same."""
    party = server.open("casino")
    said: list[tuple[int, dict[str, Any]]] = []
    for _ in range(6):
        seat, frame = next(
            (seat, frame)
            for seat, frame in enumerate(person.look() for person in party.people)
            if frame["actions"]
        )
        message = {"id": party.name(), "version": frame["version"], "act": frame["actions"][0]}
        assert 200 == post(party, "act", message, party.people[seat]).status_code
        said.append((seat, message))
    log = server.store.entries(party.match)
    sockets = [server.socket(party.match, {"token": person.token}) for person in party.people]
    for opened in sockets:
        opened.recv(timeout=10)
    answers = []
    for seat, message in said:
        sockets[seat].send(json.dumps(message))
        answers.append(json.loads(sockets[seat].recv(timeout=10))["answer"]["answer"])
        answers.append(post(party, "act", message, party.people[seat]).json()["answer"])

    assert ["duplicate"] * 12 == answers
    assert log == server.store.entries(party.match)


def test_a_join_that_comes_twice_takes_one_seat(server: Running) -> None:
    """Who did not hear its token asks again with the same words, and gets the same."""
    party = server.open("casino", fill=False)
    asked = {"id": "j" * 30, "name": "Ann"}
    first, again = (server.http.post(party.path("join"), json=asked).json() for _ in range(2))

    assert ("applied", "duplicate") == (first["answer"], again["answer"])
    assert (first["seat"], first["token"]) == (again["seat"], again["token"])
    assert [True, False] == [chair["name"] is not None for chair in party.spectator.look()["chairs"]]


def post(party: Party, verb: str, body: object, person: Person, **more: str) -> Any:  # noqa: ANN401  an answer
    """Ask in somebody's name."""
    return party.http.post(party.path(verb), headers=person.headers | more, json=body)


def test_guesses_count_wherever_they_are_made() -> None:
    """Looking, choosing, giving up and saying hello: after so many wrong tokens none is heard from that address."""
    with running(failures_per_minute=4, proxies=("127.0.0.1",)) as server:
        party = server.open("casino")
        at = {"x-forwarded-for": "198.51.100.7"}
        body = {"id": "a", "version": 1, "act": "x"}

        def greet(token: str | None) -> str:
            opened = server.socket(party.match, {"token": token}, additional_headers=at)
            code: str = json.loads(opened.recv(timeout=10)).get("error", {}).get("code", "shown")
            return code

        guessed = [
            party.http.get(party.place, headers=guest(party, "a" * 64).headers | at).json()["error"]["code"],
            post(party, "act", body, guest(party, "b" * 64), **at).json()["error"]["code"],
            post(party, "leave", {"id": "a"}, guest(party, "c" * 64), **at).json()["error"]["code"],
            greet("d" * 64),
        ]
        late = post(party, "act", body, party.people[0], **at)
        greeted = greet(party.people[0].token)
        at["x-forwarded-for"] = "198.51.100.8"
        elsewhere = greet(party.people[0].token)

    assert ["bad_token"] * 4 == guessed
    assert (429, "too_many_failures") == (late.status_code, late.json()["error"]["code"])
    assert 1 <= int(late.headers["retry-after"]) <= 60
    assert "too_many_failures" == greeted
    assert "shown" == elsewhere


def heads(server: Running, request: str, body: bytes = b"") -> dict[str, list[str]]:
    """Send a request as it is written, and return the headers of the answer, and its status."""
    text = request.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        answer = b""
        with suppress(ConnectionError):
            connection.sendall(text)
            while b"\r\n\r\n" not in answer and (part := connection.recv(65_536)):
                answer += part
    status, *lines = answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    said: dict[str, list[str]] = {"status": [status.split()[1]]}
    for line in lines:
        name, _, value = line.partition(": ")
        said.setdefault(name.lower(), []).append(value)
    return said


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
def friendly() -> Iterator[Running]:
    """Run a server that one other page may speak to, and that waits for nobody."""
    with (
        pytest.MonkeyPatch.context() as patched,
        running(origins=(FRIEND,)) as server,
    ):
        patched.setattr("oddsmith.server.http_connection.SECONDS_TO_SEND", 0.3)
        patched.setattr("oddsmith.server.http_request.SECONDS_TO_SEND", 0.3)
        yield server


@pytest.mark.parametrize(("status", "request_", "body"), SENT, ids=lambda value: str(value)[:50])
def test_every_kind_of_answer_says_what_browsers_must_know(
    friendly: Running, status: str, request_: str, body: bytes
) -> None:
    """Nothing may be run, framed, sniffed or kept, whatever was asked and however it was refused; each is said once."""
    said = heads(friendly, request_, body)

    assert [status] == said["status"]
    assert {name.decode(): [value.decode()] for name, value in HEADERS} == {
        name: values for name, values in said.items() if name.encode() in dict(HEADERS)
    }
    assert "server" not in said


def test_browsers_are_told_to_run_nothing() -> None:
    """The policy is the strictest there is."""
    policy = dict(HEADERS)[b"content-security-policy"].split(b"; ")

    assert {
        b"default-src 'none'",
        b"frame-ancestors 'none'",
        b"base-uri 'none'",
        b"form-action 'none'",
    } == set(policy)


def test_the_record_of_a_match_and_trouble_say_the_same(friendly: Running) -> None:
    """A file to be downloaded, and a server that stops, have the headers of all others."""
    party = friendly.open("duel")
    party.people[0].leave()
    record = friendly.http.get(party.path("record"))
    friendly.app.is_stopping = True
    stopping = friendly.http.get("/readyz")
    friendly.app.is_stopping = False

    assert (200, 503) == (record.status_code, stopping.status_code)
    for answer in (record, stopping):
        assert [] == [name for name, value in HEADERS if answer.headers[name.decode()] != value.decode()]


KEPT_AT = "/var/lib/oddsmith/matches.db"


@pytest.fixture
def leaky() -> Iterator[tuple[Running, FaultyStore]]:
    """Run a server on a store that fails, and says where it is."""
    folder, store = new_store()
    faulty = FaultyStore(store)
    with running(faulty.as_store()) as server:
        yield server, faulty
        faulty.fails_before = None
        server.hang_up()
    shutil.rmtree(folder)


def by_request(party: Party, frame: Any) -> Any:  # noqa: ANN401  a frame, and a refusal
    """Choose by a request, and return the refusal."""
    return party.people[0].act(frame["actions"][0], frame["version"]).json()["error"]


def by_socket(party: Party, frame: Any) -> Any:  # noqa: ANN401  as above
    """Choose through a socket, and return the refusal."""
    heard = party.server.socket(party.match, {"token": party.people[0].token})
    heard.recv(timeout=10)
    heard.send(json.dumps({"id": "a", "version": frame["version"], "act": frame["actions"][0]}))
    return json.loads(heard.recv(timeout=10))["error"]


@pytest.mark.parametrize("choose", [by_request, by_socket])
@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        (
            StoreFullError("store_full", f"no room in {KEPT_AT}"),
            "the server has no space left for matches: try again later",
        ),
        (
            StoreAwayError("store_away", f"nothing at {KEPT_AT}"),
            "the server cannot reach its store of matches: try again in a moment",
        ),
    ],
    ids=["full", "away"],
)
def test_strangers_do_not_learn_where_a_store_is(
    leaky: tuple[Running, FaultyStore],
    monkeypatch: pytest.MonkeyPatch,
    choose: Callable[[Party, Any], Any],
    trouble: StoreError,
    sentence: str,
) -> None:
    """They are told that it is not their fault; the log says what happened, and where."""
    monkeypatch.setattr("oddsmith.server.middleware.error_responses._store_warning", WarningThrottle(10))
    server, faulty = leaky
    party = server.open("casino")
    frame = party.people[0].look()
    faulty.fails_before = lambda: trouble
    refusal = choose(party, frame)
    warned = [line for line in server.logged if line["event"] == "store failed"]

    assert {"code": trouble.refusal.code, "sentence": sentence} == {
        key: refusal[key] for key in ("code", "sentence")
    }
    assert [trouble.refusal] == [Refusal(line["code"], line["sentence"]) for line in warned]


def test_a_token_in_an_address_reaches_neither_a_log_nor_a_match() -> None:
    """It is refused before anything is read, over HTTP and as a socket."""
    with running() as server:
        party = server.open("casino")
        token = str(party.people[0].token)
        asked = server.http.get(f"{party.place}?token={token}")
        with pytest.raises(InvalidStatus) as refused:
            server.socket(f"{party.match}/socket?token={token}&x=")

    assert (400, "token_in_address") == (asked.status_code, asked.json()["error"]["code"])
    assert 400 == refused.value.response.status_code
    assert party.place in [line.get("path") for line in server.logged]
    assert token not in str(server.logged)


def test_a_closed_socket_has_nothing_more_to_say(server: Running) -> None:
    """Who was shown out with one bad hello is not heard when it goes on talking."""
    party = server.open("casino")
    frame = party.people[0].look()
    heard = server.socket(party.match, {"token": "0" * 64})
    with suppress(ConnectionClosed):
        heard.send(json.dumps({"token": party.people[0].token}))
        heard.send(json.dumps({"id": "late", "version": frame["version"], "act": frame["actions"][0]}))
    said = json.loads(heard.recv(timeout=10))["error"]["code"]
    with pytest.raises(ConnectionClosed, match="1008"):
        heard.recv(timeout=10)

    assert "bad_token" == said
    assert frame == party.people[0].look()


def test_the_same_trouble_is_warned_of_once_in_a_while() -> None:
    """Whoever waits asks again and again; the log need not say so each time."""
    now = 100.0
    throttle = WarningThrottle(10, clock=lambda: now)
    with capture_logs() as logged:
        throttle.warn("trouble", code="a", sentence="first")
        throttle.warn("trouble", code="a", sentence="again")
        throttle.warn("trouble", code="b", sentence="other")
        now = 110.0
        throttle.warn("trouble", code="a", sentence="later")

    assert ["first", "other", "later"] == [line["sentence"] for line in logged]

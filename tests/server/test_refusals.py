"""Every refusal has one form and its own status, and invalid input is never an internal error."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import repeat
from typing import Any, TypeAlias

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from oddsmith.server.middleware.headers import HEADERS
from tests.server.raw_sockets import read_all, send_handshake, watch_match
from tests.server.servers import API, RunningServer

UNKNOWN = "0123456789abcdef0123"
JSON = {"content-type": "application/json"}
JOIN = {"id": "j" * 30, "name": "Ann"}
DEEP = "[" * 900 + "]" * 900
ACT: dict[str, Any] = {"id": "a", "version": 1, "act": "x"}
TOKEN = {"authorization": f"Bearer {'f' * 64}"}

Case: TypeAlias = tuple[str, str, dict[str, str], bytes | None, int, str]
CASES: list[Case] = [
    ("GET", "/nothing", {}, None, 404, "not_found"),
    ("POST", "/nothing", {"accept": "text/html"}, b"", 404, "not_found"),
    ("DELETE", "/matches", {}, None, 405, "method_not_allowed"),
    ("GET", "/wp-admin", {}, None, 404, "not_found"),
    ("PUT", f"{API}/games", {}, None, 405, "method_not_allowed"),
    ("DELETE", f"{API}/matches/{UNKNOWN}", {}, None, 405, "method_not_allowed"),
    ("GET", f"{API}/destiny/check", {}, None, 405, "method_not_allowed"),
    ("GET", f"{API}/games/chess/rules/default", {}, None, 404, "unknown_game"),
    ("GET", f"{API}/games/duel/rules/nope", {}, None, 404, "unknown_preset"),
    ("GET", f"{API}/matches/{UNKNOWN}", {}, None, 404, "unknown_match"),
    ("GET", f"{API}/matches/{UNKNOWN}/record", {}, None, 404, "unknown_match"),
    ("GET", f"{API}/matches/%ff%00", {}, None, 404, "unknown_match"),
    ("GET", f"{API}/matches/..%2f..%2fetc", {}, None, 404, "not_found"),
    ("GET", f"{API}/matches?limit=0", {}, None, 400, "bad_query"),
    ("GET", f"{API}/matches?limit=101", {}, None, 400, "bad_query"),
    ("GET", f"{API}/matches?limit=1&limit=2", {}, None, 400, "bad_query"),
    ("GET", f"{API}/matches?colour=red", {}, None, 400, "bad_query"),
    ("GET", f"{API}/matches?status=null", {}, None, 400, "bad_query"),
    ("GET", f"{API}/matches?status=won", {}, None, 400, "bad_query"),
    ("GET", f"{API}/matches?before=99999999999999999999999", {}, None, 400, "bad_query"),
    ("GET", f"{API}/matches/{UNKNOWN}?since=-1", {}, None, 400, "bad_query"),
    ("GET", f"{API}/matches/{UNKNOWN}?since={'9' * 40}", {}, None, 400, "bad_query"),
    ("GET", f"{API}/matches/{UNKNOWN}?Token={'f' * 64}", {}, None, 400, "token_in_address"),
    ("GET", f"{API}/matches/{UNKNOWN}", {"authorization": "Basic YTpi"}, None, 401, "bad_authorization"),
    ("POST", f"{API}/matches", {}, b"{}", 415, "not_json"),
    ("POST", f"{API}/matches", {"content-type": "text/plain"}, b"{}", 415, "not_json"),
    ("POST", f"{API}/matches", JSON, b"", 400, "bad_json"),
    ("POST", f"{API}/matches", JSON, b"\xff\xfe", 400, "bad_json"),
    ("POST", f"{API}/matches", JSON, b'{"game":"chess","seats":[null]}', 404, "unknown_game"),
    ("POST", f"{API}/matches", JSON, b'{"game":"duel","seats":[]}', 400, "bad_json"),
    ("POST", f"{API}/matches", JSON, b'{"game":"dice","seats":[null,null]}', 400, "bad_seats"),
    ("POST", f"{API}/matches", JSON, b'{"game":"duel","seats":[null,"deep_blue"]}', 400, "unknown_bot"),
    ("POST", f"{API}/matches", JSON, b'{"game":"duel","seats":[null,"optimal"]}', 400, "unknown_bot"),
    ("POST", f"{API}/matches", JSON, b'{"game":"duel","seats":[null],"rules":{"x":1}}', 400, "unknown_key"),
    (
        "POST",
        f"{API}/matches",
        JSON,
        f'{{"game":"duel","seats":[null],"rules":{{"x":{DEEP}}}}}'.encode(),
        400,
        "too_deep",
    ),
    ("POST", f"{API}/matches", JSON, b"[" * 60_000, 400, "bad_json"),
    ("POST", f"{API}/matches", JSON, b" " * 65_537, 413, "body_too_large"),
    ("POST", f"{API}/destiny/check", JSON, b" " * 65_537, 413, "body_too_large"),
    ("POST", f"{API}/destiny/check", {"content-type": "text/plain"}, b"{}", 415, "not_json"),
    ("POST", f"{API}/destiny/odds/batch", {"content-type": "text/plain"}, b"{}", 415, "not_json"),
    ("POST", f"{API}/destiny/odds/curve", {"content-type": "text/plain"}, b"{}", 415, "not_json"),
    ("POST", f"{API}/matches/{UNKNOWN}/join", JSON, json.dumps(JOIN).encode(), 404, "unknown_match"),
    ("POST", f"{API}/matches/{UNKNOWN}/join", JSON, b'{"id":"short","name":"Ann"}', 400, "bad_json"),
    ("POST", f"{API}/matches/{UNKNOWN}/act", JSON, json.dumps(ACT).encode(), 401, "no_token"),
    ("POST", f"{API}/matches/{UNKNOWN}/act", JSON | TOKEN, json.dumps(ACT).encode(), 404, "unknown_match"),
    ("POST", f"{API}/matches/{UNKNOWN}/leave", JSON, b'{"id":"a"}', 401, "no_token"),
    ("POST", f"{API}/games", JSON, b"{}", 405, "method_not_allowed"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[1][:60]} {case[5]}")
def test_a_refusal_has_its_status_its_code_and_the_common_headers(server: RunningServer, case: Case) -> None:
    """`{"error": {code, sentence}}`, with security headers and a request id."""
    method, path, headers, body, status, code = case
    refused = server.http.request(method, path, headers=headers, content=body)
    error = refused.json()["error"]

    assert (status, code) == (refused.status_code, error["code"])
    assert error["sentence"]
    assert "application/json" == refused.headers["content-type"]
    assert re.fullmatch(r"[0-9a-f]{12}-[0-9a-f]+", refused.headers["x-request-id"])
    assert [] == [name for name, value in HEADERS if refused.headers[name.decode()] != value.decode()]


def test_a_match_that_cannot_be_opened_is_refused_in_plain_words(server: RunningServer) -> None:
    """A seat is the name of a bot, or null for a person."""
    refused = server.http.post(f"{API}/matches", json={"game": "duel", "seats": [{"bot": "random"}]})
    error = refused.json()["error"]

    assert ("seats[0]: expected text or null, not an object", "seats[0]") == (
        error["sentence"],
        error["where"],
    )


def test_a_refusal_has_the_headers_of_its_status(server: RunningServer) -> None:
    """405 names the methods, 401 the scheme."""
    wrong = server.http.delete(f"{API}/matches")
    bare = server.http.post(f"{API}/matches/{UNKNOWN}/act", json=ACT)

    assert {"GET", "POST"} <= set(wrong.headers["allow"].replace(" ", "").split(","))
    assert "Bearer" == bare.headers["www-authenticate"]


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (json.loads(DEEP), "too_deep"),
        ("\ud800", "bad_json"),
        ("x" * 5_000, "bad_move"),
        ({"type": "?"}, "bad_move"),
        (None, "bad_move"),
        ([1, 2, 3], "bad_move"),
        ("0 0 0", "bad_move"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_an_invalid_choice_is_refused(server: RunningServer, action: Any, code: str) -> None:  # noqa: ANN401  any JSON
    """With a 4xx, and without a change."""
    match = server.open_match("casino")
    version = match.spectator.get_frame()["version"]
    body = json.dumps({"id": "a", "version": version, "act": action})
    refused = server.http.post(match.path("act"), headers=JSON | match.players[0].headers, content=body)

    reply = refused.json()

    assert refused.status_code == (400 if "error" in reply else 422)
    assert code == (reply.get("error") or reply["refusal"])["code"]
    assert version == match.spectator.get_frame()["version"]


@pytest.mark.parametrize("name", ["two words", "", "x" * 65, "é", 7, None], ids=repr)
@pytest.mark.parametrize("verb", ["act", "leave", "join", "socket"])
def test_a_bad_id_is_refused_in_plain_words(server: RunningServer, verb: str, name: object) -> None:
    """The sentence says which ids are valid, and `where` names the field; a missing one is refused in the same way."""
    match = server.open_match("casino", fill=False)
    player = match.join("Ann")
    bodies: dict[str, dict[str, Any]] = {
        "act": {"version": 1, "act": "x"},
        "join": {"name": "Bo"},
        "leave": {},
    }
    rest = bodies.get(verb, ACT)
    sent = [dict(rest) | {"id": name}, {key: value for key, value in rest.items() if key != "id"}]
    if verb == "socket":
        connection = server.socket(match.id, {"token": player.token})
        connection.recv(timeout=10)
        for frame in sent:
            connection.send(json.dumps(frame))
        errors = [json.loads(connection.recv(timeout=10))["error"] for _ in sent]
    else:
        replies = [server.http.post(match.path(verb), headers=player.headers, json=body) for body in sent]
        errors = [reply.json()["error"] for reply in replies]
    shortest, what = (22, "the id of a request to join") if verb == "join" else (1, "an id")
    sentence = f"{what} has {shortest} to 64 characters: letters, digits, and _ . : -"

    assert [{"code": "bad_json", "sentence": sentence, "where": "id"}] * 2 == errors


def exchange(server: RunningServer, request: bytes) -> bytes:
    """Send bytes, and return everything that is received."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        answer = b""
        with suppress(ConnectionError):
            connection.sendall(request)
            while part := connection.recv(65_536):
                answer += part
        return answer


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        (b"hello\r\n\r\n", b"400", b"bad_request"),
        (b"GET /\xff HTTP/1.1\r\nhost: x\r\n\r\n", b"400", b"bad_request"),
        (b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -5\r\n\r\n", b"400", b"bad_request"),
        (b"GET / HTTP/1.1\r\nhost: x\r\nx: " + b"y" * 20_000 + b"\r\n\r\n", b"431", b"head_too_large"),
        (b"GET /" + b"y" * 20_000 + b" HTTP/1.1\r\nhost: x\r\n\r\n", b"431", b"head_too_large"),
        (b"GET / HTTP/1.1\r\nhost: x\r\nx: " + b"y" * 20_000, b"431", b"head_too_large"),
    ],
    ids=["no HTTP", "bad address", "bad length", "long header", "long address", "endless header"],
)
def test_malformed_http_is_refused_in_the_same_form(
    server: RunningServer, request_: bytes, status: bytes, code: bytes
) -> None:
    """The connection gets the reason with the same headers, and is closed."""
    answer = exchange(server, request_)

    assert answer.startswith(b"HTTP/1.1 " + status)
    assert code in answer
    assert b"nosniff" in answer


def test_a_chunked_body_is_limited_too(server: RunningServer) -> None:
    """Without a length, the bytes are counted as they arrive."""
    refused = server.http.post(f"{API}/matches", headers=JSON, content=(b" " * 8_192 for _ in range(9)))

    assert (413, "body_too_large") == (refused.status_code, refused.json()["error"]["code"])


def test_malformed_frames_are_refused_and_after_many_the_socket_is_closed(server: RunningServer) -> None:
    """Each gets its refusal; after twenty the socket is closed with 1008."""
    match = server.open_match("casino")
    connection = server.socket(match.id, {"token": match.players[0].token})
    frame = json.loads(connection.recv(timeout=10))
    wrong: list[str | bytes] = [
        "",
        "{",
        "[]",
        '{"id":"a"}',
        '{"id":"a","version":1,"act":1,"seat":0}',
        DEEP,
        b"\x00\x01",
    ]
    for text in [*wrong, *["nonsense"] * (20 - len(wrong))]:
        connection.send(text)
    codes = [json.loads(connection.recv(timeout=10))["error"]["code"] for _ in range(21)]

    assert {"bad_json", "not_json"} == {*codes[:20]}
    assert "too_many_mistakes" == codes[20]
    with pytest.raises(ConnectionClosed, match="1008"):
        connection.recv(timeout=10)
    assert frame["version"] == match.spectator.get_frame()["version"]


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"token": "f" * 64}, "bad_token"),
        ({"token": "f" * 65}, "bad_json"),
        ({"since": -1}, "bad_json"),
        ({"seat": 0}, "bad_json"),
        ([], "bad_json"),
    ],
    ids=str,
)
def test_an_invalid_hello_closes_the_socket(server: RunningServer, hello: object, code: str) -> None:
    """The refusal is sent before the close; no frame is."""
    connection = server.socket(server.open_match("casino").id, hello)

    assert code == json.loads(connection.recv(timeout=10))["error"]["code"]
    with pytest.raises(ConnectionClosed, match="1008"):
        connection.recv(timeout=10)


def _errors_until_closed(connection: ClientConnection) -> Iterator[str]:
    """Yield the codes of the errors that a socket receives; raises `ConnectionClosed` at its end."""
    while True:
        yield json.loads(connection.recv(timeout=10))["error"]["code"]


@pytest.mark.parametrize(
    ("frame", "closed", "code"),
    [
        ("x" * 8_193, "1009", "frame_too_large"),
        (["{" * 5_000, "{" * 5_000], "1009", "frame_too_large"),
        (repeat(""), "1008", "too_many_parts"),
    ],
    ids=["long", "long in parts", "parts without end"],
)
def test_a_frame_has_at_most_8_kib(
    server: RunningServer,
    frame: Any,  # noqa: ANN401  text, or parts of it
    closed: str,
    code: str,
) -> None:
    """A longer one closes the socket, even in many fragments; a client that is still sending may miss error and close code."""
    connection = server.socket(server.open_match("casino").id, {})
    connection.recv(timeout=10)
    with suppress(ConnectionClosed):
        connection.send(frame if isinstance(frame, str) else iter(frame))
    errors: list[Any] = []
    with pytest.raises(ConnectionClosed, match=f"{closed}|no close frame received"):
        errors.extend(_errors_until_closed(connection))

    assert errors in ([code], [])
    assert 200 == server.http.get("/healthz").status_code


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"\x81\xfe\x20\x01\0\0\0\0" + b"x" * 8_193, "frame_too_large"),
        (b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 80, "too_many_parts"),
        (b"\x81\x82\0\0\0\0\xff\xff", "not_json"),
        (b"\x83\x80\0\0\0\0", "bad_frame"),
        (b"\x81\x02{}", "bad_frame"),
    ],
    ids=["long", "many parts", "no UTF-8", "an unknown opcode", "no mask"],
)
def test_a_message_that_closes_a_socket_is_refused_in_json_before(
    server: RunningServer, frame: bytes, code: str
) -> None:
    with watch_match(server.port, server.open_match("casino").id) as line:
        line.sendall(frame)
        read = read_all(line)

    assert 0x81 == read[0]
    assert (
        code
        == json.loads(read[2 : 2 + read[1]] if read[1] < 126 else read[4 : read.index(b"}}") + 2])["error"][
            "code"
        ]
    )
    assert b"\x88" in read


@pytest.mark.parametrize(
    "handshake",
    [
        ["sec-websocket-version: 12"],
        ["sec-websocket-key: short"],
        ["sec-websocket-version: 13"],
    ],
    ids=["another version", "another key", "two versions"],
)
def test_a_handshake_is_refused_in_json(server: RunningServer, handshake: list[str]) -> None:
    """With the headers of every response."""
    with send_handshake(server.port, server.open_match("casino").id, *handshake) as line:
        head, _, body = read_all(line).partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 4")
    assert "bad_handshake" == json.loads(body)["error"]["code"]
    assert b"content-type: application/json" in head.lower()
    assert b"x-content-type-options: nosniff" in head.lower()


def test_invalid_utf_8_closes_the_socket_without_an_error_in_the_log(
    server: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the server nor a library logs one."""
    connection = server.socket(server.open_match("casino").id, {})
    connection.recv(timeout=10)
    connection.send(b"\xff\xff", text=True)

    assert "not_json" == json.loads(connection.recv(timeout=10))["error"]["code"]
    with pytest.raises(ConnectionClosed, match="1007"):
        connection.recv(timeout=10)
    server.http.get("/healthz")

    assert [] == [line for line in server.logged if line["level"] == "error"]
    assert [] == [record for record in caplog.records if record.levelname == "ERROR"]

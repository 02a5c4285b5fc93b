"""Malformed input to any address, socket or file is refused in plain words: no library's message reaches a client."""

import json
from collections.abc import Iterator

import pytest

from tests.malformed import BODIES, LIBRARY_WORDS, wrong_values_in
from tests.server.servers import API, HttpMatch, RunningServer

GAME = "casino"
JSON = {"content-type": "application/json"}
COMMANDS = {
    "matches": {"game": "casino", "seats": [None], "clock": {"choice_seconds": 5}, "rules": {"hand": {}}},
    "join": {"id": "j" * 30, "name": "Ann", "seat": 0, "seed": "s"},
    "act": {"id": "a", "version": 1, "act": {"type": "trail", "card": "A♠"}},
    "leave": {"id": "a"},
    "replay": {"record": "x", "ply": 1},
    "verify": {"record": 'format = "?"'},
    "rules": {"rules": {"hand": {}}},
}
"""A request for each operation that is no question, by the last part of its address."""
DRAFT = {"version": 1, "draft": {"type": "trail", "card": "A♠"}}


def addresses_of(server: RunningServer, match: HttpMatch) -> Iterator[str]:
    """Yield every address that takes a body."""
    description = server.http.get(f"{API}/openapi.json").json()
    for path, methods in description["paths"].items():
        if "requestBody" in methods.get("post", {}):
            yield path.replace("{match}", match.id).replace("{game}", GAME)


def test_every_address_refuses_each_kind_of_malformed_body_in_plain_words(server: RunningServer) -> None:
    """With a code and a sentence, and with the path of the field that has the fault."""
    match = server.open_match(GAME)
    addresses = [*addresses_of(server, match)]
    replies = []
    for number, address in enumerate(addresses):
        kinds = [*BODIES.values()]
        for place in range(
            3
        ):  # each address gets three kinds of ten, so that each kind is sent to many addresses
            body = kinds[(number + place) % len(kinds)]
            replies.append(
                server.http.post(address, content=body, headers=JSON | match.players[0].headers).json()
            )

    assert len(addresses) > 100
    assert [] == [reply for reply in replies if LIBRARY_WORDS.search(json.dumps(reply.get("error", "")))]
    assert len([reply for reply in replies if "error" in reply]) > 0.8 * len(replies)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_refuses_a_wrong_field_in_plain_words_with_its_path(
    server: RunningServer, name: str
) -> None:
    """Each field in turn has each wrong value; what is not refused in itself is refused by the match."""
    match = server.open_match(GAME)
    sample = COMMANDS[name]
    [address] = [path for path in addresses_of(server, match) if path.endswith(f"/{name}")]
    sent = [*wrong_values_in(sample)]
    refused = [
        server.http.post(address, content=json.dumps(body), headers=JSON | match.players[0].headers).json()
        for body in sent
    ]
    errors = [reply.get("error") or reply.get("refusal") for reply in refused]

    assert [] == [error for error in errors if error and LIBRARY_WORDS.search(error["sentence"])]
    assert [] == [error for error in errors if error and error["code"] == "bad_json" and "where" not in error]
    assert len([error for error in errors if error]) > len(sent) / 2


@pytest.mark.parametrize("token", [True, False], ids=["seat", "spectator"])
def test_a_socket_refuses_malformed_frames_in_plain_words(server: RunningServer, token: bool) -> None:  # noqa: FBT001  a parameter of the test
    """The first frame, and any later one."""
    match = server.open_match(GAME)
    hello = {"token": match.players[0].token} if token else {}
    replies = []
    for body in [*BODIES.values(), *(json.dumps(data).encode() for data in wrong_values_in(hello))][::2]:
        connection = server.socket(match.id)
        connection.send(body.decode(errors="replace"))
        replies.append(json.loads(connection.recv(timeout=10)))
        connection.close()
    commands = [*wrong_values_in(COMMANDS["act"]), *wrong_values_in(DRAFT)] if token else []
    for start in range(0, len(commands), 6):  # a connection is closed after some mistakes
        connection = server.socket(match.id, hello)
        connection.recv(timeout=10)
        for data in commands[start : start + 6 : 2]:
            connection.send(json.dumps(data))
            replies.append(json.loads(connection.recv(timeout=10)))

    assert [] == [frame for frame in replies if LIBRARY_WORDS.search(json.dumps(frame.get("error", "")))]
    assert any("error" in frame for frame in replies)

"""A move before many spectators: seats and the mover come first, and others are answered in between."""

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final

import pytest

from oddsmith.server.http_connection import HttpConnection
from oddsmith.server.matches.wake_queue import SLICE, WakeQueue
from oddsmith.server.socket_connection import SocketConnection, encode_text
from tests.server.raw_sockets import LARGEST_READ, watch_match
from tests.server.servers import HttpMatch, RunningServer, run_server
from tests.waiting import wait_until

SPECTATORS: Final = 10 * SLICE
ANSWER: Final = "answer"
FRAME: Final = "frame of a spectator"
OTHER: Final = "answer to another client"


class Broadcast:
    """A duel against the server's own opponent with many spectators, and what the server sent, in its order."""

    def __init__(self, server: RunningServer, match: HttpMatch, other: socket.socket) -> None:
        self.server = server
        self.match = match
        self.other = other
        self.sent: list[str] = []
        self.version: int = match.spectator.get_frame()["version"]

    @property
    def body(self) -> dict[str, object]:
        """A choice that every viewer sees."""
        return {"id": "c1", "version": self.version, "act": "attack 0 1"}

    def note(self, what: str) -> None:
        """Note what was sent; another client sends its request when the first spectator gets a frame."""
        if what == FRAME and FRAME not in self.sent:
            self.other.sendall(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
        self.sent.append(what)

    def wait(self) -> None:
        """Wait until every spectator has a frame, and the other client its answer."""
        wait_until(lambda: self.sent.count(FRAME) == SPECTATORS and OTHER in self.sent, "all frames")


@pytest.fixture
def broadcast(monkeypatch: pytest.MonkeyPatch) -> Iterator[Broadcast]:
    noted: list[Broadcast] = []
    respond, send = HttpConnection.respond, SocketConnection.send

    def note_response(self: HttpConnection, *given: Any) -> None:  # noqa: ANN401  as it is
        respond(self, *given)
        for one in noted:
            one.note(OTHER if b'"status"' in given[-1] else ANSWER)

    async def note_message(self: SocketConnection, message: Any) -> None:  # noqa: ANN401  as it is
        await send(self, message)
        text = message.get("text", "")
        if '"viewer":null' in text or '"answer"' in text:
            for one in noted:
                one.note(ANSWER if '"answer"' in text else FRAME)

    monkeypatch.setattr(HttpConnection, "respond", note_response)
    monkeypatch.setattr(SocketConnection, "send", note_message)
    with run_server() as server, ExitStack() as stack:
        match = server.open_match("duel", [None])
        for _ in range(SPECTATORS):
            stack.enter_context(watch_match(server.port, match.id))
        other = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=10))
        watched = Broadcast(server, match, other)
        noted.append(watched)
        yield watched


def test_a_mover_over_http_is_answered_before_spectators_see_the_move(broadcast: Broadcast) -> None:
    answer = broadcast.server.http.post(
        broadcast.match.path("act"), headers=broadcast.match.players[0].headers, json=broadcast.body
    )
    broadcast.wait()

    assert "applied" == answer.json()["answer"]
    assert broadcast.sent.index(ANSWER) < broadcast.sent.index(FRAME)


def test_a_mover_on_a_socket_is_answered_before_spectators_see_the_move(broadcast: Broadcast) -> None:
    """Its own frame comes before its answer, as ever."""
    player = broadcast.server.socket(broadcast.match.id, {"token": broadcast.match.players[0].token})
    player.recv(timeout=10)
    player.send(json.dumps(broadcast.body))
    messages = [json.loads(player.recv(timeout=10)) for _ in range(2)]
    broadcast.wait()

    assert [False, True] == ["answer" in message for message in messages]
    assert broadcast.sent.index(ANSWER) < broadcast.sent.index(FRAME)


def test_another_request_is_answered_while_spectators_get_a_move(broadcast: Broadcast) -> None:
    """It arrives with the first spectator's frame, and waits for a few slices at most, not for all spectators."""
    broadcast.server.http.post(
        broadcast.match.path("act"), headers=broadcast.match.players[0].headers, json=broadcast.body
    )
    broadcast.wait()
    before = broadcast.sent[: broadcast.sent.index(OTHER)].count(FRAME)

    assert before <= 5 * SLICE < SPECTATORS


def test_a_frame_is_encoded_once_for_all_spectators(broadcast: Broadcast) -> None:
    encode_text.cache_clear()
    broadcast.server.http.post(
        broadcast.match.path("act"), headers=broadcast.match.players[0].headers, json=broadcast.body
    )
    broadcast.wait()

    assert (SPECTATORS - 1, 1) == encode_text.cache_info()[:2]


class Viewer:
    """A viewer that counts how often it was woken."""

    def __init__(self, *, is_spectator: bool) -> None:
        self.is_spectator = is_spectator
        self.woken = 0

    def wake(self) -> None:
        """Count."""
        self.woken += 1


async def pass_turns(count: int) -> None:
    """Let the event loop run a number of turns."""
    for _ in range(count):
        await asyncio.sleep(0)


def test_seats_of_one_match_come_before_spectators_of_another() -> None:
    async def run() -> tuple[int, list[int]]:
        queue = WakeQueue()
        crowd = [Viewer(is_spectator=True) for _ in range(5 * SLICE)]
        queue.wake(crowd)
        await pass_turns(6)
        seat = Viewer(is_spectator=False)
        queue.wake([seat])
        at_once = seat.woken
        await pass_turns(20)
        return at_once, [one.woken for one in crowd]

    at_once, woken = asyncio.run(run())

    assert (1, [1] * (5 * SLICE)) == (at_once, woken)


def test_a_spectator_that_waits_is_woken_once_for_several_moves_and_not_after_it_has_left() -> None:
    async def run() -> list[int]:
        queue = WakeQueue()
        crowd = [Viewer(is_spectator=True) for _ in range(3)]
        queue.wake(crowd)
        queue.wake(crowd)
        queue.forget(crowd[1])
        await pass_turns(20)
        return [one.woken for one in crowd]

    assert [1, 0, 1] == asyncio.run(run())


def test_a_deaf_spectator_costs_a_bounded_amount() -> None:
    """Frames wait in the queue of the kernel, and one more in the process: after megabytes of moves it has 256 KiB at most."""
    with run_server() as server:
        match = server.open_match("duel", [None], rules={"most_selections": 1_000, "player_hp": 1_000})
        version = match.spectator.get_frame()["version"]
        with watch_match(server.port, match.id, receive_buffer=4_096) as deaf:
            size, moves = len(match.http.get(match.address).content), 500
            for number in range(moves):
                assert 200 == match.players[0].act("attack 0 1", version + number).status_code
            deaf.settimeout(1.0)
            read = 0
            try:
                while b'"version":%d' % (version + moves) not in (part := deaf.recv(LARGEST_READ)):
                    read += len(part)
            except TimeoutError:
                pass

    assert 0 < read < 300_000 < moves * size

"""When something breaks inside, who asked is told so, the log says what it was, and everything else goes on."""

import asyncio
import json
import multiprocessing
import os
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from oddsmith.chance import Seeded
from oddsmith.errors import InputError, Refusal, StoreAwayError, StoreError, UnavailableError
from oddsmith.match.machine import open_match
from oddsmith.match.model import BotAct, Open
from oddsmith.registry import find_game
from oddsmith.server import sockets, workers
from oddsmith.server.application import make_app
from oddsmith.server.connection_limits import LimitedConfig
from oddsmith.server.http_connection import HttpConnection
from oddsmith.server.matches import MatchService
from oddsmith.server.matches.stored_matches import read_match, update_match
from oddsmith.server.metrics import SHARED_FOLDER
from oddsmith.server.settings import Settings
from oddsmith.server.socket_connection import SocketConnection
from oddsmith.server.workers import Worker
from oddsmith.store import Snapshot, Store, open_store
from tests.server.running import API, Running, new_store, running
from tests.store.builders import one_more


class BreakingError(Exception):
    """Something that nobody expects."""


def broken(*_: object, **__: object) -> Any:  # noqa: ANN401  never returns
    raise BreakingError("at the wrong moment")


@pytest.fixture
def own() -> Iterator[Running]:
    """Run a server whose errors are expected."""
    with running() as server:
        yield server
        server.hang_up()
        time.sleep(0.05)
        server.logged.clear()


def test_a_mistake_of_ours_is_a_500_in_the_usual_shape_and_in_the_log(
    own: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asked gets the id under which the log has the traceback; the traceback itself is nobody's business."""
    monkeypatch.setattr(own.app.matches, "list_matches", broken)
    failed = own.http.get(f"{API}/matches")
    [line] = [line for line in own.logged if line["level"] == "error"]

    assert (500, "internal_error") == (failed.status_code, failed.json()["error"]["code"])
    assert failed.headers["x-request-id"] == line["request"]
    assert "BreakingError" in line["exception"]
    assert "BreakingError" not in failed.text
    assert "nosniff" == failed.headers["x-content-type-options"]


def test_a_mistake_in_front_of_the_routes_is_answered_alike(
    own: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Middleware may break, too."""
    monkeypatch.setattr(own.app._limits, "check_address", broken)
    failed = own.http.get(f"{API}/games")

    assert (500, "internal_error") == (failed.status_code, failed.json()["error"]["code"])


def test_a_mistake_behind_a_socket_closes_it_with_1011(own: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """The viewer is told that it is not to blame."""
    party = own.open("casino")
    monkeypatch.setattr(own.app.matches, "find", broken)
    heard = own.socket(party.match, {})

    assert "internal_error" == json.loads(heard.recv(timeout=10))["error"]["code"]
    with pytest.raises(ConnectionClosed, match="1011"):
        heard.recv(timeout=10)


def test_what_is_said_to_a_socket_that_was_closed_meanwhile_is_heard_by_nobody() -> None:
    """The protocol may close a socket while an answer is on its way: that is a client who has gone, not a mistake."""

    async def closed(message: Any) -> None:  # noqa: ANN401  as ASGI has it
        raise RuntimeError(f"Unexpected ASGI message '{message['type']}'")

    anything: Any = None
    session = sockets.SocketSession(
        anything, anything, closed, matches=anything, metrics=anything, limits=anything, match=""
    )

    with pytest.raises(sockets._DisconnectedError):
        asyncio.run(session.send_json({}))


def test_a_bot_that_chooses_what_is_refused_is_asked_no_more(
    own: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not keep the server busy for ever: the log says so, and the match waits."""
    monkeypatch.setattr(
        "oddsmith.server.matches.bot_driver.bot_choice",
        lambda match, seat: BotAct(seat=seat, version=match.version, action="nonsense"),
    )
    party = own.open("casino", ["random", "random"])
    until = time.monotonic() + 10
    while not any("chose what is refused" in line.get("exception", "") for line in own.logged):
        assert time.monotonic() < until
        time.sleep(0.02)

    assert party.spectator.look()["outcome"] is None


def test_clocks_and_doubts_outlive_what_breaks(own: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done again and again is done again after it failed; the same trouble is logged once."""
    party = own.open("casino", clock={"choice_seconds": 1})
    before = party.spectator.look()["version"]
    with monkeypatch.context() as patched:
        patched.setattr(own.store, "due_matches", broken)
        time.sleep(0.6)
    until = time.monotonic() + 10
    while party.spectator.look()["version"] == before:
        assert time.monotonic() < until
        time.sleep(0.05)

    assert any("BreakingError" in line.get("exception", "") for line in own.logged)


def test_another_server_starts_and_stops_the_application(tmp_path: Path) -> None:
    """Under any server that speaks ASGI it starts with its lifespan, and says why it cannot."""

    async def live(where: str) -> list[str]:
        said: list[str] = []
        asked = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

        async def receive() -> dict[str, Any]:
            return next(asked)

        async def send(message: Any) -> None:  # noqa: ANN401  as ASGI has it
            said.append(message["type"])

        await make_app(Settings(store=where))({"type": "lifespan"}, receive, send)
        return said

    well = asyncio.run(live(str(tmp_path / "matches.db")))
    ill = asyncio.run(live(str(tmp_path / "no folder" / "matches.db")))

    assert ["lifespan.startup.complete", "lifespan.shutdown.complete"] == well
    assert ["lifespan.startup.failed"] == ill


@pytest.fixture
def store() -> Iterator[Store]:
    folder, store = new_store()
    yield store
    store.close()
    shutil.rmtree(folder)


def test_a_store_that_cannot_be_watched_is_let_go_of(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who cannot hear of other processes does not serve: why is told, and the store is closed."""
    closed: list[bool] = []
    monkeypatch.setattr(store, "watch", _fail)
    monkeypatch.setattr(store, "close", lambda: closed.append(True))
    with pytest.raises(StoreError):
        asyncio.run(make_app(Settings(), store).start())

    assert [True] == closed


def test_a_snapshot_that_cannot_be_read_costs_only_time(store: Store) -> None:
    """The log is played from its beginning instead."""

    async def open_one() -> str:
        service = MatchService(store, draw=Seeded("snap"))
        rules = find_game("casino").rules_type()
        return (await service.open(Open(rules=rules, bots=(None, None)))).id

    match = asyncio.run(open_one())
    store.write_snapshot(Snapshot(match=match, version=1, data={"format": "of another time"}))

    assert match == read_match(store, match).id


def test_what_others_add_must_replay(store: Store) -> None:
    """An entry that the rules refuse is damage to the store, whoever wrote it; a store that fails says so itself."""
    rules = find_game("casino").rules_type()
    match = open_match(Open(rules=rules, bots=(None, None)), 1, Seeded("x")).match
    store.append([one_more(match.id, 0)])
    store.append([one_more(match.id, 1)])

    with pytest.raises(StoreError) as damaged:
        update_match(store, match)

    assert "damaged_store" == damaged.value.refusal.code


@pytest.mark.parametrize("code", ["store_away", "busy"])
def test_a_match_that_could_not_be_opened_is_not_there(store: Store, code: str) -> None:
    """Who wanted to open it hears why."""

    async def open_one() -> str:
        service = MatchService(store)

        async def append(_: object) -> bool:
            if code == "store_away":
                raise StoreAwayError(code, "away")
            return False

        service._committer.append = append  # type: ignore[method-assign, assignment]  # to fail
        try:
            await service.open(Open(rules=find_game("casino").rules_type(), bots=(None, None)))
        except UnavailableError as error:
            return error.refusal.code
        return ""

    assert code == asyncio.run(open_one())
    assert () == store.matches()


def test_news_of_a_match_that_is_being_read_are_not_missed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is appended while the log is read is read, too; where that fails, it is tried again."""
    other = open_store(str(store.dialect.path))  # type: ignore[attr-defined]  # the file of the store

    async def read() -> tuple[int, bool, bool]:
        writer, reader = MatchService(other, draw=Seeded("w")), MatchService(store)
        match = (await writer.open(Open(rules=find_game("casino").rules_type(), bots=(None, None)))).id
        whole = await reader.find_whole(match)

        def late(*_: object) -> Any:  # noqa: ANN401  a match
            reader.live_matches._note_version(match, whole.version + 1)
            return whole

        reader.live_matches.evict(match)
        with monkeypatch.context() as patched:
            patched.setattr("oddsmith.server.matches.live_matches.read_match", late)
            again: list[object] = []

            def read_again(_: object, found: object) -> object:
                again.append(found)
                return found

            patched.setattr("oddsmith.server.matches.live_matches.update_match", read_again)
            live = await reader.find(match)
            patched.setattr("oddsmith.server.matches.live_matches.update_match", _fail)
            await reader.live_matches._update_to(live, whole.version + 1)
        doubtful = not live.is_certain
        await reader.find(match)
        return len(again), doubtful, live.is_certain

    found = asyncio.run(read())
    other.close()

    assert (1, True, True) == found


def _fail(*_: object) -> Any:  # noqa: ANN401  never returns
    raise StoreAwayError("store_away", "away")


def test_a_snapshot_that_could_not_be_kept_is_only_logged(
    own: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Losing it costs nothing but time."""
    monkeypatch.setattr("oddsmith.server.matches.live_matches.ENTRIES_BETWEEN_SNAPSHOTS", 2)
    monkeypatch.setattr(own.store, "write_snapshot", _fail)
    party = own.open("casino")
    for _ in range(3):
        party.move()
    until = time.monotonic() + 10
    while not any(line["event"] == "no snapshot kept" for line in own.logged):
        assert time.monotonic() < until
        time.sleep(0.02)

    assert 200 == party.http.get(party.place).status_code


def upgraded(server: Running, match: str, memory: int = 4_096) -> socket.socket:
    """Return a socket of the bare kind, with a small memory."""
    deaf = socket.create_connection(("127.0.0.1", server.port), timeout=5)
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, memory)
    deaf.sendall(
        f"GET {API}/matches/{match}/socket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\n"
        "upgrade: websocket\r\nsec-websocket-version: 13\r\n"
        "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += deaf.recv(1)
    return deaf


PING = b"\x89\xfd\x00\x00\x00\x00" + b"x" * 125
PONG = 2 + 125


def test_who_floods_a_socket_and_reads_nothing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pongs to pings do not pile up: who reads none of them is heard no more, and soon gone."""
    monkeypatch.setattr("oddsmith.server.socket_connection.SECONDS_TO_READ", 0.3)

    def flood(deaf: socket.socket) -> None:
        for _ in range(400):
            deaf.sendall(PING * 500)

    with running() as server:
        server.narrow()
        with (
            upgraded(server, server.open("casino").match) as deaf,
            pytest.raises(OSError, match=r"reset|Broken|timed"),
        ):
            flood(deaf)

        assert 200 == server.http.get("/healthz").status_code


def test_who_reads_slowly_gets_everything(own: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause is no reason to lose anything: all pongs come, and all answers to requests that were sent ahead."""
    paused: list[type[asyncio.Protocol]] = []
    for kind in (HttpConnection, SocketConnection):

        def pause(protocol: Any, before: Any = kind.pause_writing) -> None:  # noqa: ANN401  a connection
            paused.append(type(protocol))
            before(protocol)

        monkeypatch.setattr(kind, "pause_writing", pause)
    server, asked, pinged = own, 24, 8_000
    server.narrow()
    page = server.http.get(f"{API}/openapi.json")
    with upgraded(server, server.open("casino").match, 65_536) as slow:
        sending = threading.Thread(target=slow.sendall, args=(PING * pinged,))
        sending.start()
        time.sleep(0.3)
        pongs = read(slow, PONG * pinged)
        sending.join()
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        slow.sendall(f"GET {API}/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".encode() * asked)
        time.sleep(0.3)
        answers = read(slow, len(page.content) * asked)

    assert {"HttpConnection", "SocketConnection"} == {kind.__name__ for kind in paused}
    assert PONG * pinged == pongs
    assert len(page.content) * asked <= answers


def read(slow: socket.socket, count: int) -> int:
    """Read at least so many bytes, and return how many."""
    length = 0
    while length < count:
        part = slow.recv(1_000_000)
        assert part
        length += len(part)
    return length


def test_a_connection_without_an_address_is_nobodys() -> None:
    """Behind a socket of the file system nobody is counted; a proxy is not counted either."""
    config = LimitedConfig(None, Settings(proxies=("10.0.0.0/8",)))

    assert (None, None, "192.0.2.1") == (
        config.client_of(None),
        config.client_of(("10.0.0.1", 1)),
        config.client_of(("192.0.2.1", 1)),
    )


class FakeProcess:
    """A process that has ended, or never does."""

    def __init__(self, *, ends: bool) -> None:
        self._ends = ends
        self.pid = 0
        self.sentinel, self._other = multiprocessing.Pipe()
        self.was: list[str] = []

    def is_alive(self) -> bool:
        return not self._ends

    def terminate(self) -> None:
        self.was.append("terminated")

    def kill(self) -> None:
        self.was.append("killed")
        self._ends = True

    def join(self, _: float = 0) -> None:
        self.was.append("joined")


def worker(*, ends: bool = True, says: object = None) -> Worker:
    """Return a worker without a process; it says something, or hangs up."""
    made = object.__new__(Worker)
    made.receiver, said = multiprocessing.Pipe(duplex=False)
    if says is not None:
        said.send(says)
    said.close()
    made.process = FakeProcess(ends=ends)  # type: ignore[assignment]  # it stands for one
    made.started_at = time.monotonic()
    return made


def test_a_worker_that_cannot_serve_says_why() -> None:
    """Its refusal is raised where the address would have been printed; one that just ends is refused, too."""
    assert worker(says="ready").is_ready()
    with pytest.raises(InputError, match="no room"):
        worker(says=Refusal("store_full", "no room")).is_ready()
    with pytest.raises(InputError, match="ended before it answered"):
        worker().is_ready()


def test_workers_that_fail_again_and_again_are_given_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A machine is not worn out by starting what cannot run."""
    monkeypatch.setenv(SHARED_FOLDER, str(tmp_path))
    monkeypatch.setattr(workers, "POLL_SECONDS", 0.0)
    made: list[Worker] = []

    def another(*_: object) -> Worker:
        made.append(worker())
        return made[-1]

    monkeypatch.setattr(workers, "Worker", another)
    with (
        socket.socket() as listener,
        pytest.raises(InputError, match="workers fail when they start"),
    ):
        workers._replace_dead_workers([worker()], Settings(), listener, threading.Event())

    assert workers.MOST_FAILURES - 1 == len(made)


def test_a_worker_that_does_not_stop_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked, waited for, and then not asked any more."""
    monkeypatch.setattr(workers, "SECONDS_TO_STOP", 0.0)
    stubborn = worker(ends=False)
    workers._stop_workers([stubborn])

    assert ["terminated", "joined", "killed", "joined"] == stubborn.process.was  # type: ignore[attr-defined]  # a fake one


def test_a_worker_ends_when_nobody_is_left_who_could_tell_it_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its parent it stops as if it had been told."""
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: sent.append((pid, number)))
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: FakeProcess(ends=True))
    workers._end_with_parent()
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: None)
    workers._end_with_parent()

    assert [(os.getpid(), signal.SIGTERM)] == sent


def test_a_worker_that_may_not_serve_tells_its_parent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The refusal goes through the pipe, and the process ends with status 1."""
    monkeypatch.setattr("oddsmith.server.logs.configure", lambda _: None)
    monkeypatch.setattr(workers, "_end_with_parent", lambda: None)
    heard, said = multiprocessing.Pipe(duplex=False)
    store = str(tmp_path / "no folder" / "matches.db")
    with socket.socket() as listener, pytest.raises(SystemExit) as ended:
        workers.run_worker(Settings(store=store), listener, said)

    assert 1 == ended.value.code
    assert "no_store_folder" == heard.recv().code

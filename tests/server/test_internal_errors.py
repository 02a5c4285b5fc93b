"""Internal errors: the client gets a refusal, the log has the reason, and everything else continues."""

import asyncio
import json
import multiprocessing
import os
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed

from oddsmith.chance import Seeded
from oddsmith.errors import InputError, Refusal, StoreAwayError, StoreError, UnavailableError
from oddsmith.match.machine import open_match
from oddsmith.match.model import BotAct, Match, Open
from oddsmith.registry import find_game
from oddsmith.server import sockets, workers
from oddsmith.server.application import make_app
from oddsmith.server.connection_limits import LimitedConfig
from oddsmith.server.http_connection import HttpConnection
from oddsmith.server.matches import MatchService
from oddsmith.server.matches.stored_matches import StoredMatch, read_match, update_match
from oddsmith.server.metrics import SHARED_FOLDER, Metrics
from oddsmith.server.settings import Settings
from oddsmith.server.socket_connection import SocketConnection
from oddsmith.server.workers import Worker
from oddsmith.store import Snapshot, Store, open_store
from tests.server.servers import API, RunningServer, new_store, run_server
from tests.store.builders import next_append
from tests.waiting import wait_until


class BreakingError(Exception):
    """An error that no code expects."""


def fail(*_: object, **__: object) -> Any:  # noqa: ANN401  never returns
    raise BreakingError("at the wrong moment")


def exceptions_in(logged: Iterable[Mapping[str, Any]]) -> str:
    """Return all exceptions in a log."""
    return "\n".join(str(line.get("exception", "")) for line in [*logged])


@pytest.fixture
def failing_server() -> Iterator[RunningServer]:
    """Run a server whose logged errors do not fail the test."""
    with run_server() as server:
        yield server
        server.close_sockets()
        server.may_log_errors = True


def test_an_internal_error_is_a_500_with_an_id_in_the_log(
    failing_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client gets the id under which the log has the traceback, and not the traceback."""
    monkeypatch.setattr(failing_server.app.matches, "list_matches", fail)
    failed = failing_server.http.get(f"{API}/matches")
    [line] = [line for line in failing_server.logged if line["level"] == "error"]

    assert (500, "internal_error") == (failed.status_code, failed.json()["error"]["code"])
    assert failed.headers["x-request-id"] == line["request"]
    assert "BreakingError" in line["exception"]
    assert "BreakingError" not in failed.text
    assert "nosniff" == failed.headers["x-content-type-options"]


def test_an_error_in_middleware_has_the_same_form(
    failing_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failing_server.app._limits, "check_address", fail)
    failed = failing_server.http.get(f"{API}/games")

    assert (500, "internal_error") == (failed.status_code, failed.json()["error"]["code"])


def test_an_error_behind_a_socket_closes_it_with_1011(
    failing_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = failing_server.open_match("casino")
    monkeypatch.setattr(failing_server.app.matches, "find", fail)
    connection = failing_server.socket(match.id, {})

    assert "internal_error" == json.loads(connection.recv(timeout=10))["error"]["code"]
    with pytest.raises(ConnectionClosed, match="1011"):
        connection.recv(timeout=10)


@pytest.mark.parametrize("error", [RuntimeError, OSError])
def test_sending_to_a_socket_that_was_just_closed_is_no_error(error: type[Exception]) -> None:
    """The protocol may close a socket while a refusal is being sent: the session ends, and nothing is logged."""
    sent: list[str] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.receive", "text": "{"}

    async def send_to_closed(message: Any) -> None:  # noqa: ANN401  an ASGI message
        sent.append(message["type"])
        if message["type"] != "websocket.accept":
            raise error(f"Unexpected ASGI message '{message['type']}'")

    anything: Any = None
    metrics = Metrics()
    session = sockets.SocketSession(
        anything,
        receive,
        send_to_closed,
        matches=anything,
        metrics=metrics,
        limits=anything,
        rules=anything,
        match="",
    )
    with capture_logs() as logged:
        asyncio.run(session.serve())

    assert ["websocket.accept", "websocket.send"] == sent
    assert [] == logged
    assert b"oddsmith_sockets 0.0" in metrics.page()


def test_a_bot_whose_choice_is_refused_is_not_asked_again(
    failing_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not keep the server busy: the log has the refusal, and the match waits."""
    monkeypatch.setattr(
        "oddsmith.server.matches.bot_driver.bot_choice",
        lambda match, seat: BotAct(seat=seat, version=match.version, action="nonsense"),
    )
    match = failing_server.open_match("casino", ["random", "random"])
    wait_until(
        lambda: "chose what is refused" in exceptions_in(failing_server.logged), "the refusal in the log"
    )

    assert match.spectator.get_frame()["outcome"] is None


def test_clocks_and_checks_continue_after_errors(
    failing_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Periodic tasks run again after they failed; the same error is logged once."""
    match = failing_server.open_match("casino", clock={"choice_seconds": 1})
    before = match.spectator.get_frame()["version"]
    with monkeypatch.context() as patched:
        patched.setattr(failing_server.store, "due_matches", fail)
        wait_until(lambda: "BreakingError" in exceptions_in(failing_server.logged), "a failed check")

    wait_until(lambda: match.spectator.get_frame()["version"] > before, "a choice by the clock")


def test_another_asgi_server_starts_and_stops_the_application(tmp_path: Path) -> None:
    """With its lifespan; a failed startup has its reason."""

    async def live(where: str) -> list[str]:
        sent: list[str] = []
        messages = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

        async def receive() -> dict[str, Any]:
            return next(messages)

        async def send(message: Any) -> None:  # noqa: ANN401  an ASGI message
            sent.append(message["type"])

        await make_app(Settings(store=where))({"type": "lifespan"}, receive, send)
        return sent

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


def test_a_store_that_cannot_be_watched_is_closed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without notifications of other processes the server does not start; the error has the reason."""
    closed: list[bool] = []
    monkeypatch.setattr(store, "watch", _fail)
    monkeypatch.setattr(store, "close", lambda: closed.append(True))
    with pytest.raises(StoreError):
        asyncio.run(make_app(Settings(), store).start())

    assert [True] == closed


def test_an_unreadable_snapshot_is_ignored(store: Store) -> None:
    """The log is replayed from its beginning instead."""

    async def open_one() -> str:
        service = MatchService(store, draw=Seeded("snap"))
        rules = find_game("casino").rules_type()
        return (await service.open(Open(rules=rules, bots=(None, None)))).id

    match = asyncio.run(open_one())
    store.write_snapshot(Snapshot(match=match, version=1, data={"format": "of another time"}))

    assert match == read_match(store, match).id


def test_an_illegal_entry_of_another_process_is_damage(store: Store) -> None:
    """An entry that the rules refuse is an error of the store, which says so itself if it fails."""
    rules = find_game("casino").rules_type()
    match = open_match(Open(rules=rules, bots=(None, None)), 1, Seeded("x")).match
    store.append([next_append(match.id, 0)])
    store.append([next_append(match.id, 1)])

    with pytest.raises(StoreError) as damaged:
        update_match(store, match)

    assert "damaged_store" == damaged.value.refusal.code


@pytest.mark.parametrize("code", ["store_away", "busy"])
def test_a_match_that_could_not_be_stored_does_not_exist(store: Store, code: str) -> None:
    """The error of the store is raised."""

    async def open_one() -> str:
        service = MatchService(store)

        async def append(_: object) -> bool:
            if code == "store_away":
                raise StoreAwayError(code, "away")
            return False

        service._committer.append = append  # type: ignore[method-assign, assignment]  # fails
        try:
            await service.open(Open(rules=find_game("casino").rules_type(), bots=(None, None)))
        except UnavailableError as error:
            return error.refusal.code
        return ""

    assert code == asyncio.run(open_one())
    assert () == store.matches()


def test_appends_during_the_load_of_a_match_are_not_missed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries that are appended while the log is read are read, too; if that fails, it is retried."""
    other = open_store(str(store.dialect.path))  # type: ignore[attr-defined]  # the path of the file

    async def read_bytes() -> tuple[int, bool, bool]:
        writer, reader = MatchService(other, draw=Seeded("w")), MatchService(store)
        match = (await writer.open(Open(rules=find_game("casino").rules_type(), bots=(None, None)))).id
        whole = await reader.find_whole(match)

        def late(*_: object) -> StoredMatch:
            reader.live_matches._note_version(match, whole.version + 1)
            return StoredMatch("casino", lambda: whole)

        reader.live_matches.evict(match)
        with monkeypatch.context() as patched:
            patched.setattr("oddsmith.server.matches.live_matches.read_latest", late)
            again: list[object] = []

            def read_again(_: object, found: Match) -> StoredMatch:
                again.append(found)
                return StoredMatch("casino", lambda: found)

            patched.setattr("oddsmith.server.matches.live_matches.read_later", read_again)
            live = await reader.find(match)
            patched.setattr("oddsmith.server.matches.live_matches.read_later", _fail)
            await reader.live_matches._update_to(live, whole.version + 1)
        doubtful = not live.is_certain
        await reader.find(match)
        return len(again), doubtful, live.is_certain

    found = asyncio.run(read_bytes())
    other.close()

    assert (1, True, True) == found


def _fail(*_: object) -> Any:  # noqa: ANN401  never returns
    raise StoreAwayError("store_away", "away")


def test_a_snapshot_that_cannot_be_stored_is_only_logged(
    failing_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oddsmith.server.matches.live_matches.ENTRIES_BETWEEN_SNAPSHOTS", 2)
    monkeypatch.setattr(failing_server.store, "write_snapshot", _fail)
    match = failing_server.open_match("casino")
    for _ in range(3):
        match.move()
    wait_until(
        lambda: "no snapshot kept" in {line["event"] for line in failing_server.logged}, "a line in the log"
    )

    assert 200 == match.http.get(match.address).status_code


def open_raw_socket(server: RunningServer, match: str, memory: int = 4_096) -> socket.socket:
    """Return a TCP connection after the WebSocket handshake, with a small receive buffer."""
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


def test_a_client_that_floods_a_socket_and_reads_nothing_is_disconnected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Unread pongs do not accumulate."""
    monkeypatch.setattr("oddsmith.server.socket_connection.SECONDS_TO_READ", 0.3)

    def flood(deaf: socket.socket) -> None:
        for _ in range(400):
            deaf.sendall(PING * 500)

    with run_server() as server:
        server.limit_send_buffers()
        with (
            open_raw_socket(server, server.open_match("casino").id) as deaf,
            pytest.raises(OSError, match=r"reset|Broken|timed"),
        ):
            flood(deaf)

        assert 200 == server.http.get("/healthz").status_code


def test_a_slow_reader_gets_everything(
    failing_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All pongs arrive, and all responses to pipelined requests."""
    paused: list[type[asyncio.Protocol]] = []
    for kind in (HttpConnection, SocketConnection):

        def pause(protocol: Any, before: Any = kind.pause_writing) -> None:  # noqa: ANN401  a connection
            paused.append(type(protocol))
            before(protocol)

        monkeypatch.setattr(kind, "pause_writing", pause)
    server, requests, pinged = failing_server, 24, 8_000
    server.limit_send_buffers()
    page = server.http.get(f"{API}/openapi.json")
    with open_raw_socket(server, server.open_match("casino").id, 65_536) as slow:
        sending = threading.Thread(target=slow.sendall, args=(PING * pinged,))
        sending.start()
        wait_until(lambda: SocketConnection in paused, "a socket that is not written to")
        pongs = read_bytes(slow, PONG * pinged)
        sending.join()
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        slow.sendall(f"GET {API}/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".encode() * requests)
        wait_until(lambda: HttpConnection in paused, "a connection that is not written to")
        answers = read_bytes(slow, len(page.content) * requests)

    assert {"HttpConnection", "SocketConnection"} == {kind.__name__ for kind in paused}
    assert PONG * pinged == pongs
    assert len(page.content) * requests <= answers


def read_bytes(slow: socket.socket, count: int) -> int:
    """Read at least `count` bytes, and return how many were read."""
    length = 0
    while length < count:
        part = slow.recv(1_000_000)
        assert part
        length += len(part)
    return length


def test_a_connection_without_an_address_has_no_client_key() -> None:
    """Clients of a Unix socket are not limited, nor is a trusted proxy."""
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
    """Return a worker with a fake process; its pipe has a message, or is closed."""
    made = object.__new__(Worker)
    made.receiver, sender = multiprocessing.Pipe(duplex=False)
    if says is not None:
        sender.send(says)
    sender.close()
    made.process = FakeProcess(ends=ends)  # type: ignore[assignment]  # a fake process
    made.started_at = time.monotonic()
    return made


def test_a_worker_that_cannot_serve_reports_its_error() -> None:
    """The error is raised in the main process; a worker that ends without one is an error, too."""
    assert worker(says="ready").is_ready()
    with pytest.raises(InputError, match="no room"):
        worker(says=Refusal("store_full", "no room")).is_ready()
    with pytest.raises(InputError, match="ended before it answered"):
        worker().is_ready()


def test_workers_that_fail_repeatedly_stop_the_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """They are not restarted for ever."""
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


def test_a_worker_that_does_not_stop_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is terminated, waited for, and then killed."""
    monkeypatch.setattr(workers, "SECONDS_TO_STOP", 0.0)
    stubborn = worker(ends=False)
    workers._stop_workers([stubborn])

    assert ["terminated", "joined", "killed", "joined"] == stubborn.process.was  # type: ignore[attr-defined]  # a fake process


def test_a_worker_without_its_parent_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: sent.append((pid, number)))
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: FakeProcess(ends=True))
    workers.end_with_parent()
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: None)
    workers.end_with_parent()

    assert [(os.getpid(), signal.SIGTERM)] == sent


def test_a_worker_that_cannot_serve_sends_its_error_to_its_parent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Through the pipe, and the process ends with status 1."""
    monkeypatch.setattr("oddsmith.server.logs.configure", lambda _: None)
    monkeypatch.setattr(workers, "end_with_parent", lambda: None)
    receiver, sender = multiprocessing.Pipe(duplex=False)
    store = str(tmp_path / "no folder" / "matches.db")
    with socket.socket() as listener, pytest.raises(SystemExit) as ended:
        workers.run_worker(Settings(store=store), listener, sender)

    assert 1 == ended.value.code
    assert "no_store_folder" == receiver.recv().code

"""Rare cases: concurrent readiness checks, a failing readiness check, cached frames, and a stop during startup."""

import asyncio
import os
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from oddsmith.errors import InputError
from oddsmith.server import sockets, workers
from oddsmith.server.metrics import SHARED_FOLDER
from oddsmith.server.settings import Settings
from oddsmith.server.uvicorn_server import SIGNALS
from oddsmith.server.workers import Worker
from tests.server.servers import RunningServer, run_server
from tests.server.test_internal_errors import worker
from tests.waiting import wait_until


def test_concurrent_readiness_requests_check_the_store_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests during the check wait for its result, and requests soon after it get the same result."""
    checks, goes_on = [], threading.Event()
    with run_server() as server, ThreadPoolExecutor(3) as pool:

        def slow(before: Any = server.store.is_ready) -> bool:  # noqa: ANN401  a method
            checks.append(time.monotonic())
            assert goes_on.wait(10)
            return bool(before())

        monkeypatch.setattr(server.store, "is_ready", slow)
        waiting = [pool.submit(server.http.get, "/readyz") for _ in range(3)]
        wait_until(lambda: checks, "a check of the store")
        time.sleep(0.1)  # the other requests arrive; if they do not, the test proves less, and passes
        goes_on.set()
        together = [future.result(10).status_code for future in waiting]
        soon = server.http.get("/readyz").status_code

    assert ([200, 200, 200], 200) == (together, soon)
    assert 1 == len(checks)


def test_a_readiness_check_that_raises_is_a_503(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log has the exception."""

    def fail() -> bool:
        raise FileNotFoundError("the folder of the store")

    with run_server() as server:
        monkeypatch.setattr(server.store, "is_ready", fail)
        reply = server.http.get("/readyz")
        [line] = [line for line in server.logged if line["event"] == "not ready"]

    assert (503, "store away") == (reply.status_code, reply.json()["status"])
    assert "the folder of the store" in line["exception"]


def test_equal_frames_are_cached_up_to_a_limit(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spectators with the same `since` get equal frames; beyond the limit each frame is made again."""
    monkeypatch.setattr("oddsmith.server.frames.MOST_CACHED", 1)
    match = server.open_match("casino")
    match.move()
    seen = [match.spectator.get_frame(since) for since in (1, 1, 2, 2)]

    assert seen[0] == seen[1]
    assert seen[2] == seen[3]
    assert len(seen[0]["events"]) > len(seen[2]["events"]) > 0


def test_a_client_that_missed_too_many_versions_gets_the_view_without_events(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oddsmith.server.frames.MOST_MISSED", 2)
    match = server.open_match("casino")
    version = match.spectator.get_frame()["version"]
    much, little = (match.spectator.get_frame(since) for since in (version - 3, version - 2))

    assert much["events"] is None
    assert 2 == len(little["events"])
    assert much["view"] == little["view"]


def test_a_frame_has_at_most_8_kib_under_any_server() -> None:
    """The limit holds even if the ASGI server passes longer frames on."""

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.receive", "text": "♠" * 3_000}

    anything: Any = None
    session = sockets.SocketSession(
        anything,
        receive,
        anything,
        matches=anything,
        metrics=anything,
        limits=anything,
        rules=anything,
        match="",
    )

    with pytest.raises(InputError, match="a frame has at most 8,192 bytes"):
        asyncio.run(session._receive_text())


def test_a_stop_during_startup_reports_no_readiness(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Started workers are terminated, ended ones are left alone, and signal handlers are restored."""
    begun = [worker(ends=False), worker(ends=True)]
    handlers = [signal.getsignal(number) for number in SIGNALS]
    events: list[str] = []
    monkeypatch.setattr(workers, "SECONDS_TO_STOP", 0.0)

    def start_worker(*_: object) -> Worker:
        made = begun[len(events)]
        events.append("begun")
        if len(events) == len(begun):
            os.kill(os.getpid(), signal.SIGTERM)
        return made

    monkeypatch.setattr(workers, "Worker", start_worker)
    with socket.socket() as listener:
        workers.serve_with_workers(Settings(workers=2), listener, lambda: events.append("ready"))

    assert ["begun", "begun"] == events
    assert ["terminated", "joined", "killed", "joined"] == begun[0].process.was  # type: ignore[attr-defined]  # a fake process
    assert ["joined"] == begun[1].process.was  # type: ignore[attr-defined]  # a fake process
    assert handlers == [signal.getsignal(number) for number in SIGNALS]
    assert SHARED_FOLDER not in os.environ

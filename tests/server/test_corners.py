"""What seldom happens: many who ask at once, a store that answers with nonsense, a stop before the start."""

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
from tests.server.running import Running, running
from tests.server.test_trouble import worker


def test_many_who_ask_for_readiness_cost_one_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks while the store is asked waits for the same answer; who asks soon after is told it again."""
    asked, goes_on = [], threading.Event()
    with running() as server, ThreadPoolExecutor(3) as pool:

        def slow(before: Any = server.store.is_ready) -> bool:  # noqa: ANN401  a method
            asked.append(time.monotonic())
            assert goes_on.wait(10)
            return bool(before())

        monkeypatch.setattr(server.store, "is_ready", slow)
        waiting = [pool.submit(server.http.get, "/readyz") for _ in range(3)]
        while not asked:
            time.sleep(0.01)
        time.sleep(0.1)
        goes_on.set()
        together = [future.result(10).status_code for future in waiting]
        soon = server.http.get("/readyz").status_code

    assert ([200, 200, 200], 200) == (together, soon)
    assert 1 == len(asked)


def test_a_store_that_cannot_even_be_asked_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readiness is a yes or a no, whatever happens below; the log has the reason."""

    def gone() -> bool:
        raise FileNotFoundError("the folder of the store")

    with running() as server:
        monkeypatch.setattr(server.store, "is_ready", gone)
        said = server.http.get("/readyz")
        [line] = [line for line in server.logged if line["event"] == "not ready"]

    assert (503, "store away") == (said.status_code, said.json()["status"])
    assert "the folder of the store" in line["exception"]


def test_what_was_told_is_remembered_for_a_few(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Viewers who saw the same are sent the same; where too many saw something else, it is made for each of them."""
    monkeypatch.setattr("oddsmith.server.frames.MOST_CACHED", 1)
    party = server.open("casino")
    party.move()
    seen = [party.spectator.look(since) for since in (1, 1, 2, 2)]

    assert seen[0] == seen[1]
    assert seen[2] == seen[3]
    assert len(seen[0]["events"]) > len(seen[2]["events"]) > 0


def test_who_missed_very_much_is_shown_how_it_is_now(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All events of a long match would be work for everybody who asks: the view must do."""
    monkeypatch.setattr("oddsmith.server.frames.MOST_MISSED", 2)
    party = server.open("casino")
    version = party.spectator.look()["version"]
    much, little = (party.spectator.look(since) for since in (version - 3, version - 2))

    assert much["events"] is None
    assert 2 == len(little["events"])
    assert much["view"] == little["view"]


def test_a_frame_is_measured_whoever_serves() -> None:
    """Under a server that lets longer ones through, a frame has at most 8 KiB all the same."""

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.receive", "text": "♠" * 3_000}

    anything: Any = None
    session = sockets.SocketSession(
        anything, receive, anything, matches=anything, metrics=anything, limits=anything, match=""
    )

    with pytest.raises(InputError, match="a frame has at most 8,192 bytes"):
        asyncio.run(session._receive_text())


def test_who_is_told_to_stop_while_it_starts_never_says_that_it_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Workers that have begun are ended, those that have ended are left alone, and signals are as before."""
    begun = [worker(ends=False), worker(ends=True)]
    handlers = [signal.getsignal(number) for number in SIGNALS]
    said: list[str] = []
    monkeypatch.setattr(workers, "SECONDS_TO_STOP", 0.0)

    def another(*_: object) -> Worker:
        made = begun[len(said)]
        said.append("begun")
        if len(said) == len(begun):
            os.kill(os.getpid(), signal.SIGTERM)
        return made

    monkeypatch.setattr(workers, "Worker", another)
    with socket.socket() as listener:
        workers.serve_with_workers(Settings(workers=2), listener, lambda: said.append("ready"))

    assert ["begun", "begun"] == said
    assert ["terminated", "joined", "killed", "joined"] == begun[0].process.was  # type: ignore[attr-defined]  # a fake one
    assert ["joined"] == begun[1].process.was  # type: ignore[attr-defined]  # a fake one
    assert handlers == [signal.getsignal(number) for number in SIGNALS]
    assert SHARED_FOLDER not in os.environ

"""A server whose store was removed, is damaged or hangs: what it acknowledges is in the store, and it answers in time."""

import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from oddsmith.store import open_store, postgres
from tests.server.faults import FaultyStore
from tests.server.servers import API, HttpMatch, RunningServer, new_store, run_server
from tests.store.postgres_server import Server
from tests.waiting import wait_until


@contextmanager
def run_on_file() -> Iterator[tuple[RunningServer, Path]]:
    """Run a server on a new file."""
    folder, store = new_store()
    with run_server(store) as server:
        yield server, folder / "matches.db"
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def files_away(file: Path) -> Iterator[None]:
    """Move the files of a store to another folder meanwhile."""
    away = file.parent / "away"
    away.mkdir()
    for path in file.parent.glob(f"{file.name}*"):
        path.rename(away / path.name)
    yield
    for path in away.iterdir():
        path.rename(file.parent / path.name)


def code_of(reply: httpx.Response) -> tuple[int, str]:
    """Return the status and the code of an error."""
    return reply.status_code, reply.json()["error"]["code"]


def test_nothing_is_acknowledged_while_the_files_of_the_store_are_removed() -> None:
    """A repeated command is refused like the first: it was written to a removed file, and is no duplicate."""
    with run_on_file() as (server, file):
        match = server.open_match("casino")
        frame = match.players[0].get_frame()
        with files_away(file):
            refused = [match.players[0].act(frame["actions"][0], frame["version"], "mine") for _ in range(3)]
            listed = server.http.get(f"{API}/matches")
            opened = server.http.post(f"{API}/matches", json={"game": "casino", "seats": [None, None]})
        applied = match.players[0].act(frame["actions"][0], frame["version"], "mine")

        assert [code_of(reply) for reply in (*refused, listed, opened)] == [(503, "store_away")] * 5
        assert all(reply.headers["retry-after"] for reply in refused)
        assert applied.json()["answer"] in ("applied", "duplicate")
        assert applied.json()["version"] <= len(server.store.entries(match.id))


def test_readiness_reports_removed_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next check does; its result is cached for a second."""
    monkeypatch.setattr("oddsmith.server.application.SECONDS_READY", 0.0)
    with run_on_file() as (server, file):
        before = server.http.get("/readyz")
        with files_away(file):
            removed = server.http.get("/readyz")

        assert (before.status_code, removed.status_code) == (200, 503)
        assert removed.json()["status"] == "store away"


def test_readiness_does_not_wait_for_a_store_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reply is 503 while the check goes on, and 200 after it has ended."""
    with run_on_file() as (server, _):
        goes_on = threading.Event()
        is_ready = server.store.is_ready
        monkeypatch.setattr(server.store, "is_ready", lambda: goes_on.wait(30) and is_ready())
        hanging = server.http.get("/readyz")
        assert not goes_on.is_set()
        goes_on.set()
        wait_until(lambda: server.http.get("/readyz").status_code == 200, "readiness")

        assert hanging.status_code == 503


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[RunningServer, FaultyStore]]:
    """Run a server whose store can be made to hang, with short deadlines."""
    monkeypatch.setattr("oddsmith.server.matches.committer.SECONDS_TO_APPEND", 0.2)
    monkeypatch.setattr("oddsmith.server.matches.committer.SECONDS_BETWEEN_CHECKS", 0.1)
    folder, store = new_store()
    faulty = FaultyStore(store)
    with run_server(faulty.as_store()) as server:
        yield server, faulty
        faulty.goes_on.set()
    shutil.rmtree(folder)


def test_commands_are_answered_while_the_store_hangs(hanging: tuple[RunningServer, FaultyStore]) -> None:
    """All of twenty commands for one match fail with the first; what was written late is found by a repeated one."""
    server, faulty = hanging
    match = server.open_match("casino")
    frame = match.players[0].get_frame()
    faulty.goes_on.clear()
    with ThreadPoolExecutor(20) as pool:
        acting = [
            pool.submit(match.players[0].act, frame["actions"][0], frame["version"], f"c{number}")
            for number in range(20)
        ]
        replies = [one.result() for one in acting]
        assert not faulty.goes_on.is_set()
    faulty.goes_on.set()

    def act_again() -> httpx.Response | None:
        reply = match.players[0].act(frame["actions"][0], frame["version"], "c0")
        return None if reply.status_code == 503 else reply

    done = wait_until(act_again, "a reply other than 503")

    assert {code_of(reply) for reply in replies} == {(503, "store_busy")}
    assert done is not None
    assert done.json()["version"] == frame["version"] + 1
    assert match.players[0].get_frame()["version"] == len(server.store.entries(match.id))


def test_reads_are_answered_while_the_store_hangs(
    hanging: tuple[RunningServer, FaultyStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """More lists than there are threads to read: each is refused in time, those that wait for a thread too."""
    server, _ = hanging
    goes_on = threading.Event()
    monkeypatch.setattr("oddsmith.server.matches.background.SECONDS_TO_READ", 0.2)
    monkeypatch.setattr(server.store, "matches", lambda **_: goes_on.wait(30) and (), raising=False)
    with ThreadPoolExecutor(12) as pool:
        listing = [pool.submit(server.http.get, f"{API}/matches") for _ in range(12)]
        replies = [one.result() for one in listing]
        assert not goes_on.is_set()
    goes_on.set()

    assert [code_of(reply) for reply in replies] == [(503, "store_busy")] * 12
    assert {reply.headers["retry-after"] for reply in replies} == {"2"}


@pytest.fixture(scope="module")
def postgres_server() -> Iterator[Server]:
    """Run a PostgreSQL server for the tests of this module."""
    server = Server.create()
    server.start()
    yield server
    server.stop()
    server.remove()


@pytest.fixture
def short_deadlines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the time limits of connections: the tests wait for them."""
    monkeypatch.setattr(postgres.Connection, "reply_timeout", 1.0)
    monkeypatch.setattr(postgres, "REPLY_TIMEOUT", 1.0)
    monkeypatch.setattr(postgres, "CHECK_TIMEOUT", 1.0)
    monkeypatch.setitem(postgres.CONNECTION_DEFAULTS, "connect_timeout", "2")


@pytest.mark.usefixtures("short_deadlines")
def test_a_server_answers_while_postgresql_hangs_and_goes_on_afterwards(postgres_server: Server) -> None:
    """Choices and lists are 503 with `retry-after`, and `/readyz` too; nothing that was acknowledged is lost, no restart."""
    with run_server(open_store(postgres_server.url())) as server:
        match = server.open_match("casino")
        frame = match.players[0].get_frame()
        ready = server.http.get("/readyz").status_code
        postgres_server.pause()
        try:
            with ThreadPoolExecutor(3) as pool:
                acting = pool.submit(match.players[0].act, frame["actions"][0], frame["version"], "mine")
                listing = pool.submit(server.http.get, f"{API}/matches")
                refused = [acting.result(), listing.result()]
            again = match.players[0].act(frame["actions"][0], frame["version"], "mine")
            wait_until(lambda: server.http.get("/readyz").status_code == 503, "readiness to be 503")
        finally:
            postgres_server.resume()
        done = wait_until(lambda: act_until_done(match, frame), "a reply other than 503")
        wait_until(lambda: server.http.get("/readyz").status_code == 200, "readiness")

        assert ready == 200
        assert [code_of(reply) for reply in (*refused, again)] == [(503, "store_away")] * 3
        assert {reply.headers["retry-after"] for reply in refused} == {"2"}
        assert done is not None
        assert done.json()["version"] == len(server.store.entries(match.id))


def act_until_done(match: HttpMatch, frame: dict[str, object]) -> httpx.Response | None:
    """Repeat a choice; return the reply, None where it is 503."""
    actions, version = frame["actions"], frame["version"]
    assert isinstance(actions, list)
    assert isinstance(version, int)
    reply = match.players[0].act(actions[0], version, "mine")
    return None if reply.status_code == 503 else reply

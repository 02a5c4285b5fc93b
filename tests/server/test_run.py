"""A server as a process: what it prints, how it stops, what its log never holds."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from oddsmith.errors import InputError, StoreError
from oddsmith.server import run
from oddsmith.server.run import serve
from oddsmith.server.settings import Settings
from tests.server.faults import FaultyStore
from tests.server.running import API, OPEN_HANDED, Running, new_store, running
from tests.store.places import new_folder

SERVE = "import sys; from tests.server.test_run import main; main(sys.argv[1])"
ENOUGH = 16
ROOT = Path(__file__).parents[2]


def main(settings: str) -> None:
    """Serve, as the command does."""
    serve(Settings(**json.loads(settings)))


class Process:
    """A server in a process of its own."""

    def __init__(self, folder: Path, **settings: Any) -> None:  # noqa: ANN401  of the server
        given = OPEN_HANDED | {"port": 0, "store": str(folder / "matches.db")} | settings
        self.errors = folder / "log"
        with self.errors.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", SERVE, json.dumps(given)],
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        assert self.address, self.log()

    def log(self) -> str:
        """Return all that it logged."""
        return self.errors.read_text(encoding="utf-8")

    def stop(self) -> tuple[int, str]:
        """Tell it to stop, and return its status and what else it printed."""
        self.process.send_signal(signal.SIGTERM)
        printed, _ = self.process.communicate(timeout=30)
        return self.process.returncode, printed


@contextmanager
def process(**settings: Any) -> Iterator[Process]:  # noqa: ANN401  of the server
    """Run a server in a new folder."""
    folder = new_folder()
    server = Process(folder, **settings)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
        server.process.communicate()
        shutil.rmtree(folder)


def test_a_process_prints_its_address_stops_in_good_order_and_logs_no_secret() -> None:
    """A full match later the log has a line for each request, and no token, seed, hidden card or choice."""
    with process(log="debug") as server, httpx.Client(base_url=server.address, timeout=20) as http:
        opened = http.post(f"{API}/matches", json={"game": "casino", "seats": [None, None]}).json()
        place = f"{API}/matches/{opened['match']}"
        seeds = ["my-secret-luck-0", "my-secret-luck-1"]
        joins = [f"join-{seat}-{'x' * 22}" for seat in range(2)]
        tokens = [
            http.post(f"{place}/join", json={"id": joins[seat], "name": "Ann", "seed": seeds[seat]}).json()[
                "token"
            ]
            for seat in range(2)
        ]
        http.get(place, headers={"authorization": f"Bearer {'e' * 64}"})
        http.get(f"{place}?token={tokens[0]}")
        play(http, place, tokens)
        over = http.get(place).json()
        address = server.address.replace("http", "ws")
        with connect(f"{address}{place}/socket", proxy=None, close_timeout=1) as watching:
            watching.send(json.dumps({"token": tokens[0]}))
            watching.recv(timeout=10)
            status, printed = server.stop()
            with pytest.raises(ConnectionClosed) as closed:
                watching.recv(timeout=10)
        log = server.log()

    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", server.address)
    assert (0, "") == (status, printed)
    assert closed.value.rcvd is not None
    assert 1012 == closed.value.rcvd.code
    assert all(json.loads(line)["event"] for line in log.splitlines())
    assert place in log
    secrets = [*tokens, *seeds, *joins, over["secret"], "♠", "♥", "♣", "♦", "Bearer", "Traceback"]
    assert [] == [secret for secret in secrets if secret in log]


def play(http: httpx.Client, place: str, tokens: list[str]) -> None:
    """Play a match to its end at random."""
    random, count = Random(7), 0
    while True:
        for token in tokens:
            headers = {"authorization": f"Bearer {token}"}
            frame = http.get(place, headers=headers).json()
            if frame["outcome"]:
                return
            if frame["actions"]:
                count += 1
                body = {
                    "id": f"c{count}",
                    "version": frame["version"],
                    "act": random.choice(frame["actions"]),
                }
                assert http.post(f"{place}/act", headers=headers, json=body).status_code == 200


def test_several_processes_serve_one_match_and_one_that_dies_is_replaced() -> None:
    """Whichever worker answers, a move is seen; killing one costs nobody a match, and all stop together."""
    with process(workers=2) as server:
        pids = children(server.process.pid)
        os.kill(pids[0], signal.SIGKILL)
        with httpx.Client(base_url=server.address, timeout=20) as http:
            http.headers["connection"] = "close"
            opened = retried(http, "POST", f"{API}/matches", json={"game": "duel", "seats": [None, None]})
            place = f"{API}/matches/{opened['match']}"
            tokens = [
                retried(http, "POST", f"{place}/join", json={"id": f"{seat}{'j' * 30}", "name": "Ann"})[
                    "token"
                ]
                for seat in range(2)
            ]
            played = play_apart(http, place, tokens)
            counted = http.get("/metrics").text
        until = time.monotonic() + 20
        while len(set(children(server.process.pid)) - {pids[0]}) < 2:
            assert time.monotonic() < until
            time.sleep(0.1)
        status, printed = server.stop()
        log = server.log()

    assert (0, "") == (status, printed)
    assert played > 0
    assert 'oddsmith_answers_total{answer="applied"}' in counted
    assert "Traceback" not in log


def retried(http: httpx.Client, method: str, path: str, **more: Any) -> Any:  # noqa: ANN401  as httpx takes them
    """Ask again where a connection ended with the worker that was killed."""
    for _ in range(20):
        with suppress(httpx.TransportError):
            return http.request(method, path, **more).json()
    raise AssertionError(path)


def play_apart(http: httpx.Client, place: str, tokens: list[str]) -> int:
    """Play for a while with a new connection for each request; a worker that lags behind is told what was seen."""
    random, seen, count = Random(7), 0, 0
    while True:
        for token in tokens:
            headers = {"authorization": f"Bearer {token}"}
            frame = retried(http, "GET", f"{place}?since={seen}", headers=headers)
            assert frame["version"] >= seen
            seen = frame["version"]
            if frame["outcome"] or count == ENOUGH:
                return count
            if frame["actions"]:
                count += 1
                body = {"id": f"c{count}", "version": seen, "act": random.choice(frame["actions"])}
                answer = retried(http, "POST", f"{place}/act", headers=headers, json=body)
                assert answer["answer"] in ("applied", "duplicate"), answer
                seen = max(seen, answer["version"])


def children(pid: int) -> list[int]:
    """Return the workers of a process."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            with suppress(OSError):
                line = Path(f"/proc/{child}/cmdline").read_bytes()
                if b"spawn_main" in line:
                    found.append(int(child))
    return found


@pytest.fixture
def unlogged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the log of this process as it is."""
    monkeypatch.setattr("oddsmith.server.logs.configure", lambda _: None)


@pytest.mark.usefixtures("unlogged")
def test_a_port_that_is_in_use_is_refused_in_words(tmp_path: Path) -> None:
    """Nothing is printed, no store is made, and the sentence says what to do."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port} of 127.0.0.1 is in use") as refused:
            serve(Settings(port=port, store=str(tmp_path / "matches.db")))

    assert "port_in_use" == refused.value.refusal.code
    assert not (tmp_path / "matches.db").exists()


@pytest.mark.usefixtures("unlogged")
@pytest.mark.parametrize("host", ["203.0.113.1", "no.such.host.invalid", "a" * 255])
def test_an_address_of_another_machine_is_refused(host: str) -> None:
    """Only addresses of this machine can be listened at."""
    with pytest.raises(InputError, match="is no address of this machine"):
        serve(Settings(host=host, port=0))


def test_a_port_that_needs_privileges_is_refused_in_words() -> None:
    """The sentence says which ports need none."""
    refusal = run._listen_error(PermissionError(13, "Permission denied"), "127.0.0.1", 80).refusal

    assert "port_forbidden" == refusal.code


@pytest.mark.usefixtures("unlogged")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_store_that_is_not_ours_is_refused_before_anything_is_served(tmp_path: Path, workers: int) -> None:
    """A file of another program is left as it is."""
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann, " * 100)
    with pytest.raises(StoreError) as refused:
        serve(Settings(port=0, store=str(file), workers=workers))

    assert "not_a_store" == refused.value.refusal.code
    assert "Dear Ann, " * 100 == file.read_text()


def test_the_address_of_an_ipv6_listener_is_one_that_can_be_asked() -> None:
    """The address stands in brackets."""
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listener:
        assert re.fullmatch(r"http://\[::1\]:\d+", run.listener_url(listener))


def test_a_server_that_stops_acknowledges_what_it_began() -> None:
    """A choice that waits for the disk when the server is told to stop is kept and answered; a new one is put off."""
    folder, store = new_store()
    stalled = FaultyStore(store)
    with running(stalled.as_store()) as server, ThreadPoolExecutor(1) as pool:
        party = server.open("casino")
        frame = party.people[0].look()
        stalled.goes_on.clear()
        begun = pool.submit(party.people[0].act, frame["actions"][0], frame["version"])
        assert stalled.is_waiting.wait(10)
        heard = server.socket(party.match, {"token": party.people[1].token})
        heard.recv(timeout=10)
        server.house.should_exit = True
        while not server.app.is_stopping:
            time.sleep(0.01)
        heard.send(json.dumps({"id": "late", "version": frame["version"], "act": "x"}))
        late = json.loads(heard.recv(timeout=10))["error"]["code"]
        stalled.goes_on.set()
        done = begun.result(10).json()
        shown = json.loads(heard.recv(timeout=10))["version"]
        with pytest.raises(ConnectionClosed) as closed:
            heard.recv(timeout=10)
    shutil.rmtree(folder)

    assert "stopping" == late
    assert ("applied", shown) == (done["answer"], done["version"])
    assert closed.value.rcvd is not None
    assert 1012 == closed.value.rcvd.code


def test_a_server_that_is_about_to_stop_is_not_ready(server: Running) -> None:
    """Whoever spreads requests over servers sends it no more of them."""
    server.app.is_stopping = True
    ready = server.http.get("/readyz")
    server.app.is_stopping = False

    assert (503, "stopping") == (ready.status_code, ready.json()["status"])

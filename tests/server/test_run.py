"""A server as a process: its output, its shutdown, its workers and its log."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
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
from tests.server.servers import API, UNLIMITED, RunningServer, new_store, run_server
from tests.store.folders import new_folder
from tests.waiting import wait_until

SERVE = "import sys; from tests.server.test_run import main; main(sys.argv[1])"
ENOUGH = 16
ROOT = Path(__file__).parents[2]


def main(settings: str) -> None:
    """Serve, as the command does."""
    serve(Settings(**json.loads(settings)))


class Process:
    """A server in a process of its own."""

    def __init__(self, folder: Path, **settings: Any) -> None:  # noqa: ANN401  settings of the server
        given = UNLIMITED | {"port": 0, "store": str(folder / "matches.db")} | settings
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
        """Return the log."""
        return self.errors.read_text(encoding="utf-8")

    def stop(self) -> tuple[int, str]:
        """Terminate the process, and return its status and the rest of its output."""
        self.process.send_signal(signal.SIGTERM)
        printed, _ = self.process.communicate(timeout=30)
        return self.process.returncode, printed


@contextmanager
def run_process(**settings: Any) -> Iterator[Process]:  # noqa: ANN401  settings of the server
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


def test_a_process_prints_its_url_shuts_down_cleanly_and_logs_no_secret() -> None:
    """After a whole match the log has a line for each request, and no token, seed, hidden card or choice."""
    with run_process(log="debug") as server, httpx.Client(base_url=server.address, timeout=20) as http:
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


def test_several_workers_serve_one_match_and_a_killed_one_is_replaced() -> None:
    """A move is seen through any worker; a killed worker loses no match, and all stop together."""
    with run_process(workers=2) as server:
        pids = children(server.process.pid)
        os.kill(pids[0], signal.SIGKILL)
        with httpx.Client(base_url=server.address, timeout=20) as http:
            http.headers["connection"] = "close"
            opened = retry(http, "POST", f"{API}/matches", json={"game": "duel", "seats": [None, None]})
            place = f"{API}/matches/{opened['match']}"
            tokens = [
                retry(http, "POST", f"{place}/join", json={"id": f"{seat}{'j' * 30}", "name": "Ann"})["token"]
                for seat in range(2)
            ]
            played = play_on_new_connections(http, place, tokens)
            counted = http.get("/metrics").text
        wait_until(lambda: len({*children(server.process.pid)} - {pids[0]}) == 2, "another worker")
        status, printed = server.stop()
        log = server.log()

    assert (0, "") == (status, printed)
    assert played > 0
    assert 'oddsmith_answers_total{answer="applied"}' in counted
    assert "Traceback" not in log


def retry(http: httpx.Client, method: str, path: str, **more: Any) -> Any:  # noqa: ANN401  arguments of httpx
    """Send a request again if its connection ended with a killed worker."""
    for _ in range(20):
        with suppress(httpx.TransportError):
            return http.request(method, path, **more).json()
    raise AssertionError(path)


def play_on_new_connections(http: httpx.Client, place: str, tokens: list[str]) -> int:
    """Play for a while with a new connection for each request; each names the last version seen, which every worker must have reached."""
    random, seen, count = Random(7), 0, 0
    while True:
        for token in tokens:
            headers = {"authorization": f"Bearer {token}"}
            frame = retry(http, "GET", f"{place}?since={seen}", headers=headers)
            assert frame["version"] >= seen
            seen = frame["version"]
            if frame["outcome"] or count == ENOUGH:
                return count
            if frame["actions"]:
                count += 1
                body = {"id": f"c{count}", "version": seen, "act": random.choice(frame["actions"])}
                answer = retry(http, "POST", f"{place}/act", headers=headers, json=body)
                assert answer["answer"] in ("applied", "duplicate"), answer
                seen = max(seen, answer["version"])


def children(pid: int) -> list[int]:
    """Return the pids of the workers of a process."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            with suppress(OSError):
                line = Path(f"/proc/{child}/cmdline").read_bytes()
                if b"spawn_main" in line:
                    found.append(int(child))
    return found


@pytest.fixture
def without_logging(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the logging of this process unchanged."""
    monkeypatch.setattr("oddsmith.server.logs.configure", lambda _: None)


@pytest.mark.usefixtures("without_logging")
def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    """Nothing is printed, no store is made, and the sentence has the remedy."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port} of 127.0.0.1 is in use") as refused:
            serve(Settings(port=port, store=str(tmp_path / "matches.db")))

    assert "port_in_use" == refused.value.refusal.code
    assert not (tmp_path / "matches.db").exists()


@pytest.mark.usefixtures("without_logging")
@pytest.mark.parametrize("host", ["203.0.113.1", "no.such.host.invalid", "a" * 255])
def test_an_address_of_another_machine_is_refused(host: str) -> None:
    with pytest.raises(InputError, match="is no address of this machine"):
        serve(Settings(host=host, port=0))


def test_a_privileged_port_is_refused() -> None:
    """The sentence says which ports need no privileges."""
    refusal = run._listen_error(PermissionError(13, "Permission denied"), "127.0.0.1", 80).refusal

    assert "port_forbidden" == refusal.code


@pytest.mark.usefixtures("without_logging")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_file_of_another_program_is_refused_before_serving(tmp_path: Path, workers: int) -> None:
    """It is unchanged."""
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann, " * 100)
    with pytest.raises(StoreError) as refused:
        serve(Settings(port=0, store=str(file), workers=workers))

    assert "not_a_store" == refused.value.refusal.code
    assert "Dear Ann, " * 100 == file.read_text()


def test_the_url_of_an_ipv6_listener_is_valid() -> None:
    """The address is in brackets."""
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listener:
        assert re.fullmatch(r"http://\[::1\]:\d+", run.listener_url(listener))


def test_a_stopping_server_finishes_and_acknowledges_pending_choices() -> None:
    """A choice that waits for the disk is stored and answered; a new one is refused as transient."""
    folder, store = new_store()
    stalled = FaultyStore(store)
    with run_server(stalled.as_store()) as server, ThreadPoolExecutor(1) as pool:
        match = server.open_match("casino")
        frame = match.players[0].get_frame()
        stalled.goes_on.clear()
        begun = pool.submit(match.players[0].act, frame["actions"][0], frame["version"])
        assert stalled.is_waiting.wait(10)
        connection = server.socket(match.id, {"token": match.players[1].token})
        connection.recv(timeout=10)
        server.uvicorn.should_exit = True
        wait_until(lambda: server.app.is_stopping, "a server that stops")
        connection.send(json.dumps({"id": "late", "version": frame["version"], "act": "x"}))
        late = json.loads(connection.recv(timeout=10))["error"]["code"]
        stalled.goes_on.set()
        done = begun.result(10).json()
        shown = json.loads(connection.recv(timeout=10))["version"]
        with pytest.raises(ConnectionClosed) as closed:
            connection.recv(timeout=10)
    shutil.rmtree(folder)

    assert "stopping" == late
    assert ("applied", shown) == (done["answer"], done["version"])
    assert closed.value.rcvd is not None
    assert 1012 == closed.value.rcvd.code


def test_a_stopping_server_is_not_ready(server: RunningServer) -> None:
    """A load balancer sends it no more requests."""
    server.app.is_stopping = True
    ready = server.http.get("/readyz")
    server.app.is_stopping = False

    assert (503, "stopping") == (ready.status_code, ready.json()["status"])

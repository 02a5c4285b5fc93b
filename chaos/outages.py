"""Outages of a store: a server whose store hangs, is full, is removed or is damaged says so soon, loses nothing, and recovers."""

import os
import resource
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec

from chaos.servers import ServerProcess
from oddsmith.client import new_id
from oddsmith.match.model import Made
from oddsmith.store import open_store

API: Final = "/api/v1"
SECONDS_TO_ANSWER: Final = 15.0
"""The longest time of an answer during an outage, which is a refusal then."""
SECONDS_TO_NOTICE: Final = 3.0
"""The time after which `/readyz` must report an outage: it is cached for a second."""
SECONDS_TO_RECOVER: Final = 30.0
PAUSE: Final = 0.1
REPEATED_CHOICE: Final = "attack 0 1"
LONG_DUEL: Final = {"most_selections": 1000, "player_hp": 1000}
UNAVAILABLE: Final = 503
CHOICES: Final = 20
SPACE_LEFT: Final = 64 * 1024


class OutageReport(msgspec.Struct, frozen=True, kw_only=True):
    """One outage: choices acknowledged before, during and after it, the slowest answer during it, and the faults found."""

    outage: str
    acknowledged: int
    acknowledged_during: int
    slowest: float
    recovered_after: float
    faults: tuple[str, ...]


class OutageRun:
    """A player of one match, who goes on through an outage."""

    def __init__(self, server: ServerProcess, outage: str) -> None:
        self._server = server
        self._outage = outage
        self._http = httpx.Client(base_url=server.url, timeout=SECONDS_TO_ANSWER)
        self._acknowledged: list[str] = []
        self._during: list[str] = []
        self._slowest = 0.0
        self._recovered_after = 0.0
        self._version = 0
        self._match = ""
        self._token = ""
        self.faults: list[str] = []

    def start(self) -> None:
        """Open a match, and make some choices."""
        fields = {"game": "duel", "seats": [None, None], "rules": LONG_DUEL}
        self._match = self._post(f"{API}/matches", fields).json()["match"]
        for name in ("Ann", "Bo"):
            joined = self._post(f"{self._path}/join", {"id": new_id().ljust(30, "_"), "name": name}).json()
            self._token = self._token or joined["token"]
            self._version = joined["version"]
        for _ in range(CHOICES):
            self._act(new_id(), self._acknowledged)

    @property
    def _path(self) -> str:
        return f"{API}/matches/{self._match}"

    def ask_during(self, *, reads_fail: bool, times: int = 2) -> None:
        """Act `times` times with one id, list and ask for readiness; each is answered in time, and refused where it must be."""
        time.sleep(SECONDS_TO_NOTICE)
        command = new_id()
        for _ in range(times):
            reply = self._timed("act", lambda: self._act(command, self._during))
            self._require_refusal("act", reply)
        ready = self._timed("readyz", lambda: self._http.get("/readyz"))
        if ready is not None and ready.status_code != UNAVAILABLE:
            self.faults.append(f"/readyz was {ready.status_code} during the outage")
        listed = self._timed("list", lambda: self._http.get(f"{API}/matches"))
        if reads_fail:
            self._require_refusal("list", listed)

    def _require_refusal(self, what: str, reply: httpx.Response | None) -> None:
        if reply is None:
            return
        if reply.status_code != UNAVAILABLE:
            self.faults.append(
                f"{what} was answered {reply.status_code} during the outage: {reply.text[:200]}"
            )
        elif "retry-after" not in reply.headers:
            self.faults.append(f"{what} was refused without retry-after")

    def _timed(self, what: str, send: Callable[[], httpx.Response]) -> httpx.Response | None:
        start = time.monotonic()
        try:
            return send()
        except httpx.TransportError as error:
            self.faults.append(f"{what} had no answer in {time.monotonic() - start:.1f} s: {error!r}")
            return None
        finally:
            self._slowest = max(self._slowest, time.monotonic() - start)

    def recover(self) -> None:
        """Act again until it is answered; the server may have applied what it refused, so the match is read before."""
        start = time.monotonic()
        end = start + SECONDS_TO_RECOVER
        while time.monotonic() < end:
            try:
                shown = self._http.get(self._path)
                if shown.status_code == httpx.codes.OK:
                    self._version = shown.json()["version"]
                    if self._act(new_id(), self._acknowledged).status_code == httpx.codes.OK:
                        self._recovered_after = time.monotonic() - start
                        return
            except httpx.TransportError:
                pass
            time.sleep(PAUSE)
        self.faults.append(f"the server did not recover within {SECONDS_TO_RECOVER:.0f} s")

    def _act(self, command: str, acknowledged: list[str]) -> httpx.Response:
        """Make a choice, and note one that is acknowledged."""
        fields = {"id": command, "version": self._version, "act": REPEATED_CHOICE}
        reply = self._post(f"{self._path}/act", fields)
        if reply.status_code == httpx.codes.OK:
            acknowledged.append(command)
            self._version = reply.json()["version"]
        return reply

    def _post(self, path: str, fields: dict[str, Any]) -> httpx.Response:
        headers = {"authorization": f"Bearer {self._token}"} if self._token and path.endswith("/act") else {}
        return self._http.post(path, json=fields, headers=headers)

    def report(self, store: str | None) -> OutageReport:
        """Return the report; with a store, what was acknowledged is compared with its log."""
        self._http.close()
        if store is not None:
            self.faults += self._lost(store)
        if "Traceback" in self._server.log():
            self.faults.append(f"the log has a traceback: {self._server.log()[-1_000:]}")
        return OutageReport(
            outage=self._outage,
            acknowledged=len(self._acknowledged),
            acknowledged_during=len(self._during),
            slowest=self._slowest,
            recovered_after=self._recovered_after,
            faults=tuple(self.faults),
        )

    def _lost(self, location: str) -> Iterator[str]:
        """Yield the acknowledged choices that the log does not have."""
        store = open_store(location)
        try:
            made = {entry.id for entry in store.entries(self._match) if isinstance(entry, Made)}
        finally:
            store.close()
        yield from (f"{one} is lost" for one in (*self._acknowledged, *self._during) if one not in made)


# --- the outages -----------------------------------------------------------------------------------------------------


def hang_postgres(server: ServerProcess, folder: Path) -> OutageReport:
    """Stop all processes of PostgreSQL with a signal, as a machine does that hangs, and let them go on."""
    run = OutageRun(server, "hung PostgreSQL")
    run.start()
    with _suspended(postgres_processes(folder)):
        run.ask_during(reads_fail=True, times=1)
    run.recover()
    return run.report(server.store)


def restart_postgres(
    server: ServerProcess, stop: Callable[[], None], start: Callable[[], None]
) -> OutageReport:
    """Stop PostgreSQL as a crash would, and start it again."""
    run = OutageRun(server, "restarted PostgreSQL")
    run.start()
    stop()
    try:
        run.ask_during(reads_fail=True)
    finally:
        start()
    run.recover()
    return run.report(server.store)


def postgres_processes(folder: Path) -> list[int]:
    """Return the ids of the server of a folder and of its children; the server is the first."""
    first = int((folder / "data" / "postmaster.pid").read_text(encoding="ascii").splitlines()[0])
    children = Path(f"/proc/{first}/task/{first}/children").read_text(encoding="ascii").split()
    return [first, *map(int, children)]


@contextmanager
def _suspended(processes: list[int]) -> Iterator[None]:
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


def fill_store(server: ServerProcess) -> OutageReport:
    """Limit the size of the files that the server writes to what they have, and lift the limit again."""
    run = OutageRun(server, "full store")
    run.start()
    largest = max(path.stat().st_size for path in files_of(server.store))
    soft, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (max(4096, largest - SPACE_LEFT), hard))
    try:
        run.ask_during(reads_fail=False)
    finally:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (soft, hard))
    run.recover()
    return run.report(server.store)


def remove_store(server: ServerProcess) -> OutageReport:
    """Remove the files of an SQLite store: nothing may be acknowledged any more, also when it is repeated."""
    run = OutageRun(server, "removed files")
    run.start()
    for path in files_of(server.store):
        path.unlink()
    run.ask_during(reads_fail=True)
    return run.report(None)


def files_of(store: str) -> list[Path]:
    """Return the files of an SQLite store."""
    return [*Path(store).parent.glob(f"{Path(store).name}*")]


# --- damaged rows ----------------------------------------------------------------------------------------------------


class DamageReport(msgspec.Struct, frozen=True, kw_only=True):
    """The matches whose rows were damaged, the seconds until the clock of another one ended a choice, and the faults found."""

    damaged: int
    seconds_to_tick: float
    faults: tuple[str, ...]


def damage_rows(server: ServerProcess, *, matches: int) -> DamageReport:
    """Damage the rules of matches whose clocks have run out, and a row of the list: other clocks and the list go on."""
    faults: list[str] = []
    with httpx.Client(base_url=server.url, timeout=SECONDS_TO_ANSWER) as http:
        damaged = [_open_with_clock(http) for _ in range(matches)]
        server.kill()
        _damage(server.store, damaged)
        server.start()
        server.wait()
        healthy = _open_with_clock(http)
        seconds = _wait_for_tick(http, healthy)
        if seconds is None:
            faults.append(f"the clock of a match stood still beside {matches} damaged ones")
        for query in ("", "?limit=100", "?game=duel", "?status=playing"):
            reply = http.get(f"{API}/matches{query}")
            if reply.status_code != httpx.codes.OK:
                faults.append(f"the list{query} was answered {reply.status_code}: {reply.text[:200]}")
    return DamageReport(damaged=matches, seconds_to_tick=seconds or 0.0, faults=tuple(faults))


def _open_with_clock(http: httpx.Client) -> str:
    fields = {"game": "duel", "seats": [None, None], "rules": LONG_DUEL, "clock": {"choice_seconds": 1}}
    match: str = http.post(f"{API}/matches", json=fields).raise_for_status().json()["match"]
    for name in ("Ann", "Bo"):
        join = {"id": new_id().ljust(30, "_"), "name": name}
        http.post(f"{API}/matches/{match}/join", json=join).raise_for_status()
    return match


def _damage(store: str, matches: list[str]) -> None:
    """Rename a key of the rules in the logs, and put a text into the list that is no list of names."""
    with closing(sqlite3.connect(store)) as connection, connection:
        changed = connection.executemany(
            "UPDATE entries SET entry = replace(entry, 'most_selections', 'most_of_them') WHERE match = ? AND version = 1",
            [(match,) for match in matches],
        ).rowcount
        connection.execute("UPDATE matches SET names = '?' WHERE match = ?", (matches[-1],))
    if changed != len(matches):
        raise RuntimeError(f"{changed} of {len(matches)} logs were damaged")


def _wait_for_tick(http: httpx.Client, match: str) -> float | None:
    """Return the seconds until the clock has chosen for the player; None if it does not."""
    start = time.monotonic()
    first = http.get(f"{API}/matches/{match}").raise_for_status().json()["version"]
    while time.monotonic() < start + SECONDS_TO_RECOVER:
        if http.get(f"{API}/matches/{match}").raise_for_status().json()["version"] > first:
            return time.monotonic() - start
        time.sleep(PAUSE)
    return None

"""Jumps of wall time: no clock of a match runs out by them, none stops, and no match is deserted."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx
import msgspec

from chaos.servers import ServerProcess
from oddsmith.client import new_id

API: Final = "/api/v1"
DAY: Final = 24 * 3600 * 1000
DAYS_TO_DESERTION: Final = 30
SECONDS_TO_NOTICE: Final = 4.0
"""The time in which a server looks at all clocks several times."""
NOTICED: Final = "wall time jumped"
"""The line of the log for each jump."""
SECONDS_TO_TICK: Final = 30.0
PAUSE: Final = 0.1
HOUR: Final = 3600


class JumpReport(msgspec.Struct, frozen=True, kw_only=True):
    """The matches with clocks of an hour, those that changed after each jump, and the seconds of a clock of one second."""

    matches: int
    changed: dict[str, int]
    seconds_to_tick: float
    faults: tuple[str, ...]


class ShiftedServer(ServerProcess):
    """A server process whose wall time can be set."""

    def __init__(self, store: str, folder: Path) -> None:
        self._offset = folder / "offset"
        self.set_offset(0)
        program = ("-m", "chaos.clocked_server", "--offset", str(self._offset))
        super().__init__(store, folder / "log", program=program)

    def set_offset(self, milliseconds: int) -> None:
        """Set wall time to that of the system and some milliseconds."""
        new = self._offset.with_suffix(".new")
        new.write_text(str(milliseconds), encoding="ascii")
        new.replace(self._offset)


@contextmanager
def run_shifted_server(store: str, folder: Path) -> Iterator[ShiftedServer]:
    """Yield a server that answers, with the time of the system."""
    server = ShiftedServer(store, folder)
    try:
        server.start()
        server.wait()
        yield server
    finally:
        server.close()


def jump_clocks(server: ShiftedServer, *, matches: int, seconds: float = SECONDS_TO_NOTICE) -> JumpReport:
    """Set wall time a day forward, back behind the start, and 31 days forward with a restart, while matches wait for players.

    The matches are compared `seconds` after each jump.
    """
    faults: list[str] = []
    changed: dict[str, int] = {}
    with httpx.Client(base_url=server.url, timeout=SECONDS_TO_TICK) as http:
        opened = [_open(http, seconds=HOUR) for _ in range(matches)]
        before = _versions(http, opened)

        def compare(jump: str) -> None:
            time.sleep(seconds)
            after = _versions(http, opened)
            changed[jump] = sum(after[match] != before[match] for match in opened)
            if changed[jump]:
                faults.append(f"{changed[jump]} of {matches} matches changed after wall time went {jump}")

        server.set_offset(DAY)
        faults += _missing_lines(server, 1)
        compare("a day forward")
        server.set_offset(-DAY)
        faults += _missing_lines(server, 2)
        ticked = _seconds_to_tick(http)
        if ticked is None:
            faults.append("a clock of a second stood still after wall time went a day back")
        compare("a day back")
        server.kill()
        server.set_offset((DAYS_TO_DESERTION + 1) * DAY)
        server.start()
        server.wait()
        compare("31 days forward at a restart")
    return JumpReport(matches=matches, changed=changed, seconds_to_tick=ticked or 0.0, faults=tuple(faults))


def _missing_lines(server: ServerProcess, count: int) -> list[str]:
    """Wait until the log has a line for each of `count` jumps; return a fault if it has not."""
    end = time.monotonic() + SECONDS_TO_TICK
    while time.monotonic() < end:
        if server.log().count(NOTICED) == count:
            return []
        time.sleep(PAUSE)
    return [f"the log has not {count} lines with '{NOTICED}'"]


def _open(http: httpx.Client, *, seconds: int) -> str:
    fields = {"game": "destiny", "seats": [None, None], "clock": {"choice_seconds": seconds}}
    match: str = http.post(f"{API}/matches", json=fields).raise_for_status().json()["match"]
    for name in ("Ann", "Bo"):
        join = {"id": new_id().ljust(30, "_"), "name": name}
        http.post(f"{API}/matches/{match}/join", json=join).raise_for_status()
    return match


def _versions(http: httpx.Client, matches: list[str]) -> Mapping[str, int]:
    return {match: _version(http, match) for match in matches}


def _version(http: httpx.Client, match: str) -> int:
    version: int = http.get(f"{API}/matches/{match}").raise_for_status().json()["version"]
    return version


def _seconds_to_tick(http: httpx.Client) -> float | None:
    """Return the seconds until a clock of one second has chosen; None if it does not."""
    match = _open(http, seconds=1)
    start, first = time.monotonic(), _version(http, match)
    while time.monotonic() < start + SECONDS_TO_TICK:
        if _version(http, match) > first:
            return time.monotonic() - start
        time.sleep(PAUSE)
    return None

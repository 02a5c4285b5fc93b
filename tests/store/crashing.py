"""Acknowledged appends survive a kill of their process.

`python -m tests.store.crashing STORE KILLS SEED` runs a process that appends until it is killed, KILLS times, and prints
the acknowledged appends: a JSON list of pairs of run and version.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from time import sleep
from typing import Final, NoReturn

import msgspec

from oddsmith.store import Store, open_store, postgres, sqlite
from tests.store.builders import next_append

ROOT: Final = Path(__file__).parents[2]
MATCHES: Final = ("ann", "bo", "cy")
"""Each append adds to all of them, in one transaction."""
LONGEST_RUN: Final = 0.05
LOADED: Final = (postgres, sqlite)
"""Modules that a child inherits, so that its time is spent on the store."""


def run_kills(location: str, *, kills: int, seed: int) -> list[tuple[int, int]]:
    """Kill a process that appends at random moments, `kills` times; return pairs of run and acknowledged version."""
    command = [sys.executable, "-m", "tests.store.crashing", location, str(kills), str(seed)]
    acknowledged = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT).stdout
    return msgspec.json.decode(acknowledged, type=list[tuple[int, int]])


def losses(store: Store, acknowledged: list[tuple[int, int]]) -> list[str]:
    """Return acknowledged appends that are lost, and matches with torn transactions; empty if there are none."""
    logs = [store.entries(match) for match in MATCHES]
    lines = [getattr(entry, "line", "opened") for entry in logs[0]]
    torn = [
        f"{match} has {len(log)}" for match, log in zip(MATCHES, logs, strict=True) if len(log) != len(lines)
    ]
    lost = [
        f"life {run}, version {version}"
        for run, version in acknowledged
        if lines[version - 1 : version] not in ([f"0 {run}"], ["opened"])
    ]
    return torn + lost


def _kill_repeatedly(location: str, kills: int, draw: Random) -> list[tuple[int, int]]:
    acknowledged: list[tuple[int, int]] = []
    for run in range(kills):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _append_until_killed(location, run, writer)
        os.close(writer)
        acknowledged += [(run, version) for version in _kill(child, reader, draw, wait=run % 2 == 0)]
    return acknowledged


def _append_until_killed(location: str, run: int, writer: int) -> NoReturn:
    """Append, and write each version to the pipe after the store has acknowledged it."""
    store = open_store(location)
    version = len(store.entries(MATCHES[0]))
    while all(store.append([next_append(match, version, line=f"0 {run}") for match in MATCHES])):
        version += 1
        os.write(writer, f"{version}\n".encode())
    os._exit(1)


def _kill(child: int, reader: int, draw: Random, *, wait: bool) -> list[int]:
    """Kill a child at a random moment, while it opens the store or, after a wait, while it appends; return its versions."""
    text = os.read(reader, 65_536) if wait else b""
    sleep(draw.uniform(0, LONGEST_RUN))
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "it ended by itself"
    while more := os.read(reader, 65_536):
        text += more
    os.close(reader)
    return [int(version) for version in text.split()]


if __name__ == "__main__":
    location, kills, seed = sys.argv[1:]
    sys.stdout.buffer.write(msgspec.json.encode(_kill_repeatedly(location, int(kills), Random(seed))))

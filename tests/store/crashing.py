"""What a store has acknowledged survives the death of the process that it told.

`python -m tests.store.crashing STORE KILLS SEED` lets a process append until it is killed, again and again, and prints
what it had been told is done: a JSON list of pairs of life and version.
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
from tests.store.builders import one_more

ROOT: Final = Path(__file__).parents[2]
MATCHES: Final = ("ann", "bo", "cy")
"""Each append adds to all of them, in one transaction."""
LONGEST_LIFE: Final = 0.05
LOADED: Final = (postgres, sqlite)
"""What a child has at birth, so that its life is spent on the store."""


def acknowledged(where: str, *, kills: int, seed: int) -> list[tuple[int, int]]:
    """Kill a process that appends so many times, at random moments; return lives and versions that it was told of."""
    command = [sys.executable, "-m", "tests.store.crashing", where, str(kills), str(seed)]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT).stdout
    return msgspec.json.decode(told, type=list[tuple[int, int]])


def losses(store: Store, told: list[tuple[int, int]]) -> list[str]:
    """Return what a store has lost, doubled or torn apart of what it had acknowledged: nothing, if all is well."""
    logs = [store.entries(match) for match in MATCHES]
    lines = [getattr(entry, "line", "opened") for entry in logs[0]]
    torn = [
        f"{match} has {len(log)}" for match, log in zip(MATCHES, logs, strict=True) if len(log) != len(lines)
    ]
    lost = [
        f"life {life}, version {version}"
        for life, version in told
        if lines[version - 1 : version] not in ([f"0 {life}"], ["opened"])
    ]
    return torn + lost


def _die_often(where: str, kills: int, draw: Random) -> list[tuple[int, int]]:
    told: list[tuple[int, int]] = []
    for life in range(kills):
        heard, said = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(heard)
            _live(where, life, said)
        os.close(said)
        told += [(life, version) for version in _killed(child, heard, draw, wait=life % 2 == 0)]
    return told


def _live(where: str, life: int, said: int) -> NoReturn:
    """Append until the end comes, and say each version only after the store has acknowledged it."""
    store = open_store(where)
    version = len(store.entries(MATCHES[0]))
    while all(store.append([one_more(match, version, said=f"0 {life}") for match in MATCHES])):
        version += 1
        os.write(said, f"{version}\n".encode())
    os._exit(1)


def _killed(child: int, heard: int, draw: Random, *, wait: bool) -> list[int]:
    """Kill a child at a random moment, be it while it opens the store or, after a wait, while it appends."""
    text = os.read(heard, 65_536) if wait else b""
    sleep(draw.uniform(0, LONGEST_LIFE))
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "it ended by itself"
    while more := os.read(heard, 65_536):
        text += more
    os.close(heard)
    return [int(version) for version in text.split()]


if __name__ == "__main__":
    where, kills, seed = sys.argv[1:]
    sys.stdout.buffer.write(msgspec.json.encode(_die_often(where, int(kills), Random(seed))))

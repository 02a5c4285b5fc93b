"""A process that opens a store once for each line it is sent.

`python -m tests.store.joint_opening STORE MATCH` prints each time how many entries the log of the match has.
"""

import sys
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Final

from oddsmith.store import open_store, postgres, sqlite

ROOT: Final = Path(__file__).parents[2]
LOADED: Final = (postgres, sqlite)
"""Imported before the first line is read, so that processes open a store at nearly the same moment."""


def opener_of(where: str, match: str) -> Popen[str]:
    """Start a process that opens a store when it is told to, and wait until it can be told."""
    command = [sys.executable, "-m", "tests.store.joint_opening", where, match]
    process = Popen(command, stdin=PIPE, stdout=PIPE, text=True, bufsize=1, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def lengths(openers: list[Popen[str]]) -> list[int]:
    """Let all processes open the store at once, and return how long a log each of them found."""
    for process in openers:
        assert process.stdin is not None
        process.stdin.write("open\n")
    return [int(process.stdout.readline()) for process in openers if process.stdout is not None]


def _open_often(where: str, match: str) -> None:
    print("ready", flush=True)  # noqa: T201  its parent listens
    for _ in sys.stdin:
        store = open_store(where)
        print(len(store.entries(match)), flush=True)  # noqa: T201  as above
        store.close()


if __name__ == "__main__":
    _open_often(*sys.argv[1:])

"""A process that opens a store once for each line of its input.

`python -m tests.store.concurrent_opening STORE MATCH` prints each time how many entries the log of the match has.
"""

import sys
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Final

from oddsmith.store import open_store, postgres, sqlite

ROOT: Final = Path(__file__).parents[2]
LOADED: Final = (postgres, sqlite)
"""Imported before the first line is read, so that processes open a store at nearly the same moment."""


def start_opener(location: str, match: str) -> Popen[str]:
    """Start such a process, and wait until it is ready."""
    command = [sys.executable, "-m", "tests.store.concurrent_opening", location, match]
    process = Popen(command, stdin=PIPE, stdout=PIPE, text=True, bufsize=1, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def open_jointly(openers: list[Popen[str]]) -> list[int]:
    """Let all processes open the store at once, and return the length of the log that each found."""
    for process in openers:
        assert process.stdin is not None
        process.stdin.write("open\n")
    return [int(process.stdout.readline()) for process in openers if process.stdout is not None]


def _open_repeatedly(location: str, match: str) -> None:
    print("ready", flush=True)  # noqa: T201  read by the parent process
    for _ in sys.stdin:
        store = open_store(location)
        print(len(store.entries(match)), flush=True)  # noqa: T201  read by the parent process
        store.close()


if __name__ == "__main__":
    _open_repeatedly(*sys.argv[1:])

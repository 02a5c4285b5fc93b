"""A process whose threads all try to append the same version, once for each line it is sent.

`python -m tests.store.racing STORE` prints for each version how many of its threads were told that it was done.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Final

from oddsmith.store import Append, open_store
from tests.store.builders import one_more

ROOT: Final = Path(__file__).parents[2]
MATCH: Final = "race"
THREADS: Final = 2


def racers_of(where: str) -> Popen[str]:
    """Start a process that races for versions of a match in a store."""
    command = [sys.executable, "-m", "tests.store.racing", where]
    return Popen(command, stdin=PIPE, stdout=PIPE, text=True, bufsize=1, cwd=ROOT)


def winners(racers: list[Popen[str]], version: int) -> int:
    """Let all processes race for a version, and return how many appends were done."""
    for process in racers:
        assert process.stdin is not None
        process.stdin.write(f"{version}\n")
    return sum(int(process.stdout.readline()) for process in racers if process.stdout is not None)


def _race(where: str) -> None:
    store = open_store(where)

    def is_done(append: Append) -> bool:
        return store.append([append])[0]

    with ThreadPoolExecutor(THREADS) as threads:
        for line in sys.stdin:
            appends = [one_more(MATCH, int(line), said=f"0 {thread}") for thread in range(THREADS)]
            print(sum(threads.map(is_done, appends)), flush=True)  # noqa: T201  its parent listens
    store.close()


if __name__ == "__main__":
    _race(sys.argv[1])

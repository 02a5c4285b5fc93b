"""A process whose threads all try to append the same version, once for each line of its input.

`python -m tests.store.racing STORE` prints for each version how many of its threads succeeded.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Final

from oddsmith.store import Append, open_store
from tests.store.builders import next_append

ROOT: Final = Path(__file__).parents[2]
MATCH: Final = "race"
THREADS: Final = 2


def start_racers(location: str) -> Popen[str]:
    """Start such a process."""
    command = [sys.executable, "-m", "tests.store.racing", location]
    return Popen(command, stdin=PIPE, stdout=PIPE, text=True, bufsize=1, cwd=ROOT)


def count_winners(racers: list[Popen[str]], version: int) -> int:
    """Let all processes race for a version, and return the number of appends that succeeded."""
    for process in racers:
        assert process.stdin is not None
        process.stdin.write(f"{version}\n")
    return sum(int(process.stdout.readline()) for process in racers if process.stdout is not None)


def _race(location: str) -> None:
    store = open_store(location)

    def try_append(append: Append) -> bool:
        return store.append([append])[0]

    with ThreadPoolExecutor(THREADS) as threads:
        for line in sys.stdin:
            appends = [next_append(MATCH, int(line), line=f"0 {thread}") for thread in range(THREADS)]
            print(sum(threads.map(try_append, appends)), flush=True)  # noqa: T201  read by the parent process
    store.close()


if __name__ == "__main__":
    _race(sys.argv[1])

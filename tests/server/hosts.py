"""The example of an application that oddsmith is mounted in, served by uvicorn in a process of its own."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Thread
from typing import Final

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "embed" / "main.py"
PREFIX: Final = "/games"
SECONDS: Final = 20.0
RUNNING: Final = re.compile(r"Uvicorn running on (http://\S+)")


@contextmanager
def run_host(folder: Path) -> Iterator[str]:
    """Serve the example with its store in a folder, and yield its URL without the prefix; an error in it fails the test."""
    command = [sys.executable, "-m", "uvicorn", "--app-dir", str(EXAMPLE.parent), "main:site"]
    command += ["--port", "0", "--no-access-log", "--no-use-colors"]
    with Popen(command, stderr=PIPE, text=True, cwd=folder) as process:
        assert process.stderr is not None
        lines: list[str] = []
        url = None
        for line in process.stderr:
            lines.append(line)
            url = RUNNING.search(line)
            if url is not None:
                break
        assert url is not None, "".join(lines)
        reader = Thread(target=lines.extend, args=(process.stderr,))
        reader.start()
        try:
            yield url[1]
        finally:
            process.terminate()
            process.wait(SECONDS)
            reader.join(SECONDS)
    output = "".join(lines)
    assert "Application shutdown complete." in output
    assert "Traceback" not in output

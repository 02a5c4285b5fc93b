"""A simulated person at a terminal, while oddsmith runs in this process."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from typing import Final
from unittest import mock

from oddsmith.cli import main
from tests.cli.running import CommandResult, environment

SECONDS: Final = 30.0


class Typist:
    """Reads the output of a program, and types."""

    def __init__(self, keys: int, shown: StringIO) -> None:
        self._keys = keys
        self._shown = shown
        self._read = 0

    def wait_for(self, words: str) -> str:
        """Wait until the output contains the words, and return the unread output before them."""
        until = time.monotonic() + SECONDS
        while words not in (rest := self.unread()):
            assert time.monotonic() < until, f"'{words}' is not in: {rest}"
            time.sleep(0.01)
        before = rest[: rest.index(words)]
        self._read += len(before) + len(words)
        return before

    def unread(self) -> str:
        """Return the output after the last words that were waited for."""
        return self._shown.getvalue()[self._read :]

    def type(self, text: str) -> None:
        os.write(self._keys, text.encode())


def run_with_terminal(person: Callable[[Typist], None], *arguments: str) -> CommandResult:
    """Run oddsmith with a terminal as its input, and `person` typing in a thread; an exception of `person` is raised.

    oddsmith must end within `SECONDS` after the person has typed everything.
    """
    keys, terminal = os.openpty()
    out, err, failures = StringIO(), StringIO(), list[BaseException]()
    typist, ended = Typist(keys, out), threading.Event()

    def type_as_person() -> None:
        try:
            person(typist)
            assert ended.wait(SECONDS), f"still running after: {typist.unread()}"
        except BaseException as failure:  # noqa: BLE001  it is raised in the test's own thread
            failures.append(failure)
            typist.type("\nq\n")

    thread = threading.Thread(target=type_as_person)
    status = 0
    with (
        _open_terminal(keys, terminal) as stdin,
        mock.patch.dict(os.environ, environment(NO_COLOR="1"), clear=True),
        mock.patch("sys.stdin", stdin),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        thread.start()
        try:
            main(arguments)
        except SystemExit as end:
            status = int(end.code or 0)
        ended.set()
        thread.join()
    if failures:
        raise failures[0]
    return CommandResult(status, out.getvalue(), err.getvalue())


@contextmanager
def _open_terminal(keys: int, terminal: int) -> Iterator[object]:
    try:
        with open(terminal, encoding="utf-8") as stdin:
            yield stdin
    finally:
        os.close(keys)

"""Somebody at the keys of a real terminal, while oddsmith runs in this process: reads before typing."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from typing import Final
from unittest import mock

from oddsmith.cli import main
from tests.cli.running import Said, environment

SECONDS: Final = 30.0


class Typist:
    """Somebody who sees what is shown, and types."""

    def __init__(self, keys: int, shown: StringIO) -> None:
        self._keys = keys
        self._shown = shown
        self._read = 0

    def reads(self, words: str) -> str:
        """Wait until these words are shown, and return what was shown before them since the last that were read."""
        until = time.monotonic() + SECONDS
        while words not in (rest := self.sees()):
            assert time.monotonic() < until, f"'{words}' is not in: {rest}"
            time.sleep(0.01)
        before = rest[: rest.index(words)]
        self._read += len(before) + len(words)
        return before

    def sees(self) -> str:
        """Return what was shown since the last that was read."""
        return self._shown.getvalue()[self._read :]

    def types(self, text: str) -> None:
        """Type."""
        os.write(self._keys, text.encode())


def at_terminal(person: Callable[[Typist], None], *arguments: str) -> Said:
    """Run oddsmith with a terminal for its input, at which this person sits; whatever fails for them fails here."""
    keys, terminal = os.openpty()
    out, err, failures = StringIO(), StringIO(), list[BaseException]()
    typist = Typist(keys, out)

    def sit() -> None:
        try:
            person(typist)
        except BaseException as failure:  # noqa: BLE001  it is raised again where the test sees it
            failures.append(failure)
            typist.types("\nq\n")

    thread = threading.Thread(target=sit)
    status = 0
    with (
        _opened(keys, terminal) as stdin,
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
        thread.join()
    if failures:
        raise failures[0]
    return Said(status, out.getvalue(), err.getvalue())


@contextmanager
def _opened(keys: int, terminal: int) -> Iterator[object]:
    try:
        with open(terminal, encoding="utf-8") as stdin:
            yield stdin
    finally:
        os.close(keys)

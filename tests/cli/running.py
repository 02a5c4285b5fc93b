"""Run oddsmith as a person or a program would, and say what came of it."""

import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar
from unittest import mock

import pexpect  # type: ignore[import-untyped]  # it has none

from oddsmith.cli import main
from oddsmith.errors import ErrorReply, Refusal
from oddsmith.wire import from_json

T = TypeVar("T")

COLOURFUL: Final = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "GITHUB_ACTIONS", "PY_COLORS")
ESCAPE: Final = "\x1b["


class Said(NamedTuple):
    """The exit status of a command and what it wrote."""

    status: int
    out: str
    err: str

    def reply(self, kind: type[T]) -> T:
        """Return the one JSON document on standard output."""
        assert (0, "", 1) == (self.status, self.err, self.out.count("\n"))

        return from_json(self.out, kind)

    @property
    def refusal(self) -> Refusal:
        """The one JSON document on standard error."""
        assert (2, "", 1) == (self.status, self.out, self.err.count("\n"))

        return from_json(self.err, ErrorReply).error

    @property
    def lines(self) -> list[str]:
        """What a person reads, line by line."""
        assert (0, "") == (self.status, self.err)

        return self.out.splitlines()


def environment(**changes: str) -> Mapping[str, str]:
    """Return this process's environment without what would colour or uncolour, 80 columns wide."""
    kept = {name: value for name, value in os.environ.items() if name not in COLOURFUL}
    return kept | {"COLUMNS": "80", "TERM": "xterm-256color"} | changes


def run(*arguments: str, stdin: str = "", **changes: str) -> Said:
    """Run oddsmith in this process, without a terminal."""
    out, err = StringIO(), StringIO()
    with (
        mock.patch.dict(os.environ, environment(**changes), clear=True),
        mock.patch("sys.stdin", StringIO(stdin)),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main(arguments)
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
    return Said(status, out.getvalue(), err.getvalue())


@contextmanager
def terminal(*arguments: str, folder: Path | None = None, **changes: str) -> Iterator[Any]:
    """Start oddsmith in a terminal of 80 columns and 50 lines, which hears Ctrl-C even where the tests do not."""
    child = pexpect.spawn(
        sys.executable,
        ["-m", "oddsmith", *arguments],
        encoding="utf-8",
        codec_errors="replace",  # a terminal echoes Ctrl-C at once, be it inside a letter
        timeout=60,
        dimensions=(50, 80),
        env=dict(environment(**changes)),
        cwd=folder,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    try:
        yield child
    finally:
        child.close(force=True)


def interrupted(child: Any) -> tuple[int, str]:  # noqa: ANN401  as below
    """Press Ctrl-C until it is heard, and return as `rest` does.

    Who presses it in the very moment in which a program begins to read is not heard, and presses it again.
    """
    child.sendintr()
    while child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=5):
        child.sendintr()
    child.close()
    return child.exitstatus, child.before.replace("\r\n", "\n")


def rest(child: Any) -> tuple[int, str]:  # noqa: ANN401  pexpect has no types
    """Wait for the end, and return the exit status and what was shown since the last expectation."""
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus, child.before.replace("\r\n", "\n")

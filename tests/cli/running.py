"""Runs oddsmith in this process or in a terminal, and returns its exit status and output."""

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

import pexpect  # type: ignore[import-untyped]  # pexpect has no types

from oddsmith.cli import main
from oddsmith.errors import ErrorReply, Refusal
from oddsmith.wire import from_json

T = TypeVar("T")

COLOURFUL: Final = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "GITHUB_ACTIONS", "PY_COLORS")
ESCAPE: Final = "\x1b["


class CommandResult(NamedTuple):
    """The exit status of a command and its output."""

    status: int
    out: str
    err: str

    def reply(self, kind: type[T]) -> T:
        """Return the one JSON document on standard output."""
        assert (0, "", 1) == (self.status, self.err, self.out.count("\n"))

        return from_json(self.out, kind)

    @property
    def refusal(self) -> Refusal:
        """The refusal in the one JSON document on standard error."""
        assert (2, "", 1) == (self.status, self.out, self.err.count("\n"))

        return from_json(self.err, ErrorReply).error

    @property
    def lines(self) -> list[str]:
        """The lines of standard output of a successful command."""
        assert (0, "") == (self.status, self.err)

        return self.out.splitlines()


def environment(**changes: str) -> Mapping[str, str]:
    """Return this process's environment without colour settings, 80 columns wide."""
    inherited = {name: value for name, value in os.environ.items() if name not in COLOURFUL}
    return inherited | {"COLUMNS": "80", "TERM": "xterm-256color"} | changes


def run(*arguments: str, stdin: str = "", **changes: str) -> CommandResult:
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
    return CommandResult(status, out.getvalue(), err.getvalue())


@contextmanager
def terminal(*arguments: str, folder: Path | None = None, **changes: str) -> Iterator[Any]:
    """Start oddsmith in a terminal of 80 columns and 50 lines, with the default handling of Ctrl-C."""
    child = pexpect.spawn(
        sys.executable,
        ["-m", "oddsmith", *arguments],
        encoding="utf-8",
        codec_errors="replace",  # a terminal echoes Ctrl-C at once, even inside a multi-byte character
        timeout=60,
        dimensions=(50, 80),
        env=dict(environment(**changes)),
        cwd=folder,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    try:
        yield child
    finally:
        _end(child)


def _end(child: Any) -> None:  # noqa: ANN401  pexpect has no types
    """Hang up, so that the program stops its workers, and wait for its end; pexpect itself waits for a tenth of a second."""
    if child.isalive():
        child.kill(signal.SIGHUP)
        child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=10)
    if child.isalive():
        child.kill(signal.SIGKILL)
        child.wait()
    child.close()


def interrupt(child: Any) -> tuple[int, str]:  # noqa: ANN401  pexpect has no types
    """Send Ctrl-C until the program ends, and return as `read_rest` does.

    A Ctrl-C at the moment in which a program begins to read is lost, so it is repeated.
    """
    child.sendintr()
    while child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=5):
        child.sendintr()
    child.close()
    return child.exitstatus, child.before.replace("\r\n", "\n")


def read_rest(child: Any) -> tuple[int, str]:  # noqa: ANN401  pexpect has no types
    """Wait for the end, and return the exit status and the output since the last expectation."""
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus, child.before.replace("\r\n", "\n")

"""Copies of the repository in which tests run with another version of a module, several at a time.

A copy has the tracked and new files. What is built or installed is linked. Processes that a test starts import the package of
the copy, too, because it is the first on `PYTHONPATH`.
"""

import os
import re
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final, NamedTuple, Self

from affected_tests import plan_environment
from durations import read_durations

LINKED: Final = (".venv", "web/node_modules", "src/oddsmith/pages", "src/oddsmith/site")
"""Folders that git ignores and tests need."""
DURATIONS: Final = ".test_durations.json"
MARK: Final = "ODDSMITH_SCRATCH_COPY"
"""The environment variable with the path of the copy, in all processes that its tests start."""
SECONDS_TO_STOP: Final = 20.0
"""The time for tests that are interrupted to remove what they have started."""
LEAST_SECONDS: Final = 60.0
TIMES: Final = 5
"""The time limit of a test: 60 seconds, and this many times the seconds that it took before."""
INTERRUPTIBLE_PYTEST: Final = (
    "import signal, sys, pytest\n"
    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "sys.exit(pytest.main())"
)
"""A program that runs pytest. A command in the background of a shell ignores SIGINT, and so would all that it starts."""
FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


class Run(NamedTuple):
    """The result of pytest: its exit status, None where it was stopped; the first test that failed; the output."""

    status: int | None
    failed: str
    output: str
    seconds: float


class ScratchCopy:
    """A copy of the repository at a path."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._process: subprocess.Popen[bytes] | None = None
        self._passing: set[str] = set()

    @classmethod
    def create(cls, source: Path, root: Path) -> Self:
        """Copy a repository."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607  the git on the PATH
            cwd=source,
            check=True,
            capture_output=True,
            text=True,
        )
        for name in filter(None, listed.stdout.split("\0")):
            if (source / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source / name, root / name)
        for name in LINKED:
            if (source / name).exists():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).symlink_to((source / name).absolute())
        if (source / DURATIONS).exists():
            shutil.copy2(source / DURATIONS, root / DURATIONS)
        return cls(root)

    @property
    def durations(self) -> Path:
        """The file with the durations of the tests that ran in this copy."""
        return self.root / DURATIONS

    @contextmanager
    def mutated(self, file: str, source: str) -> Iterator[None]:
        """Write another source of a file, and write the original one again afterwards."""
        path = self.root / file
        original, times = path.read_bytes(), path.stat()
        _remove_byte_code(path)
        path.write_text(source, encoding="utf-8")
        try:
            yield
        finally:
            path.write_bytes(original)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            _remove_byte_code(path)

    def run_tests(
        self,
        distances: Mapping[str, int],
        *,
        longest_seconds: float | None = None,
        fresh_machine_code: bool = False,
        only: str | None = None,
        without: Iterable[str] = (),
    ) -> Run:
        """Run the tests of these files, nearest first, until one fails: all of them, one test `only`, or all `without` some.

        Stop them where a test takes longer than `longest_seconds`, by default several times as long as before. With `fresh_machine_code`, kernels are compiled again: numba does not
        notice that a module has changed which a kernel imports.
        """
        command = [
            sys.executable,
            "-c",
            INTERRUPTIBLE_PYTEST,
            "-x",
            "-v",
            "-p",
            "no:cacheprovider",
            "-p",
            "affected_tests",
        ]
        command += [f"--deselect={test}" for test in without]
        command += [only] if only else _arguments(distances)
        with TemporaryDirectory(prefix="oddsmith-numba-") as fresh:
            machine_code = fresh if fresh_machine_code else f"{self.root}-numba"
            environment = (
                os.environ
                | plan_environment(distances)
                | {
                    "PYTHONPATH": os.pathsep.join([str(self.root / "src"), str(self.root / "tools")]),
                    "PYTHONUNBUFFERED": "1",
                    "HYPOTHESIS_PROFILE": "repeatable",
                    "NUMBA_CACHE_DIR": machine_code,
                    MARK: str(self.root),
                }
            )
            limit = self._limit(distances) if longest_seconds is None else lambda _: longest_seconds
            return self._run(command, environment, limit)

    def passes(self, test: str) -> bool:
        """Return whether a test passes alone with the sources as they are now; one that has passed is not run again."""
        if test not in self._passing and self.run_tests({test.partition("::")[0]: 0}, only=test).status == 0:
            self._passing.add(test)
        return test in self._passing

    def stop(self) -> None:
        """Stop the tests that run here, from another thread."""
        if self._process is not None:
            _stop(self._process, f"{MARK}={self.root}")

    def _limit(self, files: Collection[str]) -> Callable[[str], float]:
        """Return a function from a test to its time limit; a test that never ran, and the collection, have the longest one."""
        durations = read_durations(self.durations)
        slowest = max(
            (found for test, found in durations.items() if test.partition("::")[0] in files), default=0.0
        )
        return lambda test: LEAST_SECONDS + TIMES * durations.get(test, slowest)

    def _run(self, command: list[str], environment: dict[str, str], limit: Callable[[str], float]) -> Run:
        """Run pytest; stop it where the test in the last line of its output takes longer than its limit."""
        began = monotonic()
        output = bytearray()
        with subprocess.Popen(
            command,
            cwd=self.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            self._process = process
            assert process.stdout is not None  # noqa: S101  for the type checker: it is a pipe
            try:
                while select.select([process.stdout], [], [], limit(_last_line(output)))[0]:
                    read = os.read(process.stdout.fileno(), 65_536)
                    if not read:
                        break
                    output += read
                else:
                    if process.poll() is None:
                        return Run(None, "", "", monotonic() - began)
                status = process.wait()
            finally:
                _stop(process, f"{MARK}={self.root}")
        text = output.decode(errors="replace")
        failed = FAILED.search(text)
        return Run(status, failed[1] if failed else "", text, monotonic() - began)


def _arguments(files: Iterable[str]) -> list[str]:
    """Return test modules as they are, and the folders of modules with examples, which pytest would import as tests."""
    return sorted({path if path.startswith("tests/") else path.rpartition("/")[0] for path in files})


def _remove_byte_code(path: Path) -> None:
    """Remove the byte code of a module: it is not compiled again if its size and the second of its change are equal."""
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def _last_line(output: bytearray) -> str:
    return output[output.rfind(b"\n") + 1 :].decode(errors="replace").strip()


def _stop(process: "subprocess.Popen[bytes]", mark: str) -> None:
    """Interrupt tests that are running, so that they remove what they have started; kill what is left of them.

    A database that a test has started is no child of it any more: it is found by its environment, where the system shows that.
    """
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(SECONDS_TO_STOP)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark.encode() in environment.read_bytes().split(b"\0"):
                os.kill(int(environment.parent.name), signal.SIGKILL)

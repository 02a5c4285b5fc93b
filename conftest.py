"""Every example of the README, the pages and the docstrings is a test: one for each document, from top to bottom.

- `python` blocks run; if they are written with `>>>`, their output must be the printed one.
- `console` blocks run line by line: `$ oddsmith …` inside this process, anything else in a shell that finds this `python`, both
  in a folder of the document's own, in which `examples/` is that of the repository. The output of the terminal, without colours, must be what the page shows.
- `oddsmith` runs in a process of its own where the line names a Python file: the page may have edited it since.
- `<!-- edit: pig.py -->` before a `diff` block edits the file: lines with `-` and without a sign must be in it, together and
  once; those with `+` and without a sign replace them. A line `@@` separates two edits.
- `<!-- rules: house.toml -->` before a `toml` block writes the block into that file; it must be rules of the
  Destiny Deck. `<!-- file: house.toml -->` only writes it.

`pytest docs README.md tests/docs --write-docs` runs the same and writes the output into the pages.

Every run records how long its tests took, for `tools/affected_tests.py`.

All runs with the same sources share a cache of solved tables and compiled kernels: see `tools/table_cache.py`.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from difflib import unified_diff
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest import mock

import pytest
from sybil import Document, Example, Region, Sybil
from sybil.example import SybilFailure
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser
from sybil.parsers.rest import DocTestParser

from durations import DurationRecorder
from oddsmith.cli import main
from oddsmith.errors import RulesError
from oddsmith.games.destiny import Rules
from table_cache import cache_folder

ROOT: Final = Path(__file__).parent
PLAIN: Final = {"NO_COLOR": "1", "COLUMNS": "100", "LC_ALL": "C.UTF-8", "ODDSMITH_COMPILED": "0"}
"""No colours, a fixed width, and no compilation, because examples are too short to gain from it."""
COLOURFUL: Final = ("FORCE_COLOR", "CLICOLOR_FORCE", "GITHUB_ACTIONS", "PY_COLORS")
PIPE: Final = re.compile(r" \| (?=(?:[^']*'[^']*')*[^']*$)")
"""Between two commands, outside of quoted text."""
FILE_BLOCK: Final = re.compile(
    r"^<!-- (?P<kind>rules|file|edit): (?P<name>\S+) -->\n+```\w*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)

if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["ODDSMITH_CACHE"] = str(cache_folder())


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that write pages and golden outputs."""
    parser.addoption("--write-docs", action="store_true", help="write what examples print into the pages")
    parser.addoption(
        "--write-golden", action="store_true", help="record the output of commands and questions"
    )
    parser.addoption(
        "--only-sweeps-of",
        action="append",
        default=[],
        metavar="PATH",
        help="leave out the tests of a file or folder that are not marked as sweeps; may be repeated",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what `--only-sweeps-of` leaves out."""
    folders = {config.rootpath / path for path in config.getoption("--only-sweeps-of")}
    left_out = [
        item for item in items if folders & {item.path, *item.path.parents} and "sweep" not in item.keywords
    ]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in {*left_out}]


def pytest_configure(config: pytest.Config) -> None:
    """Record durations, in the process that collects the reports of all workers."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        config.pluginmanager.register(DurationRecorder(), "durations")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.File | None:
    """Collect pages and modules that have examples."""
    pages = file_path.suffix == ".md" and (ROOT / "docs" in file_path.parents or file_path.parent == ROOT)
    modules = file_path.suffix == ".py" and ROOT / "src" in file_path.parents
    return DocumentFile.from_parent(parent, path=file_path) if pages or modules else None


class DocumentFile(pytest.File):
    """A page or a module."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield one test of all its examples: they depend on each other, so one worker runs them all."""
        shell = Shell(write=self.config.getoption("--write-docs"))
        document = parse(self.path, shell)
        if any(document.examples()):
            yield DocumentItem.from_parent(self, name="examples", document=document, shell=shell)


class DocumentItem(pytest.Item):
    """All examples of one document, in order, in a folder of their own."""

    def __init__(self, *, document: Document, shell: "Shell", name: str, parent: pytest.Collector) -> None:
        super().__init__(name, parent)
        self.document = document
        self.shell = shell

    def runtest(self) -> None:
        """Run every example and report all failures."""
        environment = {name: value for name, value in os.environ.items() if name not in COLOURFUL} | PLAIN
        environment["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
        failures = []
        with (
            TemporaryDirectory() as folder,
            chdir(folder),
            mock.patch.dict(os.environ, environment, clear=True),
        ):
            Path("examples").symlink_to(ROOT / "examples")
            for example in self.document.examples():
                try:
                    example.evaluate()
                except SybilFailure as failure:
                    failures.append(f"line {example.line}: {failure.result}")
                except Exception as error:  # noqa: BLE001  whatever an example raises is a failure
                    failures.append(f"line {example.line}: {type(error).__name__}: {error}")
        self.shell.write_back(self.path)
        if failures:
            raise ExampleError("\n\n".join(failures))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: None = None) -> str:  # type: ignore[override]  # pytest's type of style is private
        """Return the failed examples, without the traceback of pytest."""
        if isinstance(excinfo.value, ExampleError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo, style))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the document's path."""
        return self.path, 0, str(self.path.relative_to(ROOT))


class ExampleError(AssertionError):
    """Some examples of a document do not do what it says."""


def parse(path: Path, shell: "Shell") -> Document:
    """Return the examples of a document."""
    if path.suffix == ".py":
        return Sybil([DocTestParser()]).parse(path)
    console = CodeBlockParser("console", shell.evaluate)
    return Sybil([python_blocks, console, file_blocks]).parse(path)


def python_blocks(document: Document) -> Iterable[Region]:
    """Yield the blocks of Python that are not files."""
    files = [range(block.start(), block.end()) for block in FILE_BLOCK.finditer(document.text)]
    for region in PythonCodeBlockParser()(document):
        if not any(region.start in file for file in files):
            yield region


def file_blocks(document: Document) -> Iterable[Region]:
    """Yield the blocks that are files."""
    for block in FILE_BLOCK.finditer(document.text):
        yield Region(block.start(), block.end(), block, write_file)


def write_file(example: Example) -> str | None:
    """Write a block into its file; return an error message for invalid rules."""
    block = example.parsed
    if block["kind"] == "edit":
        return edit_file(Path(block["name"]), block["text"])
    Path(block["name"]).write_text(block["text"], encoding="utf-8")
    if block["kind"] == "rules":
        try:
            Rules.from_toml(block["text"])
        except RulesError as error:
            return f"{block['name']}: {error}"
    return None


def edit_file(path: Path, difference: str) -> str | None:
    """Edit a file as a difference says; return an error message where it does not have the lines."""
    text = path.read_text(encoding="utf-8")
    for part in difference.split("@@\n"):
        lines = part.splitlines(keepends=True)
        old, new = ("".join(line[1:] for line in lines if line[0] not in sign) for sign in "+-")
        if text.count(old) != 1:
            return f"{path} has these lines {text.count(old)} times:\n{old}"
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return None


class Shell:
    """Runs commands, and records the last exit status and the corrected text of pages."""

    def __init__(self, *, write: bool) -> None:
        self.write = write
        self.status = 0
        self.found: list[tuple[str, str]] = []

    def evaluate(self, example: Example) -> str | None:
        """Run the commands of a block and compare the whole block with the output."""
        expected = str(example.parsed)
        shown = "".join(f"$ {command}\n{self.run(command)}" for command in commands(expected))
        if shown == expected:
            return None
        if self.write:
            self.found.append((expected, shown))
            return None
        lines = unified_diff(
            expected.splitlines(), shown.splitlines(), "the page", "the command", lineterm=""
        )
        return "\n".join(lines)

    def write_back(self, path: Path) -> None:
        """Write the corrected blocks into the page as it is now: its tables may have been written again."""
        text = path.read_text(encoding="utf-8")
        for expected, shown in self.found:
            text = text.replace(f"```console\n{expected}```", f"```console\n{shown}```", 1)
        if self.found:
            path.write_text(text, encoding="utf-8")

    def run(self, command: str) -> str:
        """Run one line, and return the terminal's output."""
        line, _, target = command.replace("\\\n", " ").partition(" > ")
        if line == "echo $?":
            return f"{self.status}\n"
        piped, terminal = "", StringIO()
        for stage in PIPE.split(line):
            is_own = stage.startswith("oddsmith ")
            run = run_in_shell if not is_own else run_own_process if ".py" in stage else run_oddsmith
            out = StringIO()
            self.status = run(stage, piped, out, terminal)
            piped = out.getvalue()
        if target:
            Path(target.strip()).write_text(piped, encoding="utf-8")
        else:
            terminal.write(piped)
        return terminal.getvalue()


def commands(block: str) -> Iterator[str]:
    """Yield the commands of a block; a backslash at its end continues a command in the next line."""
    for found in re.finditer(r"^\$ ((?:.*\\\n)*.*)$", block, re.MULTILINE):
        yield found[1]


def run_oddsmith(stage: str, given: str, out: StringIO, error: StringIO) -> int:
    """Run oddsmith in this process, and return its exit status."""
    with mock.patch("sys.stdin", StringIO(given)), redirect_stdout(out), redirect_stderr(error):
        try:
            main(shlex.split(stage)[1:])
        except SystemExit as stop:
            return int(stop.code or 0)
    return 0


def run_own_process(stage: str, given: str, out: StringIO, error: StringIO) -> int:
    """Run oddsmith in another process, and return its exit status."""
    command = shlex.join([sys.executable, "-m", "oddsmith"])
    return run_in_shell(f"{command} {stage.removeprefix('oddsmith ')}", given, out, error)


def run_in_shell(stage: str, given: str, out: StringIO, error: StringIO) -> int:
    """Run another command in a shell, and return its exit status."""
    done = subprocess.run(["/bin/sh", "-c", stage], input=given, capture_output=True, text=True, check=False)  # noqa: S603  our own pages
    out.write(done.stdout)
    error.write(done.stderr)
    return done.returncode

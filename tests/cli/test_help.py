"""Help has a summary and an example, and loads nothing heavy."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Final

import pytest

from oddsmith.registry import mechanic_names
from tests.cli.commands import root_command, sub_commands
from tests.cli.running import environment, run


def _commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:  # noqa: ANN401  typer does not publish the type of its commands
    """Yield the words of every command, and of every group before its commands."""
    yield path
    for name, inner in sub_commands(command).items():
        yield from _commands(inner, (*path, name))


COMMANDS: Final = [*_commands(root_command())]
GROUPS: Final = [path for path in COMMANDS if any(other[:-1] == path for other in COMMANDS if other)]


def python(code: str) -> str:
    """Run code in a new process and return its output."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment()
    ).stdout.strip()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_has_a_summary_and_an_example(command: tuple[str, ...]) -> None:
    """After the usage comes one sentence, then an example of this command that fits in its line."""
    lines = run(*command, "--help").lines
    examples = [line for line in lines if line.startswith("  Example: ")]

    assert f"Usage: {' '.join(('oddsmith', *command))} " == lines[0].partition("[")[0]
    assert lines[2].startswith("  ")
    assert lines[2].endswith(".")
    assert 1 == len(examples)
    assert examples[0].startswith(f"  Example: {' '.join(('oddsmith', *command))} ")
    assert 80 >= max(map(len, lines))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_short_and_long_help_are_the_same(command: tuple[str, ...]) -> None:
    """`-h` is `--help`."""
    assert run(*command, "--help") == run(*command, "-h")


@pytest.mark.parametrize("command", GROUPS, ids=" ".join)
def test_a_group_without_a_command_shows_its_help(command: tuple[str, ...]) -> None:
    assert run(*command, "--help") == run(*command)


@pytest.mark.parametrize("command", GROUPS, ids=" ".join)
def test_no_summary_is_cut_short_in_a_list(command: tuple[str, ...]) -> None:
    """Each command's sentence is complete."""
    lines = run(*command).lines
    commands = lines[lines.index("Commands:") + 1 :]

    assert ["."] * len(commands) == [line[-1] for line in commands]
    assert not [line for line in commands if line.endswith("...")]


def test_version() -> None:
    """One line."""
    assert ["oddsmith 0.1.0"] == run("--version").lines


def test_importing_oddsmith_loads_nothing_heavy() -> None:
    heavy = python(
        "import sys, oddsmith; print({'numpy', 'matplotlib', 'rich', 'typer'} & {*sys.modules} or 'none')"
    )

    assert "none" == heavy


HEAVY: Final = {"httpx", "matplotlib", "numpy", "rich", "structlog", "uvicorn", "websockets"}
"""Packages that take long to load, or that only an extra installs."""


def modules_loaded_by_help(*commands: tuple[str, ...]) -> list[str]:
    """Return the modules that a new process has loaded after the help of each of these commands."""
    code = f"""
import sys
from contextlib import redirect_stdout
from io import StringIO
from oddsmith.cli import main
with redirect_stdout(StringIO()):
    for words in {[*commands]}:
        main([*words, "--help"])
print(*sys.modules)
"""
    return python(code).split()


def test_help_loads_nothing_heavy_and_no_game() -> None:
    """`oddsmith --help` works without any extra, and loads of each mechanic only its name and summary."""
    modules = modules_loaded_by_help(())

    assert HEAVY & {*modules} == set()
    assert [name for name in modules if name.startswith("oddsmith.games.") and name.count(".") > 2] == [
        f"oddsmith.games.{name}.mechanic" for name in mechanic_names()
    ]


def test_help_of_every_command_loads_nothing_heavy() -> None:
    """It works without the extras that the command itself needs."""
    assert HEAVY & {*modules_loaded_by_help(*COMMANDS)} == set()


def test_python_m_oddsmith_is_oddsmith() -> None:
    """With the same name in its usage."""
    done = subprocess.run(
        [sys.executable, "-m", "oddsmith", "--help"],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
    )

    assert run("--help") == (done.returncode, done.stdout, done.stderr)

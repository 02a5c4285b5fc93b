"""The recorded cases use every command and every option."""

from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.cli.commands import root_command, sub_commands
from tests.cli.golden.test_commands import CASES

UNRECORDED: Final = {"--version", "--openapi"}
"""The version changes with every release; of OpenAPI only the names are recorded, by `test_openapi.py`."""


def commands(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:  # noqa: ANN401  typer does not publish the type of its commands
    """Yield every command with its words."""
    command = command or root_command()
    for name, inner in sub_commands(command).items():
        yield from commands(inner, (*path, name))
    yield path, command


@pytest.mark.parametrize(
    ("path", "command"), [*commands()], ids=lambda given: " ".join(given) if isinstance(given, tuple) else ""
)
def test_every_option_of_every_command_is_in_a_case(path: tuple[str, ...], command: Any) -> None:  # noqa: ANN401  typer does not publish the type of its commands
    words = " ".join(("oddsmith", *path))
    lines = [f"{step} " for _, case in CASES for step in case.split(" && ") if f"{words} " in f"{step} "]
    options = [
        "--help",
        *(name for option in command.params for name in (*option.opts, *option.secondary_opts)),
    ]

    assert [] == [
        name
        for name in options
        if name.startswith("--")
        and name not in UNRECORDED
        and not any(f" {name} " in line or f" {name}=" in line for line in lines)
    ]

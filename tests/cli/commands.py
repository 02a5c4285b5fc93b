"""The tree of commands, walked as the help walks it."""

from collections.abc import Mapping
from typing import Any

import typer

from oddsmith.cli import app


def root_command() -> Any:  # noqa: ANN401  typer does not publish the type of its commands
    """Return the command of the program itself."""
    return typer.main.get_command(app)


def sub_commands(command: Any) -> Mapping[str, Any]:  # noqa: ANN401  as above
    """Return the commands of a group by name; none where it is a command of its own."""
    if not hasattr(command, "list_commands"):
        return {}
    context = typer.Context(command)
    return {name: command.get_command(context, name) for name in command.list_commands(context)}

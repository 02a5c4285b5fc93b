"""The tree of commands, as the help lists it."""

from collections.abc import Mapping
from typing import Any

import typer

from oddsmith.cli import app


def root_command() -> Any:  # noqa: ANN401  typer does not publish the type of its commands
    """Return the root command."""
    return typer.main.get_command(app)


def sub_commands(command: Any) -> Mapping[str, Any]:  # noqa: ANN401  typer does not publish the type of its commands
    """Return the commands of a group by name; empty if it is not a group."""
    if not hasattr(command, "list_commands"):
        return {}
    context = typer.Context(command)
    return {name: command.get_command(context, name) for name in command.list_commands(context)}

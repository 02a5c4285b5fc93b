"""Groups of commands that make each command when it is first asked for, so that help and start stay fast."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup

from oddsmith.command_options import help_without_a_command


class LazyCommands(TyperGroup):
    """A group that knows the names of its commands, and makes one when it is asked for."""

    names: ClassVar[Callable[[], Sequence[str]]]
    make: ClassVar[Callable[[str], Any]]

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002  typer does not publish click's types
        """Return the names of the commands, in the order of the help."""
        return list(type(self).names())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401, ARG002  as above
        """Return the command of that name; None where there is none."""
        if cmd_name not in self.commands:
            made = type(self).make(cmd_name)
            if made is None:
                return None
            self.commands[cmd_name] = made
        return self.commands[cmd_name]


def lazy_group(
    names: Callable[[], Sequence[str]],
    make: Callable[[str], Any],
    **settings: Any,  # noqa: ANN401  as Typer takes them
) -> typer.Typer:
    """Return a group whose commands `make` makes by name, None where there is none of it.

    Without a command, the group shows its help.
    """
    kind = type("Commands", (LazyCommands,), {"names": staticmethod(names), "make": staticmethod(make)})
    return typer.Typer(
        **{
            "cls": kind,
            "add_completion": False,
            "rich_markup_mode": None,
            "invoke_without_command": True,
            "callback": help_without_a_command,
            **settings,
        }
    )


def make_command(name: str, function: Callable[..., None], **settings: Any) -> Any:  # noqa: ANN401  as above
    """Return the command that typer makes from a function."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name=name, **settings)(function)
    return typer.main.get_command(app)

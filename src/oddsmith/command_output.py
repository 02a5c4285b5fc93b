"""The output of a command: lines in rich's markup, or one JSON document."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console


def console(*, stderr: bool = False) -> "Console":
    """Return the console of an output; where it is no terminal or NO_COLOR is set, its text is plain."""
    from rich.console import Console  # noqa: PLC0415  rich is loaded only where something is shown

    return Console(
        highlight=False,
        emoji=False,
        soft_wrap=True,
        stderr=stderr,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
    )


def print_json(reply: object) -> None:
    """Print one JSON document."""
    from oddsmith.wire import to_json  # noqa: PLC0415  help needs no JSON

    typer.echo(to_json(reply).decode())


def print_reply(reply: object, lines: Iterable[str], *, as_json: bool) -> None:
    """Print a reply as JSON, or the lines that show it."""
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(lines))

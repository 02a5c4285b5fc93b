"""Options that several commands share, and the output of lines in rich's markup or of one JSON document."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from rich.console import Console


GameName: TypeAlias = Annotated[
    str, typer.Argument(metavar="GAME", help="The name of a game, such as destiny.")
]
SourceOfRecord: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="[GAME]", help="The file of the record's game, such as ./pig.py, where it is not installed."
    ),
]
"""The command line makes the mechanic of a source known wherever its file is named."""
MatchUrl: TypeAlias = Annotated[
    str, typer.Argument(metavar="URL", help="The address of a match: oddsmith matches lists them.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON (docs/reference/json.md).")]
RulesFile: TypeAlias = Annotated[
    str,
    typer.Option(
        "--rules",
        "--preset",
        metavar="FILE|PRESET",
        help="Other rules: a TOML file, or the name of a preset.",
        show_default=False,
    ),
]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change one rule: its dotted key, its value; repeat."),
]
Seed: TypeAlias = Annotated[
    str | None,
    typer.Option("--seed", metavar="TEXT", help="Practice luck that replays; otherwise the system's."),
]
FixedSeed: TypeAlias = Annotated[str, typer.Option("--seed", metavar="TEXT", help="Luck that replays.")]
"""For commands that have a default seed."""
NewFile: TypeAlias = Annotated[
    str | None,
    typer.Option("--out", metavar="FILE", help="Write it to a new file, not to the terminal."),
]
Plot: TypeAlias = Annotated[
    str | None,
    typer.Option("--plot", metavar="FILE.svg|png", help="Also draw a chart (needs oddsmith[plot])."),
]


def help_without_a_command(context: typer.Context) -> None:
    """Print the help of a group of commands where no command is given."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def console(*, stderr: bool = False) -> "Console":
    """Return the console of stdout or stderr; without colors where it is no terminal or NO_COLOR is set."""
    from rich.console import Console  # noqa: PLC0415  slow to load, and needed only where something is printed

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
    """Print a reply as JSON, or its lines."""
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(lines))

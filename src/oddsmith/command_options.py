"""Options that commands of every mechanic share, and the help of a group: for commands that are no questions."""

from typing import Annotated, TypeAlias

import typer

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


def help_without_a_command(context: typer.Context) -> None:
    """Show the help of a group where none of its commands is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())

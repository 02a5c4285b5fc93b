"""Options that several commands share, and the help of a group."""

from typing import Annotated, TypeAlias

import typer

GameName: TypeAlias = Annotated[
    str, typer.Argument(metavar="GAME", help="The name of a game, such as destiny.")
]
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
"""For commands that have a seed even where none is given."""
Plot: TypeAlias = Annotated[
    str | None,
    typer.Option("--plot", metavar="FILE.svg|png", help="Also draw a chart (needs oddsmith[plot])."),
]


def help_without_a_command(context: typer.Context) -> None:
    """Show the help of a group where none of its commands is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())

"""Options that several commands share, each written once."""

from typing import Annotated, TypeAlias

import typer

from oddsmith.command_options import AsJson, RulesFile, Seed, Settings, help_without_a_command

__all__ = [
    "AsJson",
    "At",
    "Bonuses",
    "Buffs",
    "GameName",
    "Items",
    "Location",
    "MatchUrl",
    "Outlaw",
    "Plot",
    "RulesFile",
    "Seed",
    "Settings",
    "Skills",
    "help_without_a_command",
]

GameName: TypeAlias = Annotated[
    str, typer.Argument(metavar="GAME", help="The name of a game, such as destiny.")
]
MatchUrl: TypeAlias = Annotated[
    str, typer.Argument(metavar="URL", help="The address of a match: oddsmith matches lists them.")
]
Plot: TypeAlias = Annotated[
    str | None,
    typer.Option("--plot", metavar="FILE.svg|png", help="Also draw a chart (needs oddsmith[plot])."),
]
Skills: TypeAlias = Annotated[
    list[str] | None, typer.Option("--skill", metavar="NAME=LEVEL", help="A trained skill; repeat.")
]
Bonuses: TypeAlias = Annotated[
    list[str] | None, typer.Option("--bonus", metavar="SUIT=POINTS", help="An explicit suit bonus; repeat.")
]
Items: TypeAlias = Annotated[
    list[str] | None, typer.Option("--item", metavar="NAME", help="A carried item; repeat.")
]
Location: TypeAlias = Annotated[
    str | None, typer.Option("--location", metavar="NAME", help="Where it happens.")
]
Buffs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--buff", metavar="NAME[=START]", help="A buff and the second it began; repeat."),
]
At: TypeAlias = Annotated[int, typer.Option("--at", metavar="SECONDS", help="The moment of the draw.")]
Outlaw: TypeAlias = Annotated[
    str | None, typer.Option("--outlaw", metavar="NAME", help="Start from an outlaw of the roster.")
]

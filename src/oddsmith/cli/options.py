"""Options that several commands share, each written once."""

from typing import Annotated, TypeAlias

import typer

__all__ = [
    "AsJson",
    "At",
    "Bonuses",
    "Buffs",
    "Items",
    "Location",
    "Outlaw",
    "Plot",
    "RulesFile",
    "Seed",
    "Skills",
]

CHARACTER = "Character"

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON (docs/reference/json.md).")]
RulesFile: TypeAlias = Annotated[
    str, typer.Option("--rules", metavar="FILE|PRESET", help="Rules: a TOML file, or the name of a preset.")
]
Seed: TypeAlias = Annotated[
    str | None,
    typer.Option("--seed", metavar="TEXT", help="Practice luck that replays; otherwise the system's."),
]
Plot: TypeAlias = Annotated[
    str | None,
    typer.Option("--plot", metavar="FILE.svg|png", help="Also draw a chart (needs oddsmith[plot])."),
]
Skills: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--skill", metavar="NAME=LEVEL", help="A trained skill; repeat.", rich_help_panel=CHARACTER),
]
Bonuses: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--bonus", metavar="SUIT=POINTS", help="An explicit suit bonus; repeat.", rich_help_panel=CHARACTER
    ),
]
Items: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--item", metavar="NAME", help="A carried item; repeat.", rich_help_panel=CHARACTER),
]
Location: TypeAlias = Annotated[
    str | None,
    typer.Option("--location", metavar="NAME", help="Where it happens.", rich_help_panel=CHARACTER),
]
Buffs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--buff",
        metavar="NAME[=START]",
        help="A buff and the second it began; repeat.",
        rich_help_panel=CHARACTER,
    ),
]
At: TypeAlias = Annotated[
    int, typer.Option("--at", metavar="SECONDS", help="The moment of the draw.", rich_help_panel=CHARACTER)
]
Outlaw: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--outlaw", metavar="NAME", help="Start from an outlaw of the roster.", rich_help_panel=CHARACTER
    ),
]

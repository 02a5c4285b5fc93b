"""`oddsmith casino odds` and `solve`: what may be asked; the answers are next door, loaded when a command runs."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from oddsmith.command_options import AsJson

__all__ = ["PositionFile", "odds", "solve"]

MOST_NODES = 10_000_000

PositionFile: TypeAlias = Annotated[
    Path,
    typer.Argument(
        metavar="TABLE.toml", help="A table, as oddsmith casino position writes it.", show_default=False
    ),
]


def odds(file: PositionFile, *, as_json: AsJson = False) -> None:
    """Prove who may hold what, and what each move exposes.

    Example: oddsmith casino odds table.toml
    """
    from oddsmith.cli.casino import odds_answer

    odds_answer.odds(file, as_json=as_json)


def solve(
    file: PositionFile,
    *,
    nodes: Annotated[
        int,
        typer.Option(
            "--nodes", metavar="NUMBER", min=1, max=MOST_NODES, help="How many tables it may look at."
        ),
    ] = 1_000_000,
    as_json: AsJson = False,
) -> None:
    """Solve the last deal of two: where each move leads.

    Example: oddsmith casino solve ending.toml
    """
    from oddsmith.cli.casino import odds_answer

    odds_answer.solve(file, most_nodes=nodes, as_json=as_json)

"""`oddsmith play GAME`: a game in the terminal, at a table of one or against the house."""

from pathlib import Path
from typing import Annotated

import typer

from oddsmith.cli.options import RulesFile, Seed

__all__ = ["play_game"]


def play_game(
    game: Annotated[str, typer.Argument(help="The name of a game, such as destiny.")],
    *,
    seats: Annotated[
        int, typer.Option("--seats", help="1: a run alone; 2: a contest, the house in seat 1.")
    ] = 1,
    name: Annotated[str, typer.Option("--name", help="Your name in the record.")] = "you",
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Keep the game here, also when you leave early."),
    ] = None,
    seed: Seed = None,
    rules: RulesFile = "default",
) -> None:
    """Play in the terminal: choose by number, `q` leaves.

    Example: `oddsmith play destiny --record heist.toml`
    """
    from oddsmith.cli.sitting import sit_down

    sit_down(game, rules, seats=seats, name=name, record=record, seed=seed)

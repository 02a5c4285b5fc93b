"""`oddsmith play GAME`: a game in the terminal, at a table of one or against the house."""

from pathlib import Path
from typing import Annotated

import typer

from oddsmith.cli.options import GameName, RulesFile, Seed, Settings

__all__ = ["play_game"]


def play_game(
    game: GameName,
    *,
    seats: Annotated[
        int,
        typer.Option("--seats", metavar="NUMBER", help="How many play; a bot takes every seat but yours."),
    ] = 1,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="BOT", help="Which bot; random by default."),
    ] = None,
    name: Annotated[str, typer.Option("--name", metavar="TEXT", help="Your name in the record.")] = "you",
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Keep the game here, also when you leave early."),
    ] = None,
    seed: Seed = None,
    rules: RulesFile = "default",
    settings: Settings = None,
) -> None:
    """Play in the terminal, and leave with q.

    Example: oddsmith play destiny --record heist.toml
    """
    from oddsmith.cli.sitting import sit_down

    sit_down(
        game,
        rules,
        settings or (),
        seats=seats,
        against=against,
        name=name,
        record=record,
        seed=seed,
    )

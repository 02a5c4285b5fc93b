"""`oddsmith laws GAME`: the conformance kit, run."""

from typing import Annotated

import typer

from oddsmith.cli.options import AsJson, RulesFile

__all__ = ["check_laws"]


def check_laws(
    game: Annotated[str, typer.Argument(help="The name of a game, such as destiny.")],
    *,
    playouts: Annotated[
        int, typer.Option("--playouts", min=1, max=1_000_000, help="How many random games.")
    ] = 100,
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help="Luck that replays.")] = "oddsmith",
    rules: RulesFile = "default",
    as_json: AsJson = False,
) -> None:
    """Hold every law of the house against random games, and say for how many each held.

    Example: `oddsmith laws destiny --playouts 50`
    """
    from oddsmith.cli.console import console, print_json, progress_bar
    from oddsmith.games import find_game
    from oddsmith.laws import check_game

    found = find_game(game)
    with progress_bar(f"playing {playouts} games of {game}") as progress:
        report = check_game(
            found,
            found.rules_type.read(rules),
            playouts=playouts,
            seed=seed,
            progress=lambda done, of: progress(done / of),
        )
    if as_json:
        print_json(report)
        return
    out = console()
    width = max(len(held.law) for held in report.laws)
    for held in report.laws:
        out.print(
            f"[green]✓[/] [bold]{held.law:<{width}}[/]  held for {held.playouts} playouts  {held.promise}"
        )

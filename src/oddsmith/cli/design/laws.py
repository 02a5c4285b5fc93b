"""`oddsmith laws GAME`: run the conformance kit."""

from typing import Annotated, Final

import typer

from oddsmith.command_line import AsJson, GameName, RulesFile, Settings

OUTCOMES: Final = 500_000
"""The number of outcomes of chance nodes that are counted one by one, so that a check takes seconds."""
STATES: Final = 20_000
"""The most states of a game that are enumerated."""


def check_laws(
    game: GameName,
    *,
    playouts: Annotated[
        int,
        typer.Option("--playouts", metavar="NUMBER", min=1, max=1_000_000, help="How many random games."),
    ] = 100,
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help="Luck that replays.")] = "oddsmith",
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Check every law of the conformance kit on random games.

    Example: oddsmith laws destiny --playouts 50
    """
    from textwrap import fill

    from oddsmith.cli.terminal.console import progress_bar
    from oddsmith.command_line import console, print_json
    from oddsmith.laws import check_game
    from oddsmith.registry import find_game
    from oddsmith.text import escape_markup

    found = find_game(game)
    ruleset = found.rules_type.read(rules).with_settings(settings or ())
    with progress_bar(f"playing {playouts:,} games of {game}") as progress:
        report = check_game(
            found,
            ruleset,
            playouts=playouts,
            seed=seed,
            outcomes=OUTCOMES,
            states=STATES,
            progress=lambda done, of: progress(done / of),
        )
    if as_json:
        print_json(report)
        return
    out = console()
    out.print(
        f"[bold]{report.game}[/]  {report.playouts:,} playouts, {report.plies:,} plies, "
        f"seed {escape_markup(report.seed)}, rules {report.rules_id[:12]}"
    )
    width = max(len(held.law) for held in report.laws)
    for held in report.laws:
        out.print(
            f"[green]✓[/] [bold]{held.law:<{width}}[/]  held for {held.playouts:,} playouts, {held.checks:,} checks"
        )
        out.print(f"[dim]{fill(held.promise, out.width, initial_indent='  ', subsequent_indent='  ')}[/]")

"""`oddsmith casino tournament`: what may be asked; the answer is next door, loaded when the command runs."""

from typing import Annotated

import typer

from oddsmith.command_options import AsJson, RulesFile, Settings

__all__ = ["MOST_ITERATIONS", "tournament"]

MOST_GAMES = 1_000_000
MOST_ITERATIONS = 10_000_000
MOST_SECONDS = 3_600
MOST_JOBS = 64


def tournament(
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT…", help="Who plays: random, greedy or search.", show_default=False),
    ],
    *,
    games: Annotated[
        int,
        typer.Option(
            "--games", metavar="NUMBER", min=3, max=MOST_GAMES, help="How many, at least: deals are finished."
        ),
    ] = 200,
    players: Annotated[
        int | None,
        typer.Option(
            "--players", metavar="NUMBER", min=2, max=4, help="How many sit down: the bots in turn."
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            "--iterations",
            metavar="NUMBER",
            min=1,
            max=MOST_ITERATIONS,
            help="How many games a search plays before a move; 1000 by default.",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds", metavar="SECONDS", max=MOST_SECONDS, help="How long a search may take for a move."
        ),
    ] = None,
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help="Luck that replays.")] = "oddsmith",
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="NUMBER", min=1, max=MOST_JOBS, help="How many processes play.")
    ] = 1,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play each other, every deal with everybody on every seat.

    Example: oddsmith casino tournament greedy search --games 200 --iterations 300
    """
    from oddsmith.cli.casino import tournament_answer

    asked = tournament_answer.Asked(
        rules_file=rules,
        settings=settings or (),
        bots=bots,
        players=players,
        games=games,
        iterations=iterations,
        seconds=seconds,
        seed=seed,
    )
    tournament_answer.answer(asked, jobs=jobs, as_json=as_json)

"""`oddsmith play`: a game in the terminal, alone or against bots."""

from pathlib import Path
from typing import Annotated

import typer

from oddsmith.command_line import RulesFile, Seed, Settings
from oddsmith.errors import InputError


def play_game(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="The name of a game, such as destiny.", show_default=False),
    ] = None,
    *,
    seats: Annotated[
        int | None,
        typer.Option(
            "--seats",
            metavar="NUMBER",
            help="How many play, by default the fewest possible; a bot takes every seat but yours.",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="BOT", help="Which bot; by default the one that the game names."),
    ] = None,
    name: Annotated[str, typer.Option("--name", metavar="TEXT", help="Your name in the record.")] = "you",
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Record the game here, also when you leave early."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="FILE", help="Resume a recorded game, in the same file."),
    ] = None,
    seed: Seed = None,
    rules: RulesFile = "default",
    settings: Settings = None,
) -> None:
    """Play in the terminal; q quits, --resume continues later.

    Example: oddsmith play destiny --record heist.toml
    """
    from oddsmith.cli.match.local_play import play_new_game, resume_game

    if resume is not None:
        resume_game(
            resume,
            game=game,
            rules=rules if _is_given(context, "rules") else None,
            settings=settings or (),
            seats=seats,
            against=against,
            name=name if _is_given(context, "name") else None,
            record=record,
            seed=seed,
        )
        return
    if game is None:
        raise InputError("no_game", "name a game, such as destiny, or a recorded one with --resume FILE")
    play_new_game(
        game,
        rules,
        settings or (),
        seats=seats,
        against=against,
        name=name,
        record=record,
        seed=seed,
    )


def _is_given(context: typer.Context, option: str) -> bool:
    """Whether an option was said, be it what it is by default."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"

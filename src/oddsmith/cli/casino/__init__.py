"""`oddsmith casino …`: what may be asked; the answers are next door, loaded when a command runs."""

from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from oddsmith.cli.casino.odds import PositionFile, odds, solve
from oddsmith.cli.casino.tournament import MOST_ITERATIONS, tournament
from oddsmith.command_options import AsJson, RulesFile, Settings, help_without_a_command

__all__ = ["app"]

ESTIMATE_ITERATIONS: Final = 2_000

app = typer.Typer(
    rich_markup_mode=None,
    invoke_without_command=True,
    callback=help_without_a_command,
    help="Casino: what moves are worth, exact odds, endings, bots.\n\n"
    "Example: oddsmith casino position --seed 3 --plies 10 --out table.toml",
)

DEEPEST = 52

Players: TypeAlias = Annotated[
    int, typer.Option("--players", metavar="NUMBER", min=2, max=4, help="How many play.")
]


@app.command()
def classify(
    cards: Annotated[
        str, typer.Argument(metavar="CARDS", help='A group: "K♠ Q♠" or "KS QS".', show_default=False)
    ],
    *,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Name a group of cards, and say what can be done with it.

    Example: oddsmith casino classify "K♠ Q♠"
    """
    from oddsmith.cli.casino import answers

    answers.classify(cards, rules, settings or (), as_json=as_json)


@app.command()
def position(
    *,
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help="Luck that replays.")] = "oddsmith",
    plies: Annotated[
        int,
        typer.Option(
            "--plies", metavar="NUMBER", min=0, max=DEEPEST, help="How many moves are made; deals are none."
        ),
    ] = 10,
    players: Players = 2,
    bot: Annotated[str, typer.Option("--bot", metavar="BOT", help="Who moves for every seat.")] = "random",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write it to a new file, not to the terminal."),
    ] = None,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Write a table of a game between bots, to ask about.

    Example: oddsmith casino position --seed 3 --plies 10 --out table.toml
    """
    from oddsmith.cli.casino import answers

    asked = answers.Asked(seed=seed, plies=plies, players=players, bot=bot)
    answers.position(asked, rules, settings or (), out=out, as_json=as_json)


@app.command()
def moves(
    file: PositionFile,
    *,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help="Only these: capture, build, extend, trail …")
    ] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Add what the search bot expects of each.")
    ] = False,
    iterations: Annotated[
        int | None,
        typer.Option(
            "--iterations",
            metavar="NUMBER",
            min=1,
            max=MOST_ITERATIONS,
            help="Estimate with so many games: 2000 where only --estimate is given.",
        ),
    ] = None,
    seed: Annotated[
        str, typer.Option("--seed", metavar="TEXT", help="Luck of the search, that replays.")
    ] = "oddsmith",
    as_json: AsJson = False,
) -> None:
    """List every legal move of a table, with what it gains at once.

    Example: oddsmith casino moves table.toml --kind capture --estimate
    """
    from oddsmith.cli.casino import answers

    games = iterations or (ESTIMATE_ITERATIONS if estimate else None)
    answers.moves(file, kind=kind, iterations=games, seed=seed, as_json=as_json)


app.command(short_help="Prove who may hold what, and what each move exposes.")(odds)
app.command(short_help="Solve the last deal of two players, move by move.")(solve)


@app.command()
def perft(
    *,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="TEXT", help="A deck whose first deal is play --seed's.")
    ] = None,
    deck: Annotated[
        Path | None,
        typer.Option("--deck", metavar="FILE", help="A deck as text, its first card dealt first."),
    ] = None,
    depth: Annotated[
        int, typer.Option("--depth", metavar="NUMBER", min=1, max=DEEPEST, help="How many moves a line has.")
    ] = 3,
    players: Players = 2,
    divide: Annotated[bool, typer.Option("--divide", help="Also by first move.")] = False,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Count the lines of play from a deck in a given order.

    Example: oddsmith casino perft --seed 1 --depth 3 --divide
    """
    from oddsmith.cli.casino import counting

    counting.perft(
        counting.Asked(seed=seed, deck=deck, depth=depth, players=players, divide=divide),
        rules,
        settings or (),
        as_json=as_json,
    )


app.command(name="tournament", short_help="Let bots play each other, each deal from every seat.")(tournament)

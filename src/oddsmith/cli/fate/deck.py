"""`oddsmith fate deck …`: what may be asked of a deck in a file; the answers are next door."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from oddsmith.cli.options import AsJson, RulesFile, Seed, Settings, help_without_a_command

__all__ = ["app"]

app = typer.Typer(
    rich_markup_mode=None,
    invoke_without_command=True,
    callback=help_without_a_command,
    help="Make a deck that is kept in a file; see what you know of it.\n\n"
    "Example: oddsmith fate deck new table.json --rules best",
)

File: TypeAlias = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE",
        help="By default your own deck: ODDSMITH_FATE_DECK, or in your state folder.",
        show_default=False,
    ),
]


@app.command()
def new(
    file: File = None,
    *,
    force: Annotated[bool, typer.Option("--force", help="In the place of a file that is there.")] = False,
    seed: Seed = None,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Put a fresh deck into a file.

    Example: oddsmith fate deck new table.json --seed yuma
    """
    from oddsmith.cli.fate import drawing

    drawing.new(file, rules, settings or (), force=force, seed=seed, as_json=as_json)


@app.command()
def show(file: File = None, *, as_json: AsJson = False) -> None:
    """Show what you know of a deck: what was seen, and what is unseen.

    Example: oddsmith fate deck show table.json
    """
    from oddsmith.cli.fate import drawing

    drawing.show_deck(file, as_json=as_json)


@app.command()
def shuffle(file: File = None, *, as_json: AsJson = False) -> None:
    """Shuffle a deck with its discards; nothing is known any more.

    Example: oddsmith fate deck shuffle table.json
    """
    from oddsmith.cli.fate import drawing

    drawing.shuffle(file, as_json=as_json)


@app.command()
def peek(
    file: File = None,
    *,
    count: Annotated[
        int, typer.Option("--count", metavar="NUMBER", min=1, help="At how many of the top cards.")
    ] = 1,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Look at the top cards of a deck, and leave them there.

    Example: oddsmith fate deck peek table.json --count 2
    """
    from oddsmith.cli.fate import drawing

    drawing.peek(file, count, seed=seed, as_json=as_json)

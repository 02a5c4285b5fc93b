"""The commands of the Fate Deck that are not questions: they read and change deck files."""

from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from oddsmith.command_line import AsJson, RulesFile, Seed, Settings, help_without_a_command

LARGEST: Final = 1000

File: TypeAlias = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE",
        help="By default your own deck: ODDSMITH_FATE_DECK, or in your state folder.",
        show_default=False,
    ),
]

deck_app = typer.Typer(
    rich_markup_mode=None,
    invoke_without_command=True,
    callback=help_without_a_command,
    help="Make a deck in a file, and see what you know of it.\n\n"
    "Example: oddsmith fate deck new table.json --rules best",
)


def add_commands(app: typer.Typer) -> None:
    """Add `draw` and `deck …` to the commands of the Fate Deck."""
    app.command()(draw)
    app.add_typer(deck_app, name="deck")


def draw(
    *,
    on_turn: Annotated[
        bool, typer.Option("--on-turn/--off-turn", help="Two cards on turn, one off turn, by the rules.")
    ] = True,
    count: Annotated[
        int | None, typer.Option("--count", metavar="NUMBER", min=1, help="How many cards instead.")
    ] = None,
    target: Annotated[
        int | None,
        typer.Option("--target", metavar="NUMBER", min=-LARGEST, max=LARGEST, help="The total to reach."),
    ] = None,
    modifier: Annotated[
        int,
        typer.Option("--modifier", metavar="NUMBER", min=-LARGEST, max=LARGEST, help="Added to the cards."),
    ] = 0,
    trigger: Annotated[
        list[str] | None,
        typer.Option("--trigger", metavar="TEXT", help="A trigger, such as 'single(spade)'; repeat."),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--deck", metavar="FILE", help="The deck; your own by default.")
    ] = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Draw from a deck in a file, and show the chance it had.

    Example: oddsmith fate draw --target 4 --modifier 1 --trigger 'single(spade)'
    """
    from oddsmith.games.fate import deck_commands

    options = deck_commands.DrawOptions(
        on_turn=on_turn, count=count, target=target, modifier=modifier, triggers=tuple(trigger or ())
    )
    deck_commands.draw(file, options, seed=seed, as_json=as_json)


@deck_app.command()
def new(
    file: File = None,
    *,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    seed: Seed = None,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Write a fresh deck to a file.

    Example: oddsmith fate deck new table.json --seed yuma
    """
    from oddsmith.games.fate import deck_commands

    deck_commands.new(file, rules, settings or (), force=force, seed=seed, as_json=as_json)


@deck_app.command()
def show(file: File = None, *, as_json: AsJson = False) -> None:
    """Show what you know of a deck: what was seen, and what is unseen.

    Example: oddsmith fate deck show table.json
    """
    from oddsmith.games.fate import deck_commands

    deck_commands.show(file, as_json=as_json)


@deck_app.command()
def shuffle(file: File = None, *, as_json: AsJson = False) -> None:
    """Shuffle a deck with its discards; nothing is known any more.

    Example: oddsmith fate deck shuffle table.json
    """
    from oddsmith.games.fate import deck_commands

    deck_commands.shuffle(file, as_json=as_json)


@deck_app.command()
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
    from oddsmith.games.fate import deck_commands

    deck_commands.peek(file, count, seed=seed, as_json=as_json)

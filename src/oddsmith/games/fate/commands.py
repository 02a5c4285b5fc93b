"""`oddsmith fate …`: what may be asked; the answers are next door, loaded when a command runs."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from oddsmith.cli.fate import deck
from oddsmith.cli.options import AsJson, Plot, RulesFile, Seed, Settings, help_without_a_command

__all__ = ["app"]

app = typer.Typer(
    rich_markup_mode=None,
    invoke_without_command=True,
    callback=help_without_a_command,
    help="The Fate Deck: draw from a deck that remembers, count it.\n\n"
    "Example: oddsmith fate odds --target 4 --seen '3♠ J♥ RJ'",
)
app.add_typer(deck.app, name="deck")

LARGEST = 1000
MOST_DRAWN = 5

Target: TypeAlias = Annotated[
    int | None,
    typer.Option("--target", metavar="NUMBER", min=-LARGEST, max=LARGEST, help="The total to reach."),
]
Modifier: TypeAlias = Annotated[
    int,
    typer.Option("--modifier", metavar="NUMBER", min=-LARGEST, max=LARGEST, help="Added to the cards."),
]
Triggers: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--trigger", metavar="TEXT", help="A trigger, such as 'single(spade)'; repeat."),
]
Count: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--draw", metavar="NUMBER", min=1, max=MOST_DRAWN, help="How many cards; by default as on turn."
    ),
]
Seen: TypeAlias = Annotated[
    list[str] | None, typer.Option("--seen", metavar="CARDS", help="Seen and discarded, the last first.")
]
Top: TypeAlias = Annotated[
    list[str] | None, typer.Option("--top", metavar="CARDS", help="Known to lie on top, from the top.")
]
Bottom: TypeAlias = Annotated[
    list[str] | None, typer.Option("--bottom", metavar="CARDS", help="Known to lie below, the lowest last.")
]
Out: TypeAlias = Annotated[
    list[str] | None, typer.Option("--out", metavar="CARDS", help="In a hand: not in deck or discards.")
]
Discards: TypeAlias = Annotated[
    int, typer.Option("--discards", metavar="NUMBER", min=0, help="How many were discarded unseen.")
]
DeckFile: TypeAlias = Annotated[
    Path | None, typer.Option("--deck", metavar="FILE", help="What you know of the deck in this file.")
]
Kept: TypeAlias = Annotated[
    bool, typer.Option("--kept", help="What you know of your own deck, that of fate draw.")
]


@app.command()
def draw(
    *,
    on_turn: Annotated[
        bool, typer.Option("--on-turn/--off-turn", help="Two cards on turn, one off turn, by the rules.")
    ] = True,
    count: Annotated[
        int | None, typer.Option("--count", metavar="NUMBER", min=1, help="How many cards instead.")
    ] = None,
    target: Target = None,
    modifier: Modifier = 0,
    trigger: Triggers = None,
    file: Annotated[
        Path | None, typer.Option("--deck", metavar="FILE", help="The deck; your own by default.")
    ] = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Draw from a kept deck, and say which chance that had.

    Example: oddsmith fate draw --target 4 --modifier 1 --trigger 'single(spade)'
    """
    from oddsmith.cli.fate import drawing

    drawing.draw(
        file,
        drawing.Wanted(
            on_turn=on_turn, count=count, target=target, modifier=modifier, triggers=tuple(trigger or ())
        ),
        seed=seed,
        as_json=as_json,
    )


@app.command()
def odds(
    *,
    draw: Count = None,
    target: Target = None,
    modifier: Modifier = 0,
    trigger: Triggers = None,
    seen: Seen = None,
    top: Top = None,
    bottom: Bottom = None,
    out: Out = None,
    discards: Discards = 0,
    deck: DeckFile = None,
    kept: Kept = False,
    share: Annotated[
        str, typer.Option("--share", metavar="SHARE", help="Which share of checks is on turn.")
    ] = "1/2",
    plot: Plot = None,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Prove what the next check makes, from what you know.

    Example: oddsmith fate odds --target 4 --seen '3♠ J♥ RJ' --top A♠
    """
    from oddsmith.cli.fate import answers, reading

    known = reading.Known(
        rules_file=rules,
        settings=settings,
        seen=seen,
        top=top,
        bottom=bottom,
        out=out,
        discards=discards,
        deck=deck,
        kept=kept,
    )
    check = answers.Check(count=draw, target=target, modifier=modifier, triggers=tuple(trigger or ()))
    answers.odds(known, check, share=share, plot=plot, as_json=as_json)


@app.command()
def abilities(
    *,
    draw: Count = None,
    target: Target = None,
    modifier: Modifier = 0,
    trigger: Annotated[
        str | None, typer.Option("--trigger", metavar="TEXT", help="A trigger that has to fire too.")
    ] = None,
    seen: Seen = None,
    top: Top = None,
    bottom: Bottom = None,
    out: Out = None,
    discards: Discards = 0,
    deck: DeckFile = None,
    kept: Kept = False,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Say what each ability adds to the chance of the next check.

    Example: oddsmith fate abilities --target 4 --trigger 'single(spade)'
    """
    from oddsmith.cli.fate import answers, reading

    known = reading.Known(
        rules_file=rules,
        settings=settings,
        seen=seen,
        top=top,
        bottom=bottom,
        out=out,
        discards=discards,
        deck=deck,
        kept=kept,
    )
    triggers = () if trigger is None else (trigger,)
    check = answers.Check(count=draw, target=target, modifier=modifier, triggers=triggers)
    answers.abilities(known, check, as_json=as_json)


@app.command()
def trigger(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="Such as 'pair(spade, heart)'.", show_default=False)
    ],
    *,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Say a trigger in plain words, and how often it fires.

    Example: oddsmith fate trigger 'single(spade, heart) and sum >= 4'
    """
    from oddsmith.cli.fate import answers

    answers.trigger(text, rules, settings or (), as_json=as_json)

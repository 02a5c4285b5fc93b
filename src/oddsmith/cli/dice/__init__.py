"""`oddsmith dice …`: what may be asked; the answers are next door, loaded when a command runs."""

from typing import Annotated, TypeAlias

import typer

from oddsmith.cli.dice.runs import runs
from oddsmith.cli.options import AsJson, Plot, RulesFile, Settings, help_without_a_command

__all__ = ["app"]

app = typer.Typer(
    rich_markup_mode=None,
    invoke_without_command=True,
    callback=help_without_a_command,
    help="Dice Hands: scores, odds, what to keep, what to buy.\n\n"
    "Example: oddsmith dice advise 5 5 2 3 6 --rerolls 2 --target 98",
)

MOST_REROLLS = 10
MOST_POINTS = 10**15
MOST_ROUNDS = 1_000_000

Thrown: TypeAlias = Annotated[
    list[str],
    typer.Argument(metavar="DIE...", help="What each shows: 5, or 6:glass+1 for a kind.", show_default=False),
]
Dice: TypeAlias = Annotated[
    int | None, typer.Option("--dice", metavar="NUMBER", help="How many dice; by default those of the rules.")
]
Kinds: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--kind", metavar="KIND[+LEVEL]=NUMBER", help="So many of them are of a kind; repeat."),
]
Items: TypeAlias = Annotated[
    list[str] | None, typer.Option("--item", metavar="NAME", help="An item that is owned; repeat.")
]
Levels: TypeAlias = Annotated[
    list[str] | None, typer.Option("--level", metavar="HAND=LEVEL", help="An upgraded hand; repeat.")
]
Boss: TypeAlias = Annotated[str | None, typer.Option("--boss", metavar="NAME", help="The boss of the round.")]
FixedDie: TypeAlias = Annotated[
    str | None, typer.Option("--fixed", metavar="PLACE=FACE", help="The die that the lockdown holds.")
]
FixedPlace: TypeAlias = Annotated[
    str | None, typer.Option("--fixed", metavar="PLACE", help="The die that the lockdown holds, from 1.")
]
Target: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--target",
        metavar="POINTS",
        min=0,
        max=MOST_POINTS,
        help="The score to reach; without it, the mean counts.",
    ),
]
Rounds: TypeAlias = Annotated[
    int,
    typer.Option(
        "--rounds", metavar="NUMBER", min=2, max=MOST_ROUNDS, help="How many an estimate plays, if need be."
    ),
]


@app.command()
def score(
    dice: Thrown,
    *,
    item: Items = None,
    level: Levels = None,
    boss: Boss = None,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Score dice, layer by layer.

    Example: oddsmith dice score 5 5 5 2 4:glass+1 --item even_steven
    """
    from oddsmith.cli.dice import answers, reading

    asked = reading.Asked(rules_file=rules, settings=settings, items=item, levels=level, boss_name=boss)
    answers.score(asked, dice, as_json=as_json)


@app.command()
def odds(
    *,
    dice: Dice = None,
    kind: Kinds = None,
    item: Items = None,
    level: Levels = None,
    boss: Boss = None,
    fixed: FixedDie = None,
    target: Target = None,
    rerolls: Annotated[
        int | None,
        typer.Option(
            "--rerolls", metavar="NUMBER", min=0, max=MOST_REROLLS, help="Also solve the best rerolls."
        ),
    ] = None,
    rounds: Rounds = 1_000,
    plot: Plot = None,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Prove what one roll makes, and what the best rerolls do.

    Example: oddsmith dice odds --dice 6 --kind glass=2 --target 90 --rerolls 3
    """
    from oddsmith.cli.dice import answers, reading

    asked = reading.Asked(rules_file=rules, settings=settings, items=item, levels=level, boss_name=boss)
    pool = reading.Counted(dice, kind, fixed)
    answers.odds(asked, pool, target=target, rerolls=rerolls, rounds=rounds, plot=plot, as_json=as_json)


@app.command()
def advise(
    dice: Thrown,
    *,
    rerolls: Annotated[
        int, typer.Option("--rerolls", metavar="NUMBER", min=0, max=MOST_REROLLS, help="How many are left.")
    ] = 1,
    target: Target = None,
    item: Items = None,
    level: Levels = None,
    boss: Boss = None,
    fixed: FixedPlace = None,
    everything: Annotated[bool, typer.Option("--all", help="Every choice, not only the best ten.")] = False,
    rounds: Rounds = 200,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Say which dice to keep, with what every choice is worth.

    Example: oddsmith dice advise 5 5 2 3 6 --rerolls 2 --target 98
    """
    from oddsmith.cli.dice import answers, reading

    asked = reading.Asked(rules_file=rules, settings=settings, items=item, levels=level, boss_name=boss)
    answers.advise(
        asked,
        dice,
        rerolls=rerolls,
        target=target,
        fixed=fixed,
        everything=everything,
        rounds=rounds,
        as_json=as_json,
    )


@app.command()
def table(
    *,
    dice: Dice = None,
    kind: Kinds = None,
    item: Items = None,
    level: Levels = None,
    boss: Boss = None,
    fixed: FixedDie = None,
    rounds: Rounds = 1_000,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """List the hands: how often a roll makes each, and for how much.

    Example: oddsmith dice table --dice 6 --level pair=2
    """
    from oddsmith.cli.dice import answers, reading

    asked = reading.Asked(rules_file=rules, settings=settings, items=item, levels=level, boss_name=boss)
    answers.table(asked, reading.Counted(dice, kind, fixed), rounds=rounds, as_json=as_json)


@app.command()
def shop(
    *,
    number: Annotated[
        int, typer.Option("--round", metavar="NUMBER", min=1, help="The round to be won next.")
    ],
    dice: Dice = None,
    kind: Kinds = None,
    item: Items = None,
    level: Levels = None,
    money: Annotated[
        int | None, typer.Option("--money", metavar="DOLLARS", min=0, help="Leave out what costs more.")
    ] = None,
    rounds: Rounds = 100,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Say what each purchase adds to the chance to win a round.

    Example: oddsmith dice shop --round 4 --kind glass=1 --money 20
    """
    from oddsmith.cli.dice import answers, reading

    asked = reading.Asked(rules_file=rules, settings=settings, items=item, levels=level)
    answers.shop(
        asked, reading.Counted(dice, kind, None), number, money=money, rounds=rounds, as_json=as_json
    )


app.command()(runs)

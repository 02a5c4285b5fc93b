"""`oddsmith duel …`: what may be asked; the answers are next door, loaded when a command runs."""

from typing import Annotated, TypeAlias

import typer

from oddsmith.cli.options import AsJson, Plot, RulesFile, Settings, help_without_a_command

__all__ = ["app"]

app = typer.Typer(
    rich_markup_mode=None,
    invoke_without_command=True,
    callback=help_without_a_command,
    help="The Combat Duel: odds, the best split, tournaments.\n\n"
    "Example: oddsmith duel odds --difficulty 3 --skill 30 --weapon 5 --armor 3",
)

MOST_DUELS = 1_000_000

Difficulty: TypeAlias = Annotated[
    str | None, typer.Option("--difficulty", metavar="NUMBER", help="How hard the opponent is.")
]
Weapon: TypeAlias = Annotated[
    str | None, typer.Option("--weapon", metavar="NUMBER", help="What your weapon adds to attack.")
]
Armor: TypeAlias = Annotated[
    str | None, typer.Option("--armor", metavar="NUMBER", help="What your armour adds to defence.")
]
Skill: TypeAlias = Annotated[str | None, typer.Option("--skill", metavar="NUMBER", help="Your skill.")]
Hidden: TypeAlias = Annotated[
    bool | None,
    typer.Option("--hidden/--shown", help="Whether the opponent hides its split.", show_default=False),
]
Objective: TypeAlias = Annotated[
    str, typer.Option("--objective", metavar="win|gold", help="What perfect play wants most.")
]
Luck: TypeAlias = Annotated[str, typer.Option("--seed", metavar="TEXT", help="Luck that replays.")]


@app.command()
def odds(
    *,
    difficulty: Difficulty = None,
    weapon: Weapon = None,
    armor: Armor = None,
    skill: Skill = None,
    hidden: Hidden = None,
    objective: Objective = "win",
    perfect: Annotated[
        bool,
        typer.Option("--perfect/--no-perfect", help="Whether to solve perfect play.", show_default=False),
    ] = True,
    duels: Annotated[
        int,
        typer.Option(
            "--duels", metavar="NUMBER", min=100, max=MOST_DUELS, help="How many duels of perfect play."
        ),
    ] = 10_000,
    seed: Luck = "oddsmith",
    plot: Plot = None,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Say how duels go, for simple players and for perfect play.

    Example: oddsmith duel odds --difficulty 3 --skill 30 --weapon 5 --armor 3
    """
    from oddsmith.cli.duel import answers

    asked = answers.Asked(rules, settings, difficulty, weapon, armor, skill, hidden)
    answers.odds(
        asked, objective=objective, perfect=perfect, duels=duels, seed=seed, plot=plot, as_json=as_json
    )


@app.command()
def split(
    hand: Annotated[
        str, typer.Argument(metavar="HAND", help='Five cards: "10♠ 7♥ 5♣ A♦ 3♠" or "TS 7H 5C AD 3S".')
    ],
    *,
    enemy_attack: Annotated[
        int | None, typer.Option("--enemy-attack", metavar="NUMBER", help="The attack that it shows.")
    ] = None,
    enemy_defense: Annotated[
        int | None, typer.Option("--enemy-defense", metavar="NUMBER", help="The defence that it shows.")
    ] = None,
    hp: Annotated[
        int | None, typer.Option("--hp", metavar="NUMBER", help="Your hit points; full by default.")
    ] = None,
    enemy_hp: Annotated[
        int | None,
        typer.Option("--enemy-hp", metavar="NUMBER", help="The opponent's hit points; full by default."),
    ] = None,
    number: Annotated[int, typer.Option("--round", metavar="NUMBER", help="Which round it is.")] = 1,
    difficulty: Difficulty = None,
    weapon: Weapon = None,
    armor: Armor = None,
    skill: Skill = None,
    hidden: Hidden = None,
    objective: Objective = "win",
    solve: Annotated[
        bool,
        typer.Option(
            "--solve/--no-solve", help="Whether to say what each split is worth.", show_default=False
        ),
    ] = True,
    top: Annotated[
        int, typer.Option("--top", metavar="NUMBER", min=1, max=32, help="Only the best so many.")
    ] = 32,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Rank all 32 splits of a hand.

    Where the opponent shows its split, --enemy-attack and --enemy-defense say it.

    Example: oddsmith duel split "10♠ 7♥ 5♣ A♦ 3♠" --hidden --top 5
    """
    from oddsmith.cli.duel import answers

    asked = answers.Asked(rules, settings, difficulty, weapon, armor, skill, hidden)
    place = answers.Place(hp, enemy_hp, number, enemy_attack, enemy_defense)
    answers.split(asked, hand, place, objective=objective, solved=solve, top=top, as_json=as_json)


@app.command()
def tournament(
    *,
    duels: Annotated[
        int, typer.Option("--duels", metavar="NUMBER", min=100, max=MOST_DUELS, help="How many for each.")
    ] = 1_000,
    bots: Annotated[
        str | None,
        typer.Option("--bots", metavar="NAME,NAME", help="Which of the bots fight; all by default."),
    ] = None,
    deck: Annotated[
        str, typer.Option("--deck", metavar="fresh|depleting|both", help="What becomes of used cards.")
    ] = "both",
    difficulty: Difficulty = None,
    weapon: Weapon = None,
    armor: Armor = None,
    skill: Skill = None,
    hidden: Hidden = None,
    objective: Objective = "win",
    seed: Luck = "oddsmith",
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Send every bot against the house, move by move.

    Example: oddsmith duel tournament --duels 500 --bots random,best_trade --skill 30
    """
    from oddsmith.cli.duel import answers

    asked = answers.Asked(rules, settings, difficulty, weapon, armor, skill, hidden)
    answers.tournament(
        asked, duels=duels, bots=bots, deck=deck, objective=objective, seed=seed, as_json=as_json
    )

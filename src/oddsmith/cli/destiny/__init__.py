"""`oddsmith destiny …`: what may be asked; the answers are next door, loaded when a command runs."""

from typing import Annotated, TypeAlias

import typer

from oddsmith.cli.options import (
    AsJson,
    At,
    Bonuses,
    Buffs,
    Items,
    Location,
    Outlaw,
    Plot,
    RulesFile,
    Seed,
    Settings,
    Skills,
    help_without_a_command,
)

__all__ = ["app"]

app = typer.Typer(
    rich_markup_mode=None,
    invoke_without_command=True,
    callback=help_without_a_command,
    help="The Destiny Deck: score hands, make checks, prove the odds.\n\n"
    'Example: oddsmith destiny score "A♠ K♠ Q♠ J♠ 10♠" --bonus spades=27.28',
)

TargetName: TypeAlias = Annotated[
    str, typer.Argument(metavar="TARGET", help="A crime, a skill check, or a threshold.", show_default=False)
]
DefenseBonus: TypeAlias = Annotated[
    str, typer.Option("--defense-bonus", metavar="POINTS", help="The bonus of a defender of territory.")
]
Side: TypeAlias = Annotated[
    str, typer.Option(metavar="CHARACTER", help='As in "stealth=40 clubs=2.5 frontera", or elite.')
]
Members: TypeAlias = Annotated[
    list[str] | None, typer.Option(metavar="CHARACTER", help='A member, or several: "3x elite"; repeat.')
]
DrawToo: TypeAlias = Annotated[bool, typer.Option("--draw", help="Also draw the hands and say who won.")]


@app.command()
def score(
    hand: Annotated[
        str, typer.Argument(metavar="HAND", help='Five cards: "A♠ K♠ Q♠ J♠ 10♠" or "AS KS QS JS TS".')
    ],
    *,
    skill: Skills = None,
    bonus: Bonuses = None,
    item: Items = None,
    location: Location = None,
    buff: Buffs = None,
    outlaw: Outlaw = None,
    at: At = 0,
    defense_bonus: DefenseBonus = "0",
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Score a hand, with every part of it.

    Example: oddsmith destiny score "K♠ K♦ A♣ 7♥ 3♠" --skill lockpicking=50
    """
    from oddsmith.cli.destiny import answers

    who = answers.Asked(rules, settings, skill, bonus, item, location, buff, outlaw, at)
    answers.score(who, hand, defense_bonus=defense_bonus, as_json=as_json)


@app.command()
def check(
    target: TargetName,
    *,
    skill: Skills = None,
    bonus: Bonuses = None,
    item: Items = None,
    location: Location = None,
    buff: Buffs = None,
    outlaw: Outlaw = None,
    at: At = 0,
    hand: Annotated[
        str | None, typer.Option("--hand", metavar="CARDS", help="This hand instead of a drawn one.")
    ] = None,
    energy: Annotated[
        int | None,
        typer.Option("--energy", metavar="NUMBER", help="The energy there is; a crime costs some."),
    ] = None,
    odds: Annotated[bool, typer.Option("--odds", help="Also show the exact odds it had.")] = False,
    seed: Seed = None,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Draw a hand against a crime, a skill check or a threshold.

    Example: oddsmith destiny check bank_robbery --outlaw calamity_rose
    """
    from oddsmith.cli.destiny import answers

    who = answers.Asked(rules, settings, skill, bonus, item, location, buff, outlaw, at)
    answers.check(who, target, hand=hand, energy=energy, with_odds=odds, seed=seed, as_json=as_json)


@app.command()
def odds(
    target: TargetName,
    *,
    skill: Skills = None,
    bonus: Bonuses = None,
    item: Items = None,
    location: Location = None,
    buff: Buffs = None,
    outlaw: Outlaw = None,
    at: At = 0,
    full: Annotated[bool, typer.Option("--full", help="With --json: every total and its count.")] = False,
    plot: Plot = None,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Prove the odds of a check, and of every total.

    Example: oddsmith destiny odds burglary --skill stealth=40 --plot odds.svg
    """
    from oddsmith.cli.destiny import answers

    who = answers.Asked(rules, settings, skill, bonus, item, location, buff, outlaw, at)
    answers.odds(who, target, full=full, plot=plot, as_json=as_json)


@app.command()
def versus(
    *,
    attacker: Side,
    defender: Side,
    defense_bonus: DefenseBonus = "0",
    draw: DrawToo = False,
    seed: Seed = None,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Prove who wins a contest, and how often.

    A character is written as skills, suit bonuses and names of items, places, buffs, outlaws or NPC tiers.

    Example: oddsmith destiny versus --attacker iron_jack --defender elite
    """
    from oddsmith.cli.destiny import answers

    answers.versus(
        answers.read_rules(rules, settings),
        attacker,
        defender,
        defense_bonus=defense_bonus,
        draw_too=draw,
        seed=seed,
        as_json=as_json,
    )


@app.command()
def gang(
    *,
    attacker: Members = None,
    defender: Members = None,
    defense_bonus: DefenseBonus = "0",
    score: Annotated[
        str | None, typer.Option("--score", metavar="average|sum|best", help="What a side's score is.")
    ] = None,
    best: Annotated[int | None, typer.Option("--best", metavar="K", help="The best so many count.")] = None,
    draw: DrawToo = False,
    seed: Seed = None,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Prove who wins a gang war, up to ten a side.

    Example: oddsmith destiny gang --attacker "3x elite" --defender "5x rookie"
    """
    from oddsmith.cli.destiny import answers

    answers.gang(
        answers.read_rules(rules, settings),
        attacker or [],
        defender or [],
        defense_bonus=defense_bonus,
        score=score,
        best=best,
        draw_too=draw,
        seed=seed,
        as_json=as_json,
    )


@app.command()
def needs(
    target: Annotated[
        str | None,
        typer.Argument(metavar="TARGET", help="A crime, a skill check, or a threshold.", show_default=False),
    ] = None,
    *,
    success: Annotated[str, typer.Option("--success", metavar="CHANCE", help="Such as 0.5, 50% or 1/2.")],
    skill: Annotated[
        list[str] | None,
        typer.Option(
            "--skill", metavar="NAME[=LEVEL]", help="With a target, the one without a level is sought."
        ),
    ] = None,
    bonus: Bonuses = None,
    item: Items = None,
    location: Location = None,
    buff: Buffs = None,
    outlaw: Outlaw = None,
    at: At = 0,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Find the level or the threshold that a success rate needs.

    With a target, the level of the skill that is given without one; else the highest threshold.

    Example: oddsmith destiny needs burglary --success 50% --skill stealth
    """
    from oddsmith.cli.destiny import answers

    sought = [text for text in skill or [] if "=" not in text]
    trained = [text for text in skill or [] if "=" in text]
    who = answers.Asked(rules, settings, trained, bonus, item, location, buff, outlaw, at)
    answers.needs(who, target, sought, success, as_json=as_json)

"""`oddsmith playthrough GAME`: print a random game as text, with what each seat sees."""

from typing import Annotated

import typer

from oddsmith.command_line import AsJson, FixedSeed, GameName, RulesFile, Settings


def show_playthrough(
    game: GameName,
    *,
    seats: Annotated[
        int | None,
        typer.Option("--seats", metavar="NUMBER", help="How many play, by default the fewest possible."),
    ] = None,
    plies: Annotated[
        int,
        typer.Option(
            "--plies",
            metavar="NUMBER",
            min=0,
            max=10_000,
            help="Moves that are shown; the game is played to its end.",
        ),
    ] = 40,
    seed: FixedSeed = "playthrough",
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Print a random game, and what each seat sees.

    It has turns, actions, the exact chance of luck, and events. Kept in a file, it shows what a change of the rules does.

    Example: oddsmith playthrough casino --seed yuma --plies 10 > casino.txt
    """
    from oddsmith.command_line import print_reply
    from oddsmith.playthrough import make_playthrough, playthrough_lines
    from oddsmith.registry import find_game
    from oddsmith.text import escape_markup

    found = find_game(game)
    ruleset = found.rules_type.read(rules).with_settings(settings or ())
    count = found.seats(ruleset).start if seats is None else seats
    played = make_playthrough(found, ruleset, seats=count, seed=seed, plies=plies)
    print_reply(played, map(escape_markup, playthrough_lines(played)), as_json=as_json)

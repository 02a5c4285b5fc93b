"""`oddsmith laws GAME`: run the conformance kit."""

from typing import TYPE_CHECKING, Annotated, Final

import typer

from oddsmith.command_line import AsJson, GameName, RulesFile, Settings

if TYPE_CHECKING:
    from pathlib import Path

    from oddsmith.errors import LawBroken

OUTCOMES: Final = 100_000
"""The number of outcomes of chance nodes that are counted one by one, so that a check takes seconds."""
OUTCOMES_OF_RANDOM_RULES: Final = 50
"""The same for each random ruleset."""
STATES: Final = 20_000
"""The most states of a game that are enumerated."""
PLIES: Final = 2_000
LABEL: Final = "\nlaw = "
"""The label of the records of broken laws."""
SECONDS: Final = 60
"""The most processor time of a playout; a rule that takes longer does not return."""


def check_laws(
    game: GameName,
    *,
    playouts: Annotated[
        int,
        typer.Option("--playouts", metavar="NUMBER", min=1, max=1_000_000, help="How many random games."),
    ] = 100,
    plies: Annotated[
        int,
        typer.Option(
            "--plies",
            metavar="NUMBER",
            min=1,
            help="The game that reaches this many moves, all together, is the last.",
        ),
    ] = PLIES,
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help="Luck that replays.")] = "oddsmith",
    random_rules: Annotated[
        int,
        typer.Option(
            "--random-rules",
            metavar="NUMBER",
            min=0,
            max=100_000,
            help="Also play one game with each of so many random rulesets.",
        ),
    ] = 0,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Check every law of the conformance kit on random games.

    Where a law is broken, the error says where and what would be right, and the moves before it are in a new record.

    Random rules change numbers and switches of a random preset, within the bounds that the game declares.

    Example: oddsmith laws destiny --playouts 50 --random-rules 20
    """
    from textwrap import fill

    import msgspec

    from oddsmith.cli.terminal.console import progress_bar
    from oddsmith.command_line import console, print_json
    from oddsmith.errors import LawBroken
    from oddsmith.laws import check_game, check_random_rules
    from oddsmith.laws.broken_law import module_of_rules, slow_rule
    from oddsmith.registry import find_game
    from oddsmith.text import escape_markup
    from oddsmith.time_limit import limit_time

    found = find_game(game)
    ruleset = found.rules_type.read(rules).with_settings(settings or ())
    with (
        progress_bar(f"playing {playouts + random_rules:,} games of {game}") as progress,
        limit_time(SECONDS, module_of_rules(found), lambda place: slow_rule(place, SECONDS)) as restart,
    ):

        def report_playout(done: int, _: int) -> None:
            restart()
            progress(done / (playouts + random_rules))

        try:
            report = check_game(
                found,
                ruleset,
                playouts=playouts,
                plies=plies,
                seed=seed,
                outcomes=OUTCOMES,
                states=STATES,
                progress=report_playout,
            )
            if random_rules:
                result = check_random_rules(
                    found,
                    random_rules,
                    seed=seed,
                    outcomes=OUTCOMES_OF_RANDOM_RULES,
                    progress=lambda done, of: report_playout(playouts + done, of),
                )
                report = msgspec.structs.replace(report, random_rules=result)
        except LawBroken as error:
            raise _with_record(error, game) from error
    if as_json:
        print_json(report)
        return
    out = console()
    out.print(
        f"[bold]{report.game}[/]  {report.playouts:,} playouts, {report.plies:,} plies, "
        f"seed {escape_markup(report.seed)}, rules {report.rules_id[:12]}"
    )
    width = max(len(held.law) for held in report.laws)
    for held in report.laws:
        out.print(
            f"[green]✓[/] [bold]{held.law:<{width}}[/]  held for {held.playouts:,} playouts, {held.checks:,} checks"
        )
        out.print(f"[dim]{fill(held.promise, out.width, initial_indent='  ', subsequent_indent='  ')}[/]")
    if report.random_rules is not None:
        out.print(
            f"[green]✓[/] [bold]{'random rules':<{width}}[/]  every law held with {report.random_rules.rulesets:,} "
            f"random rulesets, in {report.random_rules.plies:,} plies"
        )


def _with_record(error: "LawBroken", game: str) -> "LawBroken":
    """Return the error with the command that replays the moves before it, which are written to a record of its own."""
    from pathlib import Path

    from oddsmith.cli.terminal.files import replay_command, write_whole
    from oddsmith.errors import InputError, LawBroken

    file = Path(f"{game}-{error.refusal.code}.toml")
    if error.record is None or not _may_write(file):
        return error
    try:
        write_whole(str(file), error.record)
    except InputError:
        return error
    sentence = f"{error.refusal.sentence}; replay it with: {replay_command(str(file), game)}"
    return LawBroken(error.refusal.code, sentence, where=error.refusal.where)


def _may_write(file: "Path") -> bool:
    """Whether there is no such file, or one that this command has written."""
    try:
        return not file.exists() or LABEL in file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False

"""`oddsmith dice runs`: what may be asked; the answer is next door, loaded when the command runs."""

from typing import Annotated

import typer

from oddsmith.cli.options import AsJson, RulesFile, Settings

__all__ = ["runs"]

MOST_RUNS = 1_000_000
MOST_JOBS = 64


def runs(
    *,
    bots: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="NAME", help="Which of the bots plays; repeat. All by default."),
    ] = None,
    count: Annotated[
        int, typer.Option("--runs", metavar="NUMBER", min=2, max=MOST_RUNS, help="How many for each.")
    ] = 100,
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help="Luck that replays.")] = "oddsmith",
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="NUMBER", min=1, max=MOST_JOBS, help="How many processes play.")
    ] = 1,
    rules: RulesFile = "default",
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play whole runs, and say how far they get.

    Example: oddsmith dice runs --bot greedy --bot random --runs 200 --seed yuma
    """
    from oddsmith.cli.dice import runs_answer

    asked = runs_answer.Asked(
        rules_file=rules, settings=settings or (), bots=bots or (), runs=count, seed=seed
    )
    runs_answer.answer(asked, jobs=jobs, as_json=as_json)

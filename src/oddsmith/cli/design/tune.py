"""`oddsmith tune`: find numbers of the rules that meet targets."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

import typer

from oddsmith.command_line import AsJson

if TYPE_CHECKING:
    from oddsmith.balance.tuning.tune import TuneResult, Verdict

NOT_REACHED: Final = 1


def tune_rules(
    targets: Annotated[
        str, typer.Argument(metavar="TARGETS", help="A targets file: what is wanted, what may change.")
    ],
    *,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            "--preset",
            metavar="FILE|PRESET",
            help="Tune these rules instead of those that the file names.",
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", help="Write the tuned rules into this file.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Let --out overwrite an existing file.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Also show what changes, as a unified diff.")] = False,
    effort: Annotated[
        int,
        typer.Option(
            "--effort", metavar="TRIALS", min=1, max=100_000, help="After how many trials a search ends."
        ),
    ] = 1_000,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="NUMBER", min=0, help="Where a search begins; the same seed, the same rules."
        ),
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Change the numbers that may change until targets are met.

    Example: oddsmith tune targets.toml --out tuned.toml
    """
    from oddsmith.balance.design_files import (
        file_context,
        read_targets,
        rewrite_rules,
        rules_difference,
        verify_rewritten,
    )
    from oddsmith.balance.tuning.tune import TuneReply, tune
    from oddsmith.cli.terminal.console import progress_bar
    from oddsmith.cli.terminal.files import require_free, write_whole
    from oddsmith.command_line import console, print_json
    from oddsmith.text import escape_markup

    if out is not None:
        require_free(out, force=force)
    wanted, source = read_targets(targets, rules)
    words = f"tuning {len(wanted.ranges)} numbers to {len(wanted.targets)} targets"
    with file_context(targets), progress_bar(words) as progress:
        tuned = tune(wanted, seed=seed, effort=effort, progress=progress)
    text = rewrite_rules(source, tuned.rules, {change.key: change.after for change in tuned.adjustments})
    verify_rewritten(text, tuned, wanted)
    if out is not None:
        write_whole(out, text)
    if as_json:
        print_json(TuneReply.of(tuned, source=source, written=out))
    else:
        show = console()
        for line in _lines(tuned):
            show.print(line)
        if diff:
            show.print()
            for line in rules_difference(tuned.before, tuned.rules):
                show.print(escape_markup(line))
        if out is not None:
            show.print(f"\nwritten: {escape_markup(out)}, and every figure read again from it")
    if not tuned.reached:
        raise typer.Exit(NOT_REACHED)


def _lines(tuned: "TuneResult") -> Iterator[str]:
    from oddsmith.text import columns, escape_markup

    met = sum(verdict.reached for verdict in tuned.verdicts)
    yield (
        f"[bold]{tuned.rules.game}[/]  rules {tuned.before.rules_id[:12]} → {tuned.rules.rules_id[:12]}: "
        f"{met} of {len(tuned.verdicts)} targets reached in {tuned.trials:,} trials"
    )
    if tuned.interrupted:
        yield "[yellow]interrupted: this is the best that was found until then[/]"
    yield ""
    lines = columns([_cells(verdict) for verdict in tuned.verdicts], names=2)
    for place, (verdict, line) in enumerate(zip(tuned.verdicts, lines, strict=True)):
        yield f"[{'green' if verdict.reached else 'red'}]{escape_markup(line)}[/]"
        for words in (_shortfall(verdict), _sensitive(tuned, place)):
            if words:
                yield f"    [dim]{escape_markup(words)}[/]"
    yield ""
    if not tuned.adjustments:
        yield "nothing changes"
        return
    rows = [(change.key, str(change.before), "→", str(change.after)) for change in tuned.adjustments]
    yield from map(escape_markup, columns(rows))


def _cells(verdict: "Verdict") -> tuple[str, ...]:
    from oddsmith.balance.formatting import format_reading

    before, after = (format_reading(reading, verdict.unit) for reading in (verdict.before, verdict.after))
    return "✓" if verdict.reached else "✗", verdict.name, before, "→", after, f"wanted {verdict.aim}"


def _shortfall(verdict: "Verdict") -> str:
    from oddsmith.balance.formatting import format_reading

    if verdict.reached or verdict.best is None:
        return ""
    return f"by itself it could be {format_reading(verdict.best, verdict.unit)}; {verdict.reason}"


def _sensitive(tuned: "TuneResult", place: int) -> str:
    """Describe the changed number that moves a target most."""
    from oddsmith.balance.formatting import format_change

    found = tuned.sensitivities.effects(place) if tuned.sensitivities else []
    if not found:
        return ""
    effect, unit = found[0], tuned.verdicts[place].unit
    sides = [
        f"{format_change(change, unit)} at {number}"
        for number, change in ((effect.nudge.below, effect.down), (effect.nudge.above, effect.up))
        if change is not None
    ]
    return f"a step of {effect.nudge.key}: {', '.join(sides)}"

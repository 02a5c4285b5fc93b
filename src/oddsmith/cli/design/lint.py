"""`oddsmith lint`: run the checks on designs, and print their findings."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Final

import typer

from oddsmith.command_line import AsJson

if TYPE_CHECKING:
    from rich.console import Console

    from oddsmith.balance.design_files import Design
    from oddsmith.balance.linting.findings import Finding
    from oddsmith.balance.linting.lint import LintReport

FOUND: Final = 1
COLOURS: Final = {"error": "red", "warning": "yellow", "note": "cyan"}


class FailOn(StrEnum):
    """From which severity on the exit status says that something was found."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    NEVER = "never"


def lint_rules(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WHAT...",
            help="Games, GAME:PRESET, files of rules or claims, folders of them; all games by default.",
            show_default=False,
        ),
    ] = None,
    *,
    claims: Annotated[
        list[str] | None,
        typer.Option("--claims", metavar="FILE", help="Also check these claims; repeat."),
    ] = None,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="From which severity on the exit status is 1.")
    ] = FailOn.WARNING,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="CHECK", help="Run only this check; repeat."),
    ] = None,
    silenced: Annotated[
        bool, typer.Option("--silenced", help="Also show what the rules silence, with their reasons.")
    ] = False,
    checks: Annotated[bool, typer.Option("--checks", help="List every check, and leave.")] = False,
    as_json: AsJson = False,
) -> None:
    """Judge rules: what is unreachable, dominated or wrong.

    Example: oddsmith lint fate --fail-on error
    """
    from oddsmith.balance.design_files import gather_designs
    from oddsmith.balance.linting.lint import LintReply
    from oddsmith.command_line import console, print_json
    from oddsmith.registry import mechanic_names

    if checks:
        _list_checks(as_json=as_json)
        return
    given = list(what or ()) or ([] if claims else list(mechanic_names()))
    reply = LintReply.of(lint_designs(gather_designs(given, list(claims or ())), only or ()))
    if as_json:
        print_json(reply)
    else:
        out = console()
        for number, report in enumerate(reply.reports):
            if number:
                out.print()
            for line in _lines(report, out, silenced=silenced):
                out.print(line)
    if reply.worst is not None and _fails(reply.worst, fail_on):
        raise typer.Exit(FOUND)


def lint_designs(designs: Sequence["Design"], only: Sequence[str] = ()) -> Iterator["LintReport"]:
    """Yield the report of each design, behind a progress bar."""
    from oddsmith.balance.linting.lint import lint
    from oddsmith.cli.terminal.console import progress_bar

    with progress_bar(f"judging {', '.join(design.name for design in designs)[:60]}") as progress:
        for number, design in enumerate(designs):
            report = _share(progress, number, len(designs))
            yield lint(
                design.rules,
                design=design.name,
                claims=design.claim_exhibits(),
                silences=design.silences,
                only=only,
                progress=report,
            )


def _share(progress: Callable[[float], None], number: int, of: int) -> Callable[[str, float], None]:
    return lambda _, done: progress((number + done) / of)


def _fails(worst: str, fail_on: FailOn) -> bool:
    levels = [*FailOn]
    return levels.index(FailOn(worst)) <= levels.index(fail_on) and fail_on is not FailOn.NEVER


def _lines(report: "LintReport", out: "Console", *, silenced: bool) -> Iterator[str]:
    from oddsmith.text import escape_markup

    yield (
        f"[bold]{escape_markup(report.design)}[/]  {report.game}, rules {report.rules_id[:12]}: {_summary(report)}"
    )
    for _, findings in groupby(
        report.findings, key=lambda finding: (finding.severity, _check_and_key(finding))
    ):
        yield from _finding_lines(list(findings), out)
    if silenced:
        for kept in report.silenced:
            yield f"[dim]silenced {escape_markup(_check_and_key(kept.finding))}: {escape_markup(kept.reason)}[/]"
            for line in _wrap_indented(kept.finding.sentence, out):
                yield f"[dim]{line}[/]"
    for name in report.idle_silences:
        yield f"[yellow]unused silence[/] {escape_markup(name)}: it has no finding; remove it"


def _finding_lines(findings: Sequence["Finding"], out: "Console") -> Iterator[str]:
    """Yield the lines of findings of one check and one key; equal suggestions are written once."""
    from oddsmith.text import escape_markup

    first = findings[0]
    yield f"[{COLOURS[first.severity]}]{first.severity}[/] [bold]{escape_markup(_check_and_key(first))}[/]"
    for suggestion, alike in groupby(findings, key=lambda finding: finding.suggestion):
        for finding in alike:
            yield from _wrap_indented(finding.sentence, out)
        for line in _wrap_indented(f"→ {suggestion}", out):
            yield f"[dim]{line}[/]"


def _wrap_indented(text: str, out: "Console") -> Iterator[str]:
    from textwrap import wrap

    from oddsmith.text import escape_markup

    joined = text.replace(" %", "\N{NO-BREAK SPACE}%")
    for line in wrap(joined, out.width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False):
        yield escape_markup(line.replace("\N{NO-BREAK SPACE}", " "))


def _check_and_key(finding: "Finding") -> str:
    return f"{finding.check} {finding.where}"


def _summary(report: "LintReport") -> str:
    from oddsmith.balance.linting.findings import Severity

    counts = [(report.count(severity), str(severity)) for severity in Severity]
    parts = [f"{count} {name}{'s' if count > 1 else ''}" for count, name in counts if count]
    if report.silenced:
        parts.append(f"{len(report.silenced)} silenced")
    return ", ".join(parts) or f"nothing found in {report.exhibits:,} exhibits"


def _list_checks(*, as_json: bool) -> None:
    from oddsmith.balance.linting.findings import list_checks
    from oddsmith.command_line import console, print_json
    from oddsmith.text import escape_markup

    reply = list_checks()
    if as_json:
        print_json(reply)
        return
    out = console()
    for one in reply.checks:
        out.print(f"[{COLOURS[one.severity]}]{one.severity}[/] [bold]{one.id}[/]: {escape_markup(one.title)}")
        for line in _wrap_indented(one.explanation, out):
            out.print(line)

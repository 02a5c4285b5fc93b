"""`oddsmith report`: write an HTML page on one ruleset, or on two compared."""

from typing import Annotated

import typer

from oddsmith.command_line import AsJson


def write_report(
    what: Annotated[
        list[str],
        typer.Argument(metavar="WHAT...", help="A game, GAME:PRESET, or a file of rules; two to compare."),
    ],
    *,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE.html",
            help="Where the page is written; WHAT.html by default.",
        ),
    ] = None,
    claims: Annotated[
        list[str] | None,
        typer.Option("--claims", metavar="FILE", help="Also check these claims; repeat."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write one page on a ruleset, or on two side by side.

    Example: oddsmith report destiny --out destiny.html
    """
    from oddsmith.balance.design_files import gather_designs
    from oddsmith.balance.reporting.report import (
        make_report,
        render_page,
        require_extras,
        require_one_game,
        short_names,
    )
    from oddsmith.cli.design.lint import lint_designs
    from oddsmith.cli.replies import ReportReply
    from oddsmith.cli.terminal.console import progress_bar
    from oddsmith.cli.terminal.files import require_free, write_whole
    from oddsmith.command_line import console, print_json
    from oddsmith.text import escape_unprintable

    designs = gather_designs(what, list(claims or ()))
    require_one_game([design.rules for design in designs])
    names = short_names([design.name for design in designs])
    path = out or f"{'-and-'.join(names).replace(':', '-').replace('/', '-')}.html"
    require_free(path, force=force)
    require_extras()
    judged = [
        (name, design.rules, lint)
        for name, design, lint in zip(names, designs, lint_designs(designs), strict=True)
    ]
    with progress_bar(f"reporting on {', '.join(design.name for design in designs)[:60]}") as progress:
        report = make_report(judged, progress=progress)
        page = render_page(report)
    write_whole(path, page)
    if as_json:
        print_json(
            ReportReply(
                file=path,
                game=report.game,
                rules_ids=tuple(subject.rules.rules_id for subject in report.subjects),
                characters=len(page),
            )
        )
        return
    console().print(f"[bold]{escape_unprintable(path)}[/]: open it in a browser, or print it")

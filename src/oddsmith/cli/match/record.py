"""`oddsmith record URL`: the record of a match that is over, from its server."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from oddsmith.command_options import MatchUrl


def get_record(
    url: MatchUrl,
    *,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write it into a new file, not to the screen."),
    ] = None,
) -> None:
    """Get the record of a match that is over, to verify and replay.

    Example: oddsmith record http://127.0.0.1:8077/matches/05af93c07b18d2e46a51 --out match.toml
    """
    from oddsmith.cli.match.matches import require_client
    from oddsmith.cli.terminal.console import console
    from oddsmith.cli.terminal.record_files import in_new_file
    from oddsmith.text import plain

    require_client()
    from oddsmith.cli.match.join_seat import fetch_record

    keep = None if out is None else in_new_file(out)
    record = fetch_record(url)
    if keep is None:
        typer.echo(record.to_toml(), nl=False)
    else:
        console().print(f"kept: [bold]oddsmith verify {plain(shlex.quote(str(keep(record))))}[/]")

"""`oddsmith watch URL`: a match of a server, seen as everybody may see it."""

from pathlib import Path
from typing import Annotated

import typer

from oddsmith.command_options import MatchUrl


def watch_match(
    url: MatchUrl,
    *,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Keep the record here when the match is over."),
    ] = None,
) -> None:
    """Look on at a match of a server; q leaves.

    Example: oddsmith watch http://127.0.0.1:8077/matches/05af93c07b18d2e46a51
    """
    from oddsmith.cli.match.matches import require_client

    require_client()
    from oddsmith.cli.match.join_seat import look_on

    look_on(url, record=record)

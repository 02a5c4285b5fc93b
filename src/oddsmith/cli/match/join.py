"""`oddsmith join URL` and `oddsmith watch URL`: a match of a server in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from oddsmith.command_line import MatchUrl


def join_match(
    url: MatchUrl,
    *,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="TEXT", help="Your name in the match; by default your login."),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option("--seat", metavar="NUMBER", help="Which seat, from 0; by default any free one."),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed", metavar="TEXT", help="Your seed for the luck of the match; by default random."
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Write the record here when the match is over."),
    ] = None,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="Give the match up, and lose it; do not play on.")
    ] = False,
) -> None:
    """Play a match of a server; q quits, join again to continue.

    Example: oddsmith join http://127.0.0.1:8077/matches/05af93c07b18d2e46a51
    """
    from oddsmith.cli.match.matches import require_client

    require_client()
    from oddsmith.cli.match.remote_seats import give_match_up, take_seat

    if give_up:
        give_match_up(url, name=name)
    else:
        take_seat(url, name=name, seat=seat, seed=seed, record=record)


def watch_match(
    url: MatchUrl,
    *,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Write the record here when the match is over."),
    ] = None,
) -> None:
    """Watch a match of a server as a spectator; q quits.

    Example: oddsmith watch http://127.0.0.1:8077/matches/05af93c07b18d2e46a51
    """
    from oddsmith.cli.match.matches import require_client

    require_client()
    from oddsmith.cli.match.remote_seats import look_on

    look_on(url, record=record)

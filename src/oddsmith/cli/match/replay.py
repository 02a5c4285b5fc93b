"""`oddsmith replay FILE`: a recorded game, played again to any ply."""

from pathlib import Path
from typing import Annotated

import typer

from oddsmith.command_options import AsJson


def replay_record(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record that oddsmith play --record kept.")],
    *,
    ply: Annotated[
        int | None, typer.Option("--ply", metavar="NUMBER", help="Stop after so many moves; all by default.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a recorded game again; all of it is verified first.

    Example: oddsmith replay heist.toml --ply 4
    """
    from oddsmith.cli.replies import ReplayReply
    from oddsmith.cli.terminal.console import console, over_line, print_json
    from oddsmith.cli.terminal.tables import find_table
    from oddsmith.game import audible
    from oddsmith.records import read_record_file, replay, verify
    from oddsmith.registry import find_game
    from oddsmith.text import plain

    record = read_record_file(file, find_game)
    game = find_game(record.game)
    verify(game, record)
    shown = replay(game, record, ply)
    if as_json:
        print_json(
            ReplayReply(
                game=record.game,
                rules_id=record.rules.rules_id,
                seats=record.seats,
                ply=len(shown.plies),
                plies=len(record.moves),
                verified=True,
                moves=record.moves[: len(shown.plies)],
                events=tuple(event for made in shown.plies for event in audible(made.events, None)),
                view=game.view(shown.state, None),
            )
        )
        return
    out = console()
    seats = ", ".join(map(plain, record.seats))
    out.print(f"[bold]{record.game}[/]  {seats}  rules {record.rules.rules_id[:12]}  verified")
    for label, text in record.labels.items():
        out.print(f"[dim]{label}: {plain(text)}[/]")
    table = find_table(record.game)
    for made, line in zip(shown.plies, record.moves, strict=False):
        out.print(f"[dim]{made.number:>4}  {plain(line)}[/]")
        for text in table.event_lines(audible(made.events, None), game.view(made.after, None)):
            out.print(f"      {text}")
    for text in table.state_lines(game.view(shown.state, None)):
        out.print(text)
    if record.outcome is not None and len(shown.plies) == len(record.moves):
        out.print(over_line(record.outcome))

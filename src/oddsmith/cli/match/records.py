"""`oddsmith record`, `oddsmith replay` and `oddsmith verify`: fetch, replay and prove the record of a match."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oddsmith.command_line import AsJson, MatchUrl, SourceOfRecord

if TYPE_CHECKING:
    from oddsmith.match.proofs import Verification
    from oddsmith.records import Record


def verify_record(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A record of a match, or of a game.")],
    game: SourceOfRecord = None,
    *,
    commitment: Annotated[
        str | None,
        typer.Option(
            "--commitment",
            metavar="HEX",
            help="The commitment that you saw before you joined; it must be the same.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a record: digest, rules, every move and all luck.

    For a mechanic of your own its file is named, too: ./pig.py.

    Example: oddsmith verify match.toml
    """
    from oddsmith.cli.replies import VerifyReply
    from oddsmith.command_line import console, print_json
    from oddsmith.match.proofs import verify_fair
    from oddsmith.text import escape_markup

    record = _read_record(file, game)
    verified = verify_fair(record, sealed=commitment)
    if as_json:
        print_json(
            VerifyReply(
                game=record.game,
                rules_id=record.rules.rules_id,
                digest=record.digest,
                seats=record.seats,
                outcome=record.outcome,
                labels=record.labels,
                plies=verified.plies,
                choices=verified.choices,
                luck=verified.luck,
                by_clock=verified.by_clock,
                proof=verified.proof.value,
            )
        )
        return
    out = console()
    seats = ", ".join(map(escape_markup, record.seats))
    out.print(f"[bold]{record.game}[/]  {seats}  rules {record.rules.rules_id[:12]}")
    for name, sentence, is_proven in _findings(record, verified, compared=commitment is not None):
        mark = "[green]✓[/]" if is_proven else "[yellow]·[/]"
        out.print(f"{mark} [bold]{name:<10}[/]  {escape_markup(sentence)}")


def _read_record(file: Path, game: str | None) -> "Record":
    """Return a record; raise `OddsmithError` where it cannot be read, or is one of another game than `game`."""
    from oddsmith.errors import InputError, UnknownGameError
    from oddsmith.records import read_record_file
    from oddsmith.registry import find_game

    try:
        record = read_record_file(file, find_game)
    except UnknownGameError as error:
        if game is not None or error.refusal.code == "mechanic_missing":
            raise
        cure = f"{error.refusal.sentence}; where it is a file of yours, name that, too: ./game.py"
        raise UnknownGameError(error.refusal.code, cure, where=error.refusal.where) from error
    if game not in (None, record.game):
        sentence = f"GAME '{game}' contradicts the record, which has '{record.game}': leave it out"
        raise InputError("contradicts_record", sentence)
    return record


def _findings(
    record: "Record", verified: "Verification", *, compared: bool
) -> Iterator[tuple[str, str, bool]]:
    """Yield name, sentence and whether it is proven, for each part of a record."""
    from oddsmith.records.versions import LABEL, describe_change

    yield "digest", f"{record.digest[:12]}…: nothing was changed after it was written", True
    yield "rules", "they load, and have the id that the record gives them", True
    change = describe_change(record.game, record.labels.get(LABEL))
    if change is not None:
        yield "mechanic", change, False
    elif LABEL in record.labels:
        yield "mechanic", f"{record.labels[LABEL]}, as here", True
    yield "moves", f"{verified.plies:,} made again, each as the rules allow", True
    if record.outcome is not None:
        yield "outcome", f"{record.outcome.why.replace('_', ' ')}: the moves lead to it", True
    elif "abandoned" in record.labels:
        yield "outcome", f"none: the match was abandoned, {_abandonment_text(record)}", False
    else:
        yield "outcome", "none: the game is not over", False
    yield from _luck_findings(record, verified, compared=compared)


def _abandonment_text(record: "Record") -> str:
    by, why = record.labels.get("abandoned_by"), record.labels["abandoned"].replace("_", " ")
    return why if by is None else f"{why} by seat {by}"


def _luck_findings(
    record: "Record", verified: "Verification", *, compared: bool
) -> Iterator[tuple[str, str, bool]]:
    from oddsmith.match.proofs import Proof

    seal = verified.seal
    if seal is None:
        luck = record.labels.get("luck", "drawn by the system")
        yield "luck", f"nothing about it is proven: {luck}", False
        return
    shown = "the one that you gave" if compared else "compare it with the one that you were shown"
    yield "commitment", f"{seal.commitment}: {shown}", compared
    if verified.proof is Proof.SEALED:
        yield (
            "luck",
            "nothing about it is proven yet: the server's seed is shown when the match is over",
            False,
        )
        return
    yield "seed", "the commitment is the SHA-256 of the server's seed", True
    yield "luck", f"{verified.luck:,} moves of luck: every card and die is drawn again from the seeds", True
    if verified.by_clock:
        yield "clock", f"{verified.by_clock:,} choices of the clock are drawn again from the seeds", True


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
    from oddsmith.cli.terminal.files import in_new_file
    from oddsmith.command_line import console
    from oddsmith.text import escape_markup

    require_client()
    from oddsmith.cli.match.remote_seats import fetch_record

    keep = None if out is None else in_new_file(out)
    record = fetch_record(url)
    if keep is None:
        typer.echo(record.to_toml(), nl=False)
    else:
        console().print(f"kept: [bold]oddsmith verify {escape_markup(shlex.quote(str(keep(record))))}[/]")


def replay_record(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record that oddsmith play --record wrote.")],
    game: SourceOfRecord = None,
    *,
    ply: Annotated[
        int | None,
        typer.Option("--ply", metavar="NUMBER", help="Stop after this number of moves; all by default."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a recorded game again; all of it is verified first.

    For a mechanic of your own its file is named, too: ./pig.py.

    Example: oddsmith replay heist.toml --ply 4
    """
    from oddsmith.cli.replies import ReplayReply
    from oddsmith.cli.terminal.console import find_terminal_play, over_line
    from oddsmith.command_line import console, print_json
    from oddsmith.game import audible_events
    from oddsmith.records import replay, verify
    from oddsmith.registry import find_game
    from oddsmith.text import escape_markup

    record = _read_record(file, game)
    found = find_game(record.game)
    verify(found, record)
    shown = replay(found, record, ply)
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
                events=tuple(event for made in shown.plies for event in audible_events(made.events, None)),
                view=found.view(shown.state, None),
            )
        )
        return
    out = console()
    seats = ", ".join(map(escape_markup, record.seats))
    out.print(f"[bold]{record.game}[/]  {seats}  rules {record.rules.rules_id[:12]}  verified")
    for label, text in record.labels.items():
        out.print(f"[dim]{label}: {escape_markup(text)}[/]")
    table = find_terminal_play(record.game)
    for made, line in zip(shown.plies, record.moves, strict=False):
        out.print(f"[dim]{made.number:>4}  {escape_markup(line)}[/]")
        for text in table.event_lines(audible_events(made.events, None), found.view(made.after, None)):
            out.print(f"      {text}")
    for text in table.state_lines(found.view(shown.state, None)):
        out.print(text)
    if record.outcome is not None and len(shown.plies) == len(record.moves):
        out.print(over_line(record.outcome))

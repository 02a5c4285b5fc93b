"""`oddsmith verify RECORD`: what a record says, checked to its last card and die."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oddsmith.command_options import AsJson

if TYPE_CHECKING:
    from oddsmith.match.proofs import Verified
    from oddsmith.records import Record


def verify_record(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A record of a match, or of a game.")],
    *,
    commitment: Annotated[
        str | None,
        typer.Option(
            "--commitment",
            metavar="HEX",
            help="What you were shown before you sat down; it must be the same.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a record: digest, rules, every move and all luck.

    Example: oddsmith verify match.toml
    """
    from oddsmith.cli.replies import VerifyReply
    from oddsmith.cli.terminal.console import console, print_json
    from oddsmith.match.proofs import verify_fair
    from oddsmith.records import read_record_file
    from oddsmith.registry import find_game
    from oddsmith.text import plain

    record = read_record_file(file, find_game)
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
    seats = ", ".join(map(plain, record.seats))
    out.print(f"[bold]{record.game}[/]  {seats}  rules {record.rules.rules_id[:12]}")
    for name, sentence, is_proven in _findings(record, verified, compared=commitment is not None):
        mark = "[green]✓[/]" if is_proven else "[yellow]·[/]"
        out.print(f"{mark} [bold]{name:<10}[/]  {plain(sentence)}")


def _findings(record: "Record", verified: "Verified", *, compared: bool) -> Iterator[tuple[str, str, bool]]:
    """Yield what was looked at, what was found, and whether that proves anything."""
    yield "digest", f"{record.digest[:12]}…: nothing was changed after it was written", True
    yield "rules", "they load, and have the id that the record gives them", True
    yield "moves", f"{verified.plies:,} made again, each as the rules allow", True
    if record.outcome is not None:
        yield "outcome", f"{record.outcome.why.replace('_', ' ')}: the moves lead to it", True
    elif "abandoned" in record.labels:
        yield "outcome", f"none: the match was abandoned, {_parting(record)}", False
    else:
        yield "outcome", "none: the game is not over", False
    yield from _luck_findings(record, verified, compared=compared)


def _parting(record: "Record") -> str:
    by, why = record.labels.get("abandoned_by"), record.labels["abandoned"].replace("_", " ")
    return why if by is None else f"{why} by seat {by}"


def _luck_findings(
    record: "Record", verified: "Verified", *, compared: bool
) -> Iterator[tuple[str, str, bool]]:
    from oddsmith.match.proofs import Proof

    seal = verified.seal
    if seal is None:
        said = record.labels.get("luck", "drawn by the system")
        yield "luck", f"nothing about it is proven: {said}", False
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

"""Who holds the record of a match draws all of its luck again, and needs to trust nobody."""

import re
from enum import StrEnum
from typing import Any, Final

import msgspec

from oddsmith.errors import RecordError
from oddsmith.game import Act, Await, Luck
from oddsmith.match.clocks import clock_choice
from oddsmith.match.fairness import commitment, committed_draw
from oddsmith.records import Ply, Record, verify
from oddsmith.registry import find_game

COMMITTED: Final = "committed"
PRACTICE: Final = "practice with a chosen seed: "
"""How the label `luck` of a practice begins; the seed is all that follows."""
_DIGEST: Final = re.compile("[0-9a-f]{64}")
_WORD: Final = re.compile("[A-Za-z0-9_.:-]{1,64}")


class Proof(StrEnum):
    """What a record proves about its luck."""

    PROVEN = "proven"
    SEALED = "sealed"
    UNPROVEN = "unproven"


class Sealed(msgspec.Struct, frozen=True, kw_only=True):
    """What a record says its luck came from; the seeds are there when the match is over."""

    match: str
    commitment: str
    server_seed: str | None
    client_seeds: tuple[str, ...]


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What was checked in a record, all of it found right: how many moves of which kind, and what luck is proven.

    `luck` counts the moves of luck, `by_clock` the choices that a clock made; where the proof is `proven`, all of them
    were drawn again from the seeds.
    """

    plies: int
    choices: int
    luck: int
    by_clock: int
    proof: Proof
    seal: Sealed | None


def verify_fair(record: Record, *, sealed: str | None = None) -> Verified:
    """Make every move again, and draw every card and die again from the seeds; what does not fit raises.

    `sealed` is the commitment that somebody was shown before the match, to be compared with the record's. A record of
    a practice game, or of luck that the system drew, proves nothing about luck; neither does one without the
    server's seed, yet.
    """
    plies = verify(find_game(record.game), record).plies
    seal = read_seal(record)
    if sealed is not None and (seal is None or seal.commitment != sealed.lower()):
        raise RecordError(
            "other_commitment",
            "the record has another commitment than the one that was given, or none",
            where="labels.commitment",
        )
    _require_choices(plies, record)
    proof = _proof(plies, record, seal)
    lucky = sum(isinstance(ply.move, Luck) for ply in plies)
    return Verified(
        plies=len(plies),
        choices=len(plies) - lucky - len(record.by_clock),
        luck=lucky,
        by_clock=len(record.by_clock),
        proof=proof,
        seal=seal,
    )


def read_seal(record: Record) -> Sealed | None:
    """Return what the record says its luck came from, or None where it does not say that a server was bound to it."""
    if record.labels.get("luck") != COMMITTED:
        return None
    return Sealed(
        match=_label(record, "match", _WORD) or _missing("match"),
        commitment=_label(record, "commitment", _DIGEST) or _missing("commitment"),
        server_seed=_label(record, "server_seed", _DIGEST),
        client_seeds=tuple(
            _label(record, f"client_seed_{seat}", _WORD) or "" for seat in range(len(record.seats))
        ),
    )


def _label(record: Record, name: str, shape: re.Pattern[str]) -> str | None:
    text = record.labels.get(name)
    if text is not None and not shape.fullmatch(text):
        raise RecordError(
            "bad_label", f"labels.{name}: '{text[:40]}' is not of its shape", where=f"labels.{name}"
        )
    return text


def _missing(name: str) -> str:
    raise RecordError(
        "missing_key", f"labels.{name}: committed luck cannot be without it", where=f"labels.{name}"
    )


def _require_choices(plies: tuple[Ply[Any, Any, Any], ...], record: Record) -> None:
    for number in record.by_clock:
        if isinstance(plies[number - 1].move, Luck):
            raise RecordError(
                "bad_ply", f"play.by_clock: ply {number} is luck, no choice", where="play.by_clock"
            )


def _proof(plies: tuple[Ply[Any, Any, Any], ...], record: Record, seal: Sealed | None) -> Proof:
    if seal is None:
        return Proof.UNPROVEN
    if seal.server_seed is None:
        return Proof.SEALED
    if commitment(seal.server_seed) != seal.commitment:
        raise RecordError(
            "wrong_seed",
            "labels.server_seed: this is not the seed that the server was bound to by its commitment",
            where="labels.server_seed",
        )
    clocked = {*record.by_clock}
    for ply in plies:
        _require_same(ply, seal, seal.server_seed, record, by_clock=ply.number in clocked)
    return Proof.PROVEN


def _require_same(
    ply: Ply[Any, Any, Any], seal: Sealed, secret: str, record: Record, *, by_clock: bool
) -> None:
    """Refuse luck, or a clock's choice, that the seeds do not give."""
    game = find_game(record.game)
    draw = committed_draw(secret, seal.match, seal.client_seeds, ply.number)
    match game.turn(ply.before), ply.move:
        case Await(chance), Luck():
            again: Any = Luck(chance.sample(draw))
        case _, Act(seat) if by_clock:
            again = clock_choice(game, ply.before, seat, draw)
        case _:
            return
    if again != ply.move:
        raise RecordError(
            "other_luck",
            f"ply {ply.number}: the record says '{record.moves[ply.number - 1]}', but the seeds give"
            f" '{game.write(ply.before, again)}'",
            where=f"ply {ply.number}",
        )

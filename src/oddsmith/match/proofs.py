"""Provable luck: the draws, commitments and tokens of a match, and the check of a record against its seeds."""

import hashlib
import hmac
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from oddsmith.chance import Committed, Draw, Seeded
from oddsmith.errors import RecordError
from oddsmith.game import Act, Await, Luck, Seat, SupportsOverdue
from oddsmith.match.model import Match
from oddsmith.mechanic import AnyGame
from oddsmith.records import Ply, Record, verify
from oddsmith.records.versions import explained_version
from oddsmith.registry import find_game


def clock_choice(
    game: AnyGame,
    state: object,
    seat: Seat,
    draw: Draw,
) -> Act[Any]:
    """Return the clock's choice for a seat that must choose: one of the game's overdue actions, each equally likely.

    >>> from oddsmith.chance import Seeded
    >>> from oddsmith.games.destiny import Rules
    >>> from oddsmith.registry import find_game
    >>> game = find_game(Rules.game)
    >>> clock_choice(game, game.setup(Rules(), 2), 0, Seeded("late"))
    Act(seat=0, action=Choose(outlaw='copper_mae'))
    """
    actions = game.overdue(state, seat) if isinstance(game, SupportsOverdue) else game.actions(state, seat)
    return Act(seat, actions[draw.below(len(actions))])


def digest(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal digits."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def commitment(secret: str) -> str:
    """Return the commitment to a server's seed: the SHA-256 of its 32 bytes.

    >>> commitment("00" * 32)[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def match_commitment(secret: str, practice: str | None) -> str | None:
    """Return the commitment of a match; None for a practice, whose seed is public."""
    return None if practice is not None else commitment(secret)


def seat_token(match: Match, seat: Seat, request: str) -> str:
    """Return the token of a seat: an HMAC-SHA256 of match, seat and the id of the request to join.

    Its key is never revealed. The seed that is revealed at the end gives no token.
    """
    message = f"token {match.id} {seat} {request}".encode(errors="surrogatepass")
    return hmac.digest(bytes.fromhex(match.key), message, hashlib.sha256).hex()


def luck_draw(match: Match, ply: int) -> Committed | Seeded:
    """Return the draw for the cards and dice of a ply; in a practice, the next bytes of its seed."""
    if match.practice is not None:
        return Seeded(match.practice, drawn=match.drawn)
    return committed_draw(match.secret, match.id, client_seeds(match), ply)


def bot_draw(match: Match, seat: Seat) -> Committed | Seeded:
    """Return the draw for a bot's next choice, independent of all other draws of the match.

    In a practice, bots draw from the same stream as cards and dice, as in a local game.
    """
    if match.practice is not None:
        return luck_draw(match, match.plies + 1)
    return committed_draw(match.secret, f"{match.id} bot {seat}", client_seeds(match), match.plies + 1)


def clock_draw(match: Match) -> Committed | Seeded:
    """Return the draw for a choice of the clock; in a practice, another stream than that of cards and dice."""
    if match.practice is not None:
        return Seeded(f"{match.practice} clock {match.plies + 1}")
    return luck_draw(match, match.plies + 1)


def bytes_drawn(match: Match, draw: Committed | Seeded) -> int:
    """Return the number of bytes that a draw of `luck_draw` or `bot_draw` has used; 0 outside a practice."""
    return draw.drawn - match.drawn if isinstance(draw, Seeded) else 0


def committed_draw(secret: str, match: str, seeds: Sequence[str], ply: int) -> Committed:
    """Return the draw for the cards and dice of a ply, from the seeds of a record.

    >>> committed_draw("00" * 32, "m1", ("ann", "bo"), 1).below(52)
    25
    """
    return Committed(bytes.fromhex(secret), match=match, seeds=seeds, ply=ply)


def client_seeds(match: Match) -> tuple[str, ...]:
    """Return the seeds that the players added, by seat."""
    return tuple(chair.seed for chair in match.chairs)


COMMITTED: Final = "committed"
PRACTICE: Final = "practice with a chosen seed: "
"""The prefix of a practice's label `luck`; the seed follows."""
_DIGEST: Final = re.compile("[0-9a-f]{64}")
_WORD: Final = re.compile("[A-Za-z0-9_.:-]{1,64}")


class Proof(StrEnum):
    """What a record proves about its luck."""

    PROVEN = "proven"
    SEALED = "sealed"
    UNPROVEN = "unproven"


class Seal(msgspec.Struct, frozen=True, kw_only=True):
    """The labels of a record about its luck; `server_seed` is None while the match runs."""

    match: str
    commitment: str
    server_seed: str | None
    client_seeds: tuple[str, ...]


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the check of a valid record: the number of moves by kind, and the proof of its luck.

    `luck` is the number of moves of luck, `by_clock` that of the clock's choices. Where the proof is `proven`, all of
    them are those that the seeds give.
    """

    plies: int
    choices: int
    luck: int
    by_clock: int
    proof: Proof
    seal: Seal | None


def verify_fair(record: Record, *, sealed: str | None = None) -> Verification:
    """Verify a record, and compare all of its luck with what its seeds give; raise `RecordError` where it differs.

    `sealed` is a commitment that a player saw before the match; it must be that of the record. The record of a practice,
    or of luck from the system, is `unproven`. One without the server's seed is `sealed`.
    """
    with explained_version(record.game, record.labels):
        return _verify_fair(record, sealed)


def _verify_fair(record: Record, sealed: str | None) -> Verification:
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
    luck_moves = sum(isinstance(ply.move, Luck) for ply in plies)
    return Verification(
        plies=len(plies),
        choices=len(plies) - luck_moves - len(record.by_clock),
        luck=luck_moves,
        by_clock=len(record.by_clock),
        proof=proof,
        seal=seal,
    )


def read_seal(record: Record) -> Seal | None:
    """Return the labels of a record about its luck; None where no server committed to it."""
    if record.labels.get("luck") != COMMITTED:
        return None
    return Seal(
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


def _proof(plies: tuple[Ply[Any, Any, Any], ...], record: Record, seal: Seal | None) -> Proof:
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
        _require_seeded_luck(ply, seal, seal.server_seed, record, by_clock=ply.number in clocked)
    return Proof.PROVEN


def _require_seeded_luck(
    ply: Ply[Any, Any, Any], seal: Seal, secret: str, record: Record, *, by_clock: bool
) -> None:
    """Raise `RecordError` for luck, or a choice of the clock, that the seeds do not give."""
    game = find_game(record.game)
    draw = committed_draw(secret, seal.match, seal.client_seeds, ply.number)
    match game.turn(ply.before), ply.move:
        case Await(chance), Luck():
            expected: Any = Luck(chance.sample(draw))
        case _, Act(seat) if by_clock:
            expected = clock_choice(game, ply.before, seat, draw)
        case _:
            return
    if expected != ply.move:
        raise RecordError(
            "other_luck",
            f"ply {ply.number}: the record says '{record.moves[ply.number - 1]}', but the seeds give"
            f" '{game.write(ply.before, expected)}'",
            where=f"ply {ply.number}",
        )

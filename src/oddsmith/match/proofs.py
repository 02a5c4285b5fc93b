"""The luck of a match and its proof: a server commits to its seed first, clocks choose by luck, and a record's luck is drawn again."""

import hashlib
import hmac
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from oddsmith.chance import Committed, Draw, Seeded
from oddsmith.errors import RecordError
from oddsmith.game import Act, Await, Game, Luck, Seat, SupportsOverdue
from oddsmith.match.model import Match
from oddsmith.records import Ply, Record, verify
from oddsmith.registry import find_game


def clock_choice(
    game: Game[Any, Any, Any, Any, Any],
    state: Any,  # noqa: ANN401  of the game
    seat: Seat,
    draw: Draw,
) -> Act[Any]:
    """Return what a clock chooses for a seat that must choose: one of what the game lets it, each as likely as the others.

    >>> from oddsmith.chance import Seeded
    >>> from oddsmith.games.destiny import Rules
    >>> from oddsmith.registry import find_game
    >>> game = find_game(Rules.game)
    >>> clock_choice(game, game.setup(Rules(), 2), 0, Seeded("late"))
    Act(seat=0, action=Choose(outlaw='copper_mae'))
    """
    listed = game.overdue(state, seat) if isinstance(game, SupportsOverdue) else game.actions(state, seat)
    return Act(seat, listed[draw.below(len(listed))])


def digest(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def commitment(secret: str) -> str:
    """Return what binds a server to its seed: the SHA-256 of its 32 bytes.

    >>> commitment("00" * 32)[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def match_commitment(secret: str, practice: str | None) -> str | None:
    """Return what binds the server of a match to its luck; None in practice, whose luck anybody can know."""
    return None if practice is not None else commitment(secret)


def seat_token(match: Match, seat: Seat, request: str) -> str:
    """Return the token of a seat: 256 bits that only who made the request is told, and once more if asked again.

    It is made with a key that is never shown, so that the seed that is shown at the end opens nothing.
    """
    said = f"token {match.id} {seat} {request}".encode(errors="surrogatepass")
    return hmac.digest(bytes.fromhex(match.key), said, hashlib.sha256).hex()


def luck_draw(match: Match, ply: int) -> Committed | Seeded:
    """Return the luck of a ply: cards and dice; in practice, what comes next of the chosen seed."""
    if match.practice is not None:
        return Seeded(match.practice, drawn=match.drawn)
    return committed_draw(match.secret, match.id, client_seeds(match), ply)


def bot_draw(match: Match, seat: Seat) -> Committed | Seeded:
    """Return the luck of a bot's next choice: the same whenever it is asked, and no part of any other luck.

    In practice bots and cards take turns in drawing from the one seed, as at a table in the terminal.
    """
    if match.practice is not None:
        return luck_draw(match, match.plies + 1)
    return committed_draw(match.secret, f"{match.id} bot {seat}", client_seeds(match), match.plies + 1)


def clock_draw(match: Match) -> Committed | Seeded:
    """Return the luck with which a clock chooses now; in practice none of the cards', for whom only the choice counts."""
    if match.practice is not None:
        return Seeded(f"{match.practice} clock {match.plies + 1}")
    return luck_draw(match, match.plies + 1)


def drawn_since(match: Match, draw: Committed | Seeded) -> int:
    """Return how many bytes of a practice seed's luck were used after the match came to where it is."""
    return draw.drawn - match.drawn if isinstance(draw, Seeded) else 0


def committed_draw(secret: str, match: str, seeds: Sequence[str], ply: int) -> Committed:
    """Return the luck of a ply from what a record says.

    >>> committed_draw("00" * 32, "m1", ("ann", "bo"), 1).below(52)
    25
    """
    return Committed(bytes.fromhex(secret), match=match, seeds=seeds, ply=ply)


def client_seeds(match: Match) -> tuple[str, ...]:
    """Return the seeds that the players added, seat by seat."""
    return tuple(chair.seed for chair in match.chairs)


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


class Seal(msgspec.Struct, frozen=True, kw_only=True):
    """What a record says its luck came from; the seeds are there when the match is over."""

    match: str
    commitment: str
    server_seed: str | None
    client_seeds: tuple[str, ...]


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """What was checked in a record, all of it found right: how many moves of which kind, and what luck is proven.

    `luck` counts the moves of luck, `by_clock` the choices that a clock made; where the proof is `proven`, all of them
    were drawn again from the seeds.
    """

    plies: int
    choices: int
    luck: int
    by_clock: int
    proof: Proof
    seal: Seal | None


def verify_fair(record: Record, *, sealed: str | None = None) -> Verification:
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
    return Verification(
        plies=len(plies),
        choices=len(plies) - lucky - len(record.by_clock),
        luck=lucky,
        by_clock=len(record.by_clock),
        proof=proof,
        seal=seal,
    )


def read_seal(record: Record) -> Seal | None:
    """Return what the record says its luck came from, or None where it does not say that a server was bound to it."""
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
        _require_same(ply, seal, seal.server_seed, record, by_clock=ply.number in clocked)
    return Proof.PROVEN


def _require_same(
    ply: Ply[Any, Any, Any], seal: Seal, secret: str, record: Record, *, by_clock: bool
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

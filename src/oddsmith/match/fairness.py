"""A server is bound to its seed before it knows the players', and shows it when the match is over."""

import hashlib
import hmac
from collections.abc import Sequence

from oddsmith.chance import Committed, Seeded
from oddsmith.game import Seat
from oddsmith.match.model import Match


def digest(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def commitment(secret: str) -> str:
    """Return what binds a server to its seed: the SHA-256 of its 32 bytes.

    >>> commitment("00" * 32)[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def match_commitment(match: Match) -> str | None:
    """Return what binds the server of a match to its luck; None in practice, whose luck anybody can know."""
    return None if match.practice is not None else commitment(match.secret)


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

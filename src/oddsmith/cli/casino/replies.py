"""What `oddsmith casino …` prints with `--json`: one documented shape each."""

import msgspec

from oddsmith.cards import Card
from oddsmith.games.casino.model import State
from oddsmith.games.casino.questions import ClassifyReply, ListedMove, MoveEstimate, MovesReply

__all__ = [
    "ClassifyReply",
    "ListedMove",
    "MoveEstimate",
    "MovesReply",
    "PerftMove",
    "PerftReply",
    "PositionReply",
]


class PositionReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith casino position`: a table of a game between bots, as a file that other commands read.

    `plies` is how many moves were made: fewer than asked for where the game was over.
    """

    rules_id: str
    seed: str
    plies: int
    state: State
    toml: str


class PerftMove(msgspec.Struct, frozen=True, kw_only=True):
    """A first move, and how many lines of play begin with it."""

    text: str
    lines: int


class PerftReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith casino perft`: how many lines of play lead on from a deck in a given order.

    `lines` are the numbers of lines of 1 move, of 2 moves, and so on to `depth`; `divided` parts the last of them
    by first move, and is null without `--divide`.
    """

    rules_id: str
    players: int
    depth: int
    deck: tuple[Card, ...]
    lines: tuple[int, ...]
    divided: tuple[PerftMove, ...] | None

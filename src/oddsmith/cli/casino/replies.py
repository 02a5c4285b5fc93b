"""What `oddsmith casino …` prints with `--json`: one documented shape each."""

import msgspec

from oddsmith.cards import Card
from oddsmith.game import Seat
from oddsmith.games.casino.combos import ComboKind
from oddsmith.games.casino.hints import Gain
from oddsmith.games.casino.model import Move, State

__all__ = [
    "ClassifyReply",
    "ListedMove",
    "MoveEstimate",
    "MovesReply",
    "PerftMove",
    "PerftReply",
    "PositionReply",
]


class ClassifyReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith casino classify`: what a group of cards is called, and what could be done with it.

    `capturing_cards` are those of the deck that take the group whole where it lies alone on the table.
    """

    rules_id: str
    cards: tuple[Card, ...]
    kind: ComboKind
    total: int
    can_build: bool
    can_capture: bool
    capturing_cards: tuple[Card, ...]


class MoveEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """What the search thinks of a move: the share of the game that it expects, from so many visits."""

    share: float
    visits: int


class ListedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move: its number in the canonical order, its notation, what it gains at once."""

    number: int
    text: str
    words: str
    move: Move
    gain: Gain
    estimate: MoveEstimate | None


class MovesReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith casino moves`: the legal moves of the seat on turn, in canonical order.

    `legal` is how many there are; with `--kind`, fewer are listed. `estimate` is null without `--estimate`, and for a
    move that the search never tried.
    """

    rules_id: str
    seat: Seat
    deal: int
    hand: tuple[Card, ...]
    legal: int
    iterations: int | None
    seed: str | None
    moves: tuple[ListedMove, ...]


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

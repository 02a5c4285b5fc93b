"""What a table of Casino is made of: builds, moves, states and events, all immutable."""

from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import Card
from oddsmith.game import Event, Seat
from oddsmith.games.casino.rules import Rules

__all__ = [
    "Build",
    "Captured",
    "Cleared",
    "Dealt",
    "Ended",
    "HappenedEvent",
    "Laid",
    "Move",
    "MoveKind",
    "Score",
    "State",
]

Cards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=52)]
BuildNumbers: TypeAlias = Annotated[tuple[Annotated[int, Meta(ge=-1000, le=1000)], ...], Meta(max_length=26)]


class MoveKind(StrEnum):
    """What a move does, in the order in which moves are listed (§4)."""

    CAPTURE = "capture"
    PAIR = "two_card_capture"
    MARRIAGE = "build_marriage"
    BUILD = "build"
    EXTEND = "extend"
    TRAIL = "trail"


class Build(msgspec.Struct, frozen=True):
    """Cards that are taken together or not at all, their value, and the seat that owns them (§2.2)."""

    cards: Cards
    value: int
    owner: Seat


class Move(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a player does: a kind of move, the hand cards, and the items of the table that it is about.

    Builds are named by their place on the table, from 0.
    """

    kind: MoveKind
    hand: Annotated[tuple[Card, ...], Meta(max_length=4)]
    loose: Cards = ()
    builds: BuildNumbers = ()


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat made of the game, part by part (§6.2)."""

    cards: int
    spades: int
    sweeps: int
    points: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A table between two moves; the order of `stock` is nothing but its sorting."""

    rules: Rules
    players: int
    hands: tuple[Cards, ...]
    loose: Cards
    builds: tuple[Build, ...]
    piles: tuple[Cards, ...]
    sweeps: tuple[int, ...]
    stock: Cards
    turn: Seat = 0
    deal: int = 0
    last_capture: Seat | None = None
    over: bool = False


class Dealt(Event, frozen=True, kw_only=True, tag="dealt"):
    """A seat was dealt cards; only it sees them."""

    seat: Seat
    cards: Cards


class Laid(Event, frozen=True, kw_only=True, tag="laid"):
    """Cards were dealt to the table, at the start of a deal."""

    deal: int
    cards: Cards


class Captured(Event, frozen=True, kw_only=True, tag="moved"):
    """A player has moved; what was taken, and whether the table was swept."""

    seat: Seat
    move: Move
    taken: Cards
    sweep: bool


class Cleared(Event, frozen=True, kw_only=True, tag="cleared"):
    """What was left on the table went to whoever captured last (§6.1)."""

    seat: Seat | None
    cards: Cards


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    """The game is over."""

    scores: tuple[Score, ...]


HappenedEvent: TypeAlias = Dealt | Laid | Captured | Cleared | Ended

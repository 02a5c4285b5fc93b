"""What a match is made of: its log, and what the log folds to; all values are immutable."""

from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.errors import Refusal
from oddsmith.game import Event, Outcome, Seat
from oddsmith.rules import Ruleset

__all__ = [
    "Act",
    "Answer",
    "Applied",
    "BotAct",
    "Chair",
    "Clock",
    "Command",
    "Duplicate",
    "Entry",
    "Illegal",
    "Join",
    "Leave",
    "Left",
    "Made",
    "Match",
    "Open",
    "Opened",
    "Seated",
    "Stale",
    "Tick",
]

LONGEST_NAME: Final = 40
MOST_SECONDS: Final = 7 * 24 * 3600

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
CommandId: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9_.:-]{1,64}$")]
JoinId: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9_.:-]{22,64}$")]
"""Long enough that nobody guesses it: who knows it can ask for the seat's token once more."""
ClientSeed: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9_.:-]{0,64}$")]
Digest: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Version: TypeAlias = Annotated[int, Meta(ge=0, le=10_000_000)]
Line: TypeAlias = Annotated[str, Meta(min_length=1, max_length=500)]
Milliseconds: TypeAlias = int


class Clock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long a seat may think: so long for each choice, and so long more in the whole match."""

    choice_seconds: Annotated[int, Meta(ge=1, le=MOST_SECONDS)]
    bank_seconds: Annotated[int, Meta(ge=0, le=MOST_SECONDS)] = 0


class Opened(msgspec.Struct, frozen=True, kw_only=True, tag="opened", tag_field="entry"):
    """A match was opened: the game, its rules in full, and the seed that the server is bound to."""

    at: Milliseconds
    match: str
    game: str
    rules: Annotated[str, Meta(max_length=262_144)]
    bots: tuple[str | None, ...]
    secret: Digest
    clock: Clock | None = None


class Seated(msgspec.Struct, frozen=True, kw_only=True, tag="seated", tag_field="entry"):
    """Somebody took a seat; the token and the id of the request are kept as digests."""

    at: Milliseconds
    seat: Seat
    name: Name
    token: Digest
    request: Digest
    seed: ClientSeed


class Made(msgspec.Struct, frozen=True, kw_only=True, tag="made", tag_field="entry", omit_defaults=True):
    """A move was made: by a seat, by the clock in its stead, or, where `seat` is None, by luck."""

    at: Milliseconds
    line: Line
    seat: Seat | None = None
    id: CommandId | None = None
    by_clock: bool = False


class Left(msgspec.Struct, frozen=True, kw_only=True, tag="left", tag_field="entry", omit_defaults=True):
    """A seat gave the match up, or, where `seat` is None, nobody came back to it."""

    at: Milliseconds
    seat: Seat | None = None
    id: CommandId | None = None


Entry: TypeAlias = Opened | Seated | Made | Left
"""One line of the log; its version is its place in the log, from 1."""


class Chair(msgspec.Struct, frozen=True, kw_only=True):
    """A seat at the table: who sits there, what proves it, and how much time is left in the bank."""

    name: str | None = None
    bot: str | None = None
    token: Digest | None = None
    seed: str = ""
    bank: Milliseconds = 0

    @property
    def is_taken(self) -> bool:
        """Whether a person or a bot sits there."""
        return self.name is not None


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A match as its log folds to; only `oddsmith.table` looks inside."""

    id: str
    game: str
    rules: Ruleset
    secret: Digest
    clock: Clock | None
    chairs: tuple[Chair, ...]
    log: tuple[Entry, ...]
    told: tuple[tuple[Event, ...], ...]
    state: Any = None
    plies: int = 0
    waiting_since: Milliseconds = 0
    outcome: Outcome | None = None
    is_abandoned: bool = False

    @property
    def version(self) -> int:
        """How many entries the log has."""
        return len(self.log)

    @property
    def is_over(self) -> bool:
        """Whether nothing can be done any more."""
        return self.outcome is not None or self.is_abandoned


class Open(msgspec.Struct, frozen=True, kw_only=True):
    """Open a match: a bot's name for each seat that a bot holds, None for each that is free."""

    rules: Ruleset
    bots: tuple[str | None, ...]
    clock: Clock | None = None


class Join(msgspec.Struct, frozen=True, kw_only=True):
    """Take a seat, a given one or the first that is free, and add a seed to the luck of the match."""

    id: JoinId
    name: Name
    seed: ClientSeed = ""
    seat: Seat | None = None


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """Make a choice, as a line of notation or as the data of an action; the seat is the one that the token proves."""

    token: str
    id: CommandId
    version: Version
    action: Any


class BotAct(msgspec.Struct, frozen=True, kw_only=True):
    """A choice that a bot made on its view; nothing that comes from outside is ever read as one."""

    seat: Seat
    version: Version
    action: Any


class Leave(msgspec.Struct, frozen=True, kw_only=True):
    """Give the match up."""

    token: str
    id: CommandId


class Tick(msgspec.Struct, frozen=True, kw_only=True):
    """Look at the clock; where `is_deserted`, the match is given up in the name of all."""

    is_deserted: bool = False


Command: TypeAlias = Join | Act | BotAct | Leave | Tick


class Applied(
    msgspec.Struct, frozen=True, kw_only=True, tag="applied", tag_field="answer", omit_defaults=True
):
    """It was done, and the match is at this version now; who joined learns its seat and token."""

    version: int
    seat: Seat | None = None
    token: str | None = None


class Duplicate(
    msgspec.Struct, frozen=True, kw_only=True, tag="duplicate", tag_field="answer", omit_defaults=True
):
    """It had been done already: the answer is the one that was given then."""

    version: int
    seat: Seat | None = None
    token: str | None = None


class Stale(msgspec.Struct, frozen=True, kw_only=True, tag="stale", tag_field="answer"):
    """It was meant for another version; nothing was done."""

    version: int


class Illegal(msgspec.Struct, frozen=True, kw_only=True, tag="illegal", tag_field="answer"):
    """It is refused; nothing was done."""

    version: int
    refusal: Refusal


Answer: TypeAlias = Applied | Duplicate | Stale | Illegal

"""What a match is made of: its log, and what the log folds to; all values are immutable."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.errors import Refusal
from oddsmith.game import MOST_SEATS, Decide, Event, Game, Outcome, Seat, Turn
from oddsmith.match.persistent import PersistentDict, PersistentList
from oddsmith.rules import Ruleset

LONGEST_NAME: Final = 40
LONGEST_LINE: Final = 500
LONGEST_RULES: Final = 262_144
MOST_SECONDS: Final = 7 * 24 * 3600

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
"""Printable, without spaces around it; the machine refuses others."""
CommandId: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:-]{1,64}$(?!\n)")]
JoinId: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:-]{22,64}$(?!\n)")]
"""Long enough that nobody guesses it: who knows it can ask for the seat's token once more."""
ClientSeed: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:-]{0,64}$(?!\n)")]
PracticeSeed: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:-]{1,64}$(?!\n)")]
"""All luck of a practice match comes from it: who knows it foresees everything, so everyone is told."""
Digest: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
Token: TypeAlias = Annotated[str, Meta(max_length=64)]
"""64 hexadecimal digits; what is none proves no seat."""
Version: TypeAlias = Annotated[int, Meta(ge=0, le=10_000_000)]
Line: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_LINE)]
Milliseconds: TypeAlias = int
SeatNumber: TypeAlias = Annotated[Seat, Meta(ge=0, lt=MOST_SEATS)]
Bots: TypeAlias = Annotated[
    tuple[Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)] | None, ...],
    Meta(max_length=MOST_SEATS),
]
"""A bot's name for each seat that a bot holds, None for each that is free."""


REDACTED_FIELDS: Final = frozenset({"secret", "key", "token", "request", "seed"})


class RedactedStruct(msgspec.Struct, frozen=True, kw_only=True):
    """A value that holds secrets: it may be printed, logged or quoted in an error without telling them.

    >>> Leave(token="5e" * 32, id="c7")
    Leave(token=…, id='c7')
    """

    def __repr__(self) -> str:
        told = (
            f"{name}={'…' if name in REDACTED_FIELDS else repr(getattr(self, name))}"
            for name in self.__struct_fields__
        )
        return f"{type(self).__name__}({', '.join(told)})"


class LeaveReason(StrEnum):
    """Why a seat was left: before the match began, or in a way that ended it."""

    SEAT_FREED = "seat_freed"
    GIVEN_UP = "given_up"
    DESERTED = "deserted"
    TOO_LONG = "too_long"


class Clock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long a seat may think: so long each time it must choose, and so long more in the whole match.

    The time runs from when the seat is asked until it need not choose any more, however many moves it makes of it.
    """

    choice_seconds: Annotated[int, Meta(ge=1, le=MOST_SECONDS)]
    bank_seconds: Annotated[int, Meta(ge=0, le=MOST_SECONDS)] = 0


class Opened(RedactedStruct, frozen=True, kw_only=True, tag="opened", tag_field="entry"):
    """A match was opened: the game, its rules in full, and the seed that the server is bound to.

    `secret` is shown when the match is over; `key`, from which tokens are made, never is. Where the seed of a `practice`
    was chosen, `secret` plays no part. One that is `private` is shown to who knows it, and not in lists.
    """

    at: Milliseconds
    match: str
    game: str
    rules: Annotated[str, Meta(max_length=LONGEST_RULES)]
    bots: Bots
    secret: Digest
    key: Digest
    clock: Clock | None = None
    practice: PracticeSeed | None = None
    private: bool = False


class Seated(RedactedStruct, frozen=True, kw_only=True, tag="seated", tag_field="entry"):
    """Somebody took a seat; the token and the id of the request are kept as digests."""

    at: Milliseconds
    seat: SeatNumber
    name: Name
    token: Digest
    request: Digest
    seed: ClientSeed


class Made(msgspec.Struct, frozen=True, kw_only=True, tag="made", tag_field="entry", omit_defaults=True):
    """A move was made: by a seat, by the clock in its stead, or, where `seat` is None, by luck.

    `drawn` is how many bytes of a practice seed's luck it took.
    """

    at: Milliseconds
    line: Line
    seat: SeatNumber | None = None
    id: CommandId | None = None
    by_clock: bool = False
    drawn: Annotated[int, Meta(ge=0)] = 0


class Left(msgspec.Struct, frozen=True, kw_only=True, tag="left", tag_field="entry", omit_defaults=True):
    """A seat was left, or, where `seat` is None, nobody came back to the match."""

    at: Milliseconds
    seat: SeatNumber | None = None
    id: CommandId | None = None
    why: LeaveReason = LeaveReason.GIVEN_UP


Entry: TypeAlias = Opened | Seated | Made | Left
"""One line of the log; its version is its place in the log, from 1."""


class Chair(RedactedStruct, frozen=True, kw_only=True):
    """A seat at the table: who sits there, what proves it, how much time is left, how often it has chosen."""

    name: str | None = None
    bot: str | None = None
    token: Digest | None = None
    request: Digest | None = None
    seed: str = ""
    bank: Milliseconds = 0
    asked_at: Milliseconds | None = None
    choices: int = 0

    @property
    def is_taken(self) -> bool:
        """Whether a person or a bot sits there."""
        return self.name is not None


class Abandonment(msgspec.Struct, frozen=True, kw_only=True):
    """A match that ended before its game did: why, through whom, and who won by that.

    Who gives a match up, or draws it out beyond all measure, loses it to all others. A match that was deserted, that
    had not begun, or that somebody played alone, is won by nobody.
    """

    why: LeaveReason
    seat: Seat | None
    winners: tuple[Seat, ...]


class Match(RedactedStruct, frozen=True, kw_only=True, dict=True):
    """A match as its log folds to; only `oddsmith.match` looks inside.

    `game` is the name of the game, and `engine` the game itself. `commitment` binds the server to its luck; it is None
    in practice, whose luck anybody can know.
    `version` is how many entries the log has, `at` the time of the last; `log` and `told` hold those after the first
    `forgotten`. `answered` has the version that each command was answered with, and `latest` the last of these
    commands while luck follows it. `turn` is what the game says of `state`. `drawn` is how many bytes of a practice
    seed's luck were used.
    """

    id: str
    game: str
    engine: Game[Any, Any, Any, Any, Any]
    rules: Ruleset
    secret: Digest
    key: Digest
    commitment: Digest | None
    clock: Clock | None
    practice: PracticeSeed | None = None
    private: bool = False
    chairs: tuple[Chair, ...]
    log: PersistentList[Entry]
    events: PersistentList[tuple[Event, ...]]
    answers: PersistentDict = PersistentDict()
    latest: str | None = None
    version: int = 1
    log_start: int = 0
    opened_at: Milliseconds = 0
    at: Milliseconds = 0
    state: Any = None
    turn: Turn[Any] | None = None
    plies: int = 0
    drawn: int = 0
    outcome: Outcome | None = None
    abandonment: Abandonment | None = None

    def __repr__(self) -> str:
        return f"Match({self.id!r}, game={self.game!r}, version={self.version})"

    @property
    def is_abandoned(self) -> bool:
        """Whether it ended before its game did."""
        return self.abandonment is not None

    @cached_property
    def is_over(self) -> bool:
        """Whether nothing can be done any more."""
        return self.outcome is not None or self.abandonment is not None

    @cached_property
    def deciding(self) -> tuple[Seat, ...]:
        """The seats that must act now."""
        return () if self.is_over else deciding_seats(self.turn)

    @cached_property
    def dues(self) -> Mapping[Seat, Milliseconds]:
        """When the time of each seat that must choose is up; empty where no clock runs."""
        clock = self.clock
        if clock is None:
            return {}
        return {
            seat: (self.chairs[seat].asked_at or 0) + clock.choice_seconds * 1000 + self.chairs[seat].bank
            for seat in self.deciding
        }


def deciding_seats(turn: Turn[Any] | None) -> tuple[Seat, ...]:
    """Return the seats that a turn waits for; a game that has not begun waits for none."""
    return turn.seats if isinstance(turn, Decide) else ()


class Open(msgspec.Struct, frozen=True, kw_only=True):
    """Open a match: a bot's name for each seat that a bot holds, None for each that is free.

    With the seed of a `practice` all luck comes from that seed alone; a `private` match is in no list.
    """

    rules: Ruleset
    bots: Bots
    clock: Clock | None = None
    practice: PracticeSeed | None = None
    private: bool = False


class Join(RedactedStruct, frozen=True, kw_only=True):
    """Take a seat, a given one or the first that is free, and add a seed to the luck of the match."""

    id: JoinId
    name: Name
    seed: ClientSeed = ""
    seat: SeatNumber | None = None

    def __repr__(self) -> str:
        return f"Join(id=…, name={self.name!r}, seat={self.seat!r})"


class Act(RedactedStruct, frozen=True, kw_only=True):
    """Make a choice, as a line of notation or as the data of an action; the seat is the one that the token proves."""

    token: Token
    id: CommandId
    version: Version
    action: Any


class BotAct(msgspec.Struct, frozen=True, kw_only=True):
    """A choice that a bot made on its view; nothing that comes from outside is ever read as one.

    `drawn` is how many bytes of a practice seed's luck it took.
    """

    seat: Seat
    version: Version
    action: Any
    drawn: int = 0


class Leave(RedactedStruct, frozen=True, kw_only=True):
    """Give the match up; before it has begun, only the seat."""

    token: Token
    id: CommandId


class Tick(msgspec.Struct, frozen=True, kw_only=True):
    """Look at the clock, which makes at most one move; where `is_deserted`, the match is given up in the name of all.

    While `due_at` is past, a driver ticks again.
    """

    is_deserted: bool = False


Command: TypeAlias = Join | Act | BotAct | Leave | Tick


class Applied(
    RedactedStruct, frozen=True, kw_only=True, tag="applied", tag_field="answer", omit_defaults=True
):
    """It was done, and the match is at this version now; who joined learns its seat and token."""

    version: int
    seat: Seat | None = None
    token: str | None = None


class Duplicate(
    RedactedStruct, frozen=True, kw_only=True, tag="duplicate", tag_field="answer", omit_defaults=True
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


class BadToken(Illegal, frozen=True, kw_only=True, tag="illegal", tag_field="answer"):
    """It came with a token that proves no seat of the match; nothing was done. Its JSON is that of `Illegal`."""


Answer: TypeAlias = Applied | Duplicate | Stale | Illegal

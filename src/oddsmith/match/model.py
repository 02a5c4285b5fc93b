"""The types of a match: log entries, the match, commands and answers; all values are immutable."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.decoding_faults import FORM
from oddsmith.errors import Refusal
from oddsmith.game import MOST_SEATS, Decide, Event, Outcome, Seat, Turn
from oddsmith.match.persistent import PersistentDict, PersistentList
from oddsmith.mechanic import AnyGame
from oddsmith.rules import Ruleset

LONGEST_NAME: Final = 40
LONGEST_LINE: Final = 500
LONGEST_RULES: Final = 262_144
MOST_SECONDS: Final = 7 * 24 * 3600

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
"""A name at a seat; `apply` refuses one that is not printable or has spaces around it."""
_ID_CHARACTERS: Final = "characters: letters, digits, and _ . : -"
CommandId: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_.:-]{1,64}$(?!\n)",
        extra={FORM: f"1 to 64 {_ID_CHARACTERS}"},
    ),
]
JoinId: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_.:-]{22,64}$(?!\n)",
        extra={FORM: f"22 to 64 {_ID_CHARACTERS}"},
    ),
]
"""The id of a request to join; a secret, for repeating it returns the seat's token again."""
ClientSeed: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_.:-]{0,64}$(?!\n)",
        extra={FORM: f"at most 64 {_ID_CHARACTERS}"},
    ),
]
PracticeSeed: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_.:-]{1,64}$(?!\n)",
        extra={FORM: f"1 to 64 {_ID_CHARACTERS}"},
    ),
]
"""The seed of all luck of a practice match; every viewer sees it."""
Digest: TypeAlias = Annotated[
    str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)", extra={FORM: "64 hexadecimal digits"})
]
Token: TypeAlias = Annotated[str, Meta(max_length=64)]
"""The token of a seat: 64 hexadecimal digits."""
Version: TypeAlias = Annotated[int, Meta(ge=0, le=10_000_000)]
Line: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_LINE)]
Milliseconds: TypeAlias = int
SeatNumber: TypeAlias = Annotated[Seat, Meta(ge=0, lt=MOST_SEATS)]
Bots: TypeAlias = Annotated[
    tuple[Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)] | None, ...],
    Meta(max_length=MOST_SEATS),
]
"""By seat, the name of its bot; None for a seat that people take."""

REDACTED_FIELDS: Final = frozenset({"secret", "key", "token", "request", "seed"})
"""Fields whose values `repr` does not show."""


class RedactedStruct(msgspec.Struct, frozen=True, kw_only=True):
    """A struct that holds secrets: its `repr` hides the values of `REDACTED_FIELDS`.

    >>> Leave(token="5e" * 32, id="c7")
    Leave(token=…, id='c7')
    """

    def __repr__(self) -> str:
        fields = (
            f"{name}={'…' if name in REDACTED_FIELDS else repr(getattr(self, name))}"
            for name in self.__struct_fields__
        )
        return f"{type(self).__name__}({', '.join(fields)})"


class LeaveReason(StrEnum):
    """Why a seat was left: `SEAT_FREED` before the match began; any other reason ended the match."""

    SEAT_FREED = "seat_freed"
    GIVEN_UP = "given_up"
    DESERTED = "deserted"
    TOO_LONG = "too_long"


class Clock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time of a seat: `choice_seconds` each time it must choose, and `bank_seconds` beyond that in the whole match.

    The time runs while the seat must choose, also over several moves.
    """

    choice_seconds: Annotated[int, Meta(ge=1, le=MOST_SECONDS)]
    bank_seconds: Annotated[int, Meta(ge=0, le=MOST_SECONDS)] = 0


class Opened(RedactedStruct, frozen=True, kw_only=True, tag="opened", tag_field="entry", gc=False):
    """A match was opened: the game, its rules in full, and the seed that the server is bound to.

    `secret` is revealed when the match is over. `key`, from which tokens are made, never is. With a `practice` seed,
    `secret` is not used. A `private` match is in no list. `mechanic` is the source of the game and its version; None where
    it is one of this package.
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
    mechanic: Annotated[str, Meta(max_length=LONGEST_LINE)] | None = None


class Seated(RedactedStruct, frozen=True, kw_only=True, tag="seated", tag_field="entry", gc=False):
    """A person took a seat; `token` and `request` are the digests of the token and of the request's id."""

    at: Milliseconds
    seat: SeatNumber
    name: Name
    token: Digest
    request: Digest
    seed: ClientSeed


class Made(
    msgspec.Struct, frozen=True, kw_only=True, tag="made", tag_field="entry", omit_defaults=True, gc=False
):
    """A move was made: by a seat, by the clock for a seat, or, where `seat` is None, by luck.

    `drawn` is the number of bytes of a practice seed's luck that it used. `sent` is a checksum of the action as its client
    sent it, which tells a repeated command from another one with the same id; 0 where none is known. `paused` is the time
    before it in which no server ran: no clock is charged for it.
    """

    at: Milliseconds
    line: Line
    seat: SeatNumber | None = None
    id: CommandId | None = None
    by_clock: bool = False
    drawn: Annotated[int, Meta(ge=0)] = 0
    sent: Annotated[int, Meta(ge=0)] = 0
    paused: Annotated[Milliseconds, Meta(ge=0)] = 0


class Left(
    msgspec.Struct, frozen=True, kw_only=True, tag="left", tag_field="entry", omit_defaults=True, gc=False
):
    """A seat was left, or, where `seat` is None, the whole match."""

    at: Milliseconds
    seat: SeatNumber | None = None
    id: CommandId | None = None
    why: LeaveReason = LeaveReason.GIVEN_UP


Entry: TypeAlias = Opened | Seated | Made | Left
"""An entry of the log; its version is its position in the log, from 1."""


class Chair(RedactedStruct, frozen=True, kw_only=True, gc=False):
    """The state of a seat: its player, the digest of its token, the time in its bank, the number of its choices."""

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
        """Whether a person or a bot has the seat."""
        return self.name is not None


class Abandonment(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a match whose game had not ended: the reason, the seat that left, and the winners.

    A seat that gives the match up, or makes too many choices, loses to all others. A match has no winners where it was
    deserted, had not begun, or had one seat.
    """

    why: LeaveReason
    seat: Seat | None
    winners: tuple[Seat, ...]


class Match(RedactedStruct, frozen=True, kw_only=True):
    """A match: the fold of its log.

    `game` is the name of the game, and `engine` the game itself. `commitment` binds the server to its luck; it is None
    for a practice. `version` is the number of entries of the whole log, `at` the time of the last. `log` has the entries
    after the first `log_start`, and `events` the events of each of them. `answers` has the version of the answer to each
    command, by `command_key` and `join_key`, and `latest` is the key of the last command while luck follows it. `turn` is
    the game's turn of `state`. `drawn` is the number of bytes of a practice seed's luck that were used. `paused` is the time
    by which running clocks were moved on and which no entry has yet: the next move records it.
    """

    id: str
    game: str
    engine: AnyGame
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
    paused: Milliseconds = 0
    outcome: Outcome | None = None
    abandonment: Abandonment | None = None

    def __repr__(self) -> str:
        return f"Match({self.id!r}, game={self.game!r}, version={self.version})"

    @property
    def is_abandoned(self) -> bool:
        """Whether it ended before its game did."""
        return self.abandonment is not None

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.outcome is not None or self.abandonment is not None

    @property
    def deciding(self) -> tuple[Seat, ...]:
        """The seats that must choose now."""
        return () if self.is_over else deciding_seats(self.turn)

    @property
    def waiting_bots(self) -> tuple[Seat, ...]:
        """The seats of bots that must choose now."""
        return tuple([seat for seat in self.deciding if self.chairs[seat].bot is not None])

    @property
    def dues(self) -> Mapping[Seat, Milliseconds]:
        """By seat that must choose, the time at which its clock runs out; empty where no clock runs."""
        clock = self.clock
        if clock is None:
            return {}
        return {
            seat: (self.chairs[seat].asked_at or 0) + clock.choice_seconds * 1000 + self.chairs[seat].bank
            for seat in self.deciding
        }


def deciding_seats(turn: Turn[Any] | None) -> tuple[Seat, ...]:
    """Return the seats that must choose in a turn; none where the game has not begun."""
    return turn.seats if isinstance(turn, Decide) else ()


class Open(msgspec.Struct, frozen=True, kw_only=True):
    """Open a match with one item of `bots` for each seat.

    With a `practice` seed, all luck comes from that seed. A `private` match is in no list.
    """

    rules: Ruleset
    bots: Bots
    clock: Clock | None = None
    practice: PracticeSeed | None = None
    private: bool = False


class Join(RedactedStruct, frozen=True, kw_only=True):
    """Take a seat, `seat` or the first that is free, and add a seed to the luck of the match."""

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
    """A choice of a bot; never decoded from a client's message.

    `drawn` is the number of bytes of a practice seed's luck that it used.
    """

    seat: Seat
    version: Version
    action: Any
    drawn: int = 0


class Leave(RedactedStruct, frozen=True, kw_only=True):
    """Leave: give the match up, or, before it has begun, free the seat."""

    token: Token
    id: CommandId


class Tick(msgspec.Struct, frozen=True, kw_only=True):
    """Let the clock choose for one seat whose time is up; where `is_deserted`, end the match without a winner.

    A driver sends another `Tick` while `due_at` is past.
    """

    is_deserted: bool = False


Command: TypeAlias = Join | Act | BotAct | Leave | Tick


class Applied(
    RedactedStruct, frozen=True, kw_only=True, tag="applied", tag_field="answer", omit_defaults=True, gc=False
):
    """The command was applied, and the match has this version; `seat` and `token` are for a client that joined."""

    version: int
    seat: Seat | None = None
    token: str | None = None


class Duplicate(
    RedactedStruct, frozen=True, kw_only=True, tag="duplicate", tag_field="answer", omit_defaults=True
):
    """The command had been applied before; the answer repeats the earlier one."""

    version: int
    seat: Seat | None = None
    token: str | None = None


class Stale(msgspec.Struct, frozen=True, kw_only=True, tag="stale", tag_field="answer"):
    """The command names another version than the current one; nothing changed."""

    version: int


class Illegal(msgspec.Struct, frozen=True, kw_only=True, tag="illegal", tag_field="answer"):
    """The command is refused; nothing changed."""

    version: int
    refusal: Refusal


class BadToken(Illegal, frozen=True, kw_only=True, tag="illegal", tag_field="answer"):
    """The token proves no seat of the match; nothing changed. Its JSON is that of `Illegal`."""


Answer: TypeAlias = Applied | Duplicate | Stale | Illegal

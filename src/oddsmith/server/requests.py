"""What comes in and what goes out, as types: from these requests are read, and the description of the interface is made."""

from typing import Annotated, Any, Final, Literal, Self, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from oddsmith.errors import AccessError, InputError, Refusal
from oddsmith.game import MOST_SEATS, Outcome
from oddsmith.match.model import (
    Abandonment,
    Answer,
    Applied,
    BadToken,
    ClientSeed,
    Clock,
    CommandId,
    Duplicate,
    Illegal,
    Join,
    JoinId,
    Name,
    PracticeSeed,
    RedactedStruct,
    SeatNumber,
    Stale,
    Version,
)
from oddsmith.match.proofs import Verification
from oddsmith.question import GivenRules
from oddsmith.store.model import Status, Summary

T = TypeVar("T")

MOST_LISTED: Final = 100
MOST_FRAMES: Final = 200
DEEPEST: Final = 20
Since: TypeAlias = Version
Cursor: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9]{1,15}\.[0-9a-f]{20}$(?!\n)")]
"""`changed_at` and `match` of the last match of a page."""


class Opening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a match is opened with: for each seat a bot's name, or null for somebody who joins.

    Rules are a preset's name, or a table of what differs from the default. With the seed of a `practice`, which is for
    one person at most, all luck comes from that seed alone. A `private` match is in no list.
    """

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[tuple[Name | None, ...], Meta(min_length=1, max_length=MOST_SEATS)]
    rules: GivenRules = "default"
    clock: Clock | None = None
    practice: PracticeSeed | None = None
    private: bool = False


class Acting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A choice: for which version, under which id, and what: a line of notation, or the data of an action."""

    id: CommandId
    version: Version
    act: Any


class Joining(RedactedStruct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody takes a seat, a given one or the first that is free, and adds a seed to the luck of the match."""

    id: JoinId
    name: Name
    seed: ClientSeed = ""
    seat: SeatNumber | None = None

    def command(self) -> Join:
        """Return what a table is told."""
        return Join(id=self.id, name=self.name, seed=self.seed, seat=self.seat)


class Leaving(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat gives a match up."""

    id: CommandId


class Wanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which matches a list shows."""

    game: Annotated[str, Meta(max_length=40)] | None = None
    status: Status | None = None
    before: Cursor | None = None
    limit: Annotated[int, Meta(ge=1, le=MOST_LISTED)] = 50


class Looking(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Up to which version somebody has seen all."""

    since: Since | None = None


class Rewatching(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """From which seat a match is seen again, null for a spectator's; from which ply on, and how many of them."""

    viewer: SeatNumber | None = None
    first: Version = 0
    count: Annotated[int, Meta(ge=1, le=MOST_FRAMES)] = 100


class Replaying(Rewatching, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record, as TOML, that is to be seen again."""

    record: str


class Verifying(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record, as TOML, that is to be verified, and the commitment that somebody was shown before the match."""

    record: str
    commitment: Annotated[str, Meta(max_length=64)] | None = None


class SeatCount(msgspec.Struct, frozen=True, kw_only=True):
    """How many may play."""

    fewest: int
    most: int

    @classmethod
    def of(cls, seats: range) -> Self:
        """Return the bounds of a range of numbers of seats.

        >>> SeatCount.of(range(2, 5))
        SeatCount(fewest=2, most=4)
        """
        return cls(fewest=seats.start, most=seats.stop - 1)


class GameListed(msgspec.Struct, frozen=True, kw_only=True):
    """A game: who may play, which bots can hold a seat, and which rules have names.

    `default_bot` is the bot that a seat gets unless another is chosen. `roles` names the first seats, those that are no
    rivals of the others; it is empty where all seats play against each other. `seats` is for the default rules.
    """

    game: str
    title: str
    summary: str
    seats: SeatCount
    bots: tuple[str, ...]
    default_bot: str
    roles: tuple[str, ...]
    presets: tuple[str, ...]


class MatchOpened(msgspec.Struct, frozen=True, kw_only=True):
    """A match that was opened, and what its server is bound to before anybody can have joined.

    A practice has its seed instead, and no `commitment`.
    """

    match: str
    version: int
    commitment: str | None
    practice: str | None
    private: bool


class MatchPage(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, those changed last first; `before` asks for more of them, and is null where there are none."""

    matches: tuple[Summary, ...]
    before: str | None


class ReplayHead(msgspec.Struct, frozen=True, kw_only=True):
    """What a record is about: `plies` is how many moves it has, `luck` what its luck is said to come from.

    `first` is the ply of the first frame.
    """

    game: str
    rules_id: str
    rules: Any
    seats: tuple[str, ...]
    plies: int
    luck: str
    outcome: Outcome | None
    abandonment: Abandonment | None
    first: int


class RecordVerified(Verification, frozen=True, kw_only=True):
    """A record of which everything was found right: which game it tells of, who played it, and how it ended."""

    game: str
    seats: tuple[str, ...]
    outcome: Outcome | None


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """How the server is."""

    status: Literal["ok", "ready", "store away", "stopping"]


class StaleAnswer(msgspec.Struct, frozen=True, kw_only=True, tag="stale", tag_field="answer"):
    """It was meant for another version; nothing was done."""

    version: int
    refusal: Refusal


GivenAnswer: TypeAlias = Applied | Duplicate | StaleAnswer | Illegal


def said(answer: Answer) -> GivenAnswer:
    """Return an answer as it is given: whatever was not done has its refusal."""
    if not isinstance(answer, Stale):
        return answer
    sentence = f"the match is at version {answer.version}: look again"
    return StaleAnswer(version=answer.version, refusal=Refusal("stale", sentence, where="version"))


def refuse_strangers(answer: Answer) -> Answer:
    """Return an answer; one to a token that proves no seat is refused as such."""
    if isinstance(answer, BadToken):
        raise AccessError.of(answer.refusal)
    return answer


def require_shallow(given: object) -> None:
    """Refuse data that are nested deeper than anything that is meant.

    >>> require_shallow({"combo": [["A♠"]]})
    """
    level, depth = [given], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise InputError("too_deep", f"data are nested at most {DEEPEST} deep")
        inner: list[object] = []
        for value in level:
            if isinstance(value, dict):
                inner.extend(value.values())
            elif isinstance(value, list):
                inner.extend(value)
        level = inner

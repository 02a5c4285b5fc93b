"""The types of requests, queries and replies of the HTTP API; requests are decoded with them, and OpenAPI describes them.

One HTTP request as the server handles it is `http_request.Request`.
"""

from typing import Annotated, Any, Final, Literal, Self, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from oddsmith import wire
from oddsmith.decoding_faults import FORM
from oddsmith.errors import AccessError, DecodingError, InputError, Refusal
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
COMMAND_ID_WORDS: Final = "an id has 1 to 64 characters: letters, digits, and _ . : -"
JOIN_ID_WORDS: Final = "the id of a request to join has 22 to 64 characters: letters, digits, and _ . : -"
Since: TypeAlias = Version
Cursor: TypeAlias = Annotated[
    str, Meta(pattern=r"^[0-9]{1,15}\.[0-9a-f]{20}$(?!\n)", extra={FORM: "the 'before' of a page"})
]
"""`changed_at` and `match` of the last match of a page, with a dot between them."""


class OpenMatchRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open a match: `seats` has the name of a bot, or null for a seat that a player may take.

    Rules are a preset's name, or an object of what differs from the default. With a seed as `practice`, all luck comes
    from that seed, and at most one seat may be null. A `private` match is in no list.
    """

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[tuple[Name | None, ...], Meta(min_length=1, max_length=MOST_SEATS)]
    rules: GivenRules = "default"
    clock: Clock | None = None
    practice: PracticeSeed | None = None
    private: bool = False


class ActRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A choice at a version of the match; `act` is a line of notation, or the data of an action."""

    id: CommandId
    version: Version
    act: Any


class JoinRequest(RedactedStruct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a seat, by default the first free one, and add a seed to the luck of the match."""

    id: JoinId
    name: Name
    seed: ClientSeed = ""
    seat: SeatNumber | None = None

    def command(self) -> Join:
        """Return the command of the match."""
        return Join(id=self.id, name=self.name, seed=self.seed, seat=self.seat)


class LeaveRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Leave a match: before it has begun this frees the seat, later it gives the match up."""

    id: CommandId


class MatchListQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The matches that a list has; `before` is that of the previous page."""

    game: Annotated[str, Meta(max_length=40)] | None = None
    status: Status | None = None
    before: Cursor | None = None
    limit: Annotated[int, Meta(ge=1, le=MOST_LISTED)] = 50


class ViewQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last version that the viewer has seen: the frame has the events after it."""

    since: Since | None = None


class ReplayQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The frames of a replay: as the seat `viewer` saw them, null for a spectator; `count` of them from the ply `first` on."""

    viewer: SeatNumber | None = None
    first: Version = 0
    count: Annotated[int, Meta(ge=1, le=MOST_FRAMES)] = 100


class ReplayRequest(ReplayQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record, as TOML, to be replayed."""

    record: str


class VerifyRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record, as TOML, to be verified; `commitment` is the one that was shown before the match."""

    record: str
    commitment: Annotated[str, Meta(max_length=64)] | None = None


class SeatCount(msgspec.Struct, frozen=True, kw_only=True):
    """The least and the greatest number of players."""

    fewest: int
    most: int

    @classmethod
    def of(cls, seats: range) -> Self:
        """Return the bounds of a range of numbers of seats.

        >>> SeatCount.of(range(2, 5))
        SeatCount(fewest=2, most=4)
        """
        return cls(fewest=seats.start, most=seats.stop - 1)


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A game: the number of players, the bots that can take a seat, and the presets of its rules.

    `default_bot` is the bot that a seat gets unless another is chosen. `roles` names the first seats, which do not compete
    with the others; it is empty where all seats play against each other. `seats` is for the default rules.
    """

    game: str
    title: str
    summary: str
    seats: SeatCount
    bots: tuple[str, ...]
    default_bot: str
    roles: tuple[str, ...]
    presets: tuple[str, ...]


class OpenMatchReply(msgspec.Struct, frozen=True, kw_only=True):
    """A match that was opened; `commitment` is the hash that binds the server to its luck before players join.

    A practice match has its seed in `practice`, and no commitment.
    """

    match: str
    version: int
    commitment: str | None
    practice: str | None
    private: bool


class MatchPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of matches, most recently changed first; `before` requests the next page, null after the last."""

    matches: tuple[Summary, ...]
    before: str | None


class ReplayHead(msgspec.Struct, frozen=True, kw_only=True):
    """The record of a replay: `plies` is its number of moves, `luck` the source of luck that it names.

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


class VerifyReply(Verification, frozen=True, kw_only=True):
    """A record that was verified: what was checked, its game, its players and its outcome."""

    game: str
    seats: tuple[str, ...]
    outcome: Outcome | None


class StatusReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The state of the server; `compiling` are bots, as `game/bot`, whose code is compiled in the background."""

    status: Literal["ok", "ready", "store away", "stopping"]
    compiling: tuple[str, ...] = ()


class StaleAnswer(msgspec.Struct, frozen=True, kw_only=True, tag="stale", tag_field="answer"):
    """The command was for another version, and was not run."""

    version: int
    refusal: Refusal


CommandReply: TypeAlias = Applied | Duplicate | StaleAnswer | Illegal


def command_reply(answer: Answer) -> CommandReply:
    """Return an answer as the API sends it: a stale one has a refusal."""
    if not isinstance(answer, Stale):
        return answer
    sentence = f"the match is at version {answer.version}: get the frame again"
    return StaleAnswer(version=answer.version, refusal=Refusal("stale", sentence, where="version"))


def require_valid_token(answer: Answer) -> Answer:
    """Return an answer; raises `AccessError` where the token proves no seat."""
    if isinstance(answer, BadToken):
        raise AccessError.of(answer.refusal)
    return answer


def require_shallow(data: object) -> None:
    """Raise `InputError` for data that are nested more than `DEEPEST` levels deep.

    >>> require_shallow({"combo": [["A♠"]]})
    """
    level, depth = [data], 0
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


def read_command(text: bytes | str, kind: type[T]) -> T:
    """Decode the request of a command; its `DecodingError` is a sentence in plain words, with the path of the field.

    >>> read_command(b'{"id": "two words"}', LeaveRequest)
    Traceback (most recent call last):
    oddsmith.errors.DecodingError: an id has 1 to 64 characters: letters, digits, and _ . : -
    """
    try:
        return wire.from_json(text, kind)
    except DecodingError as error:
        if error.refusal.where != "id":
            raise
        sentence = JOIN_ID_WORDS if kind is JoinRequest else COMMAND_ID_WORDS
        raise DecodingError(error.refusal.code, sentence, where="id") from error

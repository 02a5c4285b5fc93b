"""The errors of oddsmith: each has a code for programs and a sentence for people.

`status` is the HTTP status of the response. `retry_after` is after how many seconds a retry may succeed, None where a
retry does not help. ::

    OddsmithError                       400
    ├── InputError                      400          a value that was given is malformed, unknown or out of bounds
    │   ├── DecodingError               400          JSON or plain data that are not of the expected type
    │   ├── NotFoundError               404          a name, a match or an address that does not exist
    │   ├── MethodError                 405          an HTTP method that an address does not take
    │   ├── SlowRequestError            408          a request that takes too long to arrive
    │   ├── BodyTooLargeError           413          a request with too long a body
    │   ├── MediaTypeError              415          a request whose body is not JSON
    │   ├── HeadTooLargeError           431          a request with too long a head
    │   └── MissingExtraError           400          work that needs a package which is not installed
    ├── AccessError                     403          a token that proves no seat, a page of another origin
    │   └── TokenError                  401          a token that is missing or malformed
    ├── RulesError                      400          a ruleset with a bad key or an impossible value
    │   └── UnknownPresetError          404          the name of rules that does not exist
    ├── IllegalMove                     400          a move that the rules of the game refuse
    ├── RecordError                     400          a record that cannot be read, or does not replay
    │   ├── ChangedMechanicError        409          a match or a record that its mechanic, which has changed, does not replay
    │   ├── UnfinishedMatchError        409          a match that has no record yet
    │   └── UnknownGameError            404          the record of a game that does not exist
    ├── WorkLimitError                  400          an exact answer that would take more work than allowed
    ├── UnavailableError                503   1 s    work that cannot be done at the moment
    │   ├── RateLimitError              429   said   a client with too many requests or connections
    │   ├── StoppingError               503   2 s    a server that is about to stop
    │   └── StoreError                  503   2 s    a store of matches that cannot be opened, read or written
    │       ├── StoreOutageError        503   2 s    a store that nothing can be written to at the moment
    │       │   ├── StoreAwayError      503   2 s    a store that cannot be reached, or was closed
    │       │   ├── StoreBusyError      503   2 s    a store that is locked by others for too long
    │       │   ├── StoreFullError      503   2 s    a store without space
    │       │   └── StoreReadOnlyError  503   2 s    a store that may not be written
    │       ├── DamagedStoreError       503          a store, or the log of a match, that cannot be read
    │       └── NotAStoreError          503          a place where there is no store, or one of a later version
    ├── ServerError                     400          a response that is not that of an oddsmith server
    │   └── ServerAwayError             400   1 s    a server that cannot be reached
    ├── InternalError                   500          a defect of the server
    ├── MechanicError                   500          a mechanic whose rules fail, or do not return in time
    └── LawBroken                       400          a game that does not keep a law of the conformance kit
"""

import difflib
from collections.abc import Iterable, Mapping
from typing import ClassVar, Final, Self

import msgspec

__all__ = [
    "NOT_YOUR_TURN",
    "AccessError",
    "BodyTooLargeError",
    "ChangedMechanicError",
    "DamagedStoreError",
    "DecodingError",
    "ErrorReply",
    "HeadTooLargeError",
    "IllegalMove",
    "InputError",
    "InternalError",
    "LawBroken",
    "MechanicError",
    "MediaTypeError",
    "MethodError",
    "MissingExtraError",
    "NotAStoreError",
    "NotFoundError",
    "OddsmithError",
    "RateLimitError",
    "RecordError",
    "Refusal",
    "RulesError",
    "ServerAwayError",
    "ServerError",
    "SlowRequestError",
    "StoppingError",
    "StoreAwayError",
    "StoreBusyError",
    "StoreError",
    "StoreFullError",
    "StoreOutageError",
    "StoreReadOnlyError",
    "TokenError",
    "UnavailableError",
    "UnfinishedMatchError",
    "UnknownGameError",
    "UnknownPresetError",
    "WorkLimitError",
    "nearest",
    "quote_value",
]


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """The reason of an error as data: a code for programs, a sentence for people, the place, the paragraph of the rules.

    >>> Refusal("unknown_suit", "unknown suit 'cups'", where="bonus")
    Refusal(code='unknown_suit', sentence="unknown suit 'cups'", where='bonus', paragraph=None)
    """

    code: str
    sentence: str
    where: str | None = None
    paragraph: str | None = None


NOT_YOUR_TURN: Final = Refusal("not_your_turn", "it is not this seat's turn to choose")
"""The objection of a game to an action of a seat that has nothing to decide."""


class ErrorReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """The JSON of an error over HTTP, over a socket and, on stderr, with `--json`.

    `retry_after` is there where a retry may succeed, after that many seconds.
    """

    error: Refusal
    retry_after: float | None = None


class OddsmithError(Exception):
    """The base of all errors of oddsmith; each has a `Refusal`.

    >>> try:
    ...     raise InputError("empty_hand", "a hand needs five cards: none were given")
    ... except OddsmithError as error:
    ...     error.refusal.code
    'empty_hand'
    """

    status: ClassVar[int] = 400
    retry_after: float | None = None
    text: str | None = None
    """The text that could not be read, where `refusal.where` is the column in it, from 1."""

    def __init__(
        self, code: str, sentence: str, *, where: str | None = None, paragraph: str | None = None
    ) -> None:
        self.refusal = Refusal(code, sentence, where, paragraph)
        super().__init__(sentence)

    @classmethod
    def of(cls, refusal: Refusal) -> Self:
        """Return an error with this refusal.

        >>> IllegalMove.of(Refusal("not_your_turn", "it is seat 1's turn"))
        IllegalMove("it is seat 1's turn")
        """
        return cls(refusal.code, refusal.sentence, where=refusal.where, paragraph=refusal.paragraph)

    @property
    def public_refusal(self) -> Refusal:
        """The refusal that a server sends to clients: it names no path and no statement of the server."""
        return self.refusal

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).of, (self.refusal,)


class InputError(OddsmithError):
    """A value that was given is malformed, unknown or out of bounds."""


class DecodingError(InputError):
    """JSON, or plain data, that are not of the expected type; `refusal.where` is the path of the fault."""


class NotFoundError(InputError):
    """A name, a match or an address that does not exist."""

    status = 404


class MethodError(InputError):
    """An HTTP method that an address does not take; `allowed` are those that it takes."""

    status = 405
    allowed: tuple[str, ...] = ()


class SlowRequestError(InputError):
    """A request that takes too long to arrive."""

    status = 408


class BodyTooLargeError(InputError):
    """A request with too long a body."""

    status = 413


class MediaTypeError(InputError):
    """A request whose body is not JSON."""

    status = 415


class HeadTooLargeError(InputError):
    """A request with too long a head."""

    status = 431


class MissingExtraError(InputError):
    """Work that needs a package which is not installed; the sentence names the extra."""


class AccessError(OddsmithError):
    """A token that proves no seat, or a page of an origin that may not use the server."""

    status = 403


class TokenError(AccessError):
    """A token that is missing or malformed."""

    status = 401


class RulesError(OddsmithError):
    """A ruleset with a bad key or an impossible value; `refusal.where` is the key's path."""


class UnknownPresetError(RulesError):
    """The name of rules that does not exist."""

    status = 404


class IllegalMove(OddsmithError):  # noqa: N818  a public name
    """A move that the rules of the game refuse."""


class RecordError(OddsmithError):
    """A record that cannot be read, or does not replay."""


class ChangedMechanicError(RecordError):
    """A match or a record that its mechanic, which has changed, does not replay."""

    status = 409


class UnfinishedMatchError(RecordError):
    """A match that has no record yet."""

    status = 409


class UnknownGameError(RecordError):
    """The record of a game that does not exist."""

    status = 404


class WorkLimitError(OddsmithError):
    """An exact answer that would take more work than allowed."""


class UnavailableError(OddsmithError):
    """Work that cannot be done at the moment; a retry may succeed after `retry_after` seconds."""

    status = 503
    retry_after: float | None = 1.0


class RateLimitError(UnavailableError):
    """A client with too many requests or connections."""

    status = 429


class StoppingError(UnavailableError):
    """A server that is about to stop."""

    retry_after: float | None = 2.0


class StoreError(UnavailableError):
    """A store of matches that cannot be opened, read or written; its contents are unchanged.

    The sentence may name a path or a statement. Clients of a server get `public_sentence` instead.

    >>> StoreFullError("store_full", "there is no space left for the store '/srv/matches.db'").public_refusal.sentence
    'the server has no space left for matches: try again later'
    """

    retry_after: float | None = 2.0
    public_sentence: ClassVar[str] = "the server cannot reach its store of matches: try again in a moment"

    @property
    def public_refusal(self) -> Refusal:
        """The code with `public_sentence`."""
        return Refusal(code=self.refusal.code, sentence=self.public_sentence)


class StoreOutageError(StoreError):
    """A store that nothing can be written to at the moment: every append of a batch fails."""


class StoreAwayError(StoreOutageError):
    """A store that cannot be reached, or was closed; an append in progress may have succeeded."""


class StoreBusyError(StoreOutageError):
    """A store that is locked by others for too long."""

    public_sentence = "the server waits for its store of matches: try again in a moment"


class StoreFullError(StoreOutageError):
    """A store without space."""

    public_sentence = "the server has no space left for matches: try again later"


class StoreReadOnlyError(StoreOutageError):
    """A store that may not be written."""

    public_sentence = "the server may not store matches now: try again later"


class DamagedStoreError(StoreError):
    """A store, or the log of a match, that cannot be read."""

    retry_after = None
    public_sentence = "the stored match cannot be read"


class NotAStoreError(StoreError):
    """A place where there is no store, or one of a later version."""

    retry_after = None


class ServerError(OddsmithError):
    """A response that is not that of an oddsmith server."""


class ServerAwayError(ServerError):
    """A server that cannot be reached."""

    retry_after: float | None = 1.0


class InternalError(OddsmithError):
    """A defect of the server."""

    status = 500


class MechanicError(OddsmithError):
    """A mechanic whose rules raise an exception, or do not return in time; nothing was changed.

    The sentence names the line and the exception, which may tell of hidden cards. Clients of a server get neither.

    >>> MechanicError("mechanic_failed", "'pig.py', line 41, in act: KeyError: 'K♠'").public_refusal.sentence
    'the rules of this mechanic failed, and nothing was changed: the log of the server says where'
    """

    status = 500

    @property
    def public_refusal(self) -> Refusal:
        """The code with a sentence that tells nothing of the match."""
        sentence = (
            "the rules of this mechanic failed, and nothing was changed: the log of the server says where"
        )
        return Refusal(code=self.refusal.code, sentence=sentence)


class LawBroken(OddsmithError):  # noqa: N818  a public name
    """A game that does not keep a law of the conformance kit.

    `record` is the TOML text of a record of the moves before the fault, which can be replayed; None where there is none.
    """

    record: str | None = None


def quote_value(value: object) -> str:
    """Return a value that was given, at most 40 characters of it, as a sentence quotes it; lists and objects by their kind.

    >>> quote_value("one"), quote_value(1.5), quote_value(True), quote_value([1, 2])
    ("'one'", '1.5', 'true', 'a list')
    """
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            return repr(value[:_LONGEST_QUOTE])[: _LONGEST_QUOTE + 2]
        case Mapping():
            return "an object"
        case list() | tuple():
            return "a list"
    return str(value)[:_LONGEST_QUOTE]


_LONGEST_QUOTE: Final = 40


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known names, the most similar one first, as the end of a sentence.

    >>> nearest("gunfighting", ["gun_fighting", "mining"])
    " — did you mean 'gun_fighting'? Known: gun_fighting, mining"
    """
    names = list(known)
    close = difflib.get_close_matches(word, names, n=1)
    hint = f" — did you mean '{close[0]}'?" if close else ""
    separator = " Known: " if close else "; known: "
    return f"{hint}{separator}{', '.join(names)}"

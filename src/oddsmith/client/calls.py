"""Calls of the server as values: the request, and the function that reads its response. No I/O."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from oddsmith import wire
from oddsmith.client.replies import Frame, decode_frame, find_own_game, read_error
from oddsmith.errors import IllegalMove, InputError, OddsmithError, ServerError
from oddsmith.game import Seat
from oddsmith.match.model import Answer, Applied, Clock, Duplicate, Illegal, Stale
from oddsmith.question import Question, Request
from oddsmith.records import Record, read_record
from oddsmith.registry import find_game
from oddsmith.rules import Ruleset
from oddsmith.store.model import Status, Summary

T = TypeVar("T")
Q = TypeVar("Q", bound=Request)
A = TypeVar("A")

API: Final = "/api/v1"
SUCCESS: Final = range(200, 300)
ANSWERS: Final = (200, 409, 422)

CommandReply = Applied | Duplicate | Stale
"""The answer to a command that the rules do not refuse."""


class SeatCount(msgspec.Struct, frozen=True):
    """The least and the greatest number of players."""

    fewest: int
    most: int


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A game of a server: the number of players, its bots, and the presets of its rules."""

    game: str
    seats: SeatCount
    bots: tuple[str, ...]
    presets: tuple[str, ...]


class MatchPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of matches, most recently changed first; `before` requests the next page, None after the last."""

    matches: tuple[Summary, ...]
    before: str | None


class OpenMatchReply(msgspec.Struct, frozen=True, kw_only=True):
    """A match that was opened; `commitment` is the hash that binds the server to its luck before players join.

    A practice match has its seed in `practice`, and no commitment.
    """

    match: str
    version: int
    commitment: str | None
    practice: str | None = None
    private: bool = False


class JoinReply(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that was taken, and the secret token that proves it."""

    seat: Seat
    token: str
    version: int

    def __repr__(self) -> str:
        return f"JoinReply(seat={self.seat}, token=…, version={self.version})"


class Call(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """A request and the reader of its response; a `repeatable` one has no further effect when it is sent twice.

    With `answers`, statuses of answers to commands are read too.
    """

    method: str
    path: str
    read: Callable[[bytes], T]
    body: bytes | None = None
    token: str | None = None
    answers: bool = False
    repeatable: bool = True

    @property
    def headers(self) -> dict[str, str]:
        """The headers; the token is sent here, never in the URL."""
        headers = {"accept": "application/json"}
        if self.body is not None:
            headers["content-type"] = "application/json"
        if self.token is not None:
            headers["authorization"] = f"Bearer {self.token}"
        return headers


def new_id() -> str:
    """Return a random id for a command; a command sent again with its id has the same answer and no further effect.

    >>> len(new_id())
    16
    """
    return secrets.token_hex(8)


def new_join_id() -> str:
    """Return a random id for joining; it is secret, because joining again with it returns the seat's token again."""
    return secrets.token_hex(16)


def read_reply(call: Call[T], status: int, content: bytes) -> T:
    """Return the value of a response; raises the error that the response holds instead."""
    if status in SUCCESS or (call.answers and status in ANSWERS and _is_answer(content)):
        return call.read(content)
    raise read_error(content, status)


def _is_answer(content: bytes) -> bool:
    return content.lstrip().startswith(b'{"answer"')


# --- calls -----------------------------------------------------------------------------------------------------------


def games() -> Call[tuple[GameSummary, ...]]:
    """List the games."""
    return _get("/games", tuple[GameSummary, ...])


def preset(game: str, name: str) -> Call[Ruleset]:
    """Return the rules of a preset."""
    kind = find_own_game(game).rules_type
    return Call(
        method="GET",
        path=f"{API}/games/{quote(game, safe='')}/rules/{quote(name, safe='')}",
        read=lambda content: kind.from_data(_read_object(content)),
    )


def open_match(
    game: str,
    seats: Sequence[str | None],
    rules: str | Mapping[str, Any] | Ruleset,
    clock: Clock | None,
    *,
    practice: str | None,
    private: bool,
) -> Call[OpenMatchReply]:
    """Open a match; options with their defaults are left out, so that older servers accept the request."""
    rules_data = wire.to_builtins(rules) if isinstance(rules, Ruleset) else rules
    body = {"game": game, "seats": [*seats], "rules": rules_data, "clock": clock}
    more = ({} if practice is None else {"practice": practice}) | ({"private": True} if private else {})
    return _post("/matches", body | more, _decoder(OpenMatchReply), repeatable=False)


def matches(
    game: str | None, status: Status | str | None, before: str | None, limit: int | None
) -> Call[MatchPage]:
    """List matches."""
    parameters: dict[str, Any] = {"game": game, "status": status, "before": before, "limit": limit}
    query = urlencode({name: str(value) for name, value in parameters.items() if value is not None})
    return _get(f"/matches?{query}" if query else "/matches", MatchPage)


def join(match: str, name: str, *, seat: Seat | None, seed: str, join_id: str) -> Call[JoinReply]:
    """Take a seat."""
    body = {"id": join_id, "name": name, "seed": seed, "seat": seat}
    return _post(f"{_match_path(match)}/join", body, _read_join_reply, answers=True)


def act(match: str, token: str, action: object, *, version: int, command_id: str) -> Call[CommandReply]:
    """Make a choice in a match."""
    body = {"id": command_id, "version": version, "act": wire.to_builtins(action)}
    return _post(f"{_match_path(match)}/act", body, _read_answer, token=token, answers=True)


def leave(match: str, token: str, command_id: str) -> Call[CommandReply]:
    """Give a match up."""
    return _post(f"{_match_path(match)}/leave", {"id": command_id}, _read_answer, token=token, answers=True)


def view(match: str, token: str | None, since: int | None) -> Call[Frame]:
    """Show a match."""
    query = "" if since is None else f"?since={since}"
    return Call(method="GET", path=f"{API}{_match_path(match)}{query}", read=decode_frame, token=token)


def rules(game: str, match: str) -> Call[Ruleset]:
    """Return the rules of a match."""
    kind = find_own_game(game).rules_type
    return Call(
        method="GET",
        path=f"{API}{_match_path(match)}/rules",
        read=lambda content: kind.from_data(_read_object(content)),
    )


def record(match: str) -> Call[Record]:
    """Return the record of a match that is over."""
    return Call(
        method="GET",
        path=f"{API}{_match_path(match)}/record",
        read=lambda content: read_record(content.decode(), find_game),
    )


def ask(game: str, question: Question[Q, Any, A], request: Q) -> Call[A]:
    """Ask a question of a game; the reply has the type that the question declares."""
    return _post(_question_path(game, question.name), request, _decoder(question.reply))


def ask_by_name(game: str, question: str, request: Mapping[str, Any]) -> Call[Any]:
    """Ask a question of a game by its name; request and reply are plain data."""
    return _post(_question_path(game, question), request, _decoder(Any))


def _question_path(game: str, question: str) -> str:
    return f"/{quote(game, safe='')}/{quote(question)}"


# --- helpers ----------------------------------------------------------------------------------------------------------


def _match_path(match: str) -> str:
    return f"/matches/{quote(match, safe='')}"


def _get(path: str, kind: type[T]) -> Call[T]:
    return Call(method="GET", path=API + path, read=_decoder(kind))


def _decoder(kind: object) -> Callable[[bytes], Any]:
    decode = wire.make_decoder(kind)

    def read(content: bytes) -> Any:  # noqa: ANN401  a value of the type
        try:
            return decode(content)
        except OddsmithError as error:
            raise ServerError("not_understood", f"the server's answer is not understood: {error}") from error

    return read


def _post(
    path: str,
    body: object,
    read: Callable[[bytes], T],
    *,
    token: str | None = None,
    answers: bool = False,
    repeatable: bool = True,
) -> Call[T]:
    return Call(
        method="POST",
        path=API + path,
        read=read,
        body=wire.to_json(body),
        token=token,
        answers=answers,
        repeatable=repeatable,
    )


_decode_answer = _decoder(Answer)
_read_object = _decoder(dict[str, Any])


def _read_answer(content: bytes) -> CommandReply:
    answer: Answer = _decode_answer(content)
    if isinstance(answer, Illegal):
        raise IllegalMove.of(answer.refusal)
    return answer


def _read_join_reply(content: bytes) -> JoinReply:
    answer: Answer = _decode_answer(content)
    if isinstance(answer, Illegal):
        raise InputError.of(answer.refusal)
    if isinstance(answer, Stale) or answer.seat is None or answer.token is None:
        raise ServerError("not_understood", "the server gave no seat and no reason")
    return JoinReply(seat=answer.seat, token=answer.token, version=answer.version)

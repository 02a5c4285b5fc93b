"""A call is a request as a value: what is sent, and how its answer is read; nothing is sent here."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from oddsmith import wire
from oddsmith.client.answers import Frame, decode_frame, refused
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
ANSWERS: Final = (200, 409, 422)

Answered = Applied | Duplicate | Stale
"""What comes of a choice that is not refused."""


class Seats(msgspec.Struct, frozen=True):
    """How many may play."""

    fewest: int
    most: int


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A game that a server plays: who may play, which bots there are, which rules have names."""

    game: str
    seats: Seats
    bots: tuple[str, ...]
    presets: tuple[str, ...]


class MatchPage(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, those changed last first; `before` asks for more of them, and is None where there are none."""

    matches: tuple[Summary, ...]
    before: str | None


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """A match that was opened; the commitment binds the server to its luck before anybody has joined.

    A practice has its seed instead, and no commitment.
    """

    match: str
    version: int
    commitment: str | None
    practice: str | None = None
    private: bool = False


class Joined(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that was taken; who has the token sits there, so keep it to yourself."""

    seat: Seat
    token: str
    version: int

    def __repr__(self) -> str:
        return f"Joined(seat={self.seat}, token=…, version={self.version})"


class Call(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """A request, and what makes a value of its answer; one that is `repeatable` does no more when it comes twice."""

    method: str
    path: str
    read: Callable[[bytes], T]
    body: bytes | None = None
    token: str | None = None
    answers: bool = False
    repeatable: bool = True

    @property
    def headers(self) -> dict[str, str]:
        """What goes with it; a token never stands in an address."""
        said = {"accept": "application/json"}
        if self.body is not None:
            said["content-type"] = "application/json"
        if self.token is not None:
            said["authorization"] = f"Bearer {self.token}"
        return said


def new_id() -> str:
    """Return a new id for a choice: who sends the same again gets the same answer again.

    >>> len(new_id())
    16
    """
    return secrets.token_hex(8)


def new_join_id() -> str:
    """Return a new id for a seat that is to be taken; who knows it can ask for the token once more: keep it secret."""
    return secrets.token_hex(16)


def read_reply(call: Call[T], status: int, content: bytes) -> T:
    """Return the value of an answer; a refusal is raised."""
    if 200 <= status < 300 or (call.answers and status in ANSWERS and _is_answer(content)):  # noqa: PLR2004  done
        return call.read(content)
    raise refused(content, status)


def _is_answer(content: bytes) -> bool:
    return content.lstrip().startswith(b'{"answer"')


# --- what may be asked -----------------------------------------------------------------------------------------------


def games() -> Call[tuple[Listed, ...]]:
    """List the games."""
    return _get("/games", tuple[Listed, ...])


def preset(game: str, name: str) -> Call[Ruleset]:
    """Return rules that have a name."""
    kind = find_game(game).rules_type
    return Call(
        method="GET",
        path=f"{API}/games/{quote(game, safe='')}/rules/{quote(name, safe='')}",
        read=lambda content: kind.from_data(_table(content)),
    )


def open_match(
    game: str,
    seats: Sequence[str | None],
    rules: str | Mapping[str, Any] | Ruleset,
    clock: Clock | None,
    *,
    practice: str | None,
    private: bool,
) -> Call[Opening]:
    """Open a match; what is not wanted is not said, so that servers of earlier versions understand the rest."""
    given = wire.to_builtins(rules) if isinstance(rules, Ruleset) else rules
    body = {"game": game, "seats": [*seats], "rules": given, "clock": clock}
    more = ({} if practice is None else {"practice": practice}) | ({"private": True} if private else {})
    return _post("/matches", body | more, _decoder(Opening), repeatable=False)


def matches(
    game: str | None, status: Status | str | None, before: str | None, limit: int | None
) -> Call[MatchPage]:
    """List matches."""
    asked: dict[str, Any] = {"game": game, "status": status, "before": before, "limit": limit}
    said = urlencode({name: str(value) for name, value in asked.items() if value is not None})
    return _get(f"/matches?{said}" if said else "/matches", MatchPage)


def join(match: str, name: str, *, seat: Seat | None, seed: str, join_id: str) -> Call[Joined]:
    """Take a seat."""
    body = {"id": join_id, "name": name, "seed": seed, "seat": seat}
    return _post(f"{_place(match)}/join", body, _read_joined, answers=True)


def act(match: str, token: str, action: object, *, version: int, command_id: str) -> Call[Answered]:
    """Make a choice."""
    body = {"id": command_id, "version": version, "act": wire.to_builtins(action)}
    return _post(f"{_place(match)}/act", body, _read_answer, token=token, answers=True)


def leave(match: str, token: str, command_id: str) -> Call[Answered]:
    """Give a match up."""
    return _post(f"{_place(match)}/leave", {"id": command_id}, _read_answer, token=token, answers=True)


def view(match: str, token: str | None, since: int | None) -> Call[Frame]:
    """Show a match."""
    asked = "" if since is None else f"?since={since}"
    return Call(method="GET", path=f"{API}{_place(match)}{asked}", read=decode_frame, token=token)


def rules(game: str, match: str) -> Call[Ruleset]:
    """Return the rules of a match."""
    kind = find_game(game).rules_type
    return Call(
        method="GET",
        path=f"{API}{_place(match)}/rules",
        read=lambda content: kind.from_data(_table(content)),
    )


def record(match: str) -> Call[Record]:
    """Return the record of a match that is over."""
    return Call(
        method="GET",
        path=f"{API}{_place(match)}/record",
        read=lambda content: read_record(content.decode(), find_game),
    )


def ask(game: str, question: Question[Q, Any, A], request: Q) -> Call[A]:
    """Ask a game something that needs no match; the reply has the type that the question declares."""
    return _post(_question_place(game, question.name), request, _decoder(question.reply))


def ask_by_name(game: str, question: str, request: Mapping[str, Any]) -> Call[Any]:
    """Ask a game something by the name of the question, with plain data; the reply is plain data too."""
    return _post(_question_place(game, question), request, _decoder(Any))


def _question_place(game: str, question: str) -> str:
    return f"/{quote(game, safe='')}/{quote(question)}"


# --- how requests are made and answers are read ----------------------------------------------------------------------


def _place(match: str) -> str:
    return f"/matches/{quote(match, safe='')}"


def _get(path: str, kind: type[T]) -> Call[T]:
    return Call(method="GET", path=API + path, read=_decoder(kind))


def _decoder(kind: Any) -> Callable[[bytes], Any]:  # noqa: ANN401  a type, or a union of types
    decode = wire.make_decoder(kind)

    def decoded(content: bytes) -> Any:  # noqa: ANN401  as the type has it
        try:
            return decode(content)
        except OddsmithError as error:
            raise ServerError("not_understood", f"the server's answer is not understood: {error}") from error

    return decoded


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


_answer = _decoder(Answer)
_table = _decoder(dict[str, Any])


def _read_answer(content: bytes) -> Answered:
    answer: Answer = _answer(content)
    if isinstance(answer, Illegal):
        raise IllegalMove.of(answer.refusal)
    return answer


def _read_joined(content: bytes) -> Joined:
    answer: Answer = _answer(content)
    if isinstance(answer, Illegal):
        raise InputError.of(answer.refusal)
    if isinstance(answer, Stale) or answer.seat is None or answer.token is None:
        raise ServerError("not_understood", "the server let nobody sit down, and does not say why")
    return Joined(seat=answer.seat, token=answer.token, version=answer.version)

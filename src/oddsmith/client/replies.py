"""Decoding of what a server sends: frames of a match, and errors."""

from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.errors import (
    AccessError,
    BodyTooLargeError,
    ErrorReply,
    HeadTooLargeError,
    InputError,
    InternalError,
    MediaTypeError,
    MethodError,
    NotFoundError,
    OddsmithError,
    RateLimitError,
    ServerAwayError,
    ServerError,
    SlowRequestError,
    TokenError,
    UnavailableError,
    UnfinishedMatchError,
)
from oddsmith.match.drafts import DraftView
from oddsmith.match.views import MatchView
from oddsmith.mechanic import AnyGame
from oddsmith.registry import find_game
from oddsmith.rules import Ruleset

ERRORS: Final = {
    kind.status: kind
    for kind in (
        NotFoundError,
        MethodError,
        SlowRequestError,
        BodyTooLargeError,
        MediaTypeError,
        HeadTooLargeError,
        AccessError,
        TokenError,
        UnfinishedMatchError,
        RateLimitError,
        UnavailableError,
        InternalError,
    )
}
"""The class of an error by the status of its response; any other is an `InputError`."""

_read_error = wire.make_decoder(ErrorReply)


def make_error(reply: ErrorReply, status: int | None = None) -> OddsmithError:
    """Return the exception of an error reply, by its status; without a status, as on a socket, by its `retry_after`.

    >>> from oddsmith.errors import NotFoundError, Refusal
    >>> make_error(ErrorReply(error=Refusal("unknown_match", "there is no match '4af0'")), 404)
    NotFoundError("there is no match '4af0'")
    """
    kind: type[OddsmithError] = InputError if reply.retry_after is None else UnavailableError
    error = ERRORS.get(status or 0, kind).of(reply.error)
    error.retry_after = reply.retry_after
    return error


def read_error(content: bytes, status: int | None = None) -> OddsmithError:
    """Return the exception of a response or frame; a `ServerError` for content that is no error reply.

    Its `retry_after` is that of the status then: a proxy may answer with a transient one.
    """
    try:
        reply: ErrorReply = _read_error(content)
    except OddsmithError:
        shown = content[:60].decode(errors="replace")
        prefix = "" if status is None else f"{status} "
        error = ServerError(
            "not_understood", f"the answer is not that of an oddsmith server: {prefix}'{shown}'"
        )
        error.retry_after = ERRORS.get(status or 0, ServerError).retry_after
        return error
    return make_error(reply, status)


def unreachable_error(url: str, reason: object) -> ServerAwayError:
    """Return the error of a server that cannot be reached."""
    return ServerAwayError("server_away", f"no server answers at {url}: {reason or 'there is no response'}")


class VersionEvents(msgspec.Struct, frozen=True, kw_only=True):
    """The events that led to a version and that the viewer may see; `by_clock` is true where a time limit caused them."""

    version: int
    events: tuple[Any, ...]
    by_clock: bool = False


class Frame(MatchView, frozen=True, kw_only=True):
    """A match at a version as its viewer may see it, and the events after the requested version.

    `events` is None where the server no longer has them. `view`, `actions` and `events` are plain data without the rules,
    which never change and are requested once; `read_frame` converts them to the game's types.
    """

    events: tuple[VersionEvents, ...] | None = ()

    @property
    def is_over(self) -> bool:
        """Whether the match has an outcome or was abandoned."""
        return self.outcome is not None or self.abandonment is not None


_read = wire.make_decoder(Frame)
_read_draft = wire.make_decoder(DraftView)


def decode_frame(message: bytes | str) -> Frame:
    """Return the frame in a message; raises the error that the message holds instead, or `ServerError`."""
    text = message.encode() if isinstance(message, str) else message
    try:
        frame: Frame = _read(text)
    except OddsmithError:
        raise read_error(text) from None
    return frame


def decode_draft(message: bytes | str) -> DraftView | None:
    """Return the draft in a message of a socket; None where it holds none."""
    try:
        draft: DraftView = _read_draft(message.encode() if isinstance(message, str) else message)
    except OddsmithError:
        return None
    return draft


def find_own_game(name: str) -> AnyGame:
    """Return a game of a server as it is here; raise `NotFoundError`, with what would be right, where it is not here."""
    try:
        return find_game(name)
    except NotFoundError as error:
        raise NotFoundError(
            "mechanic_missing",
            f"the game '{name[:40]}' of this server is not here: install it, or name its file, too, ./{name[:40]}.py",
            where="game",
        ) from error


def read_frame(frame: Frame, rules: Ruleset) -> Frame:
    """Return the frame with view, actions and events as the game's types; `rules` are those of its match.

    The view is None until every seat is taken. Raises `ServerError` for other rules, or data that the game cannot read.
    """
    if frame.rules_id != rules.rules_id:
        raise ServerError(
            "wrong_rules", f"the match has rules {frame.rules_id[:12]}, not {rules.rules_id[:12]}"
        )
    game = find_own_game(frame.game)
    try:
        return msgspec.structs.replace(
            frame,
            view=_read_view(frame.view, rules, game.view_type),
            actions=tuple(wire.from_builtins(action, game.action_type) for action in frame.actions),
            events=frame.events and tuple(_read_version_events(one, game.event_type) for one in frame.events),
        )
    except (OddsmithError, TypeError) as error:
        raise ServerError(
            "not_understood", f"the server sent a frame that is not of {frame.game}: {error}"
        ) from error


def _read_view(data: dict[str, Any] | None, rules: Ruleset, kind: type[Any]) -> object:
    return None if data is None else wire.from_builtins({**data, "rules": wire.to_builtins(rules)}, kind)


def _read_version_events(data: VersionEvents, kind: type[Any]) -> VersionEvents:
    events = tuple(wire.from_builtins(event, kind) for event in data.events)
    return msgspec.structs.replace(data, events=events)

"""What a server sends, as values: frames of a match, and refusals that are raised."""

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
from oddsmith.match.views import MatchView
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


def error_of(reply: ErrorReply, status: int | None = None) -> OddsmithError:
    """Return the error that a server sent; on a socket, which has no status, `retry_after` says of which class it is.

    >>> from oddsmith.errors import Refusal
    >>> error_of(ErrorReply(error=Refusal("unknown_match", "there is no match '4af0'")), 404)
    NotFoundError("there is no match '4af0'")
    """
    kind: type[OddsmithError] = InputError if reply.retry_after is None else UnavailableError
    error = ERRORS.get(status or 0, kind).of(reply.error)
    error.retry_after = reply.retry_after
    return error


def refused(content: bytes, status: int | None = None) -> OddsmithError:
    """Return the error of a response or a frame; what is no error of ours is a `ServerError`.

    Where a proxy answers with a transient status, `retry_after` is that of the status.
    """
    try:
        reply: ErrorReply = _read_error(content)
    except OddsmithError:
        shown = content[:60].decode(errors="replace")
        said = "" if status is None else f"{status} "
        error = ServerError(
            "not_understood", f"the answer is not that of an oddsmith server: {said}'{shown}'"
        )
        error.retry_after = ERRORS.get(status or 0, ServerError).retry_after
        return error
    return error_of(reply, status)


def unreachable(url: str, reason: object) -> ServerAwayError:
    """Return the error of a server that does not answer."""
    return ServerAwayError("server_away", f"no server answers at {url}: {reason or 'it is silent'}")


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """What the viewer heard when a match came to a version, and whether a clock chose what led to it."""

    version: int
    events: tuple[Any, ...]
    by_clock: bool = False


class Frame(MatchView, frozen=True, kw_only=True):
    """A match at a version as its viewer may see it, and what the viewer heard since the version that was asked about.

    `events` is None where the server no longer knows: then the view must do. `view`, `actions` and `events` are plain
    data without the rules, which are sent once and never change; `read_frame` makes values of them.
    """

    events: tuple[Heard, ...] | None = ()

    @property
    def is_over(self) -> bool:
        """Whether nothing can be done any more."""
        return self.outcome is not None or self.abandonment is not None


_read = wire.make_decoder(Frame)


def decode_frame(message: bytes | str) -> Frame:
    """Return the frame that a server sent; a refusal is raised, and so is what is neither."""
    text = message.encode() if isinstance(message, str) else message
    try:
        frame: Frame = _read(text)
    except OddsmithError:
        raise refused(text) from None
    return frame


def read_frame(frame: Frame, rules: Ruleset) -> Frame:
    """Return the frame with the game's own view, actions and events in place of data; the rules are its match's.

    Before every seat is taken there is no view, and it stays None.
    """
    if frame.rules_id != rules.rules_id:
        raise ServerError(
            "wrong_rules", f"the match has rules {frame.rules_id[:12]}, not {rules.rules_id[:12]}"
        )
    game = find_game(frame.game)
    try:
        return msgspec.structs.replace(
            frame,
            view=_read_view(frame.view, rules, game.view_type),
            actions=tuple(wire.from_builtins(action, game.action_type) for action in frame.actions),
            events=frame.events and tuple(_read_heard(heard, game.event_type) for heard in frame.events),
        )
    except (msgspec.ValidationError, OddsmithError, TypeError) as error:
        raise ServerError("not_understood", f"the server shows what is no {frame.game}: {error}") from error


def _read_view(data: Any, rules: Ruleset, kind: Any) -> Any:  # noqa: ANN401  whatever the game's views are
    return None if data is None else wire.from_builtins({**data, "rules": wire.to_builtins(rules)}, kind)


def _read_heard(heard: Heard, kind: Any) -> Heard:  # noqa: ANN401  whatever the game's events are
    events = tuple(wire.from_builtins(event, kind) for event in heard.events)
    return msgspec.structs.replace(heard, events=events)

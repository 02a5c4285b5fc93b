"""Whatever is refused has one shape: `{"refusal": {code, sentence, where?, paragraph?}}`, and a status that says the same."""

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from math import ceil
from typing import Final, TypeAlias

import msgspec

from oddsmith import wire
from oddsmith.errors import OddsmithError, Refusal, StoreError
from oddsmith.server.guard import HEADERS
from oddsmith.server.logs import Seldom

Headers: TypeAlias = Sequence[tuple[bytes, bytes]]

JSON: Final = b"application/json"
CLOSE: Final = (b"connection", b"close")
STATUSES: Final = {
    "no_token": 401,
    "bad_authorization": 401,
    "bad_token": 403,
    "bad_origin": 403,
    "not_found": 404,
    "not_built": 404,
    "unknown_match": 404,
    "unknown_game": 404,
    "unknown_preset": 404,
    "unknown_question": 404,
    "method_not_allowed": 405,
    "slow_request": 408,
    "match_running": 409,
    "not_started": 409,
    "stale": 409,
    "body_too_large": 413,
    "not_json": 415,
    "too_many_requests": 429,
    "too_many_failures": 429,
    "too_many_connections": 429,
    "head_too_large": 431,
    "internal_error": 500,
    "busy": 503,
    "stopping": 503,
}
"""The status of a refusal; that of a store is 503, any other 400."""
BRIEF: Final = {
    "busy": 1,
    "stopping": 2,
    "too_many_connections": 5,
}
"""After how many seconds it is worth asking again; a store that failed is asked again after 2."""
BROKEN: Final = Refusal(
    "internal_error", "something went wrong here, not with you: the log has it under the id of this request"
)


KEPT_INSIDE: Final = {
    "store_full": "the server has no room left for matches: ask again later",
    "store_read_only": "the server may not keep matches now: ask again later",
    "store_busy": "the server waits for what it keeps matches in: ask again in a moment",
    "damaged_store": "what the server keeps of this match cannot be read",
}
"""What strangers are told of a store; of any other trouble that it cannot be reached."""
AWAY: Final = "the server cannot reach what it keeps matches in: ask again in a moment"
SECONDS_BETWEEN_TROUBLES: Final = 10.0

_trouble: Final = Seldom(SECONDS_BETWEEN_TROUBLES)


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """What was refused, and why."""

    refusal: Refusal


def status_of(error: OddsmithError) -> int:
    """Return the status that a refusal is answered with.

    >>> status_of(StoreError("store_full", "there is no room left"))
    503
    """
    return 503 if isinstance(error, StoreError) else STATUSES.get(error.refusal.code, 400)


def refusal_answer(
    error: OddsmithError, *, retry_after: float | None = None
) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Return status, headers and body of the answer to what is refused."""
    status, code = status_of(error), error.refusal.code
    body = wire.to_json(Refused(refusal=told(error)))
    headers = [(b"content-type", JSON), (b"content-length", str(len(body)).encode())]
    seconds = retry_after or BRIEF.get(code) or (2 if isinstance(error, StoreError) else None)
    if seconds is not None:
        headers.append((b"retry-after", str(max(1, ceil(seconds))).encode()))
    if status == HTTPStatus.UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    if code in ("body_too_large", "slow_request"):
        headers.append(CLOSE)
    return status, headers, body


def told(error: OddsmithError) -> Refusal:
    """Return a refusal as a stranger is told it; what a store is, and where, only the log says.

    >>> told(OddsmithError("unknown_card", "'XX' is no card")).sentence
    "'XX' is no card"
    """
    refusal = error.refusal
    if isinstance(error, StoreError):
        _trouble.warn("store failed", code=refusal.code, sentence=refusal.sentence)
        return Refusal(refusal.code, KEPT_INSIDE.get(refusal.code, AWAY))
    sentence = refusal.sentence.encode(errors="backslashreplace").decode()
    where = refusal.where and refusal.where.encode(errors="backslashreplace").decode()
    return msgspec.structs.replace(refusal, sentence=sentence, where=where)


def raw_answer(error: OddsmithError) -> bytes:
    """Return the whole answer to a connection that does not get as far as a request."""
    status, headers, body = refusal_answer(error)
    return whole_answer(status, [*(pair for pair in headers if pair != CLOSE), CLOSE], body)


def whole_answer(status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> bytes:
    """Return an answer as it is sent, with what every answer says."""
    said = b"".join([b"%b: %b\r\n" % pair for pair in headers])
    return b"%b%b%b\r\n%b" % (_STATUS_LINES[status], said, _EVERY_ANSWER, body)


_STATUS_LINES: Final = {
    status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus
}
_EVERY_ANSWER: Final = b"".join([b"%b: %b\r\n" % pair for pair in HEADERS])

"""Responses to errors: the class of an error has the status, and `retry_after` where a retry helps."""

from http import HTTPStatus
from math import ceil
from typing import TYPE_CHECKING, Final

import msgspec

from oddsmith import wire
from oddsmith.errors import (
    BodyTooLargeError,
    ErrorReply,
    HeadTooLargeError,
    InternalError,
    MethodError,
    OddsmithError,
    Refusal,
    SlowRequestError,
    StoreError,
)
from oddsmith.server.http_request import JSON, Request, Response
from oddsmith.server.logs import WarningThrottle

if TYPE_CHECKING:
    from oddsmith.server.asgi import Header

CLOSE: Final = (b"connection", b"close")
SECONDS_BETWEEN_WARNINGS: Final = 10.0

_store_warning: Final = WarningThrottle(SECONDS_BETWEEN_WARNINGS)


def failure_response(request: Request) -> Response:
    """Log the exception that is being handled, a defect of the server, and return its response."""
    request.bound_log().exception("failed", method=request.method, path=request.path)
    return error_response(internal_error())


def internal_error() -> InternalError:
    """Return the error with which a defect is answered."""
    return InternalError(
        "internal_error",
        "internal error of the server: the log has it under the id of this request",
    )


def error_response(error: OddsmithError) -> Response:
    """Return the response to a request that raised an error."""
    body = error_json(error)
    headers: list[Header] = [(b"content-type", JSON), (b"content-length", b"%d" % len(body))]
    if error.retry_after is not None:
        headers.append((b"retry-after", b"%d" % max(1, ceil(error.retry_after))))
    if error.status == HTTPStatus.UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    if isinstance(error, MethodError):
        headers.append((b"allow", ", ".join(error.allowed).encode()))
    if isinstance(error, BodyTooLargeError | HeadTooLargeError | SlowRequestError):
        headers.append(CLOSE)
    return Response(error.status, headers, body)


def error_json(error: OddsmithError) -> bytes:
    r"""Return an error as JSON for clients.

    >>> error_json(OddsmithError("unknown_card", "'XX' is no card"))
    b'{"error":{"code":"unknown_card","sentence":"\'XX\' is no card"}}'
    """
    return wire.to_json(ErrorReply(error=_public(error), retry_after=error.retry_after))


def _public(error: OddsmithError) -> Refusal:
    """Return the refusal for clients; details of a store's error are only logged."""
    if isinstance(error, StoreError):
        _store_warning.warn("store failed", code=error.refusal.code, sentence=error.refusal.sentence)
    refusal = error.public_refusal
    sentence = refusal.sentence.encode(errors="backslashreplace").decode()
    where = refusal.where and refusal.where.encode(errors="backslashreplace").decode()
    return msgspec.structs.replace(refusal, sentence=sentence, where=where)

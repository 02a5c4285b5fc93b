"""Check that refuses requests whose head or body is too long, or whose body is not JSON, before the body is read."""

from itertools import chain
from typing import Final

from oddsmith.errors import HeadTooLargeError, MediaTypeError
from oddsmith.server.http_request import JSON, Request, body_too_large_error

LARGEST_HEAD: Final = 16 * 1024
BYTES_OF_A_LINE: Final = len(b"  HTTP/1.1\r\n\r\n")
BYTES_OF_A_HEADER: Final = len(b": \r\n")
LONGEST_NUMBER: Final = 20


def check_size(request: Request) -> None:
    """Raise an error for a request whose head is too long, or announces a body that is not JSON or too long."""
    line = len(request.method) + len(request.path) + len(request.query_string) + BYTES_OF_A_LINE
    separators = BYTES_OF_A_HEADER * len(request.raw_headers)
    if sum(map(len, chain.from_iterable(request.raw_headers)), line + separators) > LARGEST_HEAD:
        raise head_too_large_error()
    operation = request.operation
    if operation is not None and operation.request is not None:
        kind = request.headers.get(b"content-type", b"")
        if kind != JSON and kind.partition(b";")[0].strip().lower() != JSON:
            raise MediaTypeError("not_json", "send JSON, with content-type application/json")
    length = request.headers.get(b"content-length", b"0")
    if not length.isdigit() or int(length[:LONGEST_NUMBER]) > request.largest_body:
        raise body_too_large_error(request.largest_body)


def head_too_large_error() -> HeadTooLargeError:
    """Return the error of a request whose head is too long."""
    return HeadTooLargeError("head_too_large", f"the head of a request has at most {LARGEST_HEAD:,} bytes")

"""What a server refuses is raised here as the same refusal; what is no answer of a server is one of our own."""

from typing import Final

import msgspec

from oddsmith import wire
from oddsmith.errors import InputError, OddsmithError, Refusal, ServerError, StoreError

STORES: Final = "store_"


class _Refused(msgspec.Struct, frozen=True):
    refusal: Refusal


_read = wire.decoder(_Refused)


def error_of(refusal: Refusal, status: int = 400) -> OddsmithError:
    """Return the error that carries a server's refusal.

    >>> error_of(Refusal("store_away", "the store is away"))
    StoreError('the store is away')
    """
    if refusal.code.startswith(STORES):
        return StoreError.of(refusal)
    return ServerError.of(refusal) if status >= 500 else InputError.of(refusal)  # noqa: PLR2004  its own fault


def refused(content: bytes, status: int = 400) -> OddsmithError:
    """Return the error that an answer or a frame stands for; one that nobody understands is an error of its own."""
    try:
        told: _Refused = _read(content)
    except OddsmithError:
        shown = content[:60].decode(errors="replace")
        return ServerError(
            "not_understood", f"the answer is not that of an oddsmith server: {status} '{shown}'"
        )
    return error_of(told.refusal, status)


def unreachable(url: str, reason: object) -> ServerError:
    """Return the error of a server that does not answer."""
    return ServerError("server_away", f"no server answers at {url}: {reason or 'it is silent'}")

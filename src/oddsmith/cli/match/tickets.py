"""Tickets: the tokens of seats that a person took before, each in a file that only its owner can read."""

import getpass
import hashlib
import os
from pathlib import Path
from typing import Final

import msgspec

from oddsmith import wire
from oddsmith.errors import InputError, OddsmithError
from oddsmith.text import error_reason

VARIABLE: Final = "ODDSMITH_SEATS"
LONGEST_NAME: Final = 40


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """Where somebody sits, and what proves it; there is no token before the server has given one.

    The id of the request is kept before it is sent: an answer that was lost can be asked for once more. The commitment
    is the one that the server showed before it was sent a seed.
    """

    server: str
    match: str
    name: str
    join_id: str
    seed: str
    seat: int | None = None
    token: str | None = None
    commitment: str | None = None

    def __repr__(self) -> str:
        return f"Ticket(match={self.match!r}, name={self.name!r}, seat={self.seat})"


def login_name() -> str:
    """Return the name of whoever runs this, as a name at a table."""
    try:
        name = getpass.getuser()[:LONGEST_NAME].strip()
    except (OSError, KeyError):
        name = ""
    return name if name.isprintable() and name else "guest"


def read_ticket(server: str, match: str, name: str) -> Ticket | None:
    """Return the ticket of a name at a match; None where there is none that can be read."""
    try:
        return wire.from_json(_place(server, match, name).read_bytes(), Ticket)
    except (OSError, OddsmithError):
        return None


def write_ticket(ticket: Ticket) -> None:
    """Keep a ticket, in place of any before, where only its owner can read it."""
    place = _place(ticket.server, ticket.match, ticket.name)
    beside = place.with_suffix(f".{os.getpid()}")
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside.unlink(missing_ok=True)
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:  # noqa: PTH123  pathlib sets no mode
            file.write(wire.to_json(ticket))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(place)
    except OSError as error:
        raise InputError(
            "not_written", f"the seat's token cannot be stored in '{place.parent}': {error_reason(error)}"
        ) from error


def delete_ticket(ticket: Ticket) -> None:
    """Keep a ticket no more."""
    _place(ticket.server, ticket.match, ticket.name).unlink(missing_ok=True)


def _place(server: str, match: str, name: str) -> Path:
    """Return the file of a ticket; its name says nothing."""
    digest = hashlib.sha256(wire.to_json([server, match, name])).hexdigest()
    return _folder() / f"{digest[:32]}.json"


def _folder() -> Path:
    """Return where tickets are kept: in `ODDSMITH_SEATS`, else where the system keeps what a user's programs remember."""
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given)
    from platformdirs import user_state_path

    return user_state_path("oddsmith", appauthor=False) / "seats"

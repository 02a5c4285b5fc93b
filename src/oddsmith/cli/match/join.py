"""`oddsmith join URL` and `oddsmith watch URL`: a match of a server in the terminal, with the tickets of its seats."""

import getpass
import hashlib
import os
import re
import shlex
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer
from rich.console import Console

from oddsmith import wire
from oddsmith.cli.match.remote_play import RemoteTable
from oddsmith.cli.match.status_text import listed, luck_words, match_words, over_words
from oddsmith.cli.terminal.console import Leave
from oddsmith.cli.terminal.files import Keep, in_new_file
from oddsmith.client import Client, Frame, new_join_id
from oddsmith.client.addresses import match_address
from oddsmith.command_line import MatchUrl, console
from oddsmith.errors import (
    AccessError,
    InputError,
    OddsmithError,
    RecordError,
    ServerError,
    UnfinishedMatchError,
)
from oddsmith.match.proofs import Proof, Verified, verify_fair
from oddsmith.records import Record
from oddsmith.text import plain, why

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


def ticket_for(server: str, match: str, name: str) -> Ticket | None:
    """Return the ticket of a name at a match; None where there is none that can be read."""
    try:
        return wire.from_json(_place(server, match, name).read_bytes(), Ticket)
    except (OSError, OddsmithError):
        return None


def keep_ticket(ticket: Ticket) -> None:
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
            "not_written", f"the seat's token cannot be kept in '{place.parent}': {why(error)}"
        ) from error


def tear_up(ticket: Ticket) -> None:
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


PATIENCE: Final = 3.0
"""Seconds for which a server may be away when one comes: who has mistyped an address is told soon."""


def take_seat(url: str, *, name: str | None, seat: int | None, seed: str | None, record: Path | None) -> None:
    """Sit down, or go on in the seat that was taken before, and play until the match is over or the person leaves."""
    server, match = match_address(url)
    out, keep = console(), None if record is None else in_new_file(record)
    with Client(server, patience=PATIENCE) as client:
        seen = _seen(client, match, out)
        ticket = _kept_ticket(client, match, name or login_name(), out)
        if ticket is None and seen.is_over:
            _stay(client, seen, None, keep, out)
            return
        ticket = _seated(client, seen, name or login_name(), ticket, seat=seat, seed=seed, out=out)
        _stay(client, seen, ticket, keep, out)


def look_on(url: str, *, record: Path | None) -> None:
    """Watch a match as everybody may, until it is over or the person leaves."""
    server, match = match_address(url)
    out, keep = console(), None if record is None else in_new_file(record)
    with Client(server, patience=PATIENCE) as client:
        _stay(client, _seen(client, match, out), None, keep, out)


def fetch_record(url: str) -> Record:
    """Return the record of a match that is over."""
    server, match = match_address(url)
    with Client(server, patience=PATIENCE) as client:
        return client.record(match)


def give_match_up(url: str, *, name: str | None) -> None:
    """Give a match up, in the seat that was taken before; before it has begun, only the seat."""
    server, match = match_address(url)
    ticket = ticket_for(server, match, name or login_name())
    if ticket is None or ticket.token is None:
        raise InputError("no_seat", f"'{name or login_name()}' has no seat there: --name says whose is meant")
    with Client(server, patience=PATIENCE) as client:
        client.leave(match, ticket.token)
        left = client.view(match)
    tear_up(ticket)
    if left.abandonment is None:
        console().print("gave the seat back: the match has not begun")
    else:
        console().print(f"gave the match up\n[bold]{plain(over_words(left, left.abandonment))}[/]")


def _seen(client: Client, match: str, out: Console) -> Frame:
    """Look at a match before anything is sent to it: the server is bound to its luck from here on."""
    seen = client.view(match)
    out.print(f"[bold]{seen.game}[/]  {plain(match_words(seen))}")
    out.print(f"[dim]{plain(luck_words(seen))}[/]")
    return seen


# --- sitting down ----------------------------------------------------------------------------------------------------


def _kept_ticket(client: Client, match: str, name: str, out: Console) -> Ticket | None:
    """Return the ticket of a seat that was taken before; None where there is none that proves a seat."""
    kept = ticket_for(client.url, match, name)
    if kept is None or kept.token is None:
        return kept
    try:
        client.view(match, token=kept.token)
    except AccessError:
        out.print(f"[yellow]the seat that {plain(name)} had is {plain(name)}'s no more[/]")
        return None
    return kept


def _seated(
    client: Client,
    seen: Frame,
    name: str,
    kept: Ticket | None,
    *,
    seat: int | None,
    seed: str | None,
    out: Console,
) -> Ticket:
    """Return the ticket of a seat: the one that was kept, or a new one, which is kept before the server is asked."""
    if kept is not None and kept.token is not None:
        _require_same_seat(kept, seat)
        _require_same_seal(kept, seen)
        out.print(f"[bold]{plain(name)}[/] goes on in seat {kept.seat}")
        return kept
    asking = kept or Ticket(
        server=client.url,
        match=seen.match,
        name=name,
        join_id=new_join_id(),
        seed=_client_seed(seed),
        commitment=seen.commitment,
    )
    if kept is None:
        _require_free_seat(client, seen)
    keep_ticket(asking)
    try:
        joined = client.join(seen.match, name, seat=seat, seed=asking.seed, join_id=asking.join_id)
    except (InputError, AccessError):
        tear_up(asking)
        raise
    ticket = msgspec.structs.replace(asking, seat=joined.seat, token=joined.token)
    keep_ticket(ticket)
    out.print(f"[bold]{plain(name)}[/] takes seat {joined.seat}")
    return ticket


def _client_seed(given: str | None) -> str:
    """Return what a person adds to the luck of a match: what they chose, or something that nobody can guess."""
    if given is not None and not re.fullmatch(r"[A-Za-z0-9_.:-]{0,64}", given):
        raise InputError("bad_seed", "a seed has at most 64 letters, digits and any of _ . : -", where="seed")
    return new_join_id() if given is None else given


def _require_same_seat(kept: Ticket, seat: int | None) -> None:
    if seat is not None and seat != kept.seat:
        raise InputError(
            "other_seat",
            f"'{kept.name}' sits in seat {kept.seat} already: leave --seat out, or take another --name",
        )


def _require_same_seal(kept: Ticket, seen: Frame) -> None:
    if kept.commitment not in (None, seen.commitment):
        raise ServerError(
            "other_seal", f"the server was bound to the seal {kept.commitment}, and shows another now"
        )


def _require_free_seat(client: Client, seen: Frame) -> None:
    names = [chair.name for chair in seen.chairs if chair.name is not None]
    if len(names) == len(seen.chairs):
        raise InputError(
            "no_free_seat",
            f"every seat is taken, by {listed(names)}: --name says that you are one of them,"
            f" oddsmith watch {client.url}/matches/{seen.match} looks on",
        )


# --- staying and going -----------------------------------------------------------------------------------------------


def _stay(client: Client, seen: Frame, ticket: Ticket | None, keep: Keep | None, out: Console) -> None:
    """Play or look on until the match is over, then check and keep its record; or say how to come back."""
    table = RemoteTable(client, seen.match, None if ticket is None else ticket.token, out)
    try:
        table.play()
    except (Leave, KeyboardInterrupt) as end:
        out.print("left the table" if isinstance(end, Leave) else "\nleft the table")
        _say_how_to_come_back(client, seen, ticket, out)
        if isinstance(end, KeyboardInterrupt):
            raise
        return
    except OddsmithError:
        _say_how_to_come_back(client, seen, ticket, out)
        raise
    finally:
        table.close()
    _go_home(client, seen, ticket, keep, out)


def _say_how_to_come_back(client: Client, seen: Frame, ticket: Ticket | None, out: Console) -> None:
    address = f"{client.url}/matches/{seen.match}"
    if ticket is None:
        out.print(f"look on again: [bold]oddsmith watch {plain(shlex.quote(address))}[/]")
    else:
        command = shlex.join(["oddsmith", "join", address, "--name", ticket.name])
        clock = "" if seen.clock is None else ", and its clock goes on"
        out.print(f"your seat is kept{clock}: [bold]{plain(command)}[/]")


def _go_home(client: Client, seen: Frame, ticket: Ticket | None, keep: Keep | None, out: Console) -> None:
    """Draw all luck of a match again, say what that proves, and keep the record or say where it is."""
    try:
        record = client.record(seen.match)
    except UnfinishedMatchError as error:
        if error.refusal.code != "not_started":
            raise
    else:
        verified = verify_fair(record, sealed=(ticket and ticket.commitment) or seen.commitment)
        if seen.practice is None:
            _require_proof(verified, ticket)
            out.print(f"[green]✓[/] {_proven_words(verified, ticket)}")
        else:
            said = record.labels.get("luck", "the record does not say where it comes from")
            out.print(f"[yellow]·[/] nothing about luck is proven: {plain(said)}")
        if keep is not None:
            out.print(f"kept: [bold]oddsmith verify {plain(shlex.quote(str(keep(record))))}[/]")
        else:
            address = shlex.quote(f"{client.url}/matches/{seen.match}")
            out.print(f"its record: [bold]oddsmith record {plain(address)} --out match.toml[/]")
    if ticket is not None:
        tear_up(ticket)


def _require_proof(verified: Verified, ticket: Ticket | None) -> None:
    """Refuse a record that does not show the server's seed, or that has not the seed that this person sent."""
    if verified.seal is None or verified.proof is not Proof.PROVEN:
        raise RecordError("nothing_proven", "the record proves nothing: the server keeps its seed to itself")
    if ticket is not None and verified.seal.client_seeds[ticket.seat or 0] != ticket.seed:
        sentence = f"the record has another seed of seat {ticket.seat} than the one that was sent"
        raise RecordError("other_seed", sentence)


def _proven_words(verified: Verified, ticket: Ticket | None) -> str:
    seeds = "the sealed seed" if ticket is None else "the sealed seed and yours"
    return f"{verified.luck:,} moves of luck: every card and die comes from {seeds}"


def join_match(
    url: MatchUrl,
    *,
    name: Annotated[
        str | None, typer.Option("--name", metavar="TEXT", help="Your name at the table; else your login.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="NUMBER", help="Which seat, from 0; else any free one.")
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="TEXT", help="What you add to the luck of the match; else random."),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Keep the record here when the match is over."),
    ] = None,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="Give the match up, and lose it; do not play on.")
    ] = False,
) -> None:
    """Play a match of a server; q leaves, joining again goes on.

    Example: oddsmith join http://127.0.0.1:8077/matches/05af93c07b18d2e46a51
    """
    from oddsmith.cli.match.matches import require_client

    require_client()
    if give_up:
        give_match_up(url, name=name)
    else:
        take_seat(url, name=name, seat=seat, seed=seed, record=record)


def watch_match(
    url: MatchUrl,
    *,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Keep the record here when the match is over."),
    ] = None,
) -> None:
    """Look on at a match of a server; q leaves.

    Example: oddsmith watch http://127.0.0.1:8077/matches/05af93c07b18d2e46a51
    """
    from oddsmith.cli.match.matches import require_client

    require_client()
    look_on(url, record=record)

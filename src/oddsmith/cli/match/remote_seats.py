"""A seat at a match of a server, taken, played and given up in the terminal; or a match that is watched."""

import re
import shlex
from pathlib import Path
from typing import Final

import msgspec
from rich.console import Console

from oddsmith.cli.match.remote_play import RemoteMatch
from oddsmith.cli.match.status_text import describe_end, describe_luck, describe_match, join_words
from oddsmith.cli.match.tickets import Ticket, delete_ticket, login_name, read_ticket, write_ticket
from oddsmith.cli.terminal.console import Leave
from oddsmith.cli.terminal.files import WriteRecord, in_new_file
from oddsmith.client import Client, Frame, new_join_id
from oddsmith.client.addresses import match_address
from oddsmith.command_line import console
from oddsmith.errors import (
    AccessError,
    InputError,
    OddsmithError,
    RecordError,
    ServerError,
)
from oddsmith.match.proofs import Proof, Verification, verify_fair
from oddsmith.records import Record
from oddsmith.text import escape_markup

RETRY_SECONDS: Final = 3.0
"""How long a server may be away at first: a mistyped address is reported soon."""


def take_seat(url: str, *, name: str | None, seat: int | None, seed: str | None, record: Path | None) -> None:
    """Take a seat, or resume the one that a ticket proves, and play until the match is over or the person leaves."""
    server, match = match_address(url)
    out, keep = console(), None if record is None else in_new_file(record)
    with Client(server, retry_seconds=RETRY_SECONDS) as client:
        seen = _show_match(client, match, out)
        ticket = _find_ticket(client, match, name or login_name(), out)
        if ticket is None and seen.is_over:
            _play(client, seen, None, keep, out)
            return
        ticket = _seat_ticket(client, seen, name or login_name(), ticket, seat=seat, seed=seed, out=out)
        _play(client, seen, ticket, keep, out)


def look_on(url: str, *, record: Path | None) -> None:
    """Watch a match without a seat, until it is over or the person leaves."""
    server, match = match_address(url)
    out, keep = console(), None if record is None else in_new_file(record)
    with Client(server, retry_seconds=RETRY_SECONDS) as client:
        _play(client, _show_match(client, match, out), None, keep, out)


def fetch_record(url: str) -> Record:
    """Return the record of a match that is over."""
    server, match = match_address(url)
    with Client(server, retry_seconds=RETRY_SECONDS) as client:
        return client.record(match)


def give_match_up(url: str, *, name: str | None) -> None:
    """Abandon a match in the seat of a ticket; before the match has begun, give only the seat back."""
    server, match = match_address(url)
    ticket = read_ticket(server, match, name or login_name())
    if ticket is None or ticket.token is None:
        raise InputError("no_seat", f"'{name or login_name()}' has no seat there: give another --name")
    with Client(server, retry_seconds=RETRY_SECONDS) as client:
        client.leave(match, ticket.token)
        left = client.view(match)
    delete_ticket(ticket)
    if left.abandonment is None:
        console().print("gave the seat back: the match has not begun")
    else:
        console().print(f"gave the match up\n[bold]{escape_markup(describe_end(left, left.abandonment))}[/]")


def _show_match(client: Client, match: str, out: Console) -> Frame:
    """Show a match before anything is sent to it, and return its frame: from here on its commitment binds the server."""
    seen = client.view(match)
    out.print(f"[bold]{seen.game}[/]  {escape_markup(describe_match(seen))}")
    out.print(f"[dim]{escape_markup(describe_luck(seen))}[/]")
    return seen


# --- taking a seat ---------------------------------------------------------------------------------------------------


def _find_ticket(client: Client, match: str, name: str, out: Console) -> Ticket | None:
    """Return the ticket of a seat that was taken before; None where it proves no seat any more."""
    kept = read_ticket(client.url, match, name)
    if kept is None or kept.token is None:
        return kept
    try:
        client.view(match, token=kept.token)
    except AccessError:
        out.print(f"[yellow]the seat that {escape_markup(name)} had is {escape_markup(name)}'s no more[/]")
        return None
    return kept


def _seat_ticket(
    client: Client,
    seen: Frame,
    name: str,
    kept: Ticket | None,
    *,
    seat: int | None,
    seed: str | None,
    out: Console,
) -> Ticket:
    """Return the given ticket, or a new one; a new one is written before the server is asked."""
    if kept is not None and kept.token is not None:
        _require_same_seat(kept, seat)
        _require_same_seal(kept, seen)
        out.print(f"[bold]{escape_markup(name)}[/] goes on in seat {kept.seat}")
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
    write_ticket(asking)
    try:
        joined = client.join(seen.match, name, seat=seat, seed=asking.seed, join_id=asking.join_id)
    except (InputError, AccessError):
        delete_ticket(asking)
        raise
    ticket = msgspec.structs.replace(asking, seat=joined.seat, token=joined.token)
    write_ticket(ticket)
    out.print(f"[bold]{escape_markup(name)}[/] takes seat {joined.seat}")
    return ticket


def _client_seed(given: str | None) -> str:
    """Return the client seed of a match: the one that was given, or a random one."""
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
            "other_seal", f"the server committed to {kept.commitment}, and shows another commitment now"
        )


def _require_free_seat(client: Client, seen: Frame) -> None:
    names = [chair.name for chair in seen.chairs if chair.name is not None]
    if len(names) == len(seen.chairs):
        raise InputError(
            "no_free_seat",
            f"every seat is taken, by {join_words(names)}: give --name if you are one of them,"
            f" or use oddsmith watch {client.url}/matches/{seen.match}",
        )


# --- playing and leaving ---------------------------------------------------------------------------------------------


def _play(client: Client, seen: Frame, ticket: Ticket | None, keep: WriteRecord | None, out: Console) -> None:
    """Play or watch until the match is over, then verify and write its record; if left early, say how to come back."""
    table = RemoteMatch(client, seen.match, None if ticket is None else ticket.token, out)
    try:
        end = table.play()
    except (Leave, KeyboardInterrupt) as parting:
        out.print("left the table" if isinstance(parting, Leave) else "\nleft the table")
        _show_return_command(client, seen, ticket, out)
        if isinstance(parting, KeyboardInterrupt):
            raise
        return
    except OddsmithError:
        _show_return_command(client, seen, ticket, out)
        raise
    finally:
        table.close()
    if end.view is not None:
        _verify_and_write(client, seen, ticket, keep, out)
    if ticket is not None:
        delete_ticket(ticket)


def _show_return_command(client: Client, seen: Frame, ticket: Ticket | None, out: Console) -> None:
    address = f"{client.url}/matches/{seen.match}"
    if ticket is None:
        out.print(f"look on again: [bold]oddsmith watch {escape_markup(shlex.quote(address))}[/]")
    else:
        command = shlex.join(["oddsmith", "join", address, "--name", ticket.name])
        clock = "" if seen.clock is None else ", and its clock goes on"
        out.print(f"your seat is kept{clock}: [bold]{escape_markup(command)}[/]")


def _verify_and_write(
    client: Client, seen: Frame, ticket: Ticket | None, keep: WriteRecord | None, out: Console
) -> None:
    """Verify the luck of a match that is over, and write its record or say where it is."""
    record = client.record(seen.match)
    verified = verify_fair(record, sealed=(ticket and ticket.commitment) or seen.commitment)
    if seen.practice is None:
        _require_proof(verified, ticket)
        out.print(f"[green]✓[/] {_describe_proof(verified, ticket)}")
    else:
        luck = record.labels.get("luck", "the record does not say where it comes from")
        out.print(f"[yellow]·[/] nothing about luck is proven: {escape_markup(luck)}")
    if keep is not None:
        out.print(f"kept: [bold]oddsmith verify {escape_markup(shlex.quote(str(keep(record))))}[/]")
    else:
        address = shlex.quote(f"{client.url}/matches/{seen.match}")
        out.print(f"its record: [bold]oddsmith record {escape_markup(address)} --out match.toml[/]")


def _require_proof(verified: Verification, ticket: Ticket | None) -> None:
    """Raise `RecordError` where a record has no proof of its luck, or another seed of this seat than was sent."""
    if verified.seal is None or verified.proof is not Proof.PROVEN:
        raise RecordError("nothing_proven", "the record proves nothing: the server did not reveal its seed")
    if ticket is not None and verified.seal.client_seeds[ticket.seat or 0] != ticket.seed:
        sentence = f"the record has another seed of seat {ticket.seat} than the one that was sent"
        raise RecordError("other_seed", sentence)


def _describe_proof(verified: Verification, ticket: Ticket | None) -> str:
    seeds = "the sealed seed" if ticket is None else "the sealed seed and yours"
    return f"{verified.luck:,} moves of luck: every card and die comes from {seeds}"

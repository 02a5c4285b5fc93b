"""A person at a table of a server: frames come as others move, and a choice is sent for the frame it was made on."""

import os
import re
import select
import shlex
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final

import msgspec
from rich.console import Console

from oddsmith.cli.asking import Leave, answer_line, ask
from oddsmith.cli.console import console, over_line, plain
from oddsmith.cli.keeping import in_new_file
from oddsmith.cli.tables import find_table
from oddsmith.cli.tickets import Ticket, keep_ticket, login_name, tear_up, ticket_for
from oddsmith.client import Client, Frame, Watch, new_join_id, read_frame
from oddsmith.client.addresses import match_address
from oddsmith.errors import IllegalMove, InputError, OddsmithError
from oddsmith.table.model import Stale

if TYPE_CHECKING:
    from oddsmith.rules import Ruleset

__all__ = ["give_match_up", "take_seat"]

PATIENCE: Final = 60.0
"""Seconds for which a server may be away before a person is told so."""


def take_seat(url: str, *, name: str | None, seat: int | None, seed: str | None, record: Path | None) -> None:
    """Sit down, or go on in the seat that was taken before, and play until the match is over or the person leaves."""
    server, match = match_address(url)
    out = console()
    keep = None if record is None else in_new_file(record)
    with Client(server, patience=PATIENCE) as client:
        ticket = _seated(client, server, match, name or login_name(), seat=seat, seed=seed, out=out)
        table = RemoteTable(client, ticket, out)
        try:
            table.play()
            if keep is not None:
                out.print(
                    f"kept: [bold]oddsmith verify {plain(shlex.quote(str(keep(client.record(match)))))}[/]"
                )
        except (Leave, KeyboardInterrupt) as end:
            out.print("left the table" if isinstance(end, Leave) else "\nleft the table")
            out.print(f"your seat is kept: [bold]{plain(_command(ticket))}[/]")
            if isinstance(end, KeyboardInterrupt):
                raise
        finally:
            table.close()


def give_match_up(url: str, *, name: str | None) -> None:
    """Give a match up, in the seat that was taken before."""
    server, match = match_address(url)
    ticket = ticket_for(server, match, name or login_name())
    if ticket is None or ticket.token is None:
        raise InputError("no_seat", f"'{name or login_name()}' has no seat there: --name says whose is meant")
    with Client(server) as client:
        client.leave(match, ticket.token)
    tear_up(ticket)
    console().print("gave the match up")


def _seated(
    client: Client,
    server: str,
    match: str,
    name: str,
    *,
    seat: int | None,
    seed: str | None,
    out: Console,
) -> Ticket:
    """Return the ticket of a seat: one that was kept, or a new one, which is kept before the server is asked."""
    kept = ticket_for(server, match, name)
    if kept is not None and kept.token is not None:
        _require_same_seat(kept, seat)
        out.print(f"[bold]{plain(name)}[/] goes on in seat {kept.seat}")
        return kept
    fresh = Ticket(server=server, match=match, name=name, join_id=new_join_id(), seed=_client_seed(seed))
    asking = kept or fresh
    keep_ticket(asking)
    try:
        joined = client.join(match, name, seat=seat, seed=asking.seed, join_id=asking.join_id)
    except InputError:
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


def _command(ticket: Ticket) -> str:
    return shlex.join(["oddsmith", "join", f"{ticket.server}/matches/{ticket.match}", "--name", ticket.name])


class News(Exception):  # noqa: N818  it is good to know, no error
    """While a person was asked, the match went on: to this frame, or to its end."""

    def __init__(self, frame: Frame | None) -> None:
        super().__init__()
        self.frame = frame


class Mail:
    """Frames as a thread receives them, with a bell that can be waited for beside a keyboard."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._frames: SimpleQueue[Frame | OddsmithError | None] = SimpleQueue()
        self.bell, self._rope = os.pipe()
        self._thread = threading.Thread(target=self._receive, daemon=True)
        self._thread.start()

    def _receive(self) -> None:
        try:
            for frame in self._watch:
                self._put(frame)
            self._put(None)
        except OddsmithError as error:
            self._put(error)

    def _put(self, thing: Frame | OddsmithError | None) -> None:
        self._frames.put(thing)
        os.write(self._rope, b"!")

    def next(self) -> Frame | None:
        """Wait for a frame; None after the last."""
        thing = self._frames.get()
        os.read(self.bell, 1)
        if isinstance(thing, OddsmithError):
            raise thing
        return thing

    def is_empty(self) -> bool:
        """Say whether nothing waits."""
        return self._frames.empty()

    def close(self) -> None:
        """Receive no more."""
        self._watch.close()
        self._thread.join(timeout=5)
        if not self._thread.is_alive():
            os.close(self.bell)
            os.close(self._rope)


class RemoteTable:
    """A match in a terminal: what is known, up to which version it was told, and what the person meant by it."""

    def __init__(self, client: Client, ticket: Ticket, out: Console) -> None:
        self._client = client
        self._ticket = ticket
        self._out = out
        self._mail = Mail(client.watch(ticket.match, token=ticket.token))
        self._known: Frame | None = None
        self._rules: Ruleset | None = None
        self._told: int | None = None
        self._awaited = 0
        self._meant: list[Any] = []
        self._screen: list[str] = []
        self._missed = False
        self._waiting = ""

    def close(self) -> None:
        """Let go of the connection."""
        self._mail.close()

    def play(self) -> None:
        """Show what comes, and ask when it is this seat's turn, until the match is over."""
        known = self._next()
        while known is not None and not known.is_over:
            self._tell(known)
            if known.viewer in known.deciding and known.version >= self._awaited and self._mail.is_empty():
                known = self._chosen(known)
            else:
                self._say_who_is_awaited(known)
                known = self._next()
        if known is not None:
            self._end(known)

    def _next(self) -> Frame | None:
        """Wait for a frame, and return it with the game's own values."""
        frame = self._mail.next()
        if frame is None:
            return None
        if self._rules is None:
            self._rules = self._client.rules(frame)
        return read_frame(frame, self._rules)

    # --- telling -----------------------------------------------------------------------------------------------------

    def _tell(self, known: Frame) -> None:
        """Tell what happened since the last frame; before the first nothing was seen."""
        if self._told is None:
            self._out.print(f"its luck is sealed as {known.commitment}")
        for line in self._news(known):
            self._out.print(line)
        self._told = max(known.version, self._told or 0)

    def _news(self, known: Frame) -> list[str]:
        """Return what happened since the last frame that was told."""
        if self._told is None or known.view is None:
            return []
        later = [heard for heard in known.events or () if heard.version > self._told]
        events = [event for heard in later for event in heard.events]
        return [*find_table(known.game).event_lines(events, known.view)]

    def _say_who_is_awaited(self, known: Frame) -> None:
        free = sum(chair.name is None for chair in known.chairs)
        names = [known.chairs[seat].name or "" for seat in known.deciding if seat != known.viewer]
        said = self._waiting
        if free:
            said = f"waiting for {free} more: oddsmith join {self._ticket.server}/matches/{known.match}"
        elif names:
            said = f"waiting for {', '.join(names)}"
        if said != self._waiting:
            self._waiting = said
            self._out.print(f"[dim]{plain(said)} (Ctrl-C leaves)[/]")

    def _end(self, known: Frame) -> None:
        """Tell how the match ended."""
        self._tell(known)
        if known.view is not None:
            self._out.print("", *find_table(known.game).state_lines(known.view), sep="\n")
        if known.outcome is not None:
            self._out.print(over_line(known.outcome))
        if known.abandonment is not None:
            seat, why = known.abandonment.seat, known.abandonment.why.replace("_", " ")
            by = "" if seat is None else f" by {known.chairs[seat].name or f'seat {seat}'}"
            self._out.print(f"[bold]over: {plain(why + by)}[/]")

    # --- asking ------------------------------------------------------------------------------------------------------

    def _chosen(self, known: Frame) -> Frame | None:
        """Ask for a choice, send it, and return the next frame."""
        self._waiting = ""
        self._known = known
        self._drop_what_was_missed(known)
        try:
            while not self._is_sent(known):
                pass
        except News as news:
            return news.frame
        return self._next()

    def _is_sent(self, known: Frame) -> bool:
        """Send what is meant, once the person has said it; False where the rules refuse it."""
        if not self._meant:
            self._screen = self._lines(known)
            self._out.print("", *self._screen, sep="\n")
            self._meant += ask(self._out, find_table(known.game), known.view, known.actions, self._answer)
        version, token = (self._known or known).version, self._ticket.token or ""
        try:
            answer = self._client.act(known.match, token, self._meant[0], version=version)
        except IllegalMove as error:
            self._out.print(f"[red]{plain(str(error))}[/]")
            self._meant.clear()
            return False
        self._missed = isinstance(answer, Stale)
        if not self._missed:
            self._meant.pop(0)
        self._awaited = answer.version
        return True

    def _drop_what_was_missed(self, known: Frame) -> None:
        """Forget a choice that came too late, unless the person would see and could do just the same again."""
        if not self._meant:
            return
        if self._meant[0] not in known.actions or (self._missed and self._lines(known) != self._screen):
            self._out.print("[dim]meanwhile the match has gone on[/]")
            self._meant.clear()

    def _lines(self, known: Frame) -> list[str]:
        return [*find_table(known.game).state_lines(known.view)]

    def _answer(self, out: Console) -> str:
        """Read one line from a terminal, and listen for news meanwhile; what is no terminal is read line by line."""
        if not sys.stdin.isatty():
            return answer_line(out)
        out.print("> ", end="")
        while sys.stdin not in select.select([sys.stdin, self._mail.bell], [], [])[0]:
            news = self._next()
            if news is None or not self._looks_the_same(news):
                out.print()
                raise News(news)
            self._known, self._told = news, news.version
        line = sys.stdin.readline()
        if not line:
            out.print()
            raise Leave
        return line.strip().lower()

    def _looks_the_same(self, news: Frame) -> bool:
        """Say whether a person who is asked need not know that the match has gone on: others choose unseen."""
        return (
            not news.is_over
            and self._known is not None
            and news.actions == self._known.actions
            and not self._news(news)
            and self._lines(news) == self._screen
        )

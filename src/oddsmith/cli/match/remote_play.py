"""A match of a server in a terminal: frames arrive as others move, and a choice is sent for the frame it was made on."""

import os
import select
import sys
import termios
import threading
import time
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rich.console import Console

from oddsmith.cli.match.status_text import awaited_words, over_words, seats_words, seconds_left
from oddsmith.cli.terminal.console import Leave, answer_line, ask, find_table
from oddsmith.client import Client, Frame, Heard, Watch, new_id, read_frame
from oddsmith.errors import IllegalMove, OddsmithError
from oddsmith.match.model import Stale
from oddsmith.text import escape_markup

if TYPE_CHECKING:
    from oddsmith.client.calls import Answered
    from oddsmith.rules import Ruleset


class Arrival(NamedTuple):
    """What there is to attend to: a frame, a line of a person, both, or nothing yet."""

    news: bool
    keys: bool


class Mail:
    """Frames as a thread receives them, with a bell that can be waited for beside a keyboard."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._frames: SimpleQueue[Frame | OddsmithError] = SimpleQueue()
        self._bell, self._rope = os.pipe()
        self._thread = threading.Thread(target=self._receive, daemon=True)
        self._thread.start()

    def _receive(self) -> None:
        with suppress(BrokenPipeError), open(self._rope, "wb", buffering=0) as rope:  # noqa: PTH123  it is a pipe
            try:
                for frame in self._watch:
                    self._frames.put(frame)
                    rope.write(b"!")
            except OddsmithError as error:
                self._frames.put(error)
                rope.write(b"!")

    def wait(self, seconds: float, *, keys: bool) -> Arrival:
        """Wait for a frame, and where that is wanted for a line of a person; at most so long."""
        wanted = [self._bell, *([sys.stdin] if keys else [])]
        found = select.select(wanted, [], [], seconds)[0]
        return Arrival(news=self._bell in found, keys=sys.stdin in found)

    def next(self) -> Frame:
        """Return the frame that waits, or that comes next; after the last, that of a match that is over, comes none."""
        thing = self._frames.get()
        os.read(self._bell, 1)
        if isinstance(thing, OddsmithError):
            raise thing
        return thing

    @property
    def is_connected(self) -> bool:
        """Whether the server can be heard."""
        return self._watch.is_connected

    def close(self) -> None:
        """Receive no more."""
        self._watch.close()
        self._thread.join(timeout=5)
        os.close(self._bell)


def has_keys() -> bool:
    """Say whether a person types: what is no terminal is read only when it is asked."""
    return sys.stdin.isatty()


def forget_keys() -> None:
    """Drop what was typed and not yet read: it was meant for what stood on the screen before."""
    if has_keys():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


PATIENCE: Final = 60.0
"""Seconds for which a server may be away before a person is sent home."""
SILENCE: Final = 2.0
"""Seconds for which a server may be away before a person is told so."""
PAUSE: Final = 0.5
MOMENT: Final = 0.4
"""Seconds in which nobody reads a new table: what is typed so soon was meant for the one before."""
LULL: Final = 0.8
"""Seconds after which a clock that has chosen for a seat does not choose again at once."""


class News(Exception):  # noqa: N818  it is good to know, no error
    """While a person was asked, the match went on to this frame."""

    def __init__(self, frame: Frame) -> None:
        super().__init__()
        self.frame = frame


class RemoteTable:
    """A match in a terminal: what is known, up to which version it was told, and what the person meant by it.

    Without a token it is looked on.
    """

    def __init__(self, client: Client, match: str, token: str | None, out: Console) -> None:
        self._client = client
        self._address = f"{client.url}/matches/{match}"
        self._token = token
        self._out = out
        self._mail = Mail(Watch(client.url, match, token=token, since=None, patience=PATIENCE))
        self._rules: Ruleset | None = None
        self._known: Frame | None = None
        self._told: int | None = None
        self._is_begun = False
        self._held: list[Heard] = []
        self._awaited = 0
        self._meant: list[Any] = []
        self._screen: list[str] = []
        self._waiting = ""
        self._missed = False
        self._until: float | None = None
        self._is_late = False
        self._redrawn = 0.0
        self._heard_at = time.monotonic()
        self._is_away = False

    def close(self) -> None:
        """Let go of the connection."""
        self._mail.close()

    def play(self) -> Frame:
        """Show what comes, and ask when it is this seat's turn, until the match is over; return its end."""
        known = self._next()
        while (end := known.outcome or known.abandonment) is None:
            self._tell(known)
            if known.version < self._awaited or self._is_more_to_come():
                known = self._next()
            elif known.viewer in known.deciding:
                known = self._chosen(known)
            else:
                self._look_on(known)
                known = self._next(keys=has_keys())
        self._tell(known)
        if known.view is not None:
            self._out.print("", *self._lines(known), sep="\n")
        self._out.print(f"[bold]{escape_markup(over_words(known, end))}[/]")
        return known

    # --- hearing -----------------------------------------------------------------------------------------------------

    def _next(self, *, keys: bool = False) -> Frame:
        """Wait for a frame, and return it with the game's own values; `q` leaves where keys are heard meanwhile."""
        while not (heard := self._mail.wait(PAUSE, keys=keys)).news:
            if heard.keys:
                self._hear_while_waiting()
            self._say_if_away()
        return self._received()

    def _is_more_to_come(self) -> bool:
        """Say whether the next frame is there; a clock that has chosen may choose again at once."""
        seconds, keys = (LULL, has_keys()) if self._is_late else (0.0, False)
        while (heard := self._mail.wait(seconds, keys=keys)).keys:
            self._hear_while_waiting()
        return heard.news

    def _received(self) -> Frame:
        frame = self._mail.next()
        if self._is_away:
            self._out.print("[dim]the server answers again[/]")
        self._is_away, self._heard_at = False, time.monotonic()
        if self._rules is None:
            self._rules = self._client.rules(frame)
        return read_frame(frame, self._rules)

    def _hear_while_waiting(self) -> None:
        line = sys.stdin.readline()
        if not line or line.strip().lower() in ("q", "quit"):
            raise Leave
        if line.strip():
            self._out.print(f"[dim]not yet: {escape_markup(self._waiting)}[/]")

    def _say_if_away(self) -> None:
        if self._mail.is_connected:
            self._heard_at = time.monotonic()
        elif time.monotonic() - self._heard_at > SILENCE:
            self._say_away()

    def _say_away(self) -> None:
        if not self._is_away:
            self._is_away = True
            self._out.print("[yellow]the server does not answer: trying again for a minute[/]")

    # --- telling -----------------------------------------------------------------------------------------------------

    def _tell(self, known: Frame) -> None:
        """Tell what happened since the last frame that was told; before the first nothing was seen."""
        if known.view is not None:
            self._say_who_sits_where(known)
            events = [event for heard in (*self._held, *self._later(known)) for event in heard.events]
            for line in find_table(known.game).event_lines(events, known.view):
                self._out.print(line)
        self._held.clear()
        self._told = max(known.version, self._told or 0)

    def _say_who_sits_where(self, known: Frame) -> None:
        if not self._is_begun and len(known.chairs) > 1:
            self._out.print(escape_markup(seats_words(known)))
        self._is_begun = True

    def _later(self, known: Frame) -> list[Heard]:
        if self._told is None:
            return []
        return [heard for heard in known.events or () if heard.version > self._told]

    def _look_on(self, known: Frame) -> None:
        """Show the table to who only sees it, and say who is awaited."""
        lines = self._lines(known) if known.view is not None else []
        if lines != self._screen and (known.viewer is None or not self._screen):
            self._show(lines)
        said = awaited_words(known, self._address)
        if said and said != self._waiting:
            leaves = "q leaves" if has_keys() else "Ctrl-C leaves"
            self._out.print(f"[dim]{escape_markup(said)} ({leaves})[/]")
        self._waiting = said

    def _show(self, lines: list[str]) -> None:
        self._screen = lines
        self._out.print("", *lines, sep="\n")

    def _lines(self, known: Frame) -> list[str]:
        return [*find_table(known.game).state_lines(known.view)]

    # --- asking ------------------------------------------------------------------------------------------------------

    def _chosen(self, known: Frame) -> Frame:
        """Ask for a choice, send it, and return the next frame."""
        if self._waiting:
            forget_keys()
        self._waiting = ""
        self._is_late = False
        self._known = known
        self._drop_what_was_missed(known)
        try:
            while not self._is_sent(known):
                if self._mail.wait(MOMENT, keys=False).news:
                    return self._received()
        except News as news:
            return news.frame
        return self._next()

    def _is_sent(self, known: Frame) -> bool:
        """Send what is meant, once the person has said it; False where the rules refuse it."""
        if not self._meant:
            self._show(self._lines(known))
            self._say_how_long(known)
            self._meant += ask(self._out, find_table(known.game), known.view, known.actions, self._answer)
        try:
            answer = self._sent(self._known or known)
        except IllegalMove as error:
            self._out.print(f"[red]{escape_markup(str(error))}[/]")
            self._meant.clear()
            return False
        self._missed = isinstance(answer, Stale)
        if not self._missed:
            self._meant.pop(0)
        self._awaited = answer.version
        return True

    def _say_how_long(self, known: Frame) -> None:
        left = seconds_left(known, time.time())
        self._until = None if left is None else time.monotonic() + left
        if left is not None:
            self._out.print(f"[dim]{left:,.0f} s to choose, then the clock does[/]")

    def _sent(self, known: Frame) -> "Answered":
        """Send the first thing that is meant, under one id, until it is answered."""
        command, until = new_id(), time.monotonic() + PATIENCE
        while True:
            try:
                return self._client.act(
                    known.match, self._token or "", self._meant[0], version=known.version, command_id=command
                )
            except OddsmithError as error:
                if error.retry_after is None or time.monotonic() > until:
                    raise
            self._say_away()

    def _drop_what_was_missed(self, known: Frame) -> None:
        """Forget a choice that came too late, unless the person would see and could do just the same again."""
        if not self._meant:
            return
        is_other = self._lines(known) != self._screen if self._missed else known.version > self._awaited
        if is_other or self._meant[0] not in known.actions:
            self._out.print("[dim]meanwhile the match has gone on[/]")
            self._meant.clear()

    def _answer(self, out: Console) -> str:
        """Read one line from a terminal, and listen for news meanwhile; what is no terminal is read line by line."""
        if not has_keys():
            return answer_line(out)
        out.print("> ", end="")
        while (heard := self._mail.wait(PAUSE, keys=True)).news or not heard.keys:
            if heard.news:
                self._take(self._received())
        line = sys.stdin.readline()
        if not line:
            out.print()
            raise Leave
        if time.monotonic() - self._redrawn < MOMENT:
            out.print("[dim]that was typed for the table before: say it again[/]")
            return self._answer(out)
        return line.strip().lower()

    def _take(self, news: Frame) -> None:
        """Take news that come while a person is asked: at once only where they change what is seen or can be done."""
        asked = self._known
        if asked is not None and news.actions == asked.actions and self._lines(news) == self._screen:
            self._held += self._later(news)
            self._known, self._told = news, news.version
            return
        forget_keys()
        self._redrawn = time.monotonic()
        self._is_late = self._until is not None and self._redrawn > self._until - PAUSE
        self._out.print()
        if self._is_late:
            self._waiting = "the clock chooses for you"
            self._out.print(f"[yellow]time is up: {self._waiting}[/]")
        raise News(news)

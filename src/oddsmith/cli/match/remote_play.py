"""Play or watch a match of a server in the terminal.

A thread receives frames. A choice is sent with the version of the frame that it was made for.
"""

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

from oddsmith.cli.match.status_text import describe_end, describe_seats, describe_waiting, seconds_left
from oddsmith.cli.terminal.console import Leave, answer_line, ask, find_terminal_play
from oddsmith.client import Client, Frame, VersionEvents, Watch, new_id, read_frame
from oddsmith.errors import IllegalMove, OddsmithError
from oddsmith.match.model import Stale
from oddsmith.text import escape_markup

if TYPE_CHECKING:
    from oddsmith.client.calls import CommandReply
    from oddsmith.rules import Ruleset


class Arrival(NamedTuple):
    """Whether a frame and a typed line are there to be read."""

    has_frame: bool
    has_line: bool


class FrameReceiver:
    """Receives frames in a thread; `wait` waits for a frame and for the keyboard at once, by a pipe."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._frames: SimpleQueue[Frame | OddsmithError] = SimpleQueue()
        self._read_end, self._write_end = os.pipe()
        self._thread = threading.Thread(target=self._receive, daemon=True)
        self._thread.start()

    def _receive(self) -> None:
        with suppress(BrokenPipeError), open(self._write_end, "wb", buffering=0) as pipe:  # noqa: PTH123  it is a pipe
            try:
                for frame in self._watch:
                    self._frames.put(frame)
                    pipe.write(b"!")
            except OddsmithError as error:
                self._frames.put(error)
                pipe.write(b"!")

    def wait(self, seconds: float, *, keys: bool) -> Arrival:
        """Wait at most `seconds` for a frame, and with `keys` for a typed line."""
        inputs = [self._read_end, *([sys.stdin] if keys else [])]
        found = select.select(inputs, [], [], seconds)[0]
        return Arrival(has_frame=self._read_end in found, has_line=sys.stdin in found)

    def next(self) -> Frame:
        """Return the next frame, waiting for it if needed; raise the error that ended the connection."""
        received = self._frames.get()
        os.read(self._read_end, 1)
        if isinstance(received, OddsmithError):
            raise received
        return received

    @property
    def is_connected(self) -> bool:
        """Whether the socket is connected."""
        return self._watch.is_connected

    def close(self) -> None:
        """Receive no more."""
        self._watch.close()
        self._thread.join(timeout=5)
        os.close(self._read_end)


def is_interactive() -> bool:
    """Return whether standard input is a terminal; anything else is read only when a choice is needed."""
    return sys.stdin.isatty()


def drop_typed_input() -> None:
    """Drop typed input that was not read: it was typed for what the screen showed before."""
    if is_interactive():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


RETRY_SECONDS: Final = 60.0
"""How long a server may be away before the match is left."""
SECONDS_TO_WARNING: Final = 2.0
"""How long a server may be away before a warning is shown."""
POLL_SECONDS: Final = 0.5
STALE_INPUT_SECONDS: Final = 0.4
"""Input that is typed sooner after the screen changed was typed for the screen before."""
CLOCK_SECONDS: Final = 0.8
"""How long to wait for a further choice of the clock before a person is asked."""


class MatchAdvanced(Exception):  # noqa: N818  an interruption, not an error
    """The match came to another frame while a person was asked for a choice."""

    def __init__(self, frame: Frame) -> None:
        super().__init__()
        self.frame = frame


class RemoteMatch:
    """A match of a server in the terminal, played with the token of a seat or watched without one."""

    def __init__(self, client: Client, match: str, token: str | None, out: Console) -> None:
        self._client = client
        self._address = f"{client.url}/matches/{match}"
        self._token = token
        self._out = out
        self._receiver = FrameReceiver(
            Watch(client.url, match, token=token, since=None, retry_seconds=RETRY_SECONDS)
        )
        self._rules: Ruleset | None = None
        self._known: Frame | None = None
        self._shown_version: int | None = None
        self._is_begun = False
        self._unshown: list[VersionEvents] = []
        self._awaited_version = 0
        self._actions: list[Any] = []
        self._shown_lines: list[str] = []
        self._waiting_text = ""
        self._is_stale = False
        self._deadline: float | None = None
        self._is_late = False
        self._redrawn_at = 0.0
        self._connected_at = time.monotonic()
        self._is_away = False

    def close(self) -> None:
        """Close the connection."""
        self._receiver.close()

    def play(self) -> Frame:
        """Show every frame, and ask for a choice when it is this seat's turn, until the match is over; return the last frame."""
        known = self._next()
        while (end := known.outcome or known.abandonment) is None:
            self._show_events(known)
            if known.version < self._awaited_version or self._is_more_to_come():
                known = self._next()
            elif known.viewer in known.deciding:
                known = self._choose(known)
            else:
                self._show_waiting(known)
                known = self._next(keys=is_interactive())
        self._show_events(known)
        if known.view is not None:
            self._out.print("", *self._lines(known), sep="\n")
        self._out.print(f"[bold]{escape_markup(describe_end(known, end))}[/]")
        return known

    # --- receiving ---------------------------------------------------------------------------------------------------

    def _next(self, *, keys: bool = False) -> Frame:
        """Wait for a frame, and return it with values of the game; with `keys`, `q` leaves meanwhile."""
        while not (arrival := self._receiver.wait(POLL_SECONDS, keys=keys)).has_frame:
            if arrival.has_line:
                self._read_while_waiting()
            self._warn_if_away()
        return self._receive()

    def _is_more_to_come(self) -> bool:
        """Return whether another frame is there; after a choice of the clock, wait a little for its next one."""
        seconds, keys = (CLOCK_SECONDS, is_interactive()) if self._is_late else (0.0, False)
        while (arrival := self._receiver.wait(seconds, keys=keys)).has_line:
            self._read_while_waiting()
        return arrival.has_frame

    def _receive(self) -> Frame:
        frame = self._receiver.next()
        if self._is_away:
            self._out.print("[dim]the server answers again[/]")
        self._is_away, self._connected_at = False, time.monotonic()
        if self._rules is None:
            self._rules = self._client.rules(frame)
        return read_frame(frame, self._rules)

    def _read_while_waiting(self) -> None:
        line = sys.stdin.readline()
        if not line or line.strip().lower() in ("q", "quit"):
            raise Leave
        if line.strip():
            self._out.print(f"[dim]not yet: {escape_markup(self._waiting_text)}[/]")

    def _warn_if_away(self) -> None:
        if self._receiver.is_connected:
            self._connected_at = time.monotonic()
        elif time.monotonic() - self._connected_at > SECONDS_TO_WARNING:
            self._warn_away()

    def _warn_away(self) -> None:
        if not self._is_away:
            self._is_away = True
            self._out.print("[yellow]the server does not answer: trying again for a minute[/]")

    # --- showing -----------------------------------------------------------------------------------------------------

    def _show_events(self, known: Frame) -> None:
        """Show the events since the frame that was shown last."""
        if known.view is not None:
            self._show_seats(known)
            events = [
                event for heard in (*self._unshown, *self._later_events(known)) for event in heard.events
            ]
            for line in find_terminal_play(known.game, known.viewer).event_lines(events, known.view):
                self._out.print(line)
        self._unshown.clear()
        self._shown_version = max(known.version, self._shown_version or 0)

    def _show_seats(self, known: Frame) -> None:
        if not self._is_begun and len(known.chairs) > 1:
            self._out.print(escape_markup(describe_seats(known)))
        self._is_begun = True

    def _later_events(self, known: Frame) -> list[VersionEvents]:
        if self._shown_version is None:
            return []
        return [heard for heard in known.events or () if heard.version > self._shown_version]

    def _show_waiting(self, known: Frame) -> None:
        """Show the state to a viewer that has no choice now, and for whom the match waits."""
        lines = self._lines(known) if known.view is not None else []
        if lines != self._shown_lines and (known.viewer is None or not self._shown_lines):
            self._show(lines)
        text = describe_waiting(known, self._address)
        if text and text != self._waiting_text:
            leaves = "q leaves" if is_interactive() else "Ctrl-C leaves"
            self._out.print(f"[dim]{escape_markup(text)} ({leaves})[/]")
        self._waiting_text = text

    def _show(self, lines: list[str]) -> None:
        self._shown_lines = lines
        self._out.print("", *lines, sep="\n")

    def _lines(self, known: Frame) -> list[str]:
        return [*find_terminal_play(known.game, known.viewer).state_lines(known.view)]

    # --- asking ------------------------------------------------------------------------------------------------------

    def _choose(self, known: Frame) -> Frame:
        """Ask for a choice, send it, and return the next frame."""
        if self._waiting_text:
            drop_typed_input()
        self._waiting_text = ""
        self._is_late = False
        self._known = known
        self._drop_stale_actions(known)
        try:
            while not self._send_choice(known):
                if self._receiver.wait(STALE_INPUT_SECONDS, keys=False).has_frame:
                    return self._receive()
        except MatchAdvanced as advanced:
            return advanced.frame
        return self._next()

    def _send_choice(self, known: Frame) -> bool:
        """Ask for a choice if none is left, and send it; return False where the rules refuse it."""
        if not self._actions:
            self._show(self._lines(known))
            self._show_time_left(known)
            self._actions += ask(
                self._out,
                find_terminal_play(known.game, known.viewer),
                known.view,
                known.actions,
                self._read_answer,
            )
        try:
            answer = self._send_action(self._known or known)
        except IllegalMove as error:
            self._out.print(f"[red]{escape_markup(str(error))}[/]")
            self._actions.clear()
            return False
        self._is_stale = isinstance(answer, Stale)
        if not self._is_stale:
            self._actions.pop(0)
        self._awaited_version = answer.version
        return True

    def _show_time_left(self, known: Frame) -> None:
        left = seconds_left(known, time.time())
        self._deadline = None if left is None else time.monotonic() + left
        if left is not None:
            self._out.print(f"[dim]{left:,.0f} s to choose, then the clock does[/]")

    def _send_action(self, known: Frame) -> "CommandReply":
        """Send the first action under one id, again until it is answered."""
        command, until = new_id(), time.monotonic() + RETRY_SECONDS
        while True:
            try:
                return self._client.act(
                    known.match,
                    self._token or "",
                    self._actions[0],
                    version=known.version,
                    command_id=command,
                )
            except OddsmithError as error:
                if error.retry_after is None or time.monotonic() > until:
                    raise
            self._warn_away()

    def _drop_stale_actions(self, known: Frame) -> None:
        """Drop actions that came too late, unless the screen is the same and the action is still possible."""
        if not self._actions:
            return
        is_other = (
            self._lines(known) != self._shown_lines
            if self._is_stale
            else known.version > self._awaited_version
        )
        if is_other or self._actions[0] not in known.actions:
            self._out.print("[dim]meanwhile the match has gone on[/]")
            self._actions.clear()

    def _read_answer(self, out: Console) -> str:
        """Read one line, and take frames that arrive meanwhile if standard input is a terminal."""
        if not is_interactive():
            return answer_line(out)
        out.print("> ", end="")
        while (arrival := self._receiver.wait(POLL_SECONDS, keys=True)).has_frame or not arrival.has_line:
            if arrival.has_frame:
                self._take_frame(self._receive())
        line = sys.stdin.readline()
        if not line:
            out.print()
            raise Leave
        if time.monotonic() - self._redrawn_at < STALE_INPUT_SECONDS:
            out.print("[dim]that was typed for the table before: say it again[/]")
            return self._read_answer(out)
        return line.strip().lower()

    def _take_frame(self, frame: Frame) -> None:
        """Take a frame that arrives while a person is asked; raise `MatchAdvanced` where it changes the screen or the actions."""
        asked = self._known
        if asked is not None and frame.actions == asked.actions and self._lines(frame) == self._shown_lines:
            self._unshown += self._later_events(frame)
            self._known, self._shown_version = frame, frame.version
            return
        drop_typed_input()
        self._redrawn_at = time.monotonic()
        self._is_late = self._deadline is not None and self._redrawn_at > self._deadline - POLL_SECONDS
        self._out.print()
        if self._is_late:
            self._waiting_text = "the clock chooses for you"
            self._out.print(f"[yellow]time is up: {self._waiting_text}[/]")
        raise MatchAdvanced(frame)

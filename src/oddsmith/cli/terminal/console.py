"""The terminal of a command: console, JSON output, progress bar, tables, and questions to a person."""

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from oddsmith.command_line import console
from oddsmith.errors import OddsmithError
from oddsmith.registry import find_mechanic
from oddsmith.terminal import ActionSequence, Reply, TerminalPlay
from oddsmith.text import escape_markup

if TYPE_CHECKING:
    from rich.console import Console

    from oddsmith.game import Outcome, Seat


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[float], None]]:
    """Yield a function that shows the done share of long work, on stderr and only in a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import Progress

    with (
        _catch_interrupts() as raise_interrupt,
        Progress(console=console(stderr=True), transient=True) as progress,
    ):
        task = progress.add_task(escape_markup(what), total=1.0)

        def report(done: float) -> None:
            raise_interrupt()
            progress.update(task, completed=done)

        yield report


@contextmanager
def _catch_interrupts() -> Iterator[Callable[[], None]]:
    """Yield a function that raises `KeyboardInterrupt` once Ctrl-C was pressed: compiled code may lose the first one."""
    pressed: list[int] = []

    def press(number: int, _: object) -> None:
        pressed.append(number)
        raise KeyboardInterrupt

    def raise_interrupt() -> None:
        if pressed:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, press)
    try:
        yield raise_interrupt
    finally:
        signal.signal(signal.SIGINT, before)


def over_line(outcome: "Outcome") -> str:
    """Say that the game is over, and why."""
    return f"[bold]over: {escape_markup(outcome.why.replace('_', ' '))}[/]"


LONGEST_ANSWER: Final = 200


class Leave(Exception):  # noqa: N818  it is a wish, not an error
    """The person wants to go."""


def answer_line(out: "Console") -> str:
    """Read one line; what no terminal has shown is written down, so that a transcript reads well.

    The end of input leaves the table.
    """
    try:
        answer = out.input("> ").strip().lower()
    except EOFError:
        out.print()
        raise Leave from None
    if not sys.stdin.isatty():
        out.print(escape_markup(answer))
    return answer


def ask(
    out: "Console",
    shown: TerminalPlay[Any, Any],
    view: Any,  # noqa: ANN401  whatever the game's views are
    actions: Sequence[Any],
    answered: "Callable[[Console], str] | None" = None,
) -> tuple[Any, ...]:
    """Ask until the answer is a choice, or several in a row; `q` leaves the table.

    `answered` reads a line in another way than from standard input alone.
    """
    for line in shown.choice_lines(view, actions):
        out.print(line)
    while True:
        answer = (answered or answer_line)(out)
        if answer in ("q", "quit"):
            raise Leave
        try:
            found = shown.read_answer(answer[:LONGEST_ANSWER], view, actions)
        except OddsmithError as error:
            found = Reply((f"[red]{escape_markup(str(error))}[/]",))
        if isinstance(found, ActionSequence):
            return found.actions
        if not isinstance(found, Reply):
            return (found,)
        for line in found.lines:
            out.print(line)


def find_terminal_play(game: str, viewer: "Seat | None" = None) -> TerminalPlay[Any, Any]:
    """Return how a game is played in a terminal; the default play calls the seat of the viewer `you`."""
    mechanic = find_mechanic(game)
    if mechanic.terminal is not None and mechanic.terminal.play is not None:
        return mechanic.terminal.play
    from oddsmith.default_play import DefaultPlay

    return DefaultPlay(mechanic, viewer)

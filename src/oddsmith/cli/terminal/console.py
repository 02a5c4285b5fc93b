"""The terminal of a command: its console, JSON output, and a progress bar."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from oddsmith.command_output import console, print_json
from oddsmith.text import plain

if TYPE_CHECKING:
    from oddsmith.game import Outcome

__all__ = ["console", "over_line", "print_json", "progress_bar"]


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[float], None]]:
    """Show how far long work is, on stderr and only in a terminal; it vanishes when the work is done."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import Progress

    with (
        _heard_interrupts() as require_patience,
        Progress(console=console(stderr=True), transient=True) as progress,
    ):
        task = progress.add_task(plain(what), total=1.0)

        def report(done: float) -> None:
            require_patience()
            progress.update(task, completed=done)

        yield report


@contextmanager
def _heard_interrupts() -> Iterator[Callable[[], None]]:
    """Yield a question that raises once Ctrl-C was pressed: compiled code may lose the first exception."""
    pressed: list[int] = []

    def press(number: int, _: object) -> None:
        pressed.append(number)
        raise KeyboardInterrupt

    def require_patience() -> None:
        if pressed:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, press)
    try:
        yield require_patience
    finally:
        signal.signal(signal.SIGINT, before)


def over_line(outcome: "Outcome") -> str:
    """Say that the game is over, and why."""
    return f"[bold]over: {plain(outcome.why.replace('_', ' '))}[/]"

"""How answers are shown: aligned text in a terminal, plain text elsewhere, JSON when asked."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal

import typer

from oddsmith.showing import SUPERSCRIPTS, percent

if TYPE_CHECKING:
    from rich.console import Console

    from oddsmith.game import Outcome

__all__ = [
    "bars",
    "columns",
    "console",
    "literal",
    "over_line",
    "percent",
    "plain",
    "print_json",
    "progress_bar",
    "title",
    "whole",
    "why",
]

BLOCKS: Final = " ▏▎▍▌▋▊▉█"
LONGEST_WHOLE: Final = 10**18


def console(*, stderr: bool = False) -> "Console":
    """Return the console of an output; where it is no terminal or NO_COLOR is set, its text is plain."""
    from rich.console import Console

    return Console(
        highlight=False,
        emoji=False,
        soft_wrap=True,
        stderr=stderr,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
    )


def print_json(reply: object) -> None:
    """Print one JSON document."""
    from oddsmith.wire import to_json

    typer.echo(to_json(reply).decode())


def literal(text: str) -> str:
    r"""Return text as one line in which nothing can act on a terminal.

    >>> print(literal("\x1b[31mred\n"))
    \x1b[31mred\n
    """
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def plain(text: str) -> str:
    r"""Return somebody else's text as markup that shows it as it is.

    >>> print(plain("[red]"))
    \[red]
    """
    from rich.markup import escape

    return escape(literal(text))


def why(error: OSError | ValueError) -> str:
    """Say why a file could not be written.

    >>> why(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    """
    reason = getattr(error, "strerror", None) or str(error)
    return reason[:1].lower() + reason[1:]


def title(name: str) -> str:
    """Return a name as people write it.

    >>> title("calamity_rose")
    'Calamity Rose'
    """
    return name.replace("_", " ").title()


def whole(number: int) -> str:
    """Write a whole number for show: in full, or by its size where it would fill lines.

    >>> whole(2598960), whole(2598960**9)
    ('2,598,960', '5.410 × 10⁵⁷')
    """
    if number < LONGEST_WHOLE:
        return f"{number:,}"
    digits, _, power = f"{number:.3e}".partition("e+")
    return f"{digits} × 10{power.translate(SUPERSCRIPTS)}"


def bar(share: float, width: int) -> str:
    """Draw a share of a width in eighths of a character.

    >>> bar(0.5, 4)
    '██'
    """
    eighths = round(share * width * 8)
    if share > 0:
        eighths = max(1, eighths)
    return ("█" * (eighths // 8) + BLOCKS[eighths % 8]).rstrip()


def bars(
    rows: Sequence[tuple[str, int, str]], total: int, *, align: Literal["<", ">"] = "<", width: int = 40
) -> Iterator[str]:
    r"""Draw a histogram: for each row its label, its share of the total, its bar in rich's markup.

    >>> print("\n".join(bars([("heads", 1, "green"), ("tails", 3, "")], 4, width=4)))
    heads  25.00 %  [green]█▍[/]
    tails  75.00 %  ████
    """
    labels = max(len(label) for label, _, _ in rows)
    shares = _on_the_point([percent(Fraction(count, total)) for _, count, _ in rows])
    highest = max(count for _, count, _ in rows)
    for (label, count, style), share in zip(rows, shares, strict=True):
        drawn = bar(count / highest, width)
        styled = f"[{style}]{drawn}[/]" if style and drawn else drawn
        yield f"{label:{align}{labels}}  {share}  {styled}".rstrip()


def _on_the_point(shares: Sequence[str]) -> Iterator[str]:
    """Pad percentages so that their decimal points stand below each other."""
    parts = [share.removesuffix(" %").partition(".") for share in shares]
    before = max(len(left) for left, _, _ in parts)
    after = max(len(point + right) for _, point, right in parts)
    for left, point, right in parts:
        yield f"{left:>{before}}{point + right:<{after}} %"


def columns(rows: Sequence[Sequence[str]], *, names: int = 1) -> Iterator[str]:
    r"""Line up cells: the first of each row, or so many names, to the left, the others to the right.

    >>> print("\n".join(columns([("rest", "60 min"), ("buy Whiskey", "$5")])))
    rest         60 min
    buy Whiskey      $5
    """
    longest = max(len(row) for row in rows)
    filled = [(*row, *[""] * (longest - len(row))) for row in rows]
    widths = [max(map(len, cells)) for cells in zip(*filled, strict=True)]
    for row in filled:
        cells = zip(row, widths, strict=True)
        named = [f"{cell:<{width}}" for cell, width in islice(cells, names)]
        yield "  ".join((*named, *(f"{cell:>{width}}" for cell, width in cells))).rstrip()


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

"""How answers are shown: aligned text in a terminal, plain text elsewhere, JSON when asked."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["bars", "console", "percent", "print_json", "progress_bar", "title"]

BLOCKS = " ▏▎▍▌▋▊▉█"


def console() -> "Console":
    """Return the console of standard output; colours are off where it is no terminal or NO_COLOR is set."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def print_json(reply: object) -> None:
    """Print one JSON document."""
    from oddsmith.wire import to_json

    typer.echo(to_json(reply).decode())


def title(name: str) -> str:
    """Return a name as people write it.

    >>> title("calamity_rose")
    'Calamity Rose'
    """
    return name.replace("_", " ").title()


def percent(chance: Fraction) -> str:
    """Write an exact chance for show; what is not zero is never shown as zero, nor 1 what is less.

    >>> percent(Fraction(1, 2)), percent(Fraction(4, 2598960)), percent(Fraction(1))
    ('50.00 %', '0.00015 %', '100 %')
    """
    if chance in (0, 1):
        return f"{int(chance) * 100} %"
    share = float(chance * 100)
    if share < 0.01:  # noqa: PLR2004  two decimals would show 0
        return f"{share:.2g} %" if share >= 1e-4 else f"{share:.1e} %"  # noqa: PLR2004  as few digits as say something
    if share > 99.99:  # noqa: PLR2004  two decimals would show 100
        return f"{min(share, 99.999999):.6f} %"
    return f"{share:.2f} %"


def bar(share: float, width: int) -> str:
    """Draw a share of a width in eighths of a character.

    >>> bar(0.5, 4)
    '██'
    """
    eighths = round(share * width * 8)
    if share > 0:
        eighths = max(1, eighths)
    return ("█" * (eighths // 8) + BLOCKS[eighths % 8]).rstrip()


def bars(rows: Sequence[tuple[str, int, str]], total: int, *, width: int = 40) -> Iterator[str]:
    r"""Draw a histogram: for each row its label, its share of the total, its bar in rich's markup.

    >>> print("\n".join(bars([("heads", 1, "green"), ("tails", 3, "")], 4, width=4)))
    heads  25.00 %  [green]█▎[/]
    tails  75.00 %  ████
    """
    labels = max(len(label) for label, _, _ in rows)
    shares = [percent(Fraction(count, total)) for _, count, _ in rows]
    numbers = max(len(share) for share in shares)
    highest = max(count for _, count, _ in rows) or 1
    for (label, count, style), share in zip(rows, shares, strict=True):
        drawn = bar(count / highest, width)
        styled = f"[{style}]{drawn}[/]" if style and drawn else drawn
        yield f"{label:<{labels}}  {share:>{numbers}}  {styled}".rstrip()


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[float], None]]:
    """Show how far long work is, on stderr and only in a terminal; it vanishes when the work is done."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(what, total=1.0)
        yield lambda done: progress.update(task, completed=done)

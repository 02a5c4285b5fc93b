"""Values as text for people: numbers, names, bars, aligned columns, and text that cannot act on a terminal.

A number that is not zero is never shown as zero. Lines may be in rich's markup; nothing here writes to a terminal.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import floor, log10
from typing import Final, Literal

__all__ = [
    "LONGEST_WHOLE",
    "SUPERSCRIPTS",
    "bar",
    "bars",
    "columns",
    "error_reason",
    "escape_markup",
    "escape_unprintable",
    "format_name",
    "format_percent",
    "format_small_chance",
    "format_whole",
]

SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Turns the digits of a power of ten into small ones."""
LONGEST_WHOLE: Final = 10**18
"""From here on a whole number is written by its size."""
BLOCKS: Final = " ▏▎▍▌▋▊▉█"
PLAIN: Final = 0.001
"""From here on three decimals say enough."""


def format_percent(chance: Fraction) -> str:
    """Write an exact chance for show; what is not zero is never shown as zero, nor 1 what is less.

    >>> percent(Fraction(1, 2)), percent(Fraction(4, 2598960)), percent(Fraction(1))
    ('50.00 %', '0.00015 %', '100 %')
    """
    if chance in (0, 1):
        return f"{int(chance) * 100} %"
    share = float(chance * 100)
    if share < 0.01:  # noqa: PLR2004  two decimals would show 0
        return f"{share:.{1 - floor(log10(share))}f} %" if share >= 1e-6 else f"{share:.1e} %"  # noqa: PLR2004  as few digits as say something
    if share > 99.99:  # noqa: PLR2004  two decimals would show 100
        return f"{min(share, 99.999999):.6f} %"
    return f"{share:.2f} %"


def format_small_chance(chance: float) -> str:
    """Write a chance that may be very small, by its power of ten where it is.

    >>> power(0.25), power(1.7e-20), power(0.0)
    ('0.250', '1.7·10⁻²⁰', '0')
    """
    if chance >= PLAIN or not chance:
        return f"{chance:.3f}" if chance else "0"
    digits, _, tens = f"{chance:.1e}".partition("e")
    return f"{digits}·10{str(int(tens)).translate(SUPERSCRIPTS)}"


def escape_unprintable(text: str) -> str:
    r"""Return text as one line in which nothing can act on a terminal.

    >>> print(literal("\x1b[31mred\n"))
    \x1b[31mred\n
    """
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def escape_markup(text: str) -> str:
    r"""Return somebody else's text as markup that shows it as it is.

    >>> print(plain("[red]"))
    \[red]
    """
    from rich.markup import escape  # noqa: PLC0415  rich is loaded only where markup is made

    return escape(escape_unprintable(text))


def error_reason(error: OSError | ValueError) -> str:
    """Say why a file could not be written.

    >>> why(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    """
    reason = getattr(error, "strerror", None) or str(error)
    return reason[:1].lower() + reason[1:]


def format_name(name: str) -> str:
    """Return a name as people write it.

    >>> title("calamity_rose")
    'Calamity Rose'
    """
    return name.replace("_", " ").title()


def format_whole(number: int) -> str:
    """Write a whole number for show: in full, or by its size where it would fill lines.

    >>> whole(2598960), whole(2598960**9)
    ('2,598,960', '5.410 × 10⁵⁷')
    """
    if number < LONGEST_WHOLE:
        return f"{number:,}"
    digits, _, exponent = f"{number:.3e}".partition("e+")
    return f"{digits} × 10{exponent.translate(SUPERSCRIPTS)}"


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
    shares = _on_the_point([format_percent(Fraction(count, total)) for _, count, _ in rows])
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

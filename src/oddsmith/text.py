"""Formatting for people: numbers, names, bars, aligned columns, and escaping of untrusted text for a terminal.

A number that is not zero is never formatted as zero. Lines may be in rich's markup. No function writes to a terminal.
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
"""A translation table from digits to superscripts."""
LONGEST_WHOLE: Final = 10**18
"""The first whole number that is formatted in scientific notation."""
BLOCKS: Final = " ▏▎▍▌▋▊▉█"
LEAST_PERCENT: Final = 0.01
"""The least percentage that is formatted with two decimals."""
TINY_PERCENT: Final = 1e-6
"""Percentages below it are formatted with an exponent."""
MOST_PERCENT: Final = 99.99
"""Percentages above it, below 100, are formatted with six decimals."""
LEAST_DECIMAL: Final = 0.001
"""The least chance that is formatted with three decimals."""


def format_percent(chance: Fraction) -> str:
    """Format an exact chance as a percentage; only 0 is formatted as 0 %, and only 1 as 100 %.

    >>> format_percent(Fraction(1, 2)), format_percent(Fraction(4, 2598960)), format_percent(Fraction(1))
    ('50.00 %', '0.00015 %', '100 %')
    """
    if chance in (0, 1):
        return f"{int(chance) * 100} %"
    share = float(chance * 100)
    if share < LEAST_PERCENT:
        return f"{share:.{1 - floor(log10(share))}f} %" if share >= TINY_PERCENT else f"{share:.1e} %"
    if share > MOST_PERCENT:
        return f"{min(share, 99.999999):.6f} %"
    return f"{share:.2f} %"


def format_small_chance(chance: float) -> str:
    """Format a chance with three decimals, or with a power of ten where it is small.

    >>> format_small_chance(0.25), format_small_chance(1.7e-20), format_small_chance(0.0)
    ('0.250', '1.7·10⁻²⁰', '0')
    """
    if chance >= LEAST_DECIMAL or not chance:
        return f"{chance:.3f}" if chance else "0"
    digits, _, tens = f"{chance:.1e}".partition("e")
    return f"{digits}·10{str(int(tens)).translate(SUPERSCRIPTS)}"


def escape_unprintable(text: str) -> str:
    r"""Return text as one line with all unprintable characters escaped.

    >>> print(escape_unprintable("\x1b[31mred\n"))
    \x1b[31mred\n
    """
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def escape_markup(text: str) -> str:
    r"""Return untrusted text as rich markup that shows it literally, with unprintable characters escaped.

    >>> print(escape_markup("[red]"))
    \[red]
    """
    from rich.markup import escape  # noqa: PLC0415  rich is loaded only where markup is made

    return escape(escape_unprintable(text))


def error_reason(error: OSError | ValueError) -> str:
    """Return the reason of an error of a file, in lower case.

    >>> error_reason(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    """
    reason = getattr(error, "strerror", None) or str(error)
    return reason[:1].lower() + reason[1:]


def format_name(name: str) -> str:
    """Format an identifier as a name.

    >>> format_name("calamity_rose")
    'Calamity Rose'
    """
    return name.replace("_", " ").title()


def format_whole(number: int) -> str:
    """Format a whole number: in full, or in scientific notation from `LONGEST_WHOLE` on.

    >>> format_whole(2598960), format_whole(2598960**9)
    ('2,598,960', '5.410 × 10⁵⁷')
    """
    if number < LONGEST_WHOLE:
        return f"{number:,}"
    digits, _, exponent = f"{number:.3e}".partition("e+")
    return f"{digits} × 10{exponent.translate(SUPERSCRIPTS)}"


def bar(share: float, width: int) -> str:
    """Return a bar of a share of `width` characters, in eighths of a character.

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
    r"""Yield the lines of a histogram from rows of label, count and style: label, share of the total, bar in rich's markup.

    >>> print("\n".join(bars([("heads", 1, "green"), ("tails", 3, "")], 4, width=4)))
    heads  25.00 %  [green]█▍[/]
    tails  75.00 %  ████
    """
    labels = max(len(label) for label, _, _ in rows)
    shares = _align_decimal_points([format_percent(Fraction(count, total)) for _, count, _ in rows])
    highest = max(count for _, count, _ in rows)
    for (label, count, style), share in zip(rows, shares, strict=True):
        blocks = bar(count / highest, width)
        styled = f"[{style}]{blocks}[/]" if style and blocks else blocks
        yield f"{label:{align}{labels}}  {share}  {styled}".rstrip()


def _align_decimal_points(shares: Sequence[str]) -> Iterator[str]:
    """Pad percentages so that their decimal points are aligned."""
    parts = [share.removesuffix(" %").partition(".") for share in shares]
    before = max(len(left) for left, _, _ in parts)
    after = max(len(point + right) for _, point, right in parts)
    for left, point, right in parts:
        yield f"{left:>{before}}{point + right:<{after}} %"


def columns(rows: Sequence[Sequence[str]], *, names: int = 1) -> Iterator[str]:
    r"""Yield rows of aligned cells: the first `names` of each row aligned to the left, the others to the right.

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

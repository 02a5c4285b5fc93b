"""Tables that a page shows are made anew in their places: between `<!-- exact: NAME -->` and `<!-- end -->`."""

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Final

TABLE: Final = re.compile(r"^<!-- exact: (?P<name>[a-z-]+) -->\n.*?^<!-- end -->$", re.DOTALL | re.MULTILINE)


def filled(text: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """Return the page with every table made anew."""
    return TABLE.sub(
        lambda found: f"<!-- exact: {found['name']} -->\n\n{tables[found['name']]()}\n\n<!-- end -->", text
    )


def places(text: str) -> list[str]:
    """Return the names of the tables that a page has a place for, in its order."""
    return [found["name"] for found in TABLE.finditer(text)]


def cell(written: str, row: str, column: str) -> str:
    """Return what stands in a written table."""
    lines = [line.strip("| ").split(" | ") for line in written.splitlines()]
    return next(line for line in lines if line[0] == row)[lines[0].index(column)]


def table(heads: Iterable[object], rows: Iterable[Iterable[str]]) -> str:
    """Write a table; its first column is words, the others are numbers."""
    titles = [str(head) for head in heads]
    lines: list[Iterable[str]] = [titles, ["---", *["---:"] * (len(titles) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def share(exact: Fraction) -> str:
    """Write a chance in hundredths; what is not 0 or 1 is never shown as that."""
    if exact in (0, 1):
        return f"{100 * int(exact)}"
    if exact < Fraction(1, 10_000):
        return "<0.01"
    return ">99.99" if exact > Fraction(9_999, 10_000) else f"{100 * float(exact):.2f}"


def gain(exact: Fraction) -> str:
    """Write what is added to a chance, or taken from it."""
    if exact == 0:
        return "="
    return f"+{share(exact)}" if exact > 0 else f"−{share(-exact)}"

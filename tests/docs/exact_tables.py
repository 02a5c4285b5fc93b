"""Generates the tables of a page between `<!-- exact: NAME -->` and `<!-- end -->`."""

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Final

TABLE: Final = re.compile(r"^<!-- exact: (?P<name>[a-z-]+) -->\n.*?^<!-- end -->$", re.DOTALL | re.MULTILINE)


def fill_tables(text: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """Return the page with every table generated again."""
    return TABLE.sub(
        lambda found: f"<!-- exact: {found['name']} -->\n\n{tables[found['name']]()}\n\n<!-- end -->", text
    )


def table_names(text: str) -> list[str]:
    """Return the names of the tables in a page, in its order."""
    return [found["name"] for found in TABLE.finditer(text)]


def cell_of(written: str, row: str, column: str) -> str:
    """Return a cell of a written table."""
    lines = [line.strip("| ").split(" | ") for line in written.splitlines()]
    return next(line for line in lines if line[0] == row)[lines[0].index(column)]


def make_table(heads: Iterable[object], rows: Iterable[Iterable[str]]) -> str:
    """Write a table whose first column is text and the others are numbers."""
    titles = [str(head) for head in heads]
    lines: list[Iterable[str]] = [titles, ["---", *["---:"] * (len(titles) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def format_share(exact: Fraction) -> str:
    """Write a chance in hundredths; only 0 and 1 are shown as such."""
    if exact in (0, 1):
        return f"{100 * int(exact)}"
    if exact < Fraction(1, 10_000):
        return "<0.01"
    return ">99.99" if exact > Fraction(9_999, 10_000) else f"{100 * float(exact):.2f}"


def format_gain(exact: Fraction) -> str:
    """Write the change of a chance."""
    if exact == 0:
        return "="
    return f"+{format_share(exact)}" if exact > 0 else f"−{format_share(-exact)}"

"""The speed of lint: all five games, as the command runs, with solved tables cached."""

from collections.abc import Iterator

from bench.measure import Row, at_most, command

PROMISED = 15


def rows() -> Iterator[Row]:
    """Measure what is promised of lint; the run that warms up fills the shelf."""
    seconds = command(["lint", "--fail-on", "never"], repeats=3)
    yield at_most("oddsmith lint, all five games, tables cached", seconds, PROMISED)


if __name__ == "__main__":
    from bench.measure import table

    print(table(list(rows())))

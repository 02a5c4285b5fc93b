"""Speed of lint: all five games, as the command runs, with solved tables cached."""

from collections.abc import Iterator

from bench.measure import Row, at_most, command

PROMISED = 15


def rows() -> Iterator[Row]:
    """Yield the benchmark of lint; the warm-up run fills the cache."""
    seconds = command(["lint", "--fail-on", "never"], repeats=3)
    yield at_most("oddsmith lint, all five games, tables cached", seconds, PROMISED)


if __name__ == "__main__":
    from bench.measure import format_rows

    print(format_rows(list(rows())))

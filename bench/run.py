"""Run benchmarks, print a table, write JSON, and compare with the last results of the same machine.

Every figure is held against a peer that is asked the same question in the same run, or against a floor of bare work
that is measured in the same run. Bounds are ratios, so they mean the same on every machine.
"""

import sys
import time
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Final

from bench.machine import MOST_LOAD, describe_setting, format_setting
from bench.results import (
    FOLDER,
    Earlier,
    Results,
    changes,
    earlier_rows,
    encode_results,
    file_name,
    write_results,
)
from bench.rows import Row
from bench.table import format_row, format_table

AREAS: Final = (
    "destiny",
    "duel",
    "dice",
    "fate",
    "casino",
    "balance",
    "position",
    "matches",
    "serve",
    "live_matches",
    "spectators",
    "web",
)
EXAMPLE: Final = """\
example:
  python -m bench.run destiny duel     two areas, a few minutes
  python -m bench.run --json           all areas, and JSON instead of the table

The exit status is 1 if a bound is missed.
"""

Measure = Callable[[], Iterable[Row]]


def load_area(area: str) -> Measure:
    """Return the function that yields the rows of an area; its module is loaded when it is called."""

    def rows() -> Iterator[Row]:
        yield from import_module(f"bench.{area}").rows()

    return rows


ALL: Final[Mapping[str, Measure]] = MappingProxyType({area: load_area(area) for area in AREAS})


def parse_arguments(words: Sequence[str], areas: Iterable[str]) -> Namespace:
    """Parse the command line; an unknown area ends the process with status 2."""
    parser = ArgumentParser(
        prog="python -m bench.run",
        description=(__doc__ or "").split("\n", 1)[0],
        epilog=EXAMPLE,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "areas", nargs="*", metavar="AREA", help=f"what to measure: {', '.join(areas)}; all by default"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    parser.add_argument("--reasons", action="store_true", help="print the reason of each bound")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write the JSON there, instead of into bench/results/"
    )
    arguments = parser.parse_args(words)
    if unknown := set(arguments.areas).difference(areas):
        parser.error(f"unknown area: {', '.join(sorted(unknown))}; there are {', '.join(areas)}")
    return arguments


def main(words: Sequence[str], areas: Mapping[str, Measure] = ALL, folder: Path = FOLDER) -> int:
    """Measure, report, and return the exit status: 1 if a bound was missed."""
    arguments = parse_arguments(words, areas)
    setting = describe_setting()
    report(format_setting(setting))
    if setting.is_loaded:
        report(f"warning: the load average is above {MOST_LOAD}: other work disturbs the measurements")
    chosen = {area: measure for area, measure in areas.items() if area in (arguments.areas or areas)}
    earlier = earlier_rows(folder.glob("*.json"), setting.machine)
    results = Results(
        at=datetime.now(UTC),
        setting=setting,
        areas={area: measure_area(area, measure) for area, measure in chosen.items()},
    )
    path = arguments.out or folder / file_name(results.at)
    write_results(results, path)
    if arguments.json:
        print(encode_results(results).decode(), end="")
    else:
        print(format_table(results.areas, changes(results.areas, earlier), reasons=arguments.reasons))
    report_end(results, path, earlier)
    return int(bool(results.missed))


def measure_area(area: str, measure: Measure) -> list[Row]:
    """Measure the rows of an area, and report each; raise `ValueError` if two have the same name."""
    rows: list[Row] = []
    start = time.monotonic()
    for row in measure():
        if row.name in {other.name for other in rows}:
            raise ValueError(f"two rows of {area} have the same name: {row.name}")
        rows.append(row)
        report(f"{area}: {format_progress(row)} ({time.monotonic() - start:.0f} s)")
        start = time.monotonic()
    return rows


def format_progress(row: Row) -> str:
    """Return the name and the figures of a row in one line."""
    return ", ".join(cell.strip() for cell in format_row(row, None) if cell)


def report_end(results: Results, path: Path, earlier: Mapping[tuple[str, str], Earlier]) -> None:
    """Report where the results are, what they were compared with, and which bounds were missed."""
    report(f"\nwritten to {path}")
    if earlier:
        last = max(one.at for one in earlier.values())
        report(f"change: of the ratio, or of the cost if there is none, since {last:%Y-%m-%d %H:%M} UTC")
    for row in results.missed:
        report(f"missed: {row.name}")


def report(line: str) -> None:
    """Print progress: to stderr, so that the table can be redirected."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

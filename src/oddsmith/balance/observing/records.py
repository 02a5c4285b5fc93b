"""Records of matches are counted by the rules that each of them holds."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from oddsmith.balance.observing.logs import LogReading
from oddsmith.balance.observing.observer import MetricsReport, Observer
from oddsmith.errors import InputError, OddsmithError
from oddsmith.records import Record, read_record_file
from oddsmith.registry import find_game

ENDING: Final = ".toml"
MOST_NAMED: Final = 20
LONGEST_WHY: Final = 200


class RecordsReading(msgspec.Struct, frozen=True, kw_only=True):
    """What was in some records: those that counted, those of other games or of practice, and those that are broken."""

    records: int = 0
    counted: int = 0
    other_games: int = 0
    practice: int = 0
    broken: int = 0
    named: tuple[str, ...] = ()


class MetricsReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith metrics`: all metrics, and what was in the sources that they are from."""

    report: MetricsReport
    log: LogReading | None = None
    records: RecordsReading | None = None
    store: RecordsReading | None = None


def require_records(reading: RecordsReading) -> None:
    """Refuse records of which some are broken, and name the first of them."""
    if reading.broken:
        named = "; ".join(reading.named[:3])
        raise InputError(
            "broken_records", f"{reading.broken:,} of {reading.records:,} records are broken: {named}"
        )


def record_files(paths: Sequence[Path]) -> list[Path]:
    """Return the files that are meant: each one that is given, and all `.toml` files in and below a folder."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(inner for inner in path.rglob(f"*{ENDING}") if inner.is_file())
        elif path.is_file():
            found.append(path)
        else:
            raise InputError("no_file", f"there is no record and no folder '{str(path)[:80]}'")
    return found


def records_of(files: Iterable[Path]) -> Iterator[tuple[str, Record | OddsmithError]]:
    """Yield the record of each file, or why there is none."""
    for file in files:
        try:
            yield str(file), read_record_file(file, find_game)
        except OddsmithError as error:
            yield str(file), error


def observe_records(
    records: Iterable[tuple[str, Record | OddsmithError]],
    observer: Observer,
    *,
    is_practice: Callable[[Record], bool] = lambda _: False,
) -> RecordsReading:
    """Count records, each with its name, and return what was in them; whether broken ones matter is yours.

    A match that was given up counts as far as it went: leaving out those that somebody was unhappy with would flatter
    luck. Practice, with luck that somebody chose, does not count.
    """
    counts = dict.fromkeys(("records", "counted", "other_games", "practice", "broken"), 0)
    named: list[str] = []
    for name, record in records:
        counts["records"] += 1
        try:
            counts[_observed(record, observer, is_practice)] += 1
        except OddsmithError as error:
            counts["broken"] += 1
            if len(named) < MOST_NAMED:
                named.append(f"{name}: {error.refusal.sentence[:LONGEST_WHY]}")
    return RecordsReading(**counts, named=tuple(named))


def _observed(
    record: Record | OddsmithError, observer: Observer, is_practice: Callable[[Record], bool]
) -> str:
    """Count a record, and say as what."""
    if isinstance(record, OddsmithError):
        raise record
    if record.game != observer.game:
        return "other_games"
    if is_practice(record):
        return "practice"
    observer.add_record(record)
    return "counted"

"""Observations from records of matches, each under its own rules, and from logs of other games, read line by line."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from oddsmith import wire
from oddsmith.balance.observing.observer import MetricsReport, Observer, metrics_of
from oddsmith.errors import InputError, OddsmithError
from oddsmith.metric import Resolution
from oddsmith.records import Record, read_record_file
from oddsmith.registry import find_game
from oddsmith.rules import Ruleset

LONGEST_LINE: Final = 64 * 1024
"""How many bytes a line has at most."""
MOST_NAMED: Final = 20
"""How many broken lines are named; all are counted."""
LONGEST_WHY: Final = 200
LINES_BETWEEN_REPORTS: Final = 1_000
STANDARD_INPUT: Final = Path("/dev/stdin")
MARK: Final = b"\xef\xbb\xbf"
"""What some editors write before the first line of a file in UTF-8."""


class BrokenLine(msgspec.Struct, frozen=True):
    """A line that says nothing: its number from 1, and why."""

    number: int
    why: str


class LogReading(msgspec.Struct, frozen=True, kw_only=True):
    """What was in a log: lines that counted, lines of other games, and broken ones, of which the first are named."""

    file: str
    lines: int
    counted: int
    other_games: int
    broken: int
    named: tuple[BrokenLine, ...]


class _Head(msgspec.Struct, frozen=True):
    """Of which game a line is, where it says so."""

    game: str | None = None


def observe_log(
    path: Path, observer: Observer, rules: Ruleset, progress: Callable[[float], None] = lambda _: None
) -> LogReading:
    """Count every line of a file under some rules, and return what was in it; whether broken lines matter is yours.

    The path `-` is the standard input.
    """
    try:
        with (STANDARD_INPUT if str(path) == "-" else path).open("rb") as file:
            size = os.fstat(file.fileno()).st_size or 1
            return _counted(file, str(path), observer, rules, lambda read: progress(min(1.0, read / size)))
    except OSError as error:
        why = (error.strerror or "it is no file").lower()
        raise InputError("no_file", f"the log '{str(path)[:80]}' cannot be read: {why}") from error


def require_unbroken(reading: LogReading) -> None:
    """Refuse a log with broken lines, and name the first of them."""
    if not reading.broken:
        return
    named = "; ".join(f"line {one.number}: {one.why}" for one in reading.named[:3])
    more = "" if reading.broken <= 3 else "; …"  # noqa: PLR2004  as many as are named
    raise InputError(
        "broken_lines",
        f"{reading.broken:,} of {reading.lines:,} lines of '{reading.file[:80]}' are broken: {named}{more}",
        where=f"line {reading.named[0].number}",
    )


def _counted(
    file: BinaryIO, name: str, observer: Observer, rules: Ruleset, progress: Callable[[int], None]
) -> LogReading:
    decode = wire.make_decoder(metrics_of(observer.game).RESOLUTIONS)
    head = wire.make_decoder(_Head)
    read = lines = counted = others = broken = 0
    named: list[BrokenLine] = []
    for number, line in enumerate(_lines(file), 1):
        read += LONGEST_LINE if line is None else len(line)
        if number % LINES_BETWEEN_REPORTS == 0:
            progress(read)
        if line is not None and not line.strip():
            continue
        lines += 1
        try:
            resolution = _resolution(line, observer.game, head, decode)
            if resolution is None:
                others += 1
            else:
                observer.add(resolution, rules)
                counted += 1
        except OddsmithError as error:
            broken += 1
            if len(named) < MOST_NAMED:
                named.append(BrokenLine(number, error.refusal.sentence[:LONGEST_WHY]))
    return LogReading(
        file=name, lines=lines, counted=counted, other_games=others, broken=broken, named=tuple(named)
    )


def _resolution(
    line: bytes | None, game: str, head: Callable[[bytes], Any], decode: Callable[[bytes], Any]
) -> Resolution | None:
    """Return what a line says; None where it is of another game."""
    if line is None:
        raise InputError("line_too_long", f"a line has at most {LONGEST_LINE:,} bytes")
    if b'"game"' in line and head(line).game not in (None, game):
        return None
    resolution: Resolution = decode(line)
    return resolution


def _lines(file: BinaryIO) -> Iterator[bytes | None]:
    """Yield line after line; None for one that is too long, of which no more is kept than fits."""
    first = True
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            yield line.removeprefix(MARK) if first else line
            first = False
            continue
        while (rest := file.readline(LONGEST_LINE + 1)) and not rest.endswith(b"\n"):
            pass
        yield None


ENDING: Final = ".toml"


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

"""Sources of observations: records of matches, each under its own rules, and logs of other games, line by line."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from oddsmith import wire
from oddsmith.balance.metrics.observer import MetricsReport, Observer, metrics_of
from oddsmith.errors import InputError, OddsmithError
from oddsmith.metric import Resolution
from oddsmith.records import Record, read_record_file
from oddsmith.registry import find_game
from oddsmith.rules import Ruleset

LONGEST_LINE: Final = 64 * 1024
"""The greatest length of a line in bytes."""
MOST_NAMED: Final = 20
"""The number of broken lines or records that are listed; all are counted."""
MOST_QUOTED: Final = 3
"""The number of broken lines or records in the sentence of a refusal."""
LONGEST_REASON: Final = 200
LINES_BETWEEN_REPORTS: Final = 1_000
STANDARD_INPUT: Final = Path("/dev/stdin")
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
"""The byte order mark that some editors write at the start of a UTF-8 file."""


class BrokenLine(msgspec.Struct, frozen=True):
    """An invalid line: its number from 1, and the reason."""

    number: int
    why: str


class LogSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of lines of a log: counted, of other games, and broken, of which the first are listed."""

    file: str
    lines: int
    counted: int
    other_games: int
    broken: int
    named: tuple[BrokenLine, ...]


class _LineHeader(msgspec.Struct, frozen=True):
    """The game of a line, where it names one."""

    game: str | None = None


def observe_log(
    path: Path, observer: Observer, rules: Ruleset, progress: Callable[[float], None] = lambda _: None
) -> LogSummary:
    """Count every line of a file under some rules, and return a summary; broken lines are reported in it, not raised.

    The path `-` is the standard input. A file that cannot be read is refused with `no_file`.
    """
    try:
        with (STANDARD_INPUT if str(path) == "-" else path).open("rb") as file:
            size = os.fstat(file.fileno()).st_size or 1
            return _observe_lines(
                file, str(path), observer, rules, lambda read: progress(min(1.0, read / size))
            )
    except OSError as error:
        why = (error.strerror or "it is no file").lower()
        raise InputError("no_file", f"the log '{str(path)[:80]}' cannot be read: {why}") from error


def require_valid_lines(reading: LogSummary) -> None:
    """Refuse a log with broken lines, and name the first of them."""
    if not reading.broken:
        return
    named = "; ".join(f"line {one.number}: {one.why}" for one in reading.named[:MOST_QUOTED])
    more = "" if reading.broken <= MOST_QUOTED else "; …"
    raise InputError(
        "broken_lines",
        f"{reading.broken:,} of {reading.lines:,} lines of '{reading.file[:80]}' are broken: {named}{more}",
        where=f"line {reading.named[0].number}",
    )


def _observe_lines(
    file: BinaryIO, name: str, observer: Observer, rules: Ruleset, progress: Callable[[int], None]
) -> LogSummary:
    decode = wire.make_decoder(metrics_of(observer.game).RESOLUTIONS)
    decode_header = wire.make_decoder(_LineHeader)
    read = lines = counted = others = broken = 0
    named: list[BrokenLine] = []
    for number, line in enumerate(_read_lines(file), 1):
        read += LONGEST_LINE if line is None else len(line)
        if number % LINES_BETWEEN_REPORTS == 0:
            progress(read)
        if line is not None and not line.strip():
            continue
        lines += 1
        try:
            resolution = _decode_line(line, observer.game, decode_header, decode)
            if resolution is None:
                others += 1
            else:
                observer.add(resolution, rules)
                counted += 1
        except OddsmithError as error:
            broken += 1
            if len(named) < MOST_NAMED:
                named.append(BrokenLine(number, error.refusal.sentence[:LONGEST_REASON]))
    return LogSummary(
        file=name, lines=lines, counted=counted, other_games=others, broken=broken, named=tuple(named)
    )


def _decode_line(
    line: bytes | None, game: str, decode_header: Callable[[bytes], Any], decode: Callable[[bytes], Any]
) -> Resolution | None:
    """Return the resolution of a line; None where it is of another game."""
    if line is None:
        raise InputError("line_too_long", f"a line has at most {LONGEST_LINE:,} bytes")
    if b'"game"' in line and decode_header(line).game not in (None, game):
        return None
    resolution: Resolution = decode(line)
    return resolution


def _read_lines(file: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines of a file, and None for each line that is too long, which is skipped without reading it whole."""
    first = True
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            yield line.removeprefix(BYTE_ORDER_MARK) if first else line
            first = False
            continue
        while (rest := file.readline(LONGEST_LINE + 1)) and not rest.endswith(b"\n"):
            pass
        yield None


SUFFIX: Final = ".toml"


class RecordsSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of records: counted, of other games, of practice, and broken."""

    records: int = 0
    counted: int = 0
    other_games: int = 0
    practice: int = 0
    broken: int = 0
    named: tuple[str, ...] = ()


class MetricsReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith metrics`: all metrics, and summaries of their sources."""

    report: MetricsReport
    log: LogSummary | None = None
    records: RecordsSummary | None = None
    store: RecordsSummary | None = None


def require_valid_records(reading: RecordsSummary) -> None:
    """Refuse broken records, and name the first of them."""
    if reading.broken:
        named = "; ".join(reading.named[:MOST_QUOTED])
        raise InputError(
            "broken_records", f"{reading.broken:,} of {reading.records:,} records are broken: {named}"
        )


def find_record_files(paths: Sequence[Path]) -> list[Path]:
    """Return each given file, and all `.toml` files in and below each given folder; other paths are refused."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(inner for inner in path.rglob(f"*{SUFFIX}") if inner.is_file())
        elif path.is_file():
            found.append(path)
        else:
            raise InputError("no_file", f"there is no record and no folder '{str(path)[:80]}'")
    return found


def read_records(files: Iterable[Path]) -> Iterator[tuple[str, Record | OddsmithError]]:
    """Yield the name of each file with its record, or with the error of reading it."""
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
) -> RecordsSummary:
    """Count records, each with its name, and return a summary; broken ones are reported in it, not raised.

    An abandoned match counts up to its last move: to leave out matches that a player gave up would bias the
    results. Practice, with luck that a player chose, does not count.
    """
    counts = dict.fromkeys(("records", "counted", "other_games", "practice", "broken"), 0)
    named: list[str] = []
    for name, record in records:
        counts["records"] += 1
        try:
            counts[_observe_record(record, observer, is_practice)] += 1
        except OddsmithError as error:
            counts["broken"] += 1
            if len(named) < MOST_NAMED:
                named.append(f"{name}: {error.refusal.sentence[:LONGEST_REASON]}")
    return RecordsSummary(**counts, named=tuple(named))


def _observe_record(
    record: Record | OddsmithError, observer: Observer, is_practice: Callable[[Record], bool]
) -> str:
    """Count a record, and return the field of the summary that it belongs to."""
    if isinstance(record, OddsmithError):
        raise record
    if record.game != observer.game:
        return "other_games"
    if is_practice(record):
        return "practice"
    observer.add_record(record)
    return "counted"

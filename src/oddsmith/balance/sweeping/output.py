"""Output of a sweep as CSV or Parquet, and the folder of finished chunks while a sweep runs."""

import csv
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import msgspec
from filelock import FileLock, Timeout

from oddsmith import wire
from oddsmith.balance.sweeping.plan import FIGURES, Sweep
from oddsmith.balance.sweeping.rows import Row, decode_rows
from oddsmith.errors import InputError, MissingExtraError
from oddsmith.figure import Unit

if TYPE_CHECKING:
    import pyarrow as pa


Kind: TypeAlias = Literal["int64", "double", "string", "bool"]
"""The type of a column, in the words of Parquet."""

CSV: Final = ".csv"
PARQUET: Final = ".parquet"
ROW_GROUP_SIZE: Final = 100_000
"""The number of rows of a row group in a Parquet file, which are in memory while it is written."""


def columns(sweep: Sweep) -> dict[str, Kind]:
    """Return the columns of a sweep's table by their names, each with its type: `int64`, `double`, `string` or `bool`.

    >>> from oddsmith.balance.sweeping.sweep_files import parse_sweep
    >>> from oddsmith.games.fate import Rules
    >>> vary = [{"key": "figures.mean.cards", "values": [1, 2]}]
    >>> sweep = parse_sweep({"game": Rules.game, "figures": {"mean": {"figure": "draw.mean"}}, "vary": vary})
    >>> list(columns(sweep))
    ['row', 'figures.mean.cards', 'mean', 'mean.exact', 'mean.error', 'mean.basis', 'refused']
    """
    return dict(_columns(sweep))


def require_columns(sweep: Sweep) -> None:
    """Refuse a sweep with two columns of the same name."""
    names = Counter(name for name, _ in _columns(sweep))
    name, count = names.most_common(1)[0]
    if count > 1:
        raise InputError(
            "column_twice",
            f"two columns would be called '{name[:80]}': give the figure another name",
            where=f"{FIGURES}.{name[:80]}",
        )


def _columns(sweep: Sweep) -> Iterator[tuple[str, Kind]]:
    yield "row", "int64"
    for axis in sweep.axes:
        yield axis.key, _kind(axis.values)
    for name in sweep.figures:
        yield name, "string" if sweep.kind(name).unit is Unit.NAME else "double"
        yield f"{name}.exact", "string"
        yield f"{name}.error", "double"
        yield f"{name}.basis", "string"
    yield "refused", "string"


def require_output(out: Path) -> None:
    """Refuse an output with an unknown suffix, without its folder, or in Parquet without pyarrow."""
    if out.suffix.lower() not in {CSV, PARQUET}:
        raise InputError("unknown_table", f"a table ends in {CSV} or {PARQUET}, not '{out.name[:60]}'")
    if not out.parent.is_dir():
        raise InputError(
            "not_written",
            f"the table '{str(out)[:80]}' cannot be written: there is no folder '{str(out.parent)[:80]}'",
        )
    if out.suffix.lower() == PARQUET:
        try:
            import_module("pyarrow.parquet")
        except ImportError as error:
            raise MissingExtraError(
                "no_pyarrow", f"Parquet needs pyarrow: install oddsmith[sweep], or write {CSV}"
            ) from error


def write_table(sweep: Sweep, rows: Iterable[Row], out: Path) -> None:
    """Write a table to a temporary file, and rename it when it is complete."""
    unfinished = out.with_name(f".{out.name}.part")
    write = _write_csv if out.suffix.lower() == CSV else _write_parquet
    try:
        write(sweep, _table_rows(sweep, rows), unfinished)
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        unfinished.replace(out)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def _kind(values: Sequence[object]) -> Kind:
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return "bool"
    if kinds == {int}:
        return (
            "int64"
            if all(-(2**63) <= value < 2**63 for value in values if isinstance(value, int))
            else "string"
        )
    return "double" if kinds <= {int, Decimal} else "string"


def _table_rows(sweep: Sweep, rows: Iterable[Row]) -> Iterator[list[Any]]:
    """Yield the values of each row in the types of its columns."""
    kinds = [_kind(axis.values) for axis in sweep.axes]
    empty = [None] * (4 * len(sweep.figures))
    for number, row in enumerate(rows):
        varied = (_convert(value, kind) for value, kind in zip(sweep.values(number), kinds, strict=True))
        cells = [part for cell in row.cells for part in (cell.value, cell.exact, cell.error, cell.basis)]
        yield [number, *varied, *(cells or empty), row.refused]


def _convert(value: object, kind: Kind) -> object:
    match kind:
        case "double":
            return float(value)  # type: ignore[arg-type]  # its kind says that it is a number
        case "string":
            return str(value).lower() if isinstance(value, bool) else str(value)
    return value


def _write_csv(sweep: Sweep, lines: Iterable[list[Any]], place: Path) -> None:
    with place.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns(sweep))
        for line in lines:
            table.writerow([str(value).lower() if isinstance(value, bool) else value for value in line])


def _write_parquet(sweep: Sweep, lines: Iterator[list[Any]], place: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _schema(sweep)
    with pq.ParquetWriter(place, schema) as table:
        while group := list(islice(lines, ROW_GROUP_SIZE)):
            named = zip(schema, zip(*group, strict=True), strict=True)
            arrays = [pa.array(values, field.type) for field, values in named]
            table.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _schema(sweep: Sweep) -> "pa.Schema":
    import pyarrow as pa

    about = {
        "fingerprint": sweep.fingerprint,
        "game": sweep.game,
        "rules_id": sweep.rules.rules_id,
        "version": sweep.version,
        "figures": sweep.figures,
        "axes": sweep.axes,
        "sample": sweep.sample,
    }
    fields = [pa.field(name, pa.type_for_alias(kind)) for name, kind in columns(sweep).items()]
    return pa.schema(fields, metadata={"oddsmith.sweep": wire.to_json(about)})


PARTS_SUFFIX: Final = ".parts"
ABOUT_FILE: Final = "sweep.json"
LOCK_FILE: Final = "lock"
CHUNK_PREFIX: Final = "chunk-"


class PartsHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The header of a folder of finished chunks, which identifies its sweep."""

    fingerprint: str
    game: str
    rules_id: str
    rows: int


class Parts:
    """The finished chunks of one sweep, in a folder."""

    def __init__(self, folder: Path, sweep: Sweep) -> None:
        self.folder = folder
        self.sweep = sweep

    def finished_chunks(self) -> set[int]:
        """Return the numbers of the chunks that are complete."""
        return {number for number in range(self.sweep.chunks) if self._is_complete(number)}

    def write_chunk(self, number: int, part: bytes) -> None:
        """Write a chunk atomically: after a crash it is complete or absent."""
        place = self._chunk_file(number)
        unfinished = place.with_suffix(".part")
        unfinished.write_bytes(part)
        unfinished.replace(place)

    def rows(self) -> Iterator[Row]:
        """Yield the rows of all chunks in order."""
        for number in range(self.sweep.chunks):
            yield from decode_rows(self._chunk_file(number).read_bytes())

    def remove(self) -> None:
        """Remove the files of the sweep, and the folder if it is empty then."""
        for file in self.folder.iterdir():
            if file.name in {ABOUT_FILE, LOCK_FILE} or file.name.startswith(CHUNK_PREFIX):
                file.unlink()
        with suppress(OSError):
            self.folder.rmdir()

    def _chunk_file(self, number: int) -> Path:
        return self.folder / f"{CHUNK_PREFIX}{number:08d}.json"

    def _is_complete(self, number: int) -> bool:
        try:
            return len(decode_rows(self._chunk_file(number).read_bytes())) == len(
                self.sweep.chunk_rows(number)
            )
        except (OSError, msgspec.MsgspecError):
            return False


def parts_folder(out: Path) -> Path:
    """Return the folder of the finished chunks of an output.

    >>> parts_folder(Path("heist.parquet")).name
    'heist.parquet.parts'
    """
    return out.with_name(out.name + PARTS_SUFFIX)


@contextmanager
def open_parts(sweep: Sweep, out: Path, *, restart: bool = False) -> Iterator[Parts]:
    """Yield the finished chunks of an output under a lock; those of another sweep are refused, or removed with `restart`."""
    folder = parts_folder(out)
    _require_parts_folder(folder)
    folder.mkdir(exist_ok=True)
    parts = Parts(folder, sweep)
    lock = FileLock(folder / LOCK_FILE)
    try:
        lock.acquire(blocking=False)
    except Timeout as error:
        raise InputError(
            "sweep_runs", f"another run sweeps into '{str(out)[:80]}': wait for it, or end it"
        ) from error
    try:
        _resume(parts, restart=restart)
        yield parts
    finally:
        lock.release()
        if folder.is_dir() and not any(folder.glob(f"{CHUNK_PREFIX}*")):
            parts.remove()


def _resume(parts: Parts, *, restart: bool) -> None:
    """Verify that the folder is of the same sweep, or write its header; with `restart`, remove all chunks first."""
    sweep, place = parts.sweep, parts.folder / ABOUT_FILE
    expected = PartsHeader(
        fingerprint=sweep.fingerprint, game=sweep.game, rules_id=sweep.rules.rules_id, rows=sweep.rows
    )
    header = _read_header(place)
    if header is not None and header != expected and not restart:
        raise InputError(
            "other_sweep",
            f"'{parts.folder.name[:80]}' has parts of another sweep ({_describe_difference(header, expected)}): "
            "resume that one, or start again with --restart",
        )
    if restart:
        for file in parts.folder.glob(f"{CHUNK_PREFIX}*"):
            file.unlink()
    if header != expected:
        place.write_bytes(msgspec.json.encode(expected))


def _describe_difference(header: PartsHeader, expected: PartsHeader) -> str:
    """Return what differs between two headers."""
    if header.game != expected.game:
        return f"of {header.game}"
    if header.rules_id != expected.rules_id:
        return f"with rules {header.rules_id[:12]}, now {expected.rules_id[:12]}"
    if header.rows != expected.rows:
        return f"of {header.rows:,} rows, now {expected.rows:,}"
    return "its figures, its axes or the version of oddsmith have changed"


def _read_header(place: Path) -> PartsHeader | None:
    try:
        return msgspec.json.decode(place.read_bytes(), type=PartsHeader)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise _refuse_folder(place.parent) from error


def _require_parts_folder(folder: Path) -> None:
    """Refuse a path that is a file, or a folder with other content."""
    if folder.is_dir():
        foreign = (file.name for file in folder.iterdir() if file.name not in {ABOUT_FILE, LOCK_FILE})
        if not (folder / ABOUT_FILE).is_file() and any(foreign):
            raise _refuse_folder(folder)
    elif os.path.lexists(folder):
        raise _refuse_folder(folder)


def _refuse_folder(folder: Path) -> InputError:
    return InputError("not_parts", f"'{str(folder)[:80]}' exists, and has no parts of a sweep: move it")

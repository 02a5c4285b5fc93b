"""The output of a sweep as CSV or Parquet, and the finished chunks beside it while a sweep runs."""

import csv
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import msgspec
from filelock import FileLock, Timeout

from oddsmith import wire
from oddsmith.balance.sweeping.plan import FIGURES, Sweep
from oddsmith.balance.sweeping.rows import Row, decoded
from oddsmith.errors import InputError
from oddsmith.figure import Unit

if TYPE_CHECKING:
    import pyarrow as pa


Kind: TypeAlias = Literal["int64", "double", "string", "bool"]
"""What a column holds, in the words of Parquet."""

CSV: Final = ".csv"
PARQUET: Final = ".parquet"
GROUP: Final = 100_000
"""So many rows stand in a row group of a Parquet file, and in memory while it is written."""


def columns(sweep: Sweep) -> dict[str, Kind]:
    """Return the columns of a sweep's table by their names, each with its kind: `int64`, `double`, `string` or `bool`.

    >>> from oddsmith.balance.sweeping.sweep_files import sweep_from
    >>> from oddsmith.games.fate import Rules
    >>> vary = [{"key": "figures.mean.cards", "values": [1, 2]}]
    >>> sweep = sweep_from({"game": Rules.game, "figures": {"mean": {"figure": "draw.mean"}}, "vary": vary})
    >>> list(columns(sweep))
    ['row', 'figures.mean.cards', 'mean', 'mean.exact', 'mean.error', 'mean.basis', 'refused']
    """
    return dict(_columns(sweep))


def require_columns(sweep: Sweep) -> None:
    """Refuse a sweep of which two columns would have one name."""
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


def require_table(out: Path) -> None:
    """Refuse an output that no table can be written into, before anything is read."""
    if out.suffix.lower() not in {CSV, PARQUET}:
        raise InputError("unknown_table", f"a table ends in {CSV} or {PARQUET}, not '{out.name[:60]}'")
    if not out.parent.is_dir():
        raise InputError(
            "not_written",
            f"the table '{str(out)[:80]}' cannot be written: there is no folder '{str(out.parent)[:80]}'",
        )
    if out.suffix.lower() == PARQUET:
        try:
            import pyarrow.parquet  # noqa: F401, PLC0415  only whether it is there
        except ImportError as error:
            raise InputError(
                "no_pyarrow", f"Parquet needs pyarrow: install oddsmith[sweep], or write {CSV}"
            ) from error


def write_table(sweep: Sweep, rows: Iterable[Row], out: Path) -> None:
    """Write a table beside its place, and move it there when it is whole."""
    unfinished = out.with_name(f".{out.name}.part")
    write = _write_csv if out.suffix.lower() == CSV else _write_parquet
    try:
        write(sweep, _lines(sweep, rows), unfinished)
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


def _lines(sweep: Sweep, rows: Iterable[Row]) -> Iterator[list[Any]]:
    """Yield the values of each line, as its columns are."""
    kinds = [_kind(axis.values) for axis in sweep.axes]
    empty = [None] * (4 * len(sweep.figures))
    for number, row in enumerate(rows):
        varied = (_typed(value, kind) for value, kind in zip(sweep.values(number), kinds, strict=True))
        cells = [part for cell in row.cells for part in (cell.value, cell.exact, cell.error, cell.basis)]
        yield [number, *varied, *(cells or empty), row.refused]


def _typed(value: object, kind: Kind) -> object:
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
    import pyarrow as pa  # noqa: PLC0415  loaded when a table is written
    import pyarrow.parquet as pq  # noqa: PLC0415  as above

    schema = _schema(sweep)
    with pq.ParquetWriter(place, schema) as table:
        while group := list(islice(lines, GROUP)):
            named = zip(schema, zip(*group, strict=True), strict=True)
            arrays = [pa.array(values, field.type) for field, values in named]
            table.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _schema(sweep: Sweep) -> "pa.Schema":
    import pyarrow as pa  # noqa: PLC0415  as above

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


SUFFIX: Final = ".parts"
ABOUT: Final = "sweep.json"
LOCK: Final = "lock"
CHUNK: Final = "chunk-"


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder of parts says of itself."""

    fingerprint: str
    game: str
    rules_id: str
    rows: int


class Parts:
    """The finished chunks of one sweep, in a folder; none where the folder is not there."""

    def __init__(self, folder: Path, sweep: Sweep) -> None:
        self.folder = folder
        self.sweep = sweep

    def finished(self) -> set[int]:
        """Return the numbers of the chunks that are kept whole."""
        return {number for number in range(self.sweep.chunks) if self._is_whole(number)}

    def keep(self, number: int, part: bytes) -> None:
        """Keep a chunk; whoever is killed meanwhile leaves it whole, or not at all."""
        place = self._place(number)
        unfinished = place.with_suffix(".part")
        unfinished.write_bytes(part)
        unfinished.replace(place)

    def rows(self) -> Iterator[Row]:
        """Yield the rows of all chunks in their order."""
        for number in range(self.sweep.chunks):
            yield from decoded(self._place(number).read_bytes())

    def remove(self) -> None:
        """Remove what was kept, and nothing else that may stand there."""
        for file in self.folder.iterdir():
            if file.name in {ABOUT, LOCK} or file.name.startswith(CHUNK):
                file.unlink()
        with suppress(OSError):
            self.folder.rmdir()

    def _place(self, number: int) -> Path:
        return self.folder / f"{CHUNK}{number:08d}.json"

    def _is_whole(self, number: int) -> bool:
        try:
            return len(decoded(self._place(number).read_bytes())) == len(self.sweep.chunk_rows(number))
        except (OSError, msgspec.MsgspecError):
            return False


def parts_of(out: Path) -> Path:
    """Return where the parts of an output are kept.

    >>> parts_of(Path("heist.parquet")).name
    'heist.parquet.parts'
    """
    return out.with_name(out.name + SUFFIX)


@contextmanager
def kept_parts(sweep: Sweep, out: Path, *, restart: bool = False) -> Iterator[Parts]:
    """Open the parts of an output for one run alone; those of another sweep are refused, or removed to start anew."""
    folder = parts_of(out)
    _require_ours(folder)
    folder.mkdir(exist_ok=True)
    parts = Parts(folder, sweep)
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(blocking=False)
    except Timeout as error:
        raise InputError(
            "sweep_runs", f"another run sweeps into '{str(out)[:80]}': wait for it, or end it"
        ) from error
    try:
        _begin(parts, restart=restart)
        yield parts
    finally:
        lock.release()
        if folder.is_dir() and not any(folder.glob(f"{CHUNK}*")):
            parts.remove()


def _begin(parts: Parts, *, restart: bool) -> None:
    """Go on with the parts of the same sweep; write what the sweep is where none began."""
    sweep, place = parts.sweep, parts.folder / ABOUT
    about = About(
        fingerprint=sweep.fingerprint, game=sweep.game, rules_id=sweep.rules.rules_id, rows=sweep.rows
    )
    begun = _read(place)
    if begun is not None and begun != about and not restart:
        raise InputError(
            "other_sweep",
            f"'{parts.folder.name[:80]}' holds parts of another sweep ({_change(begun, about)}): "
            "go on with that one, or begin anew with --restart",
        )
    if restart:
        for file in parts.folder.glob(f"{CHUNK}*"):
            file.unlink()
    if begun != about:
        place.write_bytes(msgspec.json.encode(about))


def _change(begun: About, about: About) -> str:
    """Say what is another."""
    if begun.game != about.game:
        return f"of {begun.game}"
    if begun.rules_id != about.rules_id:
        return f"with rules {begun.rules_id[:12]}, now {about.rules_id[:12]}"
    if begun.rows != about.rows:
        return f"of {begun.rows:,} rows, now {about.rows:,}"
    return "its figures, its axes or the version of oddsmith have changed"


def _read(place: Path) -> About | None:
    try:
        return msgspec.json.decode(place.read_bytes(), type=About)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise _not_ours(place.parent) from error


def _require_ours(folder: Path) -> None:
    """Refuse to work in a folder, or to replace a file, that somebody else made."""
    if folder.is_dir():
        foreign = (file.name for file in folder.iterdir() if file.name not in {ABOUT, LOCK})
        if not (folder / ABOUT).is_file() and any(foreign):
            raise _not_ours(folder)
    elif os.path.lexists(folder):
        raise _not_ours(folder)


def _not_ours(folder: Path) -> InputError:
    return InputError(
        "not_parts", f"'{str(folder)[:80]}' is in the way, and holds no parts of a sweep: move it elsewhere"
    )

"""A table has a row for each point, in their order: as CSV or as Parquet, the same digits and always the same bytes."""

import csv
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from oddsmith import wire
from oddsmith.balance.sweeping.axes import FIGURES
from oddsmith.balance.sweeping.plan import Sweep
from oddsmith.balance.sweeping.reading import Row
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

    >>> from oddsmith.balance.sweeping.files import sweep_from
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

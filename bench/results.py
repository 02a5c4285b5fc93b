"""Results of a run as JSON, and their comparison with earlier results of the same machine."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

import msgspec

from bench.machine import Machine, Setting
from bench.rows import Row

FOLDER: Final = Path(__file__).parent / "results"


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """When and where it was measured, and the rows of each area."""

    at: datetime
    setting: Setting
    areas: dict[str, list[Row]]

    @property
    def missed(self) -> list[Row]:
        """The rows whose bounds do not hold."""
        return [row for rows in self.areas.values() for row in rows if not row.held]

    def to_data(self) -> dict[str, Any]:
        """Return the results as JSON data."""
        areas = {area: [row.to_data() for row in rows] for area, rows in self.areas.items()}
        return {**msgspec.to_builtins(self), "areas": areas}

    @classmethod
    def from_data(cls, data: object) -> Self:
        """Return the results of JSON data."""
        return msgspec.convert(data, cls)


def file_name(at: datetime) -> str:
    """Return the name of a file of results; names sort by time.

    >>> file_name(datetime(2026, 11, 18, 6, 30, tzinfo=UTC))
    '2026-11-18T06-30-00Z.json'
    """
    return f"{at.astimezone(UTC):%Y-%m-%dT%H-%M-%SZ}.json"


def write_results(results: Results, path: Path) -> None:
    """Write the results as JSON, and make the folder if it does not exist."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_results(results))


def encode_results(results: Results) -> bytes:
    """Return the results as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(results.to_data())) + b"\n"


def read_results(path: Path) -> Results:
    """Read the results that `write_results` wrote."""
    return Results.from_data(msgspec.json.decode(path.read_bytes()))


class Earlier(msgspec.Struct, frozen=True):
    """A row of an earlier run, and when it was measured."""

    row: Row
    at: datetime


def earlier_rows(paths: Iterable[Path], machine: Machine) -> dict[tuple[str, str], Earlier]:
    """Return the last figures that were measured on a machine, by area and name.

    A run of some areas does not hide the figures of the others. A file that has no results is skipped: the format may have
    changed since.
    """
    found: list[Results] = []
    for path in paths:
        try:
            found.append(read_results(path))
        except (msgspec.DecodeError, msgspec.ValidationError):
            continue
    return {
        (area, row.name): Earlier(row, results.at)
        for results in sorted(found, key=lambda one: one.at)
        if results.setting.machine == machine
        for area, rows in results.areas.items()
        for row in rows
    }


def change(now: Row, before: Row) -> float | None:
    """Return the change of the cost since then, as a share: 0.1 is 10 % slower.

    A row with a peer or a floor is compared by its ratio, so that a slower or busier machine changes nothing. None if the
    two rows are not held against the same.
    """
    if now.unit is not before.unit or _against(now) != _against(before):
        return None
    return now.relative_cost / before.relative_cost - 1


def _against(row: Row) -> str | None:
    return None if row.against is None else row.against.name


def changes(
    areas: Mapping[str, Sequence[Row]], earlier: Mapping[tuple[str, str], Earlier]
) -> dict[tuple[str, str], float]:
    """Return the change of each row that was measured before, by area and name."""
    found = {
        (area, row.name): change(row, earlier[area, row.name].row)
        for area, rows in areas.items()
        for row in rows
        if (area, row.name) in earlier
    }
    return {key: share for key, share in found.items() if share is not None}

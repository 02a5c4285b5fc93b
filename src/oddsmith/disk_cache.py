"""Solved tables are kept on disk by name; losing them costs only time."""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias
from zipfile import ZipFile

import msgspec

from oddsmith import wire
from oddsmith.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    Arrays: TypeAlias = Mapping[str, np.ndarray[Any, Any]]

__all__ = ["folder", "load", "store"]

FORMAT: Final = 1
VARIABLE: Final = "ODDSMITH_CACHE"
LARGEST: Final = 256 * 1024 * 1024
_HEADER: Final = "header.json"
_ARRAY: Final = ".npy"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,127}")


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a file says of itself: how it is written, under which name, which arrays, and what its keeper said."""

    format: int
    name: str
    arrays: tuple[str, ...]
    about: dict[str, Any]


def folder() -> Path | None:
    """Return where tables are kept: in `ODDSMITH_CACHE`, else in the user's cache; None where it is set empty."""
    given = os.environ.get(VARIABLE)
    if given is None:
        from platformdirs import user_cache_path  # noqa: PLC0415  needed only where a table is

        return user_cache_path("oddsmith", appauthor=False)
    return Path(given) if given else None


def load(name: str, header: Mapping[str, object] | None = None) -> "dict[str, np.ndarray[Any, Any]] | None":
    """Return the arrays that were kept under a name; None where there are none, or none that can be read.

    Every entry of `header` must stand in the header that they were kept with.
    """
    place = _place(name)
    try:
        return None if place is None else _read(place, name, header or {})
    except Exception:  # noqa: BLE001  whatever a broken file raises, it holds no tables
        return None


def store(name: str, arrays: "Arrays", header: Mapping[str, object] | None = None) -> None:
    """Keep arrays under a name, in place of any before; where that cannot be done, nothing is kept.

    A name has small letters, digits, dots, dashes and underscores. The header holds what JSON holds. Whoever takes
    the arrays meanwhile gets the old ones or the new ones, whole.
    """
    for given in (name, *arrays):
        _require_name(given)
    for key, array in arrays.items():
        if array.dtype.hasobject:
            raise InputError("not_numbers", f"'{key}' holds Python objects: only numbers are kept")
    written = wire.to_json(Header(format=FORMAT, name=name, arrays=tuple(arrays), about=dict(header or {})))
    place = _place(name)
    if place is not None and sum(array.nbytes for array in arrays.values()) <= LARGEST:
        with suppress(OSError):
            _write(place, written, arrays)


def _require_name(name: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise InputError(
            "bad_table_name",
            f"'{name[:40]}' is no name of a table: up to 128 of a-z, 0-9, dot, dash and underscore",
        )


def _place(name: str) -> Path | None:
    kept = folder()
    return None if kept is None or _NAME.fullmatch(name) is None else kept / f"{name}.npz"


def _read(place: Path, name: str, expected: Mapping[str, object]) -> "dict[str, np.ndarray[Any, Any]] | None":
    """Return the arrays of a file that is what it should be; None, or any exception, where it is not."""
    if not place.is_file():
        return None
    from numpy.lib.format import read_array  # noqa: PLC0415  slow to load, and needed only where there is a table

    with ZipFile(place) as archive:
        if sum(part.file_size for part in archive.infolist()) > LARGEST:
            return None
        header = wire.from_json(archive.read(_HEADER), Header)
        as_kept = wire.from_json(wire.to_json(expected), dict[str, Any])
        if (header.format, header.name) != (FORMAT, name) or header.about | as_kept != header.about:
            return None
        arrays = {}
        for key in header.arrays:
            with archive.open(f"{key}{_ARRAY}") as file:
                arrays[key] = read_array(file, allow_pickle=False)
        return arrays


def _write(place: Path, header: bytes, arrays: "Arrays") -> None:
    """Write a file beside its place and move it there when it is whole."""
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, path = mkstemp(dir=place.parent, prefix=".", suffix=".part")
    unfinished = Path(path)
    try:
        with os.fdopen(handle, "wb") as file:
            _pack(file, header, arrays)
            file.flush()
            os.fsync(handle)
        unfinished.replace(place)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def _pack(file: IO[bytes], header: bytes, arrays: "Arrays") -> None:
    from numpy.lib.format import write_array  # noqa: PLC0415  as above

    with ZipFile(file, "w") as archive:
        archive.writestr(_HEADER, header)
        for key, array in arrays.items():
            with archive.open(f"{key}{_ARRAY}", "w") as part:
                write_array(part, array, allow_pickle=False)

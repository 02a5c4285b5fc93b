"""A cache on disk for named sets of arrays, such as solutions; an entry may be lost at any time."""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile, mkstemp
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias
from zipfile import ZipFile

import msgspec

from oddsmith import wire
from oddsmith.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    Arrays: TypeAlias = Mapping[str, np.ndarray[Any, Any]]

__all__ = ["folder", "is_writable", "load", "store"]

FORMAT: Final = 1
VARIABLE: Final = "ODDSMITH_CACHE"
LARGEST: Final = 256 * 1024 * 1024
_HEADER: Final = "header.json"
_ARRAY: Final = ".npy"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,127}")


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The header of a file: its format, its name, the keys of its arrays, and the caller's entries."""

    format: int
    name: str
    arrays: tuple[str, ...]
    about: dict[str, Any]


def folder() -> Path | None:
    """Return the folder of the cache: `ODDSMITH_CACHE`, else the user's cache; None where the variable is empty."""
    given = os.environ.get(VARIABLE)
    if given is None:
        from platformdirs import user_cache_path  # noqa: PLC0415  needed only where the cache is used

        return user_cache_path("oddsmith", appauthor=False)
    return Path(given) if given else None


def is_writable() -> bool:
    """Return whether files can be stored in the folder, which is created if needed."""
    cache = folder()
    if cache is None:
        return False
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=cache):
            return True
    except OSError:
        return False


def load(name: str, header: Mapping[str, object] | None = None) -> "dict[str, np.ndarray[Any, Any]] | None":
    """Return the arrays that were stored under a name; None where there are none, or they cannot be read.

    Every entry of `header` must be in the header that they were stored with.
    """
    path = _path(name)
    try:
        return None if path is None else _read(path, name, header or {})
    except Exception:  # noqa: BLE001  whatever a broken file raises, it is a cache miss
        return None


def store(name: str, arrays: "Arrays", header: Mapping[str, object] | None = None) -> None:
    """Store arrays under a name, in place of earlier ones; do nothing where the folder cannot be written.

    A name has small letters, digits, dots, dashes and underscores. The header is JSON data. The file is replaced
    atomically: a concurrent `load` returns all old arrays or all new ones. Raise `InputError` for a bad name, and for
    arrays of Python objects.
    """
    for given in (name, *arrays):
        _require_name(given)
    for key, array in arrays.items():
        if array.dtype.hasobject:
            raise InputError("not_numbers", f"'{key}' holds Python objects: only numbers are stored")
    encoded = wire.to_json(Header(format=FORMAT, name=name, arrays=tuple(arrays), about=dict(header or {})))
    path = _path(name)
    if path is not None and sum(array.nbytes for array in arrays.values()) <= LARGEST:
        with suppress(OSError):
            _write(path, encoded, arrays)


def _require_name(name: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise InputError(
            "bad_table_name",
            f"'{name[:40]}' is no name of a table: up to 128 of a-z, 0-9, dot, dash and underscore",
        )


def _path(name: str) -> Path | None:
    parent = folder()
    return None if parent is None or _NAME.fullmatch(name) is None else parent / f"{name}.npz"


def _read(path: Path, name: str, expected: Mapping[str, object]) -> "dict[str, np.ndarray[Any, Any]] | None":
    """Return the arrays of a valid file; None, or any exception, where it is not valid."""
    if not path.is_file():
        return None
    from numpy.lib.format import read_array  # noqa: PLC0415  slow to load, and needed only for a cache hit

    with ZipFile(path) as archive:
        if sum(part.file_size for part in archive.infolist()) > LARGEST:
            return None
        header = wire.from_json(archive.read(_HEADER), Header)
        as_stored = wire.from_json(wire.to_json(expected), dict[str, Any])
        if (header.format, header.name) != (FORMAT, name) or header.about | as_stored != header.about:
            return None
        arrays = {}
        for key in header.arrays:
            with archive.open(f"{key}{_ARRAY}") as file:
                arrays[key] = read_array(file, allow_pickle=False)
        return arrays


def _write(path: Path, header: bytes, arrays: "Arrays") -> None:
    """Write a temporary file in the same folder, and rename it when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = mkstemp(dir=path.parent, prefix=".", suffix=".part")
    unfinished = Path(temporary)
    try:
        with os.fdopen(handle, "wb") as file:
            _write_archive(file, header, arrays)
            file.flush()
            os.fsync(handle)
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def _write_archive(file: IO[bytes], header: bytes, arrays: "Arrays") -> None:
    from numpy.lib.format import write_array  # noqa: PLC0415  slow to load

    with ZipFile(file, "w") as archive:
        archive.writestr(_HEADER, header)
        for key, array in arrays.items():
            with archive.open(f"{key}{_ARRAY}", "w") as part:
                write_array(part, array, allow_pickle=False)

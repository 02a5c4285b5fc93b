"""A record reaches its file whole or not at all, and takes the place of nothing but itself."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeAlias

from oddsmith.errors import RecordError
from oddsmith.records import Record
from oddsmith.text import why

Keep: TypeAlias = Callable[[Record], Path]
"""Writes a record to where it was agreed that it would be kept, and says where that is."""


def in_new_file(path: Path) -> Keep:
    """Return what keeps a record in a new file; one that exists or cannot be made is refused at once."""
    try:
        path.open("x").close()
    except FileExistsError as error:
        raise RecordError("file_exists", f"'{path}' exists already: choose another name") from error
    except OSError as error:
        raise _unwritable(path, error) from error
    path.unlink()

    def keep(record: Record) -> Path:
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(record.to_toml())
        except OSError as error:
            raise _unwritable(path, error) from error
        return path

    return keep


def in_same_file(path: Path) -> Keep:
    """Return what keeps a record in the file it was read from; one that cannot be written is refused at once.

    The record is written beside the file and moved over it: whatever happens, one of the two is there, whole.
    """
    place = path.resolve()
    try:
        place.open("r+b").close()
        before = place.read_bytes()
        _beside(place, "").unlink()
    except OSError as error:
        raise _unwritable(path, error) from error

    def keep(record: Record) -> Path:
        try:
            beside = _beside(place, record.to_toml())
            if place.read_bytes() != before:
                raise RecordError(
                    "file_changed",
                    f"'{path}' was changed by somebody else meanwhile: this game is kept in '{beside}'",
                )
            beside.replace(place)
        except OSError as error:
            raise _unwritable(path, error) from error
        return path

    return keep


def _beside(place: Path, text: str) -> Path:
    """Write a file of its own name into the folder of another, with the other's permissions."""
    with NamedTemporaryFile(
        "w", encoding="utf-8", dir=place.parent, prefix=f"{place.name}.", delete=False
    ) as file:
        beside = Path(file.name)
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            shutil.copymode(place, beside)
        except OSError:
            beside.unlink()
            raise
    return beside


def _unwritable(path: Path, error: OSError) -> RecordError:
    return RecordError("not_written", f"no record can be kept in '{str(path)[:80]}': {why(error)}")

"""Files that commands write atomically; an existing file is replaced only with `force`, or where it is a resumed record."""

import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeAlias

from oddsmith.errors import InputError, RecordError
from oddsmith.records import Record
from oddsmith.registry import find_source
from oddsmith.text import error_reason


def require_free(file: str, *, force: bool = False) -> None:
    """Refuse a file that is there already, or that cannot be made, before anything is computed."""
    path = Path(file)
    if (path.exists() or path.is_symlink()) and not force:
        sentence = f"'{file[:80]}' exists already: --force overwrites it"
        raise InputError("file_exists", sentence)
    if reason := _reason_against(path):
        raise InputError("not_written", f"'{file[:80]}' cannot be written: {reason}")


def write_whole(file: str, text: str) -> None:
    """Write a file under another name, then move it to its path when it is complete."""
    path = Path(file).resolve()
    try:
        beside = _write_beside(path, text)
        try:
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise InputError("not_written", f"'{file[:80]}' cannot be written: {error_reason(error)}") from error


def write_new(file: str, text: str, *, what: str) -> None:
    """Write a file that is not there yet; `what` names its contents where it cannot be written."""
    try:
        with Path(file).open("x", encoding="utf-8") as made:
            made.write(text)
    except FileExistsError as error:
        raise InputError("file_exists", f"'{file[:80]}' exists already: choose another name") from error
    except (OSError, ValueError) as error:
        raise InputError(
            "not_written", f"no {what} can be written to '{file[:80]}': {error_reason(error)}"
        ) from error


def replay_command(record: str, game: str) -> str:
    """Return the command that replays the record of a game in a file; it names the game's own file where it has one."""
    return _record_command(["oddsmith", "replay", record], game)


def resume_command(record: str, game: str) -> str:
    """Return the command that resumes the record of a game in a file; it names the game's own file where it has one."""
    return _record_command(["oddsmith", "play", "--resume", record], game)


def _record_command(words: Sequence[str], game: str) -> str:
    source = find_source(game)
    if source is not None and source.endswith(".py"):
        nearby = os.path.relpath(source)
        source = source if nearby.startswith("..") else f"./{nearby}"
    return shlex.join([*words, *([source] if source else [])])


def _reason_against(path: Path) -> str:
    """Return why no file can be written at a path; an empty text where one can."""
    if path.is_dir():
        return "it is a folder"
    if path.exists() and not path.is_file():
        return "it is no ordinary file"
    return "" if path.parent.is_dir() else f"there is no folder '{str(path.parent)[:80]}'"


def _write_beside(place: Path, text: str) -> Path:
    """Write a file of a new name into the folder of another, with the permissions of that one, or those of a new file."""
    with NamedTemporaryFile(
        "w", encoding="utf-8", dir=place.parent, prefix=f"{place.name}.", delete=False
    ) as file:
        beside = Path(file.name)
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            beside.chmod(place.stat().st_mode if place.exists() else 0o666 & ~_umask())
        except (OSError, ValueError):
            beside.unlink()
            raise
    return beside


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


WriteRecord: TypeAlias = Callable[[Record], Path]
"""Writes a record to the file that was chosen before, and returns its path."""


def in_new_file(path: Path) -> WriteRecord:
    """Return a function that writes a record to a new file; raise `RecordError` at once where it exists or cannot be made."""
    try:
        path.open("x").close()
    except FileExistsError as error:
        raise RecordError("file_exists", f"'{path}' exists already: choose another name") from error
    except OSError as error:
        raise _unwritable(path, error) from error
    path.unlink()

    def write(record: Record) -> Path:
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(record.to_toml())
        except OSError as error:
            raise _unwritable(path, error) from error
        return path

    return write


def in_same_file(path: Path) -> WriteRecord:
    """Return a function that writes a record to the file it was read from; raise `RecordError` at once where that fails.

    The record is written to another file, which then replaces the file atomically.
    """
    place = path.resolve()
    try:
        place.open("r+b").close()
        before = place.read_bytes()
        _write_beside(place, "").unlink()
    except OSError as error:
        raise _unwritable(path, error) from error

    def write(record: Record) -> Path:
        try:
            beside = _write_beside(place, record.to_toml())
            if place.read_bytes() != before:
                raise RecordError(
                    "file_changed",
                    f"'{path}' was changed by another program meanwhile: this game is recorded in '{beside}'",
                )
            beside.replace(place)
        except OSError as error:
            raise _unwritable(path, error) from error
        return path

    return write


def _unwritable(path: Path, error: OSError) -> RecordError:
    return RecordError(
        "not_written", f"no record can be written to '{str(path)[:80]}': {error_reason(error)}"
    )

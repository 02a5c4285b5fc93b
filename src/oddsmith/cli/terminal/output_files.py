"""A file that a command makes is written whole, and takes the place of another only when told to."""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from oddsmith.errors import InputError
from oddsmith.text import why


def require_free(file: str, *, force: bool = False) -> None:
    """Refuse a file that is there already, or that cannot be made, before anything is computed."""
    path = Path(file)
    if (path.exists() or path.is_symlink()) and not force:
        sentence = f"'{file[:80]}' exists already: --force puts the new file in its place"
        raise InputError("file_exists", sentence)
    if reason := _in_the_way(path):
        raise InputError("not_written", f"'{file[:80]}' cannot be written: {reason}")


def write_whole(file: str, text: str) -> None:
    """Write a file beside its place, and move it there when it is complete."""
    path = Path(file).resolve()
    try:
        beside = _beside(path)
        try:
            with beside.open("w", encoding="utf-8") as unfinished:
                unfinished.write(text)
                unfinished.flush()
                os.fsync(unfinished.fileno())
            beside.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise InputError("not_written", f"'{file[:80]}' cannot be written: {why(error)}") from error


def write_new(file: str, text: str, *, what: str) -> None:
    """Write a file that is not there yet; `what` names its contents where it cannot be written."""
    try:
        with Path(file).open("x", encoding="utf-8") as made:
            made.write(text)
    except FileExistsError as error:
        raise InputError("file_exists", f"'{file[:80]}' exists already: choose another name") from error
    except (OSError, ValueError) as error:
        raise InputError("not_written", f"no {what} can be kept in '{file[:80]}': {why(error)}") from error


def _in_the_way(path: Path) -> str:
    """Say why no file can be put in a place, or nothing: a device is not replaced, whoever asks for it."""
    if path.is_dir():
        return "it is a folder"
    if path.exists() and not path.is_file():
        return "it is no ordinary file"
    return "" if path.parent.is_dir() else f"there is no folder '{str(path.parent)[:80]}'"


def _beside(path: Path) -> Path:
    """Make an empty file of a name that nobody has, in the same folder."""
    with NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.", delete=False) as made:
        return Path(made.name)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask

"""The files of an open SQLite database, and whether they are still those that were opened."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

from oddsmith.errors import StoreAwayError, StoreReadOnlyError

SUFFIXES: Final = ("", "-wal", "-shm")
"""The files of a database: the database itself, its write-ahead log, and the index of this log in shared memory."""

Identity: TypeAlias = tuple[int, int]
"""Device and inode."""


class OpenFiles:
    """The files that a process has open of a database, compared with those that are at its path now.

    SQLite goes on with files that were removed, so that commits are lost, and the process ends by SIGBUS where the index in
    shared memory, which is mapped, was truncated. The files of a database stay the same while one connection is open.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places = tuple(f"{path}{suffix}" for suffix in SUFFIXES)
        self._identities = tuple(_identity_at(place) for place in self._places)
        self._index_size = 0
        self.require_unchanged()

    def require_unchanged(self) -> None:
        """Raise `StoreAwayError` where a file was removed or replaced, or one that must not shrink was truncated.

        Three system calls, some microseconds: called before each use of a connection, and after each commit.
        """
        try:
            file, log, index = map(os.stat, self._places)
        except OSError:
            raise _away_error(self.path) from None
        found = (file.st_dev, file.st_ino), (log.st_dev, log.st_ino), (index.st_dev, index.st_ino)
        if found != self._identities or not file.st_size or index.st_size < self._index_size:
            raise _away_error(self.path)
        self._index_size = index.st_size

    def restore_index_size(self) -> None:
        """Extend an index that was truncated to its size before, so that its mapping can be read; SQLite then makes it again.

        The size of the file is changed without opening it: closing it would release the locks of this process.
        """
        place = self._places[-1]
        with suppress(OSError):  # the files may be removed meanwhile
            found = os.stat(place)  # noqa: PTH116  as above
            if (found.st_dev, found.st_ino) == self._identities[-1] and found.st_size < self._index_size:
                os.truncate(place, self._index_size)


def require_writable(path: Path) -> None:
    """Raise `StoreReadOnlyError` where one of the files that are there may not be written; SQLite opens some of them anyway."""
    for suffix in SUFFIXES:
        place = f"{path}{suffix}"
        if _is_refused(place) and _is_refused(
            place
        ):  # another process may remove and make the file between two calls
            raise StoreReadOnlyError(
                "store_read_only", f"the file '{place}' of the store may not be written: allow it"
            )


def _is_refused(place: str) -> bool:
    """Return whether a file is there and may not be written."""
    return not os.access(place, os.W_OK) and os.path.exists(place)  # noqa: PTH110  the method of Path may raise


def _identity_at(place: str) -> Identity | None:
    try:
        found = os.stat(place)  # noqa: PTH116  faster than Path.stat
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _away_error(path: Path) -> StoreAwayError:
    return StoreAwayError(
        "store_away",
        f"the files of the store '{path}' were removed, replaced or truncated: put them back, or start again",
    )

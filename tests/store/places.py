"""Stores of the tests are in memory where there is room: a disk takes its time to sync."""

import os
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

MEMORY: Final = Path("/dev/shm")  # noqa: S108  only new folders are made in it
DISK: Final = Path("/tmp")  # noqa: S108  as above, and short, as the path of a socket must be
ROOM: Final = 2**30


def new_folder() -> Path:
    """Make a folder that whoever makes it must remove."""
    has_room = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return Path(mkdtemp(prefix="oddsmith-", dir=MEMORY if has_room else DISK))

"""Temporary folders for stores, in memory if there is enough space, because a disk is slow to sync."""

import os
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

MEMORY: Final = Path("/dev/shm")  # noqa: S108  only new temporary folders are made in it
DISK: Final = Path("/tmp")  # noqa: S108  only new temporary folders; short, because the path of a socket must be
NEEDED_BYTES: Final = 2**30


def new_folder() -> Path:
    """Make a folder, which the caller must remove."""
    has_space = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > NEEDED_BYTES
    return Path(mkdtemp(prefix="oddsmith-", dir=MEMORY if has_space else DISK))

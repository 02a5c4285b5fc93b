"""The cache of solved tables and compiled kernels that test runs share as long as the sources that compute them are equal."""

import shutil
from hashlib import sha256
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ".test_cache"
"""The folder of all caches, below the root; git ignores it."""
NOT_COMPUTING: Final = frozenset({"cli", "client", "match", "server", "store", "pages", "site"})
"""Packages that compute no table: what is computed must not import them."""


def cache_folder(root: Path = ROOT) -> Path:
    """Return the folder for the tables of these sources, created if needed; remove those of other sources.

    A table of an older solver proves nothing about this one, so one changed byte in a module that may compute tables
    leads to another folder.
    """
    folder = root / FOLDER / sources_digest(root / "src/oddsmith")
    folder.mkdir(parents=True, exist_ok=True)
    for other in folder.parent.iterdir():
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return folder


def sources_digest(package: Path) -> str:
    """Return a digest of the names and contents of all modules of the package that may compute tables."""
    digest = sha256()
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package)
        if name.parts[0] not in NOT_COMPUTING:
            content = path.read_bytes()
            digest.update(f"{name.as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]

"""Finished chunks of a sweep are kept beside its output, so that nothing is read twice however a run ends."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
from filelock import FileLock, Timeout

from oddsmith.balance.sweeping.plan import Sweep
from oddsmith.balance.sweeping.reading import Row, decoded
from oddsmith.errors import InputError

SUFFIX: Final = ".parts"
ABOUT: Final = "sweep.json"
LOCK: Final = "lock"
CHUNK: Final = "chunk-"


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder of parts says of itself."""

    fingerprint: str
    game: str
    rules_id: str
    rows: int


class Parts:
    """The finished chunks of one sweep, in a folder; none where the folder is not there."""

    def __init__(self, folder: Path, sweep: Sweep) -> None:
        self.folder = folder
        self.sweep = sweep

    def finished(self) -> set[int]:
        """Return the numbers of the chunks that are kept whole."""
        return {number for number in range(self.sweep.chunks) if self._is_whole(number)}

    def keep(self, number: int, part: bytes) -> None:
        """Keep a chunk; whoever is killed meanwhile leaves it whole, or not at all."""
        place = self._place(number)
        unfinished = place.with_suffix(".part")
        unfinished.write_bytes(part)
        unfinished.replace(place)

    def rows(self) -> Iterator[Row]:
        """Yield the rows of all chunks in their order."""
        for number in range(self.sweep.chunks):
            yield from decoded(self._place(number).read_bytes())

    def remove(self) -> None:
        """Remove what was kept, and nothing else that may stand there."""
        for file in self.folder.iterdir():
            if file.name in {ABOUT, LOCK} or file.name.startswith(CHUNK):
                file.unlink()
        with suppress(OSError):
            self.folder.rmdir()

    def _place(self, number: int) -> Path:
        return self.folder / f"{CHUNK}{number:08d}.json"

    def _is_whole(self, number: int) -> bool:
        try:
            return len(decoded(self._place(number).read_bytes())) == len(self.sweep.chunk_rows(number))
        except (OSError, msgspec.MsgspecError):
            return False


def parts_of(out: Path) -> Path:
    """Return where the parts of an output are kept.

    >>> parts_of(Path("heist.parquet")).name
    'heist.parquet.parts'
    """
    return out.with_name(out.name + SUFFIX)


@contextmanager
def kept_parts(sweep: Sweep, out: Path, *, restart: bool = False) -> Iterator[Parts]:
    """Open the parts of an output for one run alone; those of another sweep are refused, or removed to start anew."""
    folder = parts_of(out)
    _require_ours(folder)
    folder.mkdir(exist_ok=True)
    parts = Parts(folder, sweep)
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(blocking=False)
    except Timeout as error:
        raise InputError(
            "sweep_runs", f"another run sweeps into '{str(out)[:80]}': wait for it, or end it"
        ) from error
    try:
        _begin(parts, restart=restart)
        yield parts
    finally:
        lock.release()
        if folder.is_dir() and not any(folder.glob(f"{CHUNK}*")):
            parts.remove()


def _begin(parts: Parts, *, restart: bool) -> None:
    """Go on with the parts of the same sweep; write what the sweep is where none began."""
    sweep, place = parts.sweep, parts.folder / ABOUT
    about = About(
        fingerprint=sweep.fingerprint, game=sweep.game, rules_id=sweep.rules.rules_id, rows=sweep.rows
    )
    begun = _read(place)
    if begun is not None and begun != about and not restart:
        raise InputError(
            "other_sweep",
            f"'{parts.folder.name[:80]}' holds parts of another sweep ({_change(begun, about)}): "
            "go on with that one, or begin anew with --restart",
        )
    if restart:
        for file in parts.folder.glob(f"{CHUNK}*"):
            file.unlink()
    if begun != about:
        place.write_bytes(msgspec.json.encode(about))


def _change(begun: About, about: About) -> str:
    """Say what is another."""
    if begun.game != about.game:
        return f"of {begun.game}"
    if begun.rules_id != about.rules_id:
        return f"with rules {begun.rules_id[:12]}, now {about.rules_id[:12]}"
    if begun.rows != about.rows:
        return f"of {begun.rows:,} rows, now {about.rows:,}"
    return "its figures, its axes or the version of oddsmith have changed"


def _read(place: Path) -> About | None:
    try:
        return msgspec.json.decode(place.read_bytes(), type=About)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise _not_ours(place.parent) from error


def _require_ours(folder: Path) -> None:
    """Refuse to work in a folder, or to replace a file, that somebody else made."""
    if folder.is_dir():
        foreign = (file.name for file in folder.iterdir() if file.name not in {ABOUT, LOCK})
        if not (folder / ABOUT).is_file() and any(foreign):
            raise _not_ours(folder)
    elif os.path.lexists(folder):
        raise _not_ours(folder)


def _not_ours(folder: Path) -> InputError:
    return InputError(
        "not_parts", f"'{str(folder)[:80]}' is in the way, and holds no parts of a sweep: move it elsewhere"
    )

"""Count the files of oddsmith whose functions run for one question.

A file counts where one of its functions runs outside any import: importing a module, its classes and its decorators count
for nothing. A switch is a call or a return that leads from one file of oddsmith to another. Both say how far a reader has
to walk; run it before and after a change of structure.

    python -m bench.files
"""

import contextlib
import io
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Final

import oddsmith
from oddsmith.cli import main as run_command

SOURCES: Final = str(Path(oddsmith.__file__).parent)


class Walk:
    """The files that a piece of work runs through, and how often it goes from one to another."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.switches = 0
        self._imports: dict[int, int] = {}
        self._last: dict[int, str] = {}

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """Take one event of the profiler."""
        thread, is_module = threading.get_ident(), frame.f_code.co_name == "<module>"
        if is_module and event in {"call", "return"}:
            self._imports[thread] = self._imports.get(thread, 0) + (1 if event == "call" else -1)
            return
        if event != "call" or self._imports.get(thread) or not frame.f_code.co_filename.startswith(SOURCES):
            return
        name = frame.f_code.co_filename.removeprefix(SOURCES).lstrip("/")
        self.calls[name] += 1
        if self._last.get(thread) not in {None, name}:
            self.switches += 1
        self._last[thread] = name

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Watch this thread, and those that are started meanwhile."""
        threading.setprofile(self.note)
        sys.setprofile(self.note)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


def walk_command(*words: str) -> Walk:
    """Run a command, its output thrown away."""
    walk = Walk()
    with contextlib.redirect_stdout(io.StringIO()), walk.watched():
        run_command(words)
    return walk


def show(title: str, walk: Walk) -> None:
    """Print what a walk came to."""
    print(f"{title}: {len(walk.calls)} files, {walk.switches} switches between files")
    for name in sorted(walk.calls):
        print(f"  {walk.calls[name]:>7,}  {name}")


def main() -> None:
    """Print the walks."""
    show("oddsmith destiny odds burglary", walk_command("destiny", "odds", "burglary"))


if __name__ == "__main__":
    main()

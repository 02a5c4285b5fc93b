"""Count the files of oddsmith whose functions run for one question and for one move of a match.

A file counts where one of its functions runs outside any import: importing a module, its classes and its decorators count
for nothing. A switch is a call or a return that leads from one file of oddsmith to another. Both say how far a reader has
to walk; run it before and after a change of structure.

    python -m bench.files
"""

import asyncio
import contextlib
import io
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final

import oddsmith

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
    from oddsmith.cli import main

    walk = Walk()
    with contextlib.redirect_stdout(io.StringIO()), walk.watched():
        main(words)
    return walk


def walk_move() -> Walk:
    """Make one move of a Casino match on a server in this process, as a socket brings it."""
    return asyncio.run(_walk_move())


async def _walk_move() -> Walk:
    from bench.sockets import opened_match

    with TemporaryDirectory() as folder:
        async with opened_match(Path(folder)) as (send, receive):
            walk = Walk()
            with walk.watched():
                await send()
                await receive()
            return walk


def show(title: str, walk: Walk) -> None:
    """Print what a walk came to."""
    print(f"{title}: {len(walk.calls)} files, {walk.switches} switches between files")
    for name in sorted(walk.calls):
        print(f"  {walk.calls[name]:>7,}  {name}")


def main() -> None:
    """Print the walks."""
    walks: list[tuple[str, Callable[[], Any]]] = [
        ("oddsmith destiny odds burglary", lambda: walk_command("destiny", "odds", "burglary")),
    ]
    for title, make in walks:
        show(title, make())


if __name__ == "__main__":
    main()

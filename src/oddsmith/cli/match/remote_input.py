"""News of a match and keys of a person are waited for together."""

import os
import select
import sys
import termios
import threading
from contextlib import suppress
from queue import SimpleQueue
from typing import NamedTuple

from oddsmith.client import Frame, Watch
from oddsmith.errors import OddsmithError


class Heard(NamedTuple):
    """What there is to attend to: a frame, a line of a person, both, or nothing yet."""

    news: bool
    keys: bool


class Mail:
    """Frames as a thread receives them, with a bell that can be waited for beside a keyboard."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._frames: SimpleQueue[Frame | OddsmithError] = SimpleQueue()
        self._bell, self._rope = os.pipe()
        self._thread = threading.Thread(target=self._receive, daemon=True)
        self._thread.start()

    def _receive(self) -> None:
        with suppress(BrokenPipeError), open(self._rope, "wb", buffering=0) as rope:  # noqa: PTH123  it is a pipe
            try:
                for frame in self._watch:
                    self._frames.put(frame)
                    rope.write(b"!")
            except OddsmithError as error:
                self._frames.put(error)
                rope.write(b"!")

    def wait(self, seconds: float, *, keys: bool) -> Heard:
        """Wait for a frame, and where that is wanted for a line of a person; at most so long."""
        wanted = [self._bell, *([sys.stdin] if keys else [])]
        found = select.select(wanted, [], [], seconds)[0]
        return Heard(news=self._bell in found, keys=sys.stdin in found)

    def next(self) -> Frame:
        """Return the frame that waits, or that comes next; after the last, that of a match that is over, comes none."""
        thing = self._frames.get()
        os.read(self._bell, 1)
        if isinstance(thing, OddsmithError):
            raise thing
        return thing

    @property
    def is_connected(self) -> bool:
        """Whether the server can be heard."""
        return self._watch.is_connected

    def close(self) -> None:
        """Receive no more."""
        self._watch.close()
        self._thread.join(timeout=5)
        os.close(self._bell)


def has_keys() -> bool:
    """Say whether a person types: what is no terminal is read only when it is asked."""
    return sys.stdin.isatty()


def forget_keys() -> None:
    """Drop what was typed and not yet read: it was meant for what stood on the screen before."""
    if has_keys():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)

"""`oddsmith serve FILE --reload`: a child process serves; it is replaced by a new one when a file has changed.

The parent never imports a mechanic. The listening socket and the store stay, so that browsers find the same address, and
matches go on. A file that is broken is said on stderr and in the pages, and the version before is served.
"""

import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, Final, TypeAlias

from oddsmith.errors import InputError, OddsmithError, Refusal
from oddsmith.mechanic_source import is_file_source, source_name
from oddsmith.registry import SECONDS_VARIABLE, SEPARATOR, VARIABLE, Problem, absolute_source, problems
from oddsmith.server import logs
from oddsmith.server.application import make_app
from oddsmith.server.mechanic_check import check_sources
from oddsmith.server.reload_operations import FileProblem, ReloadState
from oddsmith.server.settings import Settings
from oddsmith.server.uvicorn_server import SIGNALS, UvicornServer
from oddsmith.server.workers import SECONDS_TO_STOP, end_with_parent

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

SECONDS_BETWEEN_LOOKS: Final = 0.25
SECONDS_TO_START: Final = 60.0
SECONDS_TO_RESTART: Final = 2.0
"""A process that ended by itself is replaced after this time."""

Stamp: TypeAlias = tuple[int, int] | None
"""Time of change and size of a file; None where there is none."""
Stamps: TypeAlias = Mapping[str, Stamp]


def require_reloadable(settings: Settings, sources: Sequence[str]) -> None:
    """Raise `InputError` where nothing can be reloaded: without a file, or with several workers."""
    if settings.workers > 1:
        sentence = f"--reload is for one process, not for {settings.workers}: leave --workers out"
        raise InputError("bad_reload", sentence, where="workers")
    if not any(map(is_file_source, sources)):
        raise InputError("bad_reload", "--reload watches files: name a mechanic's file, ./pig.py")


class ReloadingServer:
    """A process that serves mechanics from sources, replaced when their files change, until a signal."""

    def __init__(
        self,
        settings: Settings,
        sources: Sequence[str],
        listener: socket.socket,
        say: Callable[[str], None],
    ) -> None:
        self._settings = settings
        self._sources = tuple(dict.fromkeys(map(absolute_source, sources)))
        self._listener = listener
        self._say = say
        self._stopping = threading.Event()
        self._generation = 0
        self._served: frozenset[str] = frozenset()
        self._problems: tuple[FileProblem, ...] = ()
        self._child: _Child | None = None

    def run(self, ready: Callable[[], None]) -> None:
        """Serve until a signal; call `ready` once the first process serves. Raise `InputError` where it cannot start."""
        before = {number: signal.signal(number, self._stop) for number in SIGNALS}
        os.environ[SECONDS_VARIABLE] = str(self._settings.seconds_to_load)
        try:
            stamps = self._look()
            self._reload(self._sources)
            if not self._stopping.is_set():
                ready()
            self._watch(stamps)
        finally:
            if self._child is not None:
                self._child.stop()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping.set()

    def _watch(self, stamps: Stamps) -> None:
        """Reload when a file has changed, and is the same at two looks; replace a process that ends by itself."""
        seen = stamps
        while not self._stopping.wait(SECONDS_BETWEEN_LOOKS):
            now = self._look()
            if now != stamps and now == seen:
                changed = [source for source in now if now[source] != stamps[source]]
                stamps = now
                if self._reload(changed):
                    self._say(f"reloaded: {', '.join(map(source_name, changed))}")
            seen = now
            if self._child is not None and not self._child.process.is_alive():
                self._stopping.wait(SECONDS_TO_RESTART)
                self._start()

    def _look(self) -> dict[str, Stamp]:
        return {source: _stamp(source) for source in self._sources if is_file_source(source)}

    def _reload(self, changed: Sequence[str]) -> bool:
        """Check the sources, and serve them in a new process; return whether that is so.

        Where one that is served is broken now, or none that has changed can be served, the process stays.
        """
        found = check_sources(self._sources, self._settings.seconds_to_load)
        broken = [problem for problem in found if problem is not None]
        good = frozenset(
            source for source, problem in zip(self._sources, found, strict=True) if problem is None
        )
        found_now = tuple(map(_file_problem, broken))
        for problem in found_now:
            if problem not in self._problems:
                self._say(f"warning: {problem.sentence}")
        self._problems = found_now
        if self._child is not None and not (self._served <= good and good.intersection(changed)):
            self._child.show(found_now)
            return False
        self._served = good
        return self._start()

    def _start(self) -> bool:
        """Replace the process by a new one; the old one serves until the new one has loaded. Return whether it has.

        In between, connections wait at the listening socket: two generations never answer at the same time.
        """
        if self._stopping.is_set():
            return False
        self._generation += 1
        os.environ[VARIABLE] = SEPARATOR.join(source for source in self._sources if source in self._served)
        state = (f"{os.getpid()}-{self._generation}", self._problems)
        child, before = _Child(self._settings, self._listener, state), self._child
        self._child = child
        try:
            child.wait(self._stopping)
            if before is not None:
                before.stop()
            child.let_serve()
            child.wait(self._stopping)
        except InputError as error:
            child.stop()
            if before is None:
                raise
            self._say(f"warning: {error.refusal.sentence}")
            self._child = before
            return False
        return True


def _stamp(source: str) -> Stamp:
    try:
        status = os.stat(source)  # noqa: PTH116  a source is a text
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _file_problem(problem: Problem) -> FileProblem:
    return FileProblem(where=problem.where or source_name(problem.source), sentence=problem.reason)


State: TypeAlias = tuple[str, tuple[FileProblem, ...]]
"""The generation of a process, and the problems that its pages show."""


class _Child:
    """A serving process, and the pipe to it.

    It sends something when it has loaded the mechanics, and when it serves, or a refusal; it gets a word to serve, then the
    problems of files.
    """

    def __init__(self, settings: Settings, listener: socket.socket, state: State) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self.process = context.Process(
            target=run_reloaded, args=(settings, listener, other, state), name="oddsmith-reloaded"
        )
        self.process.start()
        other.close()

    def wait(self, stopping: threading.Event) -> None:
        """Wait for the next message of the process; raise `InputError` where it is a refusal, or where there is none."""
        until = time.monotonic() + SECONDS_TO_START
        while not stopping.is_set() and not self._pipe.poll(SECONDS_BETWEEN_LOOKS):
            if time.monotonic() > until:
                raise InputError("reload_failed", f"nothing is served after {SECONDS_TO_START:g} seconds")
        if stopping.is_set():
            return
        try:
            message = self._pipe.recv()
        except EOFError:
            raise InputError(
                "reload_failed", "the serving process ended before it answered: the log says why"
            ) from None
        if isinstance(message, Refusal):
            raise InputError.of(message)

    def let_serve(self) -> None:
        """Let the process accept connections."""
        with suppress(OSError):
            self._pipe.send("serve")

    def show(self, problems: tuple[FileProblem, ...]) -> None:
        """Show problems in the pages of the process."""
        with suppress(OSError):
            self._pipe.send(problems)

    def stop(self) -> None:
        """Let the process finish what it does, and end; kill it where it does not."""
        if self.process.is_alive():
            self.process.terminate()
        self.process.join(SECONDS_TO_STOP)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self._pipe.close()


def run_reloaded(
    settings: Settings, listener: socket.socket, pipe: "Connection[object, object]", state: State
) -> None:
    """Load the mechanics in a child process, and serve once the parent says so, until a signal, or until the parent ends."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    logs.configure(settings.log)
    shown = ReloadState(*state)

    def receive_problems() -> None:
        with suppress(EOFError, OSError):
            while True:
                shown.problems = pipe.recv()  # type: ignore[assignment]  # what `_Child.show` sends

    try:
        app = make_app(settings, reload=shown)
        shown.own_problems = tuple(map(_file_problem, problems()))
        pipe.send("loaded")
        pipe.recv()
        threading.Thread(target=receive_problems, daemon=True).start()
        UvicornServer(app, settings, lambda: pipe.send("ready")).run(sockets=[listener])
    except OddsmithError as error:
        pipe.send(error.refusal)
        sys.exit(1)

"""The compiled code of bots: compiled in the background when the server starts, loaded before a bot's first choice."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Final, TypeAlias

import structlog

from oddsmith import disk_cache
from oddsmith.bot import CompiledCode
from oddsmith.registry import VARIABLE, find_mechanic, load_mechanics
from oddsmith.server.fair_threads import FairThreads

BotName: TypeAlias = tuple[str, str]
"""A game, and the name of one of its bots."""
NICENESS: Final = 10
SECONDS_TO_COMPILE: Final = 600.0
"""The time after which the process that compiles is ended; then bots are compiled in the process of the server."""


class BotCode:
    """Prepares the code of bots; `start` compiles what the cache does not have, one bot after another.

    A process of low priority compiles into the cache, so that the server is not slowed down; where the cache cannot be
    written, a thread of the server compiles.
    """

    def __init__(self, codes: Mapping[BotName, CompiledCode] | None = None) -> None:
        self._given = codes
        self._waiting: dict[BotName, asyncio.Event] = {}
        self._loads: dict[BotName, asyncio.Future[None]] = {}
        self._thread = FairThreads(1, name="oddsmith-compile")
        self._process: subprocess.Popen[bytes] | None = None
        self._is_stopping = False

    @property
    def compiling(self) -> tuple[str, ...]:
        """The bots, as `game/bot`, whose code is compiled or is still to be."""
        return tuple(f"{game}/{bot}" for game, bot in self._waiting)

    async def run(self) -> None:
        """Compile what the cache does not have."""
        codes = await asyncio.to_thread(served_codes) if self._given is None else self._given
        for name, code in codes.items():
            if not await asyncio.to_thread(code.is_cached):
                self._waiting[name] = asyncio.Event()
        try:
            while self._waiting and not self._is_stopping:
                name = next(iter(self._waiting))
                await self._compile(name, codes[name])
                self._waiting.pop(name).set()
        finally:
            for event in self._waiting.values():
                event.set()
            self._waiting.clear()

    async def prepare(self, game: str, bot: str, code: CompiledCode) -> None:
        """Return when the code of a bot is ready in this process; what is being compiled is waited for, and compiled next."""
        name = game, bot
        event = self._waiting.get(name)
        if event is not None:
            self._move_forward(name)
            await event.wait()
        await asyncio.shield(self._load(name, code))

    def stop(self) -> None:
        """End the process that compiles; a thread that does ends with the process of the server."""
        self._is_stopping = True
        self._thread.close()
        if self._process is not None:
            self._process.kill()

    async def _compile(self, name: BotName, code: CompiledCode) -> None:
        """Compile the code of a bot into the cache, or in this process where that fails."""
        if self._given is None and await asyncio.to_thread(disk_cache.is_writable):
            await asyncio.to_thread(self._run_process, name)
        elif not self._is_stopping:
            await asyncio.shield(self._load(name, code))

    def _run_process(self, name: BotName) -> None:
        with subprocess.Popen(  # noqa: S603  this interpreter and this module
            [sys.executable, "-m", "oddsmith.server.bot_code", *name],
            env={**os.environ, VARIABLE: ""},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C ends it by its parent, which kills it
        ) as process:
            self._process = process
            if self._is_stopping:
                process.kill()
            try:
                _, errors = process.communicate(timeout=SECONDS_TO_COMPILE)
            except subprocess.TimeoutExpired:
                process.kill()
                _, errors = process.communicate()
        self._process = None
        if process.returncode and not self._is_stopping:
            lines = errors.decode(errors="replace").splitlines()
            structlog.get_logger().warning(
                "bot not compiled", game=name[0], bot=name[1], reason=lines[-1] if lines else ""
            )

    def _move_forward(self, name: BotName) -> None:
        """Have a bot compiled after the one that is compiled now."""
        first = next(iter(self._waiting))
        if name != first:
            rest = {other: event for other, event in self._waiting.items() if other not in (first, name)}
            self._waiting = {first: self._waiting[first], name: self._waiting[name], **rest}

    def _load(self, name: BotName, code: CompiledCode) -> "asyncio.Future[None]":
        """Return the future of the code of a bot in this process; all callers share one until it fails."""
        load = self._loads.get(name)
        if load is None or (load.done() and (load.cancelled() or load.exception() is not None)):
            piece = self._thread.submit(code.prepare, owner="")
            load = self._loads[name] = asyncio.wrap_future(piece.future)
        return load


def served_codes() -> dict[BotName, CompiledCode]:
    """Return the compiled code of all bots that can take a seat."""
    return {
        (game, bot.name): bot.code
        for game, mechanic in load_mechanics().items()
        for bot in mechanic.bots.values()
        if bot.code is not None and not bot.is_slow
    }


# --- in the process that compiles ------------------------------------------------------------------------------------


def main(game: str, bot: str) -> None:
    """Compile the code of a bot into the cache, unless another process has done so meanwhile."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    code = find_mechanic(game).find_bot(bot).code
    with _only_process(f"{game}-{bot}"):
        if code is not None and not code.is_cached():
            code.prepare()


@contextmanager
def _only_process(name: str) -> Iterator[None]:
    """Wait until no other process of this machine is in here with the same name; where files cannot be locked, do not wait."""
    folder = disk_cache.folder()
    if folder is None or find_spec("fcntl") is None:
        yield
        return
    import fcntl  # noqa: PLC0415  not on all platforms

    with (folder / f"compiling-{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    main(*sys.argv[1:])

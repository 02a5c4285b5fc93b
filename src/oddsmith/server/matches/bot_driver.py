"""Runs the bots of matches: they choose in a thread pool, with at most one task for each match."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from oddsmith.game import Seat
from oddsmith.match.bots import bot_choice
from oddsmith.match.model import Illegal
from oddsmith.server.matches.background import Background
from oddsmith.server.matches.commands import CommandRunner
from oddsmith.server.matches.live_matches import LiveMatch
from oddsmith.server.matches.quarantine import Quarantine, is_transient
from oddsmith.server.rule_calls import RuleCalls

BOT_THREADS: Final = 2
SECONDS_TO_RETRY: Final = 1.0


class BotDriver:
    """Runs the bots that a match waits for."""

    def __init__(
        self, commands: CommandRunner, background: Background, rules: RuleCalls, quarantine: Quarantine
    ) -> None:
        self._commands = commands
        self._quarantine = quarantine
        self._background = background
        self._rules = rules
        self._threads = ThreadPoolExecutor(BOT_THREADS, thread_name_prefix="oddsmith-bots")
        self._is_stopping = False

    def move_bots(self, live: LiveMatch) -> None:
        """Start the task of a match's bots, if the match waits for a bot, and the task is not running nor in quarantine."""
        if live.bot_task is not None or self._is_stopping or self._quarantine.is_held(live.match.id):
            return
        if live.match.waiting_bots:
            live.bot_task = self._background.start(self._drive(live))

    def stop(self) -> None:
        """Start no more choices."""
        self._is_stopping = True

    def close(self) -> None:
        """Shut the thread pool down; choices that wait for a thread are dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _drive(self, live: LiveMatch) -> None:
        """Let bots choose until the match waits for none; retry while the store is unavailable.

        After any other error the match is in quarantine.
        """
        try:
            while not self._is_stopping and (seats := live.match.waiting_bots):
                try:
                    await self._choose(live, seats[0])
                except Exception as error:  # noqa: BLE001  a bot of any mechanic may fail
                    if not is_transient(error):
                        self._quarantine.hold(live.match.id, error, what=f"bot in seat {seats[0]}")
                        return
                    await asyncio.sleep(SECONDS_TO_RETRY)
        finally:
            live.bot_task = None

    async def _choose(self, live: LiveMatch, seat: Seat) -> None:
        match, loop = live.match, asyncio.get_running_loop()
        if self._rules.is_limited(match.game):
            choice = await self._rules.run(match.game, partial(bot_choice, match, seat))
        else:
            choice = await loop.run_in_executor(self._threads, bot_choice, match, seat)
        answer = await self._commands.run(match.id, choice)
        if isinstance(answer, Illegal) and answer.version == match.version:
            raise RuntimeError(f"a bot of {match.game} chose what is refused: {answer.refusal.code}")
